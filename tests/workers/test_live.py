"""Word of live tables: only of a set's last sitting, only while somebody listens, and never at the sitting's cost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest
from redis import Redis

from league.live import (
    SITTINGS,
    LiveSitting,
    LiveTable,
    find_table,
    in_order,
    live_table,
    picture_key,
    read_sitting,
    tables_key,
    wanted_key,
)
from league.model import BotSource, Claim, SourceKind
from league.store import Store
from league.store.sealing import deal_secret_of, match_id_of
from tests.league.leagues import claimed, open_store, play_sitting, started
from tests.workers.stores import LEASE
from tests.workers.test_claimed import play, running_season
from tests.workers.waiting import wait_until_async
from workers.claimed import play_from_store
from workers.live import Show
from workers.sitting import Stage

pytestmark = pytest.mark.slow

SITTING = LiveSitting(
    sitting=7,
    attempt=1,
    season=1,
    rotation=3,
    variant="russian-14",
    tables=(
        LiveTable(match_id="aa", board=1, names=("a", "b", "c", "d")),
        LiveTable(match_id="bb", board=None, names=None),
    ),
)


def listed(redis: Redis) -> tuple[LiveTable, ...]:
    text = redis.get(tables_key(SITTING.sitting))
    return () if text is None else read_sitting(text).tables


class Watching:
    """Keeps what the referee would be told to show."""

    def __init__(self) -> None:
        self.said: list[set[str]] = []

    async def __call__(self, match_ids: Collection[str]) -> None:
        self.said.append(set(match_ids))


def test_a_live_sitting_passes_through_redis_and_back() -> None:
    """What is written is what is read, and its tables are found by match."""
    assert read_sitting(SITTING.text()) == SITTING
    assert find_table([SITTING], "bb") == (SITTING, SITTING.tables[1])
    assert find_table([SITTING], "cc") is None


def test_the_order_of_tables_tells_no_board() -> None:
    """Tables begin in the order of boards; those whose boards are not told are listed by ids that chance has made."""
    hidden = [LiveTable(match_id=match_id, board=None, names=None) for match_id in ("f0", "0a", "c3")]
    told = [
        LiveTable(match_id=match_id, board=board, names=("a", "b", "c", "d"))
        for match_id, board in (("9", 8), ("b", 7))
    ]
    assert [one.match_id for one in in_order([*hidden, *told])] == ["b", "9", "0a", "c3", "f0"]


def test_tables_are_listed_in_an_order_of_their_own(valkey_url: str, valkey: Redis) -> None:
    """Whatever the order in which they begin."""
    hidden = tuple(LiveTable(match_id=match_id, board=None, names=None) for match_id in ("f0", "0a", "c3"))

    async def scene() -> None:
        show = Show(valkey_url, replace(SITTING, tables=hidden))
        running = asyncio.create_task(show.run(Watching()))
        for table in hidden:
            show.begun(table.match_id)
        await wait_until_async(lambda: len(listed(valkey)) == len(hidden))
        assert [table.match_id for table in listed(valkey)] == ["0a", "c3", "f0"]
        running.cancel()
        await asyncio.wait({running})

    asyncio.run(scene())


@pytest.mark.slow
def test_names_only_if_every_seat_is_managed(tmp_path: Path) -> None:
    """One remote bot at a table, and neither its names nor its board are told."""
    store = open_store(tmp_path)
    started(store)
    claim = claimed(store, store.sittings.due()[0])
    table = claim.tables[0]
    told = live_table(claim, table)
    assert told.board == table.board
    assert told.names == tuple(claim.players[place].label for place in table.players)
    assert live_table(_with_remote(claim, table.players[2]), table) == LiveTable(
        match_id=table.match_id, board=None, names=None
    )
    store.close()


def _with_remote(claim: Claim, place: int) -> Claim:
    players = list(claim.players)
    remote = BotSource(kind=SourceKind("remote"), location="")
    players[place] = replace(players[place], bot=replace(players[place].bot, source=remote))
    return replace(claim, players=tuple(players))


@pytest.mark.slow
def test_only_the_last_sitting_of_a_set_may_be_watched(tmp_path: Path) -> None:
    """While another rotation of the same boards is to be played, in whatever state, none may be; then the last may."""
    store = open_store(tmp_path)
    season = started(store, ("counter", "greedy", "highest", "lowest"), boards=1, set_count=1)
    sittings = [sitting.id for sitting in store.sittings.of_season(season.id)]
    for number, sitting in enumerate(sittings, start=1):
        is_last = number == len(sittings)
        assert store.live.may_be_watched(sitting) is is_last
        play_sitting(store, sitting, finish=False)
        assert [store.live.may_be_watched(one) for one in sittings if one != sitting] == [False] * (len(sittings) - 1)
        assert store.live.may_be_watched(sitting) is is_last
        store.sittings.finish(claimed_again(store, sitting))
    assert not store.live.may_be_watched(999)
    store.close()


def claimed_again(store: Store, sitting: int) -> Claim:
    """The sitting under a new claim, after its first was given back."""
    with store._database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE sittings SET state = 'planned' WHERE id = {sitting}")
    return claimed(store, sitting)


def test_tables_are_listed_while_they_are_played(valkey_url: str, valkey: Redis) -> None:
    """A table is on the list from its beginning to its end, and the whole list goes with the sitting."""

    async def scene() -> None:
        show = Show(valkey_url, SITTING)
        running = asyncio.create_task(show.run(Watching()))
        show.begun("aa")
        await wait_until_async(lambda: [table.match_id for table in listed(valkey)] == ["aa"])
        assert valkey.zscore(SITTINGS, "7") is not None
        assert 0 < valkey.ttl(tables_key(7)) <= 10
        show.begun("bb")
        show.over("aa")
        await wait_until_async(lambda: [table.match_id for table in listed(valkey)] == ["bb"])
        running.cancel()
        await asyncio.wait({running})
        assert valkey.keys("king:live:*") == []

    asyncio.run(scene())


def test_what_is_wanted_is_asked_for_and_published(valkey_url: str, valkey: Redis) -> None:
    """A wish reaches the referee, a picture everybody who listens; unknown tables are passed over."""

    async def scene() -> None:
        show, watching = Show(valkey_url, SITTING), Watching()
        listener = valkey.pubsub()  # type: ignore[no-untyped-call]
        listener.subscribe(picture_key("aa"))
        running = asyncio.create_task(show.run(watching))
        show.begun("aa")
        valkey.sadd(wanted_key(7), "aa", "somebody-else")
        await wait_until_async(lambda: watching.said == [{"aa"}])
        show.shown("aa", b'{"count":1}')
        show.shown("aa", b'{"count":2}')
        await wait_until_async(lambda: valkey.get(picture_key("aa")) == b'{"count":2}')
        heard = [message["data"] for message in iter(lambda: listener.get_message(timeout=1.0), None)]
        assert heard[-1] == b'{"count":2}'
        valkey.delete(wanted_key(7))
        await wait_until_async(lambda: watching.said == [{"aa"}, set()])
        running.cancel()
        await asyncio.wait({running})
        listener.close()

    asyncio.run(scene())


@pytest.mark.slow
def test_a_redis_that_is_away_costs_no_sitting(tmp_path: Path, store: Store) -> None:
    """With nobody at the address the sitting is played to its end all the same."""
    season = running_season(store)
    sittings = [sitting.id for sitting in store.sittings.of_season(season.id)]

    async def scene(stage: Stage) -> None:
        for sitting in sittings:
            nobody = f"unix://{tmp_path}/nobody.sock"
            assert await play_from_store(store, sitting, stage=stage, lease=LEASE, redis_url=nobody)

    play(tmp_path, scene)
    assert store.seasons.progress(season.id).matches_stored == 4


@pytest.mark.slow
def test_a_season_is_shown_from_its_last_rotation_on(
    tmp_path: Path, store: Store, valkey_url: str, valkey: Redis
) -> None:
    """Real bots at a real referee: nothing of the first three sittings, whatever is asked for; the last to its end."""
    season = running_season(store)
    secret = store._open_vault().secret(season.commitment)
    sittings = store.sittings.of_season(season.id)
    ids = {sitting.id: match_id_of(deal_secret_of(secret, 1), sitting.rotation) for sitting in sittings}

    async def scene(stage: Stage) -> None:
        for sitting, match_id in ids.items():
            valkey.sadd(wanted_key(sitting), match_id)
            assert await play_from_store(store, sitting, stage=stage, lease=LEASE, redis_url=valkey_url)
            if sitting != sittings[-1].id:
                assert valkey.keys("king:live:picture*") == valkey.keys("king:live:tables*") == []
                assert valkey.zcard(SITTINGS) == 0

    play(tmp_path, scene)
    text = valkey.get(picture_key(ids[sittings[-1].id]))
    assert isinstance(text, bytes)
    picture = json.loads(text)
    (match,) = [row for row in store.results.matches(season.id) if row.rotation == sittings[-1].rotation]
    assert picture["places"] == list(match.places)
    assert picture["totals"] == list(match.totals)
