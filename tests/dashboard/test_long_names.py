"""Names as long as they may be, without a space in them: no page scrolls sideways on a telephone."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser

from dashboard.app import create_app
from league.model import BotSource, NewBot, NewSeason, SourceKind
from tests.dashboard.conftest import serving
from tests.dashboard.seasons import POLICIES, Clock, open_store, play
from tests.dashboard.test_browser import browser, done, new_page

__all__ = ["browser"]

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ("W" * 64, "Щ" * 64, "王" * 64, "m" * 64)
NARROW = 390


def test_no_page_scrolls_sideways_for_a_long_name(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots, versions, owners, languages and seasons of the longest names that are taken."""
    clock = Clock()
    store = open_store(tmp_path, clock)
    season = store.seasons.create(NewSeason(name="S" * 128, variant="russian-14", boards=1, set_count=1)).id
    for number, name in enumerate(NAMES):
        monkeypatch.setitem(POLICIES, name, POLICIES["random"])
        source = BotSource(kind=SourceKind.COMMAND, location="bot")
        bot = NewBot(
            name=name, version="9" * 64, source=source, version_hash=f"{number:064x}", language="L" * 32, owner="O" * 64
        )
        store.seasons.enter(season, store.bots.register(bot).id)
    store.seasons.start(season)
    play(store, season, clock)
    of_season = [
        f"/seasons/{season}{page}" for page in ("", "/ladder", "/crosstable", "/contracts", "/duel", "/boards/1")
    ]
    of_bot = [f"/bots/{quote(NAMES[0])}{page}" for page in ("", "/versions", "/stderr")]
    of_match = f"/matches/{store.results.matches(season, limit=1)[0].match_id}"
    wide = []
    with serving(create_app(store, clock=clock)) as site:
        page = new_page(browser, NARROW)
        for path in ["/", "/bots", "/matches", "/search?q=" + "W" * 64, *of_season, *of_bot, of_match]:
            page.goto(site + path)
            if page.evaluate("document.documentElement.scrollWidth") > NARROW:
                wide.append(path)
        done(page)
    store.close()
    assert wide == []
