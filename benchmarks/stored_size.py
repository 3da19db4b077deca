"""What a stored match takes: all that it adds to the store's file, its record, board, indexes and sums included.

Run as `python -m benchmarks.stored_size`; `--matches 280` for a small one. A season of `russian-14`, in which each set
of four of eight bots meets, is played as a worker plays it, by processes of sample bots at a real referee, into a real
SQLite store: what is counted is by how much the pages in use grow from before the season is made to its end. The same
with matches that the engine draws, with notes as of bots that use up their clocks at 64 tables at once, delivered by
`commit`: what busy seasons take. Beside it stands the JSON of the records. Some records are read back and verified.
Owns the measurement only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from math import log
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.arena import CONTROL_KEY, running_referee
from benchmarks.platforms import TRIVIAL_BOTS, house_bots
from benchmarks.ratings_scale import open_store
from league.model import BotVersion, NewBot, NewSeason, Season
from league.store import Store
from league.versions import command_hash
from referee.rules import parse_record, record_text
from referee.verification import verify
from tests.league.leagues import played_record
from workers.claimed import play_from_store
from workers.launcher import LocalLauncher
from workers.logs import log_to_stderr
from workers.sitting import Stage

PLAYERS = 8
SETS = 70
"""How many sets of four there are among them."""
THINKS_LOG_MS = log(80)
VERIFIED = 32
LEASE = timedelta(minutes=10)
TOP = 8


@dataclass(frozen=True)
class Size:
    """The bytes of a store's pages in use, by table and index, and how many matches it has."""

    matches: int
    by_table: Counter[str]

    @classmethod
    def of(cls, folder: Path) -> Size:
        """That of a folder's store."""
        with closing(sqlite3.connect(folder / "league.sqlite3")) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            rows = connection.execute("SELECT name, SUM(pgsize) FROM dbstat GROUP BY name").fetchall()
            (matches,) = connection.execute("SELECT COUNT(*) FROM matches").fetchone()
        return cls(matches, Counter(dict(rows)))

    def growth(self, before: Size) -> dict[str, float]:
        """What each match since `before` has added, by table and index, and as `all`."""
        added = {name: self.by_table[name] - before.by_table[name] for name in self.by_table}
        each = {name: size / (self.matches - before.matches) for name, size in added.items()}
        return {**each, "all": sum(each.values())}


def bots_of(store: Store) -> list[BotVersion]:
    """Eight bots: each of the trivial ones under two names."""
    first = house_bots(store, TRIVIAL_BOTS)
    again = [
        NewBot(
            name=f"{bot.name}-2",
            version=bot.version,
            source=bot.source,
            version_hash=command_hash("", f"{bot.name}-2", bot.version),
            language=bot.language,
        )
        for bot in first
    ]
    return [*first, *(store.bots.register(bot) for bot in again)]


def season_of(store: Store, matches: int, sets: int = SETS, name: str = "size") -> Season:
    """A season of about so many matches, begun; its bots are in the store before."""
    new = NewSeason(name=name, variant="russian-14", boards=max(1, round(matches / (sets * 4))), player_sets=sets)
    season = store.seasons.create(new)
    for bot in store.bots.all():
        store.seasons.enter(season.id, bot.id)
    return store.seasons.start(season.id)


async def play_all(store: Store, season: Season, folder: Path) -> None:
    """Plays a season out of the store, as a worker does, two sittings at once."""
    async with running_referee(folder) as referee:
        stage = Stage(referee=referee.address, control_key=CONTROL_KEY, launcher=LocalLauncher(referee.address))
        while due := store.sittings.due(season.id)[:2]:
            await asyncio.gather(*(play_from_store(store, sitting, stage=stage, lease=LEASE) for sitting in due))
            store.histories.catch_up(season.id)


def draw_all(store: Store, season: Season) -> None:
    """Fills a season with matches that the engine draws."""
    dice = Random(1)
    while due := store.sittings.due(season.id):
        for sitting in due:
            claim = store.sittings.claim(sitting, "benchmark")
            assert claim is not None
            for table in claim.tables:
                store.results.commit(claim, noted(played_record(claim, table), dice))
            store.sittings.finish(claim)
            store.histories.catch_up(season.id)


def noted(record: dict[str, Any], dice: Random) -> dict[str, Any]:
    """A record of busy bots: each decision took about 80 ms of the 100 a bot gets, and came with up to 63 others."""
    record = dict(json.loads(record_text(record)))
    record["context"] |= {"time_control": "start=30s,inc=100ms,bank=10s", "started_at": "2026-12-24T12:00:00Z"}
    record["context"]["stand_in"] = "random/1"
    for deal in record["deals"]:
        for action in deal["actions"]:
            if action["by"] == "bot":
                action |= {"ms": round(dice.lognormvariate(THINKS_LOG_MS, 0.5)), "asked_with": dice.randint(1, 64)}
    return record


def json_bytes(store: Store, season: Season) -> float:
    """What the JSON of a record takes, over some of the season; all of them are verified.

    Raises:
        RuntimeError: one is wrong.
    """
    found = store.results.matches(season.id, limit=VERIFIED)
    texts = [record_text(store.results.record(match.match_id)) for match in found]
    for text in texts:
        problems = verify(parse_record(text)).problems
        if problems:
            raise RuntimeError(f"a stored record is wrong: {problems[0]}")
    return sum(len(text.encode()) for text in texts) / len(texts)


def played(matches: int, *, drawn: bool, sets: int = SETS) -> tuple[dict[str, float], float]:
    """What a match of a season adds, by table and index; and the JSON of its record."""
    with tempfile.TemporaryDirectory(prefix="king-bench-") as name:
        folder = Path(name)
        store = open_store(folder)
        bots_of(store)
        before = Size.of(folder)
        season = season_of(store, matches, sets)
        if drawn:
            draw_all(store, season)
        else:
            asyncio.run(play_all(store, season, folder))
        found = Size.of(folder).growth(before), json_bytes(store, season)
        store.close()
    return found


def measured(matches: int) -> dict[str, float]:
    """All figures."""
    growth, plain = played(matches, drawn=False)
    busy, _ = played(matches // 2, drawn=True)
    largest = sorted((name for name in growth if name != "all"), key=lambda name: -growth[name])[:TOP]
    return {
        "bytes_per_match": growth["all"],
        "record_bytes": growth["match_records"],
        "record_json_bytes": plain,
        "ratio_to_json": growth["all"] / plain,
        **{f"of_{table}": growth[table] for table in largest},
        "busy_bytes_per_match": busy["all"],
        "busy_record_bytes": busy["match_records"],
    }


def main(arguments: Sequence[str]) -> dict[str, float]:
    """Reads the command line, measures and prints; returns the figures."""
    log_to_stderr("benchmark", level=logging.WARNING)
    parser = argparse.ArgumentParser(description="What a stored match takes")
    parser.add_argument("--matches", type=int, default=1120, help="of the season that is played")
    options = parser.parse_args(arguments)
    found = measured(options.matches)
    for key, value in found.items():
        sys.stdout.write(f"size {key:44} {value:10,.2f}\n")
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
