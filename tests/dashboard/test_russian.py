"""The pages in Russian: wholly translated, chosen by address, cookie or browser, with the right headers."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import closing
from urllib.parse import quote_plus

import httpx
import pytest
from bs4 import BeautifulSoup, Doctype, Tag

from dashboard import links
from dashboard.view_app import create_view_app
from league.model import Season
from referee.random_match import random_match
from referee.rules import PRESETS, parse_variant
from tests.dashboard.conftest import NAMES, PlayedLeague, Reader, serving
from tests.dashboard.seasons import CYRILLIC_NAME

pytestmark = pytest.mark.slow

STANDINGS = ("crosstable", "contracts", "duel", "deals")
SHOWN_ATTRIBUTES = ("title", "aria-label", "alt", "placeholder")
KEPT = {
    *("King", "Arena", "JSON", "json", "UTC", "SHA", "EN", "RU", "English", "Python", "Rıfkı", "Kupa", "KH", "id"),
    *("Shift", "PgUp", "PgDn", "Home", "End", "Space", "Tab", "V", "A", "K", "Q", "J"),
    *("p", "b", "Debian", "Perl", "API", "Atom", "CSV", "KING_REDIS_URL", "up", "Redis"),
    *("SDK", "README", "gRPC", "awk", "Tcl", "toml", "match", "check", "bridge", "view", "lang"),
    *("king", "season", "start", "create", "new", "bot", "make", "league", "verify", "random", "Ready", "GET"),
    *("deal", "play", "hand", "view", "open", "order", "before", "elo", "points", "boards"),
}
"""What stays as it is: names of games, keys, ranks, commands, parameters of addresses."""


def ids() -> set[str]:
    """The words of ids that the rules use: variants, contracts, options and their values."""
    texts = []
    for preset in PRESETS:
        variant = parse_variant(preset)
        texts += [variant.id, *variant.contracts]
        texts += [str(part) for option in variant.options.items() for part in option]
        texts += [contract.title.own or "" for contract in variant.contracts.values()]
    return {word for text in texts for word in re.findall(r"\w+", text)}


def names(played: PlayedLeague) -> set[str]:
    """The words of names that organisers and authors gave."""
    seasons: tuple[Season, ...] = played.store.seasons.all()
    return {word for name in (*NAMES, *(season.name for season in seasons)) for word in re.findall(r"\w+", name)}


def latin_words(page: BeautifulSoup) -> Iterator[str]:
    """Words in Latin letters that a reader meets, other than in code and in parts marked as another language's."""
    for tag in page.select("script, style, code, head link, [lang=en], .rules-table td, table.list th"):
        tag.decompose()
    texts = [str(text) for text in page.find_all(string=True) if not isinstance(text, Doctype)]
    texts += [str(tag.get(attribute) or "") for tag in page.find_all(True) for attribute in SHOWN_ATTRIBUTES]
    for text in texts:
        words = re.findall(r"\b[A-Za-z]\w*", re.sub(r"/[\w/.-]+", "", text))
        yield from (word for word in words if not re.search(r"\d", word))


@pytest.fixture(scope="module")
def russian(site: str) -> Generator[Reader, None, None]:
    found = Reader(site, "ru-RU,ru;q=0.9,en;q=0.5")
    yield found
    found.close()


def paths(reader: Reader, played: PlayedLeague) -> list[str]:
    """One address of every kind of page, and of pages in each of their states."""
    over = reader.json(f"/matches.json?season={played.over}")["rows"]
    chosen = reader.json(f"/matches.json?season={played.chosen}")["rows"][0]
    hidden = next(row for row in reader.json(f"/matches.json?season={played.running}")["rows"] if not row["public"])
    flawed = next(row for row in over if any(result["forfeited"] for result in row["results"]))
    return [
        "/",
        *(f"/seasons/{season}" for season in (played.over, played.running, played.planned)),
        *(f"/seasons/{season}/ladder" for season in (played.over, played.running, played.planned)),
        *(f"/seasons/{season}/{page}" for season in (played.over, played.planned) for page in STANDINGS),
        f"/seasons/{played.running}/deals",
        f"/seasons/{played.over}/boards/{over[0]['board']}?deal=6&hand=1",
        f"/seasons/{played.running}/boards/{hidden['board']}",
        f"/matches?season={played.over}",
        f"/matches?season={played.planned}",
        f"/matches/{flawed['match_id']}?deal=4&play=9",
        f"/matches/{over[0]['match_id']}?deal=2&play=5&view=1",
        f"/matches/{chosen['match_id']}?deal=3&play=1",
        f"/matches/{hidden['match_id']}",
        "/bots",
        *(f"/bots/{name}?season={season}" for name in ("greedy", "lowest") for season in (played.over, played.planned)),
        f"/bots/greedy/stderr?season={played.over}",
        "/rules",
        *(f"/rules/{variant}" for variant in ("russian-14", "ordered-56", "auction-11", "classic", "turkish-20")),
        "/display",
    ]


def test_no_page_has_english_left(russian: Reader, played: PlayedLeague) -> None:
    """Every kind of page is Russian wherever it is not a name, an id, a command or marked as English."""
    known = KEPT | ids() | names(played)
    for path in paths(russian, played):
        page = russian.page(path)
        assert page.html is not None
        assert page.html["lang"] == "ru", path
        assert set(latin_words(page)) - known == set(), path


def test_errors_of_the_dashboard_are_russian(russian: Reader, played: PlayedLeague) -> None:
    """An address that asks for too much is answered in Russian; what the rules say stays marked as English."""
    match_id = russian.json(f"/matches.json?season={played.over}")["rows"][0]["match_id"]
    for path, right in (
        (f"/matches/{match_id}?deal=99", "нужно целое число от 1 до 14"),
        (f"/matches/{match_id}?view=9", "нужно open или номер места от 0 до 3"),
        (f"/seasons/{played.over}/boards/x", "нужно целое число от 0"),
        (f"/seasons/{played.over}/ladder?order=wins", "есть elo, points, boards"),
        ("/nowhere", "Страницы /nowhere нет"),
        ("/seasons/99", "Сезона 99 нет"),
        ("/bots/nobody", "Бота nobody нет"),
        ("/matches/xx", "Матча xx нет: номер матча — 16 шестнадцатеричных цифр"),
        (f"/seasons/{played.over}/boards/999", "нет доски 999"),
    ):
        lead = russian.page(path, 404).select_one(".lead")
        assert lead is not None
        assert right in lead.get_text()
        assert "lang" not in lead.attrs
    rules = russian.page("/rules/nothing", 404).select_one(".lead")
    assert rules is not None
    assert rules["lang"] == "en"


def test_rules_are_russian_wholly(russian: Reader) -> None:
    """The page of a variant has its headings, tables and options in Russian, and so has the list."""
    page = russian.page("/rules/classic")
    text = page.get_text(" ")
    for word in (
        "Классический кинг",
        "Контракты",
        "Особые правила",
        "хваленки",
        "прикуп",
        "по умолчанию",
        "Раздачи 1–",
    ):
        assert word in text
    for word in ("The rules", "Contracts", "Options", "default", "seats"):
        assert not re.search(rf"\b{word}\b", re.sub(r"seats:", "", text)), word
    assert "Заказной кинг" in russian.page("/rules").get_text()


def test_numbers_have_a_decimal_comma(russian: Reader, reader: Reader, played: PlayedLeague) -> None:
    """Russian pages write decimals with a comma, English ones with a point; ids and grouping are the same."""
    for one, sign in ((russian, ","), (reader, ".")):
        cells = one.page(f"/seasons/{played.over}/ladder").select("td.points .estimate")
        assert cells
        assert all(re.fullmatch(rf"[+−]?\d+{re.escape(sign)}\d+", cell.get_text()) for cell in cells)


def language_links(page: BeautifulSoup) -> dict[str, Tag]:
    return {str(link["hreflang"]): link for link in page.select(".languages a")}


@pytest.mark.parametrize("path", ["/", f"/matches?season=1&bot={quote_plus(CYRILLIC_NAME)}"])
def test_the_language_link_keeps_the_page(reader: Reader, path: str) -> None:
    """Beside the link to the display page each language has its link to the same address; the page's own is marked."""
    found = language_links(reader.page(path))
    assert {code: link.get("aria-current") for code, link in found.items()} == {"en": "true", "ru": None}
    assert found["ru"]["title"] == "Русский"
    assert found["ru"]["lang"] == "ru"
    assert str(found["ru"]["href"]) == f"{path}{'&' if '?' in path else '?'}lang=ru"
    again = reader.page(str(found["ru"]["href"]))
    assert again.html is not None
    assert again.html["lang"] == "ru"
    back = str(language_links(again)["en"]["href"])
    assert back == f"{path}{'&' if '?' in path else '?'}lang=en"


def test_an_address_in_a_language_is_kept_for_the_pages_after_it(site: str) -> None:
    """The language that an address names is the reader's from then on, whatever the browser asks for."""
    with httpx.Client(base_url=site, headers={"Accept-Language": "en"}, timeout=60) as browser:
        assert 'lang="en"' in browser.get("/rules").text
        shared = browser.get("/rules?lang=ru")
        assert "language=ru" in shared.headers["set-cookie"]
        assert "Правила" in browser.get("/rules/classic").text
        assert "set-cookie" not in browser.get("/rules").headers
        browser.get("/rules?lang=en")
        assert "Rules" in browser.get("/rules").text


def test_the_display_page_keeps_the_language(site: str) -> None:
    """Language, theme and suits are chosen together; the way back is in the language just chosen."""
    with httpx.Client(base_url=site, headers={"Accept-Language": "en"}, follow_redirects=True, timeout=60) as browser:
        answer = browser.get("/display/set", params={"language": "en", "theme": "dark", "back": "/rules?lang=ru"})
        assert answer.url.path == "/rules"
        assert 'lang="en"' in answer.text
        assert 'data-theme="dark"' in answer.text
        browser.get("/display/set", params={"language": "ru", "theme": "dark"})
        page = BeautifulSoup(browser.get("/display").text, "html.parser")
        assert [str(option["value"]) for option in page.select("select[name=language] option[selected]")] == ["ru"]
        browser.get("/display/set")
        assert 'lang="en"' in browser.get("/display").text


@pytest.mark.parametrize("path", ["/rules?lang=xx", "/rules?lang=", "/rules?lang=ru&lang=xx", "/rules?lang=../ru"])
def test_an_unknown_language_is_no_error(reader: Reader, path: str) -> None:
    """A language that is not there leaves the browser's wish, and no cookie."""
    answer = reader.answer(path)
    assert answer.status_code == 200
    assert '<html lang="en"' in answer.text
    assert "set-cookie" not in answer.headers
    assert '<html lang="en"' in reader.answer("/rules", cookie="language=xx").text


def test_caches_are_told_what_a_page_depends_on(reader: Reader, russian: Reader) -> None:
    """Pages and twins vary by language and cookie and say their language; static files depend on nothing."""
    for path in ("/rules", "/rules.json", "/nowhere"):
        answer = russian.answer(path)
        assert {"Accept-Language", "Cookie"} <= set(answer.headers["vary"].split(", "))
    assert russian.answer("/rules").headers["content-language"] == "ru"
    assert reader.answer("/rules").headers["content-language"] == "en"
    sheet = reader.page("/rules").select_one("link[rel=stylesheet]")
    assert sheet is not None
    assert "Cookie" not in reader.answer(str(sheet["href"])).headers.get("vary", "")


def test_every_page_names_its_other_languages(reader: Reader) -> None:
    """For search engines a page names its address in each language."""
    page = reader.page("/rules/classic")
    others = {str(link["hreflang"]): str(link["href"]) for link in page.select("head link[hreflang]")}
    assert others == {"en": "/rules/classic?lang=en", "ru": "/rules/classic?lang=ru"}


@pytest.mark.parametrize(
    ("address", "language", "expected"),
    [
        ("/", "ru", "/?lang=ru"),
        ("/x?a=1&lang=en&b=", "ru", "/x?a=1&b=&lang=ru"),
        ("/x?lang=ru", None, "/x"),
        ("/x?a=%D1%85+%26", None, "/x?a=%D1%85+%26"),
    ],
)
def test_addresses_in_a_language(address: str, language: str | None, expected: str) -> None:
    """The language joins the query once; everything else of it stays."""
    assert links.in_language(address, language) == expected


@pytest.mark.parametrize("variant", ["ordered-56", "classic[redemption=praise]", "classic[redemption=talon,seats=3]"])
def test_a_single_record_is_shown_in_russian(variant: str) -> None:
    """`king view` has the same language links; page, frames and errors are Russian at every decision."""
    record = random_match(parse_variant(variant), 5)
    known = KEPT | ids()
    with serving(create_view_app(record)) as address, closing(Reader(address, "ru")) as reader:
        for deal in (1, len(record["deals"]) // 2, len(record["deals"])):
            for play in range(4):
                page = reader.page(f"/?deal={deal}&play={play}")
                assert set(language_links(page)) == {"en", "ru"}
                assert set(latin_words(page)) - known == set()
        frames = reader.json("/deals/1.json")
        assert "Раздача 1: карты розданы." in frames["frames"][0]["said"]
        assert "целое число от" in reader.page("/?deal=99", 404).get_text()
