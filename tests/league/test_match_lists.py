"""Lists of matches: each part has just those that are wanted, in order, and is found by keys."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from league.model import FaultKind, MatchRow
from league.store import Store
from league.store.match_lists import MatchFilter
from tests.league.leagues import BOTS, VARIANT, Clock, claimed, new_bot, open_store, planned, short_record

pytestmark = pytest.mark.slow

OTHER = "turkish-20"
FORFEIT = {"seat": 0, "kind": FaultKind.TIMEOUT.value, "deal": 1, "action": 1, "detail": "late"}


@pytest.fixture
def played(tmp_path: Path) -> Iterator[tuple[Store, list[int]]]:
    """Three seasons, whose sittings were played by turns; of one bot two versions have entered one of them."""
    clock = Clock()
    store = open_store(tmp_path, clock)
    seasons = [
        planned(store, BOTS[:4], name="First", boards=2),
        planned(store, BOTS[1:6], name="Second"),
        planned(store, BOTS[:4], name="Third", variant=OTHER),
    ]
    store.seasons.enter(seasons[1].id, store.bots.register(new_bot("greedy", version="2")).id)
    ids = [store.seasons.start(season.id).id for season in seasons]
    play_by_turns(store, ids, clock)
    yield store, ids
    store.close()


def play_by_turns(store: Store, seasons: Sequence[int], clock: Clock) -> None:
    draw = random.Random(3)
    for _ in range(60):
        due = store.sittings.due(draw.choice(seasons))
        if due:
            claim = claimed(store, due[0])
            for table in claim.tables:
                forfeits = [FORFEIT] if draw.random() < 0.3 else []
                store.results.commit(claim, short_record(claim, table, forfeits=forfeits))
            store.sittings.finish(claim)
        clock.move(60)


class Known:
    """What a list of all matches says, with the names of bots and variants that its conditions speak of."""

    def __init__(self, store: Store, seasons: Sequence[int]) -> None:
        self.rows = store.listing.matches(MatchFilter(), limit=1000)
        self.variants = {season: store.seasons.get(season).variant for season in seasons}
        self._names = {
            (season, one.number): one.bot.name for season in seasons for one in store.listing.entrants(season, limit=99)
        }

    def ids(self, which: MatchFilter) -> list[str]:
        """The ids of the matches that are wanted."""
        return [row.match.match_id for row in self.rows if self._is_wanted(row.match, which)]

    def _is_wanted(self, match: MatchRow, which: MatchFilter) -> bool:
        names = [self._names[match.season, number] for number in match.players]
        return (
            which.season in {None, match.season}
            and which.variant in {None, self.variants[match.season]}
            and which.public in {None, match.public}
            and all(name in names for name in which.names)
            and all(number in match.players for number in which.entrants)
            and (not which.faults or any(forfeit.kind in which.faults for forfeit in match.forfeits))
            and (which.since is None or match.ended_at >= which.since)
            and (which.until is None or match.ended_at < which.until)
        )


def walked(store: Store, which: MatchFilter, limit: int) -> list[str]:
    """The ids of all parts of a list, one after the other."""
    found: list[str] = []
    before = None
    while rows := store.listing.matches(which, limit=limit, before=before):
        assert len(rows) <= limit
        found += [row.match.match_id for row in rows]
        before = rows[-1].key
    return found


def test_every_filter_finds_what_there_is(played: tuple[Store, list[int]]) -> None:
    """Whatever is asked, the parts together are those of all matches that are wanted, the newest first, each once."""
    store, seasons = played
    known = Known(store, seasons)
    ended = [row.match.ended_at for row in known.rows]
    assert len({row.match.season for row in known.rows}) == 3
    assert ended[0] - ended[-1] > timedelta(minutes=20)
    moments = (None, ended[len(ended) // 2])
    wanted = 0
    for season, bot, opponent, variant, public, faults, since in product(
        (None, seasons[1], 999),
        (None, "greedy", "nobody"),
        (None, "lowest"),
        (None, VARIANT, OTHER),
        (None, True, False),
        ((), (FaultKind.TIMEOUT,)),
        moments,
    ):
        of = {"season": season, "bot": bot, "opponent": opponent, "variant": variant}
        which = MatchFilter(**of, public=public, faults=faults, since=since)  # type: ignore[arg-type]
        expected = known.ids(which)
        assert walked(store, which, limit=7) == expected, which
        wanted += len(expected)
    assert wanted > 1000
    for entrants in ((0,), (0, 2), (0, 99)):
        which = MatchFilter(season=seasons[0], entrants=entrants, until=moments[1])
        assert walked(store, which, limit=3) == known.ids(which)


def test_a_list_goes_on_from_a_key_of_another_list(played: tuple[Store, list[int]]) -> None:
    """A key says since when, whatever season its match is of."""
    store, seasons = played
    everything = store.listing.matches(MatchFilter(), limit=1000)
    for at in everything[:: len(everything) // 6]:
        for season in seasons:
            rows = store.listing.matches(MatchFilter(season=season), limit=1000, before=at.key)
            older = [row for row in everything if row.key < at.key and row.match.season == season]
            assert list(rows) == older


@pytest.mark.sqlite("it reads plans as SQLite writes them")
def test_no_list_sorts_or_reads_a_whole_season(played: tuple[Store, list[int]]) -> None:
    """Rows come in order by a key, and who sat at a table is looked up by a whole key, however large a season is."""
    store, seasons = played
    plans: dict[str, list[str]] = {}

    def explain(connection: Connection, cursor: Any, statement: str, parameters: Any, *rest: object) -> None:
        del cursor, rest
        if statement.startswith("SELECT") and "FROM matches" in statement:
            rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
            plans[statement] = [row.detail for row in rows]

    key = store.listing.matches(MatchFilter(), limit=9)[-1].key
    event.listen(store._database.engine, "before_cursor_execute", explain)
    for season, bot, variant, before in product((None, seasons[0]), (None, "greedy"), (None, VARIANT), (None, key)):
        store.listing.matches(MatchFilter(season=season, bot=bot, variant=variant), limit=9, before=before)
    event.remove(store._database.engine, "before_cursor_execute", explain)
    assert len(plans) > 8
    steps = {step for plan in plans.values() for step in plan}
    assert [step for step in steps if "TEMP B-TREE" in step] == []
    looked_up = [step for step in steps if "match_players" in step]
    assert looked_up
    assert all("(season_id=? AND entrant=? AND number=?)" in step for step in looked_up)
