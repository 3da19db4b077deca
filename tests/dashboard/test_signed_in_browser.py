"""The pages of who is signed in, in a real Chromium: axe, both themes, 390 pixels, Russian, by keyboard."""

from __future__ import annotations

import re
from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from dashboard.app import create_app
from league.audit_log import Actor
from league.orders import Requeue
from league.submissions import LogKind, Refusal
from tests.dashboard.conftest import serving
from tests.dashboard.signed_in import LONG, SignedInLeague, signed_in_league
from tests.dashboard.signing import PASSWORD
from tests.dashboard.signing import Browser as PlainBrowser
from tests.dashboard.test_accessibility import ASK, AXE, NARROW, WIDE, faults_of
from tests.dashboard.test_browser import FLAGS, Theme
from tests.dashboard.test_russian import KEPT, ids, latin_words
from tests.league.leagues import BOTS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ENGLISH = {
    "JavaScript",
    "Zip",
    "zip",
    "r",
    "version",
    "KING_API_TOKEN",
    "start",
    "inc",
    "bank",
    "ms",
    "s",
    "m",
    "API",
    "up",
    "king_",
    "Authorization",
    "Bearer",
    "submit",
}
RUNTIMES = {
    *(
        "C",
        "Go",
        "Java",
        "Node",
        "js",
        "Rust",
        "jar",
        "node_modules",
        "grpcio",
        "numpy",
        "king_bot",
        "referee",
        "rules",
    ),
    *("HOME", "TMPDIR", "KING_REFEREE"),
}
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
    "owl",
}


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Generator[SignedInLeague, None, None]:
    """All that is shown to who is signed in."""
    found = signed_in_league(tmp_path_factory.mktemp("arena"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def site(league: SignedInLeague) -> Generator[str, None, None]:
    """The dashboard."""
    with serving(create_app(league.store)) as address:
        yield address


@pytest.fixture(scope="module")
def browser(chromium: str) -> Generator[Browser, None, None]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield found
        found.close()


def signed_in(
    browser: Browser, site: str, width: int, theme: Theme, language: str = "en", *, scripts: bool = True
) -> BrowserContext:
    """A context in which the organiser has signed in, with Tab and Enter alone."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=theme, locale=language, java_script_enabled=scripts
    )
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


def width_of(page: Page) -> int:
    """How wide a page is."""
    found: int = page.evaluate("() => document.documentElement.scrollWidth")
    return found


@pytest.mark.parametrize(("theme", "width"), [("light", WIDE), ("dark", NARROW)])
def test_axe_finds_no_grave_fault(
    browser: Browser, league: SignedInLeague, site: str, theme: Theme, width: int
) -> None:
    """On no page for who is signed in, nor on a form with faults of input; none is wider than its screen."""
    if not AXE.exists():
        pytest.skip("axe-core is not there: `make axe` installs it with npm")
    axe = AXE.read_text(encoding="utf-8")
    context = signed_in(browser, site, width, theme)
    page = context.new_page()
    found, too_wide = {}, {}
    for address in league.kinds:
        opened(page, site + address)
        if (reached := width_of(page)) > width:
            too_wide[address] = reached
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
    assert too_wide == {}


def test_no_page_scrolls_sideways_in_russian(browser: Browser, league: SignedInLeague, site: str) -> None:
    """At 390 pixels, where words are longest, with the longest name there can be."""
    context = signed_in(browser, site, NARROW, "light", "ru")
    page = context.new_page()
    too_wide = {}
    for address in league.kinds:
        opened(page, site + address)
        if (reached := width_of(page)) > NARROW:
            too_wide[address] = reached
    context.close()
    assert too_wide == {}


def test_no_page_has_english_left(league: SignedInLeague, site: str) -> None:
    """In Russian, but for what people wrote, ids and what is marked as English."""
    reader = PlainBrowser(site, "ru")
    assert reader.sign_in(LONG).path == "/account"
    bots = {word for name in BOTS for word in re.findall(r"\w+", name)}
    known = KEPT | ids() | bots | ENGLISH | RUNTIMES | WRITTEN_BY_PEOPLE
    left = {}
    for address in ("/sign-in", "/sign-up", *league.pages):
        page = reader.get(address).page
        for text_of_programs in page.select("pre"):
            text_of_programs.decompose()
        found = {word for word in set(latin_words(page)) - known if not word.startswith("king_")}  # a token's start
        if found:
            left[address] = found
    reader.close()
    assert left == {}


def test_a_page_that_waits_follows_by_itself(browser: Browser, league: SignedInLeague, site: str) -> None:
    """An order and a submission change in place when their states do, and what was opened and focused stays so."""
    context = signed_in(browser, site, WIDE, "light")
    page = context.new_page()
    order = _asked(league)
    page.goto(f"{site}/organise/orders/{order}")
    page.evaluate("() => { window.stayed = true; document.querySelector('#again').focus() }")
    _carry_out(league, order)
    expect(page.locator(".facts .tag")).to_have_text("done", timeout=20_000)
    assert page.evaluate("() => window.stayed")
    claim = league.store.submissions.claim(_waiting(league), "worker")
    assert claim is not None
    page.goto(f"{site}/mine/submissions/{claim.submission}")
    page.evaluate("() => { window.stayed = true; document.querySelector('#again').focus() }")
    league.store.submissions.keep_log(claim, LogKind.BUILD, "a line of the build")
    expect(page.locator("pre")).to_have_text("a line of the build", timeout=20_000)
    assert page.evaluate("() => document.activeElement.id") == "again"
    league.store.submissions.refuse(claim, Refusal.BUILD, "the build failed")
    expect(page.locator("h1 .tag")).to_have_text("refused", timeout=20_000)
    assert page.locator("[data-waiting]").count() == 0
    assert page.evaluate("() => window.stayed")
    context.close()


def test_a_page_that_waits_needs_no_script(browser: Browser, league: SignedInLeague, site: str) -> None:
    """Without JavaScript the page of an order comes again by itself, and that of a submission by its link."""
    context = signed_in(browser, site, NARROW, "light", scripts=False)
    page = context.new_page()
    order = _asked(league)
    page.goto(f"{site}/organise/orders/{order}")
    _carry_out(league, order)
    expect(page.locator(".facts .tag")).to_have_text("done", timeout=20_000)
    claim = league.store.submissions.claim(_waiting(league), "worker")
    assert claim is not None
    page.goto(f"{site}/mine/submissions/{claim.submission}")
    league.store.submissions.refuse(claim, Refusal.BUILD, "the build failed")
    page.click("#again")
    expect(page.locator("h1 .tag")).to_have_text("refused")
    context.close()


def _asked(league: SignedInLeague) -> int:
    return league.store.orders.ask(Requeue(season=1), by=Actor.of(league.account)).id


def _carry_out(league: SignedInLeague, order: int) -> None:
    perform = league.sweeping.organising.perform
    assert league.sweeping.orders.carry_out(order, lambda asked: perform(asked.arguments, by=asked.by))


def _waiting(league: SignedInLeague) -> int:
    """A submission that is new."""
    content = f"archive {len(league.store.submissions.of_owner(LONG))}".encode()
    by = Actor.of(league.account)
    return league.store.submissions.receive(owner=LONG, file_name="new.zip", content=content, by=by)[0].id
