"""The ladder as readers get it, kept by its version: never older than what the store has."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from dashboard.app import create_app
from tests.dashboard.conftest import PlayedLeague, Reader, serving
from tests.dashboard.seasons import Clock, new_season, open_store, play, play_table

pytestmark = pytest.mark.slow


def test_each_result_shows_at_once(tmp_path: Path) -> None:
    """With every result the page and its twin are others; without one they are the same, and 304 says so."""
    clock = Clock()
    store = open_store(tmp_path, clock)
    season = new_season(store, ("greedy", "highest", "lowest", "random"), name="Autumn", variant="russian-14", boards=2)
    path = f"/seasons/{season}/ladder"
    with serving(create_app(store, clock=clock)) as address, closing(Reader(address)) as reader:
        planned = reader.answer(path).headers["etag"]
        store.seasons.start(season)
        play(store, season, clock, sittings=3)
        before = reader.answer(path)
        assert before.headers["etag"] != planned
        assert reader.answer(path, **{"If-None-Match": before.headers["etag"]}).status_code == 304
        claim = store.sittings.claim(store.sittings.due(season)[0], "test")
        assert claim is not None
        store.results.commit(claim, play_table(claim, claim.tables[0], clock))
        after = reader.answer(path, **{"If-None-Match": before.headers["etag"]})
        assert after.status_code == 200
        assert after.text != before.text
        assert reader.json(f"{path}.json")["results_version"] == store.results.count(season)
        other = new_season(store, ("greedy", "highest"), name="A newer season", variant="russian-14", boards=1)
        assert "A newer season" in reader.answer(path).text
        assert str(other) in reader.answer(path).text
    store.close()


def test_a_language_asked_for_is_kept_for_each_reader(reader: Reader, played: PlayedLeague) -> None:
    """The cookie comes with the page however often the page was asked for before."""
    for _ in range(2):
        answer = reader.answer(f"/seasons/{played.over}/ladder?lang=ru")
        assert "language=ru" in answer.headers["set-cookie"]
        assert 'lang="ru"' in answer.text
    assert 'lang="en"' in reader.answer(f"/seasons/{played.over}/ladder").text


def test_pages_are_tagged_for_each_reader(reader: Reader, played: PlayedLeague) -> None:
    """Every page says what it depends on, and has a tag by which a browser asks again."""
    for path in ("/", f"/seasons/{played.over}/ladder", f"/seasons/{played.over}", "/bots", "/rules/russian-14"):
        answer = reader.answer(path)
        assert {"Accept-Language", "Cookie", "Accept-Encoding"} <= {*map(str.strip, answer.headers["vary"].split(","))}
        again = reader.answer(path, **{"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["content-security-policy"] == answer.headers["content-security-policy"]
