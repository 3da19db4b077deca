"""The replay page and the look of every page, driven in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from dashboard.view_app import create_view_app
from referee.random_match import random_match
from referee.rules import parse_variant
from tests.dashboard.big_season import big_crosstable_app
from tests.dashboard.conftest import PlayedLeague, Reader, serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-gpu-compositing",
    "--disable-gpu-rasterization",
    "--in-process-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
Theme = Literal["light", "dark"]
STANDINGS = ("crosstable", "contracts", "duel", "deals")
WIDTHS_AND_THEMES: tuple[tuple[int, Theme], ...] = ((390, "dark"), (1440, "light"))


@pytest.fixture(scope="module")
def browser(chromium: str) -> Generator[Browser, None, None]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield found
        found.close()


def new_page(
    browser: Browser, width: int = 1440, theme: Theme = "light", *, touch: bool = False, language: str = "en"
) -> Page:
    """A page whose script errors and failed requests fail the test that closes it with `done`."""
    context = browser.new_context(
        viewport={"width": width, "height": 1000},
        color_scheme=theme,
        has_touch=touch,
        reduced_motion="reduce",
        locale=language,
    )
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    page.set_default_timeout(60_000)  # a busy machine takes its time
    page.__dict__["troubles"] = troubles
    return page


def done(page: Page) -> None:
    troubles = page.__dict__["troubles"]
    page.context.close()
    assert troubles == []


def trick_of(page: Page) -> list[str]:
    """The cards on the table, in the order played."""
    cards: list[str] = page.evaluate(
        "[...document.querySelectorAll('#trick .slot[data-order]')]"
        ".sort((a, b) => a.dataset.order - b.dataset.order).map(s => s.querySelector('.card').dataset.card)"
    )
    return cards


def expect_at(page: Page, deal: int, play: int, view: str = "open") -> None:
    replay = page.locator("#replay")
    expect(replay).to_have_attribute("data-deal", str(deal))
    expect(replay).to_have_attribute("data-play", str(play))
    expect(replay).to_have_attribute("data-view", view)
    assert page.url.endswith(f"deal={deal}&play={play}&view={view}")


@pytest.fixture(scope="module")
def record() -> dict[str, object]:
    return random_match(parse_variant("russian-14"), 11)


@pytest.fixture(scope="module")
def replay_site(record: dict[str, object]) -> Generator[str, None, None]:
    with serving(create_view_app(record)) as address:
        yield address


def cards_of(record: dict[str, object], deal: int, start: int, end: int) -> list[str]:
    deals = record["deals"]
    assert isinstance(deals, list)
    return [action["card"] for action in deals[deal - 1]["actions"][start:end]]


def test_keys_change_the_cards_of_the_trick(browser: Browser, replay_site: str, record: dict[str, object]) -> None:
    """Arrow keys step by plays, with Shift by tricks; the address and the trick follow."""
    page = new_page(browser)
    page.goto(f"{replay_site}/?deal=1&play=0")
    assert trick_of(page) == []
    for play in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        expect_at(page, 1, play)
        assert trick_of(page) == cards_of(record, 1, 0, play)
    page.keyboard.press("Shift+ArrowRight")
    expect_at(page, 1, 4)
    assert trick_of(page) == cards_of(record, 1, 0, 4)
    page.keyboard.press("ArrowRight")
    expect_at(page, 1, 5)
    assert trick_of(page) == cards_of(record, 1, 4, 5)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    expect_at(page, 1, 0)
    assert trick_of(page) == []
    done(page)


def test_buttons_change_the_cards_of_the_trick(browser: Browser, replay_site: str, record: dict[str, object]) -> None:
    """The buttons of the control bar, the list of plays and the timelines step without loading the page anew."""
    page = new_page(browser)
    page.goto(f"{replay_site}/?deal=1&play=0")
    page.evaluate("window.kept = true")
    page.get_by_role("link", name="Play forward").click()
    expect_at(page, 1, 1)
    assert trick_of(page) == cards_of(record, 1, 0, 1)
    page.get_by_role("link", name="Trick forward").click()
    expect_at(page, 1, 4)
    page.locator(".plays a[data-play='7']").click()
    expect_at(page, 1, 7)
    assert trick_of(page) == cards_of(record, 1, 4, 7)
    page.locator(".tricks a").nth(2).click()
    expect_at(page, 1, 12)
    page.locator(".deals a").nth(4).click()
    expect_at(page, 5, 0)
    assert page.evaluate("window.kept") is True
    done(page)


def test_stepped_and_loaded_pages_are_the_same(browser: Browser, replay_site: str) -> None:
    """What the script shows at a position is what the server renders there."""
    page = new_page(browser)
    page.goto(f"{replay_site}/?deal=3&play=0")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    expect_at(page, 3, 6)
    parts = "[...document.querySelectorAll('#felt, .tricks, .plays, #sheet, .steps, #said')].map(e => e.outerHTML)"
    tidy = "(parts) => parts.map(p => p.replace(/ hidden=\"\"/g, '').replace(/>\\s+/g, '>').replace(/\\s+</g, '<'))"
    sort = """(parts) => parts.map(p => {
      const t = document.createElement('template');
      t.innerHTML = p;
      for (const e of t.content.querySelectorAll('*')) {
        const sorted = [...e.attributes].map(a => [a.name, a.value]).sort();
        for (const [name] of sorted) e.removeAttribute(name);
        for (const [name, value] of sorted) e.setAttribute(name, value);
      }
      return t.innerHTML;
    })"""
    stepped = page.evaluate(sort, page.evaluate(tidy, page.evaluate(parts)))
    page.reload()
    loaded = page.evaluate(sort, page.evaluate(tidy, page.evaluate(parts)))
    assert stepped == loaded
    done(page)


def test_deal_and_end_keys(browser: Browser, replay_site: str) -> None:
    """Page keys go through deals, Home and End to the ends of one; at its end a play forward opens the next."""
    page = new_page(browser)
    page.goto(f"{replay_site}/?deal=2&play=3")
    page.keyboard.press("PageDown")
    expect_at(page, 3, 0)
    page.keyboard.press("PageUp")
    expect_at(page, 2, 0)
    page.keyboard.press("End")
    expect(page.locator("#said")).to_contain_text("The deal is over")
    page.keyboard.press("ArrowRight")
    expect_at(page, 3, 0)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#said")).to_contain_text("The deal is over")
    page.keyboard.press("Home")
    expect_at(page, 2, 0)
    done(page)


def test_views_hide_the_other_hands(browser: Browser, replay_site: str) -> None:
    """V goes from the open view to each seat: then the other hands are backs, and stay so while stepping."""
    page = new_page(browser)
    page.goto(f"{replay_site}/?deal=1&play=2")
    page.keyboard.press("v")
    expect_at(page, 1, 2, "0")
    expect(page.locator(".hand .back")).not_to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect_at(page, 1, 3, "0")
    assert page.locator(".hand[data-seat='1'] [data-card]").count() == 0
    page.locator("[data-view='open']").first.click()
    expect_at(page, 1, 3)
    expect(page.locator(".hand .back")).to_have_count(0)
    done(page)


def test_keys_rest_while_a_control_has_the_focus(browser: Browser, replay_site: str) -> None:
    """While a button or field has the focus, keys are its own; ? opens the help and Escape closes it."""
    page = new_page(browser)
    page.goto(f"{replay_site}/?deal=1&play=2&view=open")
    for control in ("#speed", "#run", "#ghosts"):
        page.locator(control).focus()
        page.keyboard.press("ArrowRight")
        expect_at(page, 1, 2)
    page.locator("[data-step=back]").focus()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect_at(page, 1, 3)
    done(page)


def test_autoplay_runs_into_the_next_deal_and_stops(browser: Browser, replay_site: str) -> None:
    """Space runs and goes on into the next deal; a key stops it."""
    page = new_page(browser)
    page.goto(f"{replay_site}/?deal=1&play=0")
    page.keyboard.press("End")
    expect(page.locator("#said")).to_contain_text("The deal is over")
    page.locator("#speed").select_option("160")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    expect(page.locator("#replay")).to_have_attribute("data-deal", "2")
    expect(page.locator("#run")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Home")
    expect(page.locator("#run")).to_have_attribute("aria-pressed", "false")
    expect_at(page, 2, 0)
    done(page)


def test_taps_and_swipes_step(browser: Browser, replay_site: str) -> None:
    """A tap on the right half of the table is a play forward, on the left half one back; a swipe is a trick."""
    page = new_page(browser, 390, touch=True)
    page.goto(f"{replay_site}/?deal=1&play=0")
    box = page.locator("#trick").bounding_box()
    assert box is not None
    middle = box["y"] + 20
    page.touchscreen.tap(box["x"] + box["width"] - 10, middle)
    expect_at(page, 1, 1)
    page.touchscreen.tap(box["x"] + 10, middle)
    expect_at(page, 1, 0)
    swipe = """([from, to]) => {
      const felt = document.querySelector('#trick');
      const touch = (x) => new Touch({identifier: 1, target: felt, clientX: x, clientY: 300});
      const send = (type, x, still) => felt.dispatchEvent(new TouchEvent(type,
        {bubbles: true, cancelable: true, touches: still ? [touch(x)] : [], changedTouches: [touch(x)]}));
      send('touchstart', from, true); send('touchend', to, false);
    }"""
    page.evaluate(swipe, [300, 100])
    expect_at(page, 1, 4)
    page.evaluate(swipe, [100, 300])
    expect_at(page, 1, 0)
    done(page)


def test_the_page_can_be_read_without_script(browser: Browser, replay_site: str, record: dict[str, object]) -> None:
    """Without JavaScript every control is a link to the same page at another position."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{replay_site}/?deal=1&play=0")
    page.get_by_role("link", name="Play forward").click()
    assert page.url.endswith("deal=1&play=1&view=open")
    shown = page.locator("#trick .slot[data-order] .card")
    assert shown.get_attribute("data-card") == cards_of(record, 1, 0, 1)[0]
    assert not page.locator("#run").is_visible()
    context.close()


def test_switches_keep_played_cards_and_hide_what_comes_later(browser: Browser, replay_site: str) -> None:
    """One switch keeps played cards, faded; another hides later rows of the sheet; both stay over a change of deal."""
    page = new_page(browser)
    page.goto(f"{replay_site}/?deal=1&play=8")
    assert page.locator(".hand li:visible").count() == 24
    page.locator("#ghosts").check()
    assert page.locator(".hand li:visible").count() == 32
    page.locator("#later").uncheck()
    assert page.locator("#sheet tr.later td span:visible").count() == 0
    page.keyboard.press("PageDown")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("PageDown")
    expect(page.locator("#replay")).not_to_have_attribute("data-deal", "1")
    assert page.locator("#ghosts").is_checked()
    assert not page.locator("#later").is_checked()
    done(page)


def width_of(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["width"]


@pytest.mark.parametrize("width", [390, 1440])
def test_a_cell_tells_its_interval_on_hover_and_focus(
    browser: Browser, site: str, played: PlayedLeague, width: int
) -> None:
    """What is behind a number shows while its cell has pointer or focus, within the window, and is gone after."""
    page = new_page(browser, width)
    page.goto(f"{site}/seasons/{played.over}/crosstable")
    page.mouse.move(0, 0)
    links = page.locator("table.cross").first.locator("a.cell")
    for at in (0, 3, links.count() - 1):
        more = links.nth(at).locator(".more")
        assert width_of(more) <= 1
        for show in (links.nth(at).hover, links.nth(at).focus):
            show()
            assert width_of(more) > 80
            box = more.bounding_box()
            assert box is not None
            assert 0 <= box["x"] < box["x"] + box["width"] <= width
            expect(more).to_contain_text("p after Holm")
            page.mouse.move(0, 0)
            page.evaluate("document.activeElement.blur()")
            assert width_of(more) <= 1
    links.first.click()
    expect(page).to_have_url(re.compile(r"/duel\?a=.+&b=.+"))
    done(page)


@pytest.mark.parametrize(("bots", "widths"), [(12, (390,)), (30, (390, 1440))])
def test_a_crosstable_of_many_bots_stays_in_its_panel(browser: Browser, bots: int, widths: tuple[int, ...]) -> None:
    """Twelve bots fit a phone whole; of more the table alone scrolls, the page does not, and the names stay in sight.
    No number is cut off."""
    with serving(big_crosstable_app(bots)) as address:
        for width in widths:
            check_crosstable(new_page(browser, width), address, bots, width)


def check_crosstable(page: Page, address: str, bots: int, width: int) -> None:
    page.goto(f"{address}/seasons/1/crosstable")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    table = page.locator("table.cross").first
    scrolls = table.evaluate("e => e.parentElement.scrollWidth > e.parentElement.clientWidth")
    assert scrolls == (bots > 12 and width == 390)
    page.locator("table.cross a.cell").nth(bots - 2).focus()
    name = table.locator("tbody th a").first.bounding_box()
    assert name is not None
    assert 0 <= name["x"] < width / 4
    cut = "cells => cells.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.innerText)"
    assert table.locator("a.cell").evaluate_all(cut) == []
    done(page)


@pytest.mark.parametrize(("width", "theme"), WIDTHS_AND_THEMES)
def test_no_page_scrolls_sideways(
    browser: Browser, site: str, reader: Reader, played: PlayedLeague, width: int, theme: Theme
) -> None:
    """At 390 pixels and at 1440 pages that no link leads to first fit their width, and the theme is the reader's."""
    row = reader.json(f"/matches.json?season={played.chosen}")["rows"][0]
    paths = [
        f"/seasons/{played.planned}/ladder",
        *(f"/seasons/{played.planned}/{page}" for page in STANDINGS),
        f"/seasons/{played.chosen}/boards/{row['board']}",
        f"/matches/{row['match_id']}?deal=4&play=9",
        f"/matches/{row['match_id']}?deal=4&play=0&view=1",
        f"/bots/greedy?season={played.over}",
        "/rules/turkish-20",
    ]
    page = new_page(browser, width, theme)
    for path in paths:
        page.goto(site + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    lightness = sum(int(part) for part in background.strip("rgb()").split(",")[:3]) / 3
    assert (lightness > 128) == (theme == "light")
    done(page)


# What is cut off by its own cell, button or tag without saying so by an ellipsis.
CUT_OFF = """() => [...document.querySelectorAll('td > *, th > *, .button, .tag, .plate > *, .top a')].filter(e => {
  const cell = e.closest('td, th') ?? e.parentElement, style = getComputedStyle(cell), own = getComputedStyle(e);
  const said = [style, own].some(s => s.textOverflow === 'ellipsis') || own.position === 'absolute';
  return !said && !e.closest('.unseen, svg') && e.getBoundingClientRect().width > 0
    && e.getBoundingClientRect().right > cell.getBoundingClientRect().right + 2;
}).map(e => e.textContent.trim())"""


@pytest.mark.parametrize(("width", "theme"), WIDTHS_AND_THEMES)
def test_russian_pages_fit(
    browser: Browser, site: str, reader: Reader, played: PlayedLeague, width: int, theme: Theme
) -> None:
    """Longer Russian words wrap: no page scrolls sideways, and nothing sticks out of its cell, button or tag."""
    rows = reader.json(f"/matches.json?season={played.over}")["rows"]
    paths = [
        "/",
        f"/seasons/{played.over}",
        f"/seasons/{played.over}/ladder",
        *(f"/seasons/{played.over}/{page}" for page in STANDINGS),
        f"/seasons/{played.over}/boards/{rows[0]['board']}",
        f"/matches?season={played.over}",
        f"/matches/{rows[0]['match_id']}?deal=4&play=9",
        f"/bots/greedy?season={played.over}",
        "/bots",
        "/rules",
        "/rules/classic",
        "/display",
    ]
    page = new_page(browser, width, theme, language="ru")
    for path in paths:
        page.goto(site + path)
        assert page.evaluate("document.documentElement.lang") == "ru"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(CUT_OFF) == [], path
    done(page)


@pytest.mark.parametrize("variant", ["ordered-56", "chooser-12", "turkish-20"])
def test_every_sheet_fits_in_russian(browser: Browser, variant: str) -> None:
    """Blocks and grids of choices keep their numbers within their cells, at both widths, crowned cells too."""
    record = random_match(parse_variant(variant), 7)
    app = create_view_app(record)
    record["deals"][0]["made_king"] = 1
    with serving(app) as address:
        for width, theme in WIDTHS_AND_THEMES:
            check_sheet(new_page(browser, width, theme, language="ru"), address, width)


def check_sheet(page: Page, address: str, width: int) -> None:
    page.goto(f"{address}/?deal=5&play=1")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT_OFF) == []
    heights = page.evaluate("[...document.querySelectorAll('#sheet td')].map(e => e.getBoundingClientRect().height)")
    assert max(heights) < 45
    crown = page.locator("#sheet .crown").bounding_box()
    cell = page.locator("#sheet td:has(.crown)").bounding_box()
    assert crown is not None
    assert cell is not None
    assert cell["x"] <= crown["x"] < crown["x"] + crown["width"] <= cell["x"] + cell["width"]
    assert cell["y"] <= crown["y"] < crown["y"] + crown["height"] <= cell["y"] + cell["height"]
    done(page)


def test_language_links_follow_the_position(browser: Browser, replay_site: str) -> None:
    """After steps by the script, also into another deal, the language link leads to the position shown."""
    page = new_page(browser)
    page.goto(f"{replay_site}/?deal=1&play=0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageDown")
    expect_at(page, 2, 0)
    page.keyboard.press("ArrowRight")
    expect_at(page, 2, 1)
    page.get_by_role("link", name="RU", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page.locator("#replay")).to_have_attribute("data-play", "1")
    expect(page.locator(".felt-contract")).to_contain_text("Раздача 2 из 14")
    page.keyboard.press("ArrowRight")
    expect_at(page, 2, 2)
    expect(page.locator("#said")).to_contain_text("Ходит")
    page.keyboard.press("PageDown")
    expect(page.locator(".felt-contract")).to_contain_text("Раздача 3 из 14")
    done(page)


def test_steps_stay_in_the_language_without_cookies(browser: Browser, replay_site: str) -> None:
    """Where the browser keeps no cookie, what the script fetches is still in the page's language."""
    page = new_page(browser)
    page.goto(f"{replay_site}/?deal=1&play=0&lang=ru")
    page.context.clear_cookies()
    page.keyboard.press("ArrowRight")
    expect_at(page, 1, 1)
    page.context.clear_cookies()
    page.keyboard.press("PageDown")
    expect_at(page, 2, 0)
    expect(page.locator(".felt-contract")).to_contain_text("Раздача 2 из 14")
    done(page)


@pytest.mark.parametrize(
    "variant", ["classic[redemption=talon,seats=3]", "classic[redemption=praise]", "auction-11", "ordered-56"]
)
def test_every_kind_of_deal_fits_a_phone(browser: Browser, variant: str) -> None:
    """Auctions, gifts, talons, three seats: positions before the first lead, the last among them, fit 390 pixels."""
    record = random_match(parse_variant(variant), 7)
    deal = max(record["deals"], key=lambda one: sum(action["do"] != "play" for action in one["actions"]))
    decisions = sum(action["do"] != "play" for action in deal["actions"])
    with serving(create_view_app(record)) as address:
        page = new_page(browser, 390)
        for play in {*range(0, decisions, max(1, decisions // 4)), decisions, decisions + 1}:
            page.goto(f"{address}/?deal={deal['number']}&play={play}")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, play
        done(page)
