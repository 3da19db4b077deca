"""How many matches a second a store takes from several writers, in one season and each in a season of its own.

Run as `python -m benchmarks.store_writers`; `--store sqlite` for a file. Each writer is a process that claims sittings
of real seasons, has the engine draw their matches, waits for the others, and stores them one by one, as a worker does
under load: records, sums, ladders, the ends of sittings and sets. PostgreSQL is a server of its own that writes to its
disk what it says it has written. Shown are matches a second, CPU for each of writers and server, and what a match
leaves in tables and log. The referee and the bots, which cost more, have no part in it. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.stored_size import noted, season_of
from league.model import Claim, Season
from league.store import Store, Vault, vault_url_beside
from tests.league.leagues import new_bot, played_record
from tests.postgresql import PostgreSql, new_cluster

BOTS: Final = 8
SETS: Final = 32
"""So many sets of players meet in a season."""
ROTATIONS: Final = 4
DATABASE: Final = "league"
WRITERS: Final = (1, 2, 4)


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a store is: its URL, and the folder with its vault. A spawned process opens it anew."""

    url: str
    folder: Path

    def open(self) -> Store:
        """Opens it, with the schema of today."""
        store = Store.open(self.url, vault=Vault.open(vault_url_beside(self.url, self.folder)))
        store.migrate()
        return store


@dataclass(frozen=True, kw_only=True)
class Written:
    """What a writer has done: matches, seconds of its CPU, and the seconds in which it stored, as (from, to)."""

    matches: int
    cpu_s: float
    spans: tuple[tuple[float, float], ...]


def write(place: Place, season: int, share: tuple[int, int], gate: Barrier, told: SimpleQueue[Written]) -> None:
    """A writer: takes every so-manieth set of a season, rotation by rotation, all writers at the same time."""
    store = place.open()
    number, of = share
    matches, cpu_s, spans = 0, 0.0, []
    for rotation in range(ROTATIONS):
        mine = sorted(store.sittings.due(season))[number::of]
        gate.wait()  # what somebody has claimed is not due any more
        work = [(claim, _records(claim, Random(rotation))) for claim in map(_claimed(store), mine)]
        gate.wait()
        began, cpu_began = time.monotonic(), time.process_time()
        for claim, records in work:
            for record in records:
                store.results.commit(claim, record)
            store.sittings.finish(claim)
            matches += len(records)
        spans.append((began, time.monotonic()))
        cpu_s += time.process_time() - cpu_began
        gate.wait()
    told.put(Written(matches=matches, cpu_s=cpu_s, spans=tuple(spans)))
    gate.wait()  # the server is looked at while its ends of our connections are there


def _claimed(store: Store) -> Any:
    def claim(sitting: int) -> Claim:
        found = store.sittings.claim(sitting, "benchmark")
        if found is None:
            raise RuntimeError(f"sitting {sitting} was due and cannot be claimed")
        return found

    return claim


def _records(claim: Claim, dice: Random) -> list[dict[str, Any]]:
    return [noted(played_record(claim, table), dice) for table in claim.tables]


class Server:
    """What the store's own server uses; nothing of it for a file."""

    def __init__(self, server: PostgreSql | None) -> None:
        self._server = server

    def cpu_s(self) -> float:
        """CPU of all its processes so far, those that have ended too."""
        return self._server.cpu_s() if self._server else 0.0

    def size_bytes(self, place: Place) -> int:
        """What the tables and indexes take."""
        if self._server is None:
            return Path(place.url.removeprefix("sqlite:///")).stat().st_size
        return self._number(f"SELECT pg_database_size('{DATABASE}')")

    def log_bytes(self) -> int:
        """What has been written to the log of changes."""
        return self._number("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn") if self._server else 0

    def _number(self, question: str) -> int:
        assert self._server is not None
        with self._server.connect("postgres") as connection:
            row = connection.execute(question).fetchone()
        assert row is not None
        return int(row[0])


def measure(place: Place, server: Server, *, writers: int, apart: bool, boards: int, sets: int) -> dict[str, float]:
    """One run in new seasons: one for all writers, or `apart` one for each."""
    store = place.open()
    seasons = _seasons(store, count=writers if apart else 1, boards=boards, sets=sets)
    store.close()
    context = get_context("spawn")
    gate, told = context.Barrier(writers + 1), context.SimpleQueue()
    before_cpu_s = 0.0
    size, log = server.size_bytes(place), server.log_bytes()
    processes = []
    for number in range(writers):
        season, share = (seasons[number], (0, 1)) if apart else (seasons[0], (number, writers))
        processes.append(context.Process(target=write, args=(place, season.id, share, gate, told)))
    for process in processes:
        process.start()
    server_cpu_s = 0.0
    for _ in range(ROTATIONS):
        gate.wait()
        gate.wait()
        before_cpu_s = server.cpu_s()
        gate.wait()
        server_cpu_s += server.cpu_s() - before_cpu_s
    found = [told.get() for _ in processes]
    gate.wait()
    for process in processes:
        process.join()
    matches = sum(each.matches for each in found)
    spans = list(zip(*(each.spans for each in found), strict=True))
    seconds = sum(max(end for _, end in span) - min(start for start, _ in span) for span in spans)
    return {
        "matches": matches,
        "matches_per_s": matches / seconds,
        "writer_cpu_ms": 1000 * sum(each.cpu_s for each in found) / matches,
        "server_cpu_ms": 1000 * server_cpu_s / matches,
        "bytes": (server.size_bytes(place) - size) / matches,
        "log_bytes": (server.log_bytes() - log) / matches,
    }


def _seasons(store: Store, *, count: int, boards: int, sets: int) -> list[Season]:
    if not store.bots.all():
        for number in range(BOTS):
            store.bots.register(new_bot(f"bot-{number}"))
    numbered = len(store.seasons.all())
    return [season_of(store, boards * sets * ROTATIONS, sets=sets, name=f"season {numbered + n}") for n in range(count)]


@contextmanager
def opened(kind: str) -> Iterator[tuple[Place, Server]]:
    """A new store of a kind, `postgresql` or `sqlite`, removed at the end."""
    with tempfile.TemporaryDirectory(prefix="king-bench-") as name:
        folder = Path(name)
        if kind == "sqlite":
            yield Place(url=f"sqlite:///{folder / 'league.sqlite3'}", folder=folder), Server(None)
            return
        server = PostgreSql(new_cluster(), durable=True)
        server.start()
        try:
            server.create(DATABASE)
            yield Place(url=server.url(DATABASE), folder=folder), Server(server)
        finally:
            server.remove()


def main(arguments: Sequence[str]) -> dict[str, float]:
    """Reads the command line, measures and prints; returns the figures."""
    parser = argparse.ArgumentParser(description="Matches a second that a store takes from several writers")
    parser.add_argument("--store", choices=("postgresql", "sqlite"), default="postgresql")
    parser.add_argument("--boards", type=int, default=2, help="of each set of a season")
    parser.add_argument("--sets", type=int, default=SETS, help="of players in a season")
    parser.add_argument("--writers", type=int, nargs="+", default=WRITERS)
    options = parser.parse_args(arguments)
    found: dict[str, float] = {}
    with opened(options.store) as (place, server):
        for writers in options.writers:
            for apart in (False, True)[: 1 if writers == 1 else 2]:
                run = measure(place, server, writers=writers, apart=apart, boards=options.boards, sets=options.sets)
                name = f"{writers} writers, {'seasons of their own' if apart else 'one season'}"
                line = ", ".join(f"{key} {value:,.1f}" for key, value in run.items())
                sys.stdout.write(f"{options.store}: {name}: {line}\n")
                sys.stdout.flush()
                where = "apart" if apart else "together"
                found |= {f"{options.store}_{writers}_{where}_{key}": value for key, value in run.items()}
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
