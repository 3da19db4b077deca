"""A stranger's evening on the web, with the real parts: signing up, sending bots, watching, looking matches up."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from league.store import Store
from tests.dashboard.conftest import chromium
from tests.dashboard.test_browser import FLAGS
from tests.e2e.arena import Arena
from tests.sandbox.conftest import sandbox
from tests.workers.waiting import wait_until
from tests.workers.zips import bot_archive
from workers.sandbox import Sandbox

__all__ = ["chromium", "sandbox"]

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]

PATIENCE_S = 200
"""For how long a page may take to show what the platform does meanwhile."""
SEATS = 4
SLOW_MANIFEST = 'name = "slow"\nversion = "1"\nlanguage = "python"\nrun = ["python", "bot.py"]\nvariants = ["*"]\n'
SLOW_BOT = """
import time
from king_bot import Bot, run


class Slow(Bot):
    def choose(self, table, actions):
        time.sleep(0.005)
        return 0


run(Slow())
"""
BROKEN_BOT = 'raise SystemExit("no such file: weights.bin")\n'


@pytest.fixture
def browser(chromium: str) -> Generator[Browser, None, None]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield found
        found.close()


@contextmanager
def stranger(browser: Browser, site: str) -> Iterator[Page]:
    """Somebody who has never been here, and signs up."""
    context = browser.new_context(base_url=site, locale="en", viewport={"width": 1440, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto("/")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("link", name="Make one").click()
    page.get_by_label("Name").fill("Zoë")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Make the account").click()
    expect(page.get_by_role("banner")).to_contain_text("Zoë")
    yield page
    context.close()


def send(page: Page, archive: Path) -> None:
    """Sends an archive by the form, and waits, as people do, until the page says how it ended."""
    page.goto("/mine/submit")
    page.get_by_label("Archive").set_input_files(archive)
    page.get_by_role("button", name="Send it").click()
    expect(page.locator("h1 .tag")).to_have_text(re.compile("active|refused"), timeout=PATIENCE_S * 1000)


def test_a_stranger_enters_a_bot(arena: Arena, browser: Browser, sandbox: Sandbox, tmp_path: Path) -> None:
    """A bot is sent, passes, enters a season, is watched live and found in a replay; a broken one is told why not."""
    assert sandbox
    good, broken = tmp_path / "owl.zip", tmp_path / "cat.zip"
    good.write_bytes(bot_archive())
    broken.write_bytes(bot_archive(BROKEN_BOT, name="cat"))
    arena.environment["KING_WORKERS"] = "1"
    arena.has_tools = True
    with arena.running("up"):
        wait_until(lambda: "the referee listens" in arena.output(), seconds=PATIENCE_S, what="the platform")
        with stranger(browser, f"http://{arena.http}") as page:
            send(page, good)
            expect(page.locator("h1 .tag")).to_have_text("active")
            enter(page, arena, slow_bot(tmp_path / "slow"))
            watch(page, arena)
            find_a_match(page, arena)
            step_through(page)
            read_in_russian(page)
            send(page, broken)
            expect(page.locator("h1 .tag")).to_have_text("refused")
            expect(page.get_by_role("main")).to_contain_text("weights.bin")
            expect(page.get_by_role("link", name="Send it again")).to_be_visible()


def slow_bot(folder: Path) -> str:
    """A bot that takes its time, and no CPU: a sitting lasts as long as somebody needs to come and watch."""
    folder.mkdir()
    (folder / "bot.toml").write_text(SLOW_MANIFEST, encoding="utf-8")
    (folder / "bot.py").write_text(SLOW_BOT, encoding="utf-8")
    return str(folder)


def enter(page: Page, arena: Arena, slow: str) -> None:
    """The organiser makes a season, the owner enters the bot by its page, the organiser starts the season."""
    house = ("--bots", f"{slow},highest,random,greedy")
    arena.king("season", "create", "Evening", "--variant", "russian-14", "--boards", "4", *house)
    page.reload()
    page.get_by_role("button", name="Enter").click()
    wait_until(lambda: len(entrants(arena)) == 5, seconds=PATIENCE_S, what="the entry")
    arena.king("season", "start", "Evening")


def entrants(arena: Arena) -> list[str]:
    """The bots of the only season."""
    season = arena.the_season()
    assert season is not None
    with arena.store() as store:
        return [entrant.label for entrant in store.seasons.entrants(season.id)]


def plays_live(store: Store, season: int) -> bool:
    """Whether the last rotation of a set is being played."""
    sittings = store.sittings.of_season(season)
    return any(sitting.state == "claimed" and sitting.rotation == SEATS - 1 for sitting in sittings)


def watch(page: Page, arena: Arena) -> None:
    """A table of the last rotation is followed while it is played: what it shows changes by itself."""
    tables = page.locator(".live-list a")

    def is_watched() -> bool:
        page.goto("/live")
        if tables.count() == 0:
            return False
        page.goto(tables.last.get_attribute("href") or "/live")
        return "live" in (page.locator("h1").text_content() or "")  # else it was over before we came

    season = arena.the_season()
    assert season is not None
    with arena.store() as store:
        wait_until(lambda: plays_live(store, season.id) and is_watched(), seconds=PATIENCE_S, what="a live table")
    expect(page.locator("#wire")).to_have_text(re.compile("changes by itself|Nothing more will come"))


def find_a_match(page: Page, arena: Arena) -> None:
    """When the season is over, the bot's matches are found by its name in the search box."""
    wait_until(lambda: bool((now := arena.progress()) and now.state == "ended"), seconds=PATIENCE_S, what="the end")
    page.goto("/")
    page.get_by_role("searchbox").first.fill("owl")
    page.get_by_role("searchbox").first.press("Enter")
    page.get_by_role("main").get_by_role("link", name="owl", exact=True).first.click()
    page.get_by_role("link", name=re.compile(r"^All its .* matches$")).click()
    page.get_by_role("main").get_by_role("link", name=re.compile("rotation")).first.click()


def step_through(page: Page) -> None:
    """The replay is stepped through by keys, in the open view and in that of one seat."""
    replay = page.locator("#replay")
    expect(replay).to_have_attribute("data-view", "open")
    start = int(replay.get_attribute("data-play") or "0")
    for play in (start + 1, start + 2):
        page.keyboard.press("ArrowRight")
        expect(replay).to_have_attribute("data-play", str(play))
    page.keyboard.press("v")
    expect(replay).to_have_attribute("data-view", "0")
    page.keyboard.press("ArrowRight")
    expect(replay).to_have_attribute("data-play", str(start + 3))


def read_in_russian(page: Page) -> None:
    """The same page in Russian, and back."""
    page.get_by_role("banner").get_by_role("link", name="RU", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page.locator("#replay")).to_be_visible()
    page.get_by_role("banner").get_by_role("link", name="EN", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
