"""The pages of who is signed in, in a real Chromium: axe, both themes, 390 pixels, Russian, by keyboard."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from dashboard.app import create_app
from league.audit_log import SHELL, Actor
from league.model import NewSeason
from league.orders import CreateSeason, PauseSeason
from league.store import Store
from tests.dashboard.conftest import serving
from tests.dashboard.signing import CHEAP, PASSWORD
from tests.dashboard.signing import Browser as PlainBrowser
from tests.dashboard.test_accessibility import ASK, AXE, NARROW, WIDE, faults_of
from tests.dashboard.test_browser import FLAGS, Theme
from tests.dashboard.test_russian import KEPT, ids, latin_words
from tests.league.leagues import BOTS, VARIANT, claimed, database_url, open_store, planned, started

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LONG = "Учредитель лиги с именем, которое длиннее всех полей на странице"
PAGES = (
    "/account",
    "/organise",
    "/organise/seasons/new",
    "/organise/seasons/new?order=1",
    "/organise/seasons/1",
    "/organise/seasons/2",
    "/organise/orders",
    "/organise/orders/1",
    "/organise/orders/2",
    "/organise/accounts",
    "/organise/log",
    "/organise/log?actor=nobody",
    "/set-password",
)
ENGLISH = {"start", "inc", "bank", "ms", "s", "m", "API", "up", "king_", "Authorization", "Bearer", "submit"}
WRITTEN_BY_PEOPLE = {
    "Autumn",
    "Winter",
    "Olga",
    "Boris",
    "laptop",
    "season",
    "token",
    "account",
    "order",
    "the",
    "shell",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[str, None, None]:
    """A league with a season that runs, one that waits, orders in every state, and tokens."""
    folder: Path = tmp_path_factory.mktemp("arena")
    sweeping = open_store(folder)
    store = Store.open(database_url(folder), passwords=CHEAP)
    olga = store.accounts.create(LONG, password=PASSWORD, organiser=True, by=SHELL)
    store.accounts.create("Boris", by=SHELL)
    store.tokens.create(olga.id, "laptop", by=SHELL)
    season = started(sweeping, set_count=2)
    planned(sweeping, BOTS[:3], name="Winter")
    claimed(sweeping, sweeping.sittings.due()[0])
    sweeping.organising.requeue(season.id, by=Actor.of(olga))
    claimed(sweeping, sweeping.sittings.due()[1])
    sweeping.organising.suspend(season.id, "greedy", "Играет в пользу другого", by=Actor.of(olga))
    taken = CreateSeason(new=NewSeason(name="Autumn", variant=VARIANT, boards=1), versions=(1, 2))
    order = store.orders.ask(taken, by=Actor.of(olga))
    sweeping.orders.carry_out(order.id, lambda asked: sweeping.organising.perform(asked.arguments, by=asked.by))
    store.orders.ask(PauseSeason(season=season.id), by=Actor.of(olga))
    with serving(create_app(store)) as address:
        yield address
    store.close()
    sweeping.close()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Generator[Browser, None, None]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield found
        found.close()


def signed_in(browser: Browser, site: str, width: int, theme: Theme, language: str = "en") -> BrowserContext:
    """A context in which the organiser has signed in, with Tab and Enter alone."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme, locale=language)
    page = context.new_page()
    page.goto(f"{site}/sign-in?back=/account")
    page.focus("#name")
    page.keyboard.type(LONG)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/account")
    page.close()
    return context


def opened(page: Page, address: str) -> None:
    """Go to a page and open whatever is folded on it."""
    page.goto(address)
    page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true })")


@pytest.mark.parametrize(("theme", "width"), [("light", WIDE), ("dark", NARROW)])
def test_axe_finds_no_grave_fault(browser: Browser, site: str, theme: Theme, width: int) -> None:
    """On no page for who is signed in, nor on a form with faults of input."""
    if not AXE.exists():
        pytest.skip("axe-core is not there: `make axe` installs it with npm")
    axe = AXE.read_text(encoding="utf-8")
    context = signed_in(browser, site, width, theme)
    page = context.new_page()
    found = {}
    for address in PAGES:
        opened(page, site + address)
        page.evaluate(axe)
        found[address] = faults_of(page.evaluate(ASK))
    page.goto(f"{site}/organise/seasons/new")
    page.fill("#name", "x" * 200)
    page.fill("#boards", "0")
    page.click("button[value=start]")
    page.evaluate(axe)
    found["a form with faults"] = faults_of(page.evaluate(ASK))
    context.close()
    assert {address: faults for address, faults in found.items() if faults} == {}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_page_scrolls_sideways(browser: Browser, site: str, language: str) -> None:
    """At 390 pixels, in either language, with the longest name there can be."""
    context = signed_in(browser, site, NARROW, "light", language)
    page = context.new_page()
    too_wide = {}
    for address in PAGES:
        opened(page, site + address)
        width = page.evaluate("() => document.documentElement.scrollWidth")
        if width > NARROW:
            too_wide[address] = width
    context.close()
    assert too_wide == {}


def test_no_page_has_english_left(site: str) -> None:
    """In Russian, but for what people wrote, ids and what is marked as English."""
    reader = PlainBrowser(site, "ru")
    assert reader.sign_in(LONG).path == "/account"
    bots = {word for name in BOTS for word in re.findall(r"\w+", name)}
    known = KEPT | ids() | bots | ENGLISH | WRITTEN_BY_PEOPLE
    left = {}
    for address in ("/sign-in", "/sign-up", *PAGES):
        found = set(latin_words(reader.get(address).page)) - known
        if found:
            left[address] = found
    reader.close()
    assert left == {}
