"""How fast the ladder of a large season is served: 200 bots, 100,000 matches, 50 readers who ask again at once.

Run as `python -m benchmarks.pages`; `--matches 4000 --bots 20` for a small one, several numbers for several seasons.
The season is a real one in a SQLite file of a folder that is removed; its matches are drawn and have no records. The
dashboard is the real `king dashboard`, a process of its own; the readers are this one, on the same processors, each on
a connection that stays open. Between the rounds the same readers ask for `/health`, an answer of three bytes: the
ratio to that, and the CPU time of the dashboard (from /proc) and of the readers, say what a page costs on a machine
that may be busy. A page is cold when the dashboard has it not at hand, but the ladder's numbers; `after a result` is
the first reader's wait once a match was stored, the ratings made anew. Then one reader asks for other pages and for
operations of the API. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.ratings_scale import drawn_scores, fill, new_season, open_store
from dashboard import links
from league.model import Season
from league.store import Store
from tests.league.leagues import claimed, short_record

READERS: Final = 50
ROUNDS: Final = 3
COLD_PAGES: Final = 15
RESULTS: Final = 7
ALONE: Final = 20
STARTS_WITHIN_SECONDS: Final = 60.0


@dataclass(frozen=True, kw_only=True)
class Served:
    """What readers waited for an answer, in milliseconds, of how many bytes, and how many they got in a second."""

    p50_ms: float
    p99_ms: float
    per_second: float
    size: int

    @classmethod
    def of(cls, waits: Sequence[float], size: int, seconds: float) -> Served:
        """From the waits of all readers, in seconds."""
        ordered = sorted(1000 * wait for wait in waits)
        return cls(
            p50_ms=median(ordered),
            p99_ms=ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))],
            per_second=len(waits) / seconds,
            size=size,
        )


class Reader:
    """One connection to the dashboard."""

    def __init__(self, streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], headers: Mapping[str, str]) -> None:
        self._reader, self._writer = streams
        lines = {"Host": "localhost", "Accept-Encoding": "gzip", "Accept-Language": "en", **headers}
        self._headers = "".join(f"{name}: {value}\r\n" for name, value in lines.items())

    async def ask(self, path: str) -> tuple[int, bytes, bytes]:
        """The status, the head and the body of an answer."""
        self._writer.write(f"GET {path} HTTP/1.1\r\n{self._headers}\r\n".encode())
        head = await self._reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        at = head.lower().find(b"\r\ncontent-length:")
        length = 0 if at < 0 or status == 304 else int(head[at + 17 : head.index(b"\r\n", at + 2)])
        return status, head, await self._reader.readexactly(length)

    def close(self) -> None:
        """Hangs up."""
        self._writer.close()


async def reader_of(port: int, headers: Mapping[str, str] | None = None) -> Reader:
    """A reader of the dashboard on a port of this machine."""
    return Reader(await asyncio.open_connection("127.0.0.1", port), headers or {})


async def closed_loop(
    port: int, path: str, status: int, seconds: float, headers: Mapping[str, str] | None = None
) -> Served:
    """Readers who each ask again as soon as they have an answer."""
    readers = [await reader_of(port, headers) for _ in range(READERS)]
    until = time.monotonic() + seconds
    waits: list[float] = []
    sizes: set[int] = set()

    async def read(reader: Reader) -> None:
        while (began := time.monotonic()) < until:
            told, _head, body = await reader.ask(path)
            waits.append(time.monotonic() - began)
            sizes.add(len(body))
            if told != status:
                raise RuntimeError(f"{path} was answered by {told}, not {status}")

    await asyncio.gather(*map(read, readers))
    for reader in readers:
        reader.close()
    return Served.of(waits, max(sizes), seconds)


async def waits_of(port: int, paths: Sequence[str]) -> list[float]:
    """What one reader waits for each page, in milliseconds."""
    reader, waits = await reader_of(port), []
    for path in paths:
        began = time.monotonic()
        status, _head, _body = await reader.ask(path)
        waits.append(1000 * (time.monotonic() - began))
        if status != 200:
            raise RuntimeError(f"{path} was answered by {status}")
    reader.close()
    return waits


@dataclass(frozen=True, kw_only=True)
class Dashboard:
    """A dashboard that serves: its port, and its process."""

    port: int
    process: int

    def cpu_ms(self) -> float:
        """The CPU time that it has had so far, in milliseconds."""
        fields = Path(f"/proc/{self.process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return 1000.0 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def dashboard(folder: Path) -> Iterator[Dashboard]:
    """The real dashboard over a folder's store, on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    settings = {
        "KING_DATA_DIR": str(folder),
        "KING_DATABASE_URL": f"sqlite:///{folder / 'league.sqlite3'}",
        "KING_HTTP": f"127.0.0.1:{port}",
        "KING_API_READS": "1000000",
    }
    command = [sys.executable, "-c", "from king_cli.entry import main; main()", "dashboard"]
    with (folder / "dashboard.log").open("wb") as log:
        process = subprocess.Popen(command, env={**os.environ, **settings}, stdout=log, stderr=log)
    try:
        _wait_for(port, process, folder / "dashboard.log")
        yield Dashboard(port=port, process=process.pid)
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + STARTS_WITHIN_SECONDS
    while process.poll() is None and time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1.0).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"the dashboard has not started: {log.read_text(encoding='utf-8')[-2000:]}")


async def after_results(port: int, store: Store, season: Season, path: str) -> list[float]:
    """What the first reader waits for the ladder after each of some new results, in milliseconds."""
    claim = claimed(store, store.sittings.due(season.id)[0])
    waits = []
    for table in claim.tables[:RESULTS]:
        store.results.commit(claim, short_record(claim, table, scorer=drawn_scores))
        waits += await waits_of(port, [path])
    return waits


async def measured(served: Dashboard, store: Store, season: Season, seconds: float) -> dict[str, float]:
    """All figures of a served season."""
    path, port = links.ladder(season.id), served.port
    (first,) = await waits_of(port, [path])
    _status, head, _body = await (await reader_of(port)).ask(path)
    tag = next(line[6:] for line in head.decode().split("\r\n") if line.lower().startswith("etag:"))
    pages, known, bare = [], [], []
    cpu_ms = readers_cpu_ms = 0.0
    for _ in range(ROUNDS):
        began_ms, readers_began = served.cpu_ms(), time.process_time()
        pages.append(await closed_loop(port, path, 200, seconds))
        cpu_ms += served.cpu_ms() - began_ms
        readers_cpu_ms += 1000 * (time.process_time() - readers_began)
        known.append(await closed_loop(port, path, 304, seconds, {"If-None-Match": tag}))
        bare.append(await closed_loop(port, "/health", 200, seconds))
    began_ms = served.cpu_ms()
    cold = await waits_of(port, [f"{path}?cold={at}" for at in range(COLD_PAGES)])
    cold_cpu_ms = (served.cpu_ms() - began_ms) / COLD_PAGES
    fresh = await after_results(port, store, season, path)
    page_count = seconds * sum(one.per_second for one in pages)
    typical = sorted(pages, key=lambda one: one.p50_ms)[ROUNDS // 2]
    return {
        "median_ms": typical.p50_ms,
        "p99_ms": max(one.p99_ms for one in pages),
        "cpu_ms": cpu_ms / page_count,
        "readers_cpu_ms": readers_cpu_ms / page_count,
        "pages_per_second": typical.per_second,
        "page_bytes": typical.size,
        "not_modified_median_ms": median(one.p50_ms for one in known),
        "health_median_ms": median(one.p50_ms for one in bare),
        "ratio_to_health": typical.p50_ms / median(one.p50_ms for one in bare),
        "cold_median_ms": median(cold),
        "cold_worst_ms": max(cold),
        "cold_cpu_ms": cold_cpu_ms,
        "after_a_result_median_ms": median(fresh),
        "first_of_the_process_ms": first,
        **{f"{name}_ms": median(await waits_of(port, [path] * ALONE)) for name, path in asked_alone(season.id).items()},
    }


def asked_alone(season: int) -> Mapping[str, str]:
    """What one reader asks for, by name."""
    api = links.api()
    return {
        "health_alone": "/health",
        "matches_page": links.matches(season=season),
        "season_page": links.season(season),
        "api_ladder": f"{api}/seasons/{season}/ladder",
        "api_matches": f"{api}/matches?season={season}",
        "api_entrants": f"{api}/seasons/{season}/entrants",
    }


def run(*, bots: int, match_count: int, set_count: int, seconds: float) -> dict[str, float]:
    """Makes the season, serves it and measures."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = open_store(folder)
        season = new_season(store, "large", bots)
        with store._database.writing() as connection:
            fill(connection, season, bots=bots, match_count=match_count, set_count=set_count)
        with dashboard(folder) as served:
            found = asyncio.run(measured(served, store, season, seconds))
        store.close()
        return found


def main(arguments: Sequence[str]) -> dict[str, float]:
    """Reads the command line, measures and prints; returns the figures, named by the number of matches."""
    parser = argparse.ArgumentParser(description="How fast the ladder of a large season is served")
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--matches", type=int, nargs="+", default=[100_000])
    parser.add_argument("--sets", type=int, default=1000, help="different sets of players that met")
    parser.add_argument("--seconds", type=float, default=5.0, help="of a round with many readers")
    options = parser.parse_args(arguments)
    found: dict[str, float] = {}
    for count in options.matches:
        of_season = run(bots=options.bots, match_count=count, set_count=options.sets, seconds=options.seconds)
        for name, value in of_season.items():
            sys.stdout.write(f"ladder {count:9,} matches {name:28} {value:12.2f}\n")
        found |= {f"{count}_{name}": value for name, value in of_season.items()}
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
