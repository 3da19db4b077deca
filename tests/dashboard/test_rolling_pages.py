"""Pages of seasons that are not as planned: a salt for each set, bots that come late, bots that are suspended."""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest

from dashboard.app import create_app
from league.model import BotSource, FaultKind, NewBot, NewFault, NewSeason, SourceKind
from league.store import Store
from tests.dashboard.conftest import Reader, serving
from tests.dashboard.seasons import Clock, open_store, play, play_table
from tests.dashboard.test_pages import text_of

pytestmark = pytest.mark.slow

BOTS = ("greedy", "highest", "lowest", "random")
LATE = "Лисий хвост"


def enter(store: Store, season: int, name: str) -> None:
    """Registers a bot and enters it."""
    source = BotSource(kind=SourceKind.COMMAND, location="python bot.py")
    version_hash = hashlib.sha256(name.encode()).hexdigest()
    version = store.bots.register(NewBot(name=name, version="1.0", source=source, version_hash=version_hash))
    store.seasons.enter(season, version.id)


def play_on(store: Store, season: int, clock: Clock, sets: int) -> None:
    """Plays, the plan growing, until so many sets are over."""
    while sum(one.over_at is not None for one in store.seasons.sets(season)) < sets:
        store.rolling.grow_all()
        play(store, season, clock, sittings=1)


@pytest.fixture(scope="module")
def rolling(tmp_path_factory: pytest.TempPathFactory) -> Generator[Reader, None, None]:
    """A reader of a rolling season that a fifth bot has entered after two sets."""
    folder: Path = tmp_path_factory.mktemp("rolling")
    clock = Clock()
    store = open_store(folder, clock)
    season = store.seasons.create(NewSeason(name="Ladder", variant="russian-14", boards=2, rolling=True)).id
    for name in BOTS:
        enter(store, season, name)
    store.seasons.start(season)
    with serving(create_app(store, clock=clock)) as address:
        reader = Reader(address)
        play_on(store, season, clock, 2)
        assert len(reader.json(f"/bots/greedy.json?season={season}")["history"]["moments"]) > 1
        enter(store, season, LATE)
        play_on(store, season, clock, 7)
        yield reader
        reader.close()
    store.close()


def test_a_suspended_bot_says_why(tmp_path: Path) -> None:
    """Its page and the season's carry the tag and the reason, marked as English; the others' do not."""
    clock = Clock()
    store = open_store(tmp_path, clock)
    season = store.seasons.create(NewSeason(name="Short", variant="russian-14", boards=5, set_count=1)).id
    for name in BOTS:
        enter(store, season, name)
    store.seasons.start(season)
    claim = store.sittings.claim(store.sittings.due(season)[0], "test")
    assert claim is not None
    failing = next(at for at, one in enumerate(claim.players) if one.label == "greedy")
    for number, table in enumerate(claim.tables, start=1):
        exited = NewFault(
            number=number,
            player=failing,
            process=1,
            kind=FaultKind.EXIT,
            detail="status 1",
            forfeits=False,
            match_ids=(table.match_id,),
        )
        store.results.record_fault(claim, exited)
        store.results.commit(claim, play_table(claim, table, clock))
    store.sittings.finish(claim)
    with serving(create_app(store, clock=clock)) as address, closing(Reader(address)) as reader:
        page = reader.page("/bots/greedy")
        assert "suspended" in [text_of(tag) for tag in page.select("h1 .tag")]
        assert "ended by themselves 5 times" in text_of(page.select_one(".notice"))
        assert not reader.page("/bots/random").select(".notice")
        rows = [text_of(row) for row in reader.page(f"/seasons/{season}").select("#entrants + .flush tbody tr")]
        assert [row for row in rows if "suspended" in row] == [row for row in rows if row.startswith("greedy")]
        assert len(rows) == len(BOTS)
    store.close()


def test_each_set_shows_the_salt_of_those_who_had_entered(rolling: Reader) -> None:
    """The salt of each set is made of the first so many entrants, as the twin lists them; the page shows every one."""
    twin = rolling.json("/seasons/1/deals.json")
    assert twin["own_salts"]
    hashes = {one["number"]: bytes.fromhex(one["version_hash"]) for one in twin["hashes"]}
    assert {one["entrants"] for one in twin["sets"]} == {4, 5}
    for one in twin["sets"]:
        counted = sorted(hashes[number] for number in range(one["entrants"]))
        assert hashlib.sha256(b"".join(counted)).hexdigest() == one["deal_salt"]
    page = text_of(rolling.page("/seasons/1/deals").select_one(".sets"))
    assert all(one["deal_salt"] in page for one in twin["sets"])
    assert twin["example"]["deal_salt"] in {one["deal_salt"] for one in twin["sets"]}
    counted = sorted(bytes.fromhex(one) for one in twin["example"]["hashes"])
    assert hashlib.sha256(b"".join(counted)).hexdigest() == twin["example"]["deal_salt"]


def test_a_rolling_season_has_no_expected_end(rolling: Reader) -> None:
    """Its facts say that it rolls, and until when."""
    facts = text_of(rolling.page("/seasons/1").select_one("#progress"))
    assert "it rolls on until an organiser ends it" in facts
    assert "rolling" in facts


def test_a_late_bot_has_a_page_and_a_row(rolling: Reader) -> None:
    """A bot that entered while the season was played has its history, its duel and its row, though earlier moments
    were computed without it."""
    moments = rolling.json(f"/bots/{LATE}.json?season=1")["history"]["moments"]
    early = rolling.json("/bots/greedy.json?season=1")["history"]["moments"]
    assert 1 < len(moments) < len(early)
    assert LATE in {row["name"] for row in rolling.json("/seasons/1/crosstable.json")["rows"]}
    assert rolling.json(f"/seasons/1/duel.json?a={LATE}&b=greedy")["a"]["name"] == LATE
