"""What ratings cost in a season of 1,000,000 matches of 200 bots, and what one more match costs in it.

Run as `python -m benchmarks.ratings_scale`; `--matches 40000` for a small one, several numbers for several seasons.
The season is a real one in a SQLite file of a folder that is removed; its matches are written into the tables
directly, with scores drawn and no records. `--sets` says how many different sets of players met: the sums are kept by
set. Storing is by turns in this season and in an empty one of the same store. The peer of rating is what Ordo solves,
the strengths of as many bots from what each pair has scored, by scipy's L-BFGS, without intervals. Times are of the
wall, and of the CPU, which a busy machine changes less. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit
from sqlalchemy import Connection, insert, update

from king_cli.numerics import use_one_thread
from league.model import BotSource, NewBot, NewSeason, Season, SourceKind
from league.pair_sums import PairSums
from league.ratings import rate
from league.results import DealPoints, MatchResult
from league.store import Store, Vault, utc_now, vault_url_beside
from league.store.pairs import gathering_pairs, write_pairs
from league.store.schema import board_sets, boards, match_players, matches, seasons, sittings
from league.store.sums import write_boards
from league.versions import command_hash
from referee.rules import parse_variant
from tests.league.leagues import claimed, short_record

VARIANT = parse_variant("russian-14")
SEATS = VARIANT.seats
BOARDS_A_SET = 64
FIRST_BOARD = 10_000
"""Boards written directly have numbers from here on, behind those of the plan."""


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Seconds by the wall and of the CPU, and the most memory that the process ever had, in MiB."""

    seconds: float
    cpu_seconds: float
    mebibytes: float

    @classmethod
    def of(cls, work: Callable[[], object]) -> Cost:
        """Does a piece of work."""
        began, cpu_began = time.monotonic(), time.process_time()
        work()
        return cls(
            seconds=time.monotonic() - began,
            cpu_seconds=time.process_time() - cpu_began,
            mebibytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        )

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s ({self.cpu_seconds:.2f} s CPU), at most {self.mebibytes:.0f} MiB"


def open_store(folder: Path) -> Store:
    """The store of a folder, made if need be."""
    url = f"sqlite:///{folder / 'league.sqlite3'}"
    store = Store.open(url, vault=Vault.open(vault_url_beside(url, folder)))
    store.migrate()
    return store


def new_season(store: Store, name: str, bots: int) -> Season:
    """A running season of so many bots, with one board for each of as many sets of players."""
    season = store.seasons.create(NewSeason(name=name, variant=VARIANT.id, boards=1, player_sets=bots, set_count=2))
    for number in range(bots):
        bot = f"bot-{number:03}"
        source = BotSource(kind=SourceKind.COMMAND, location=f"run {bot}")
        new = NewBot(name=bot, version="1", source=source, version_hash=command_hash("", bot, "1"))
        store.seasons.enter(season.id, store.bots.register(new).id)
    return store.seasons.start(season.id)


def fill(connection: Connection, season: Season, *, bots: int, match_count: int, set_count: int) -> None:
    """Writes matches, as if they had been played, and their sums."""
    dice = Random(1)
    sets = [tuple(dice.sample(range(bots), SEATS)) for _ in range(set_count)]
    board_count = match_count // SEATS
    pairs: dict[tuple[int, int], PairSums] = {}
    made = gathering_pairs(_boards(connection, season, sets, board_count, dice), VARIANT, pairs)
    write_boards(connection, season.id, made, VARIANT)
    write_pairs(connection, season.id, pairs)
    connection.execute(
        update(seasons)
        .where(seasons.c.id == season.id)
        .values(matches_stored=board_count * SEATS, boards_over=board_count)
    )


def _boards(
    connection: Connection, season: Season, sets: Sequence[tuple[int, ...]], count: int, dice: Random
) -> Iterator[list[MatchResult]]:
    for start in range(0, count, BOARDS_A_SET):
        set_number = 1000 + start // BOARDS_A_SET
        sitting = _write_set(connection, season, set_number)
        numbers = range(start, min(count, start + BOARDS_A_SET))
        made = [_board(FIRST_BOARD + at, sets[at % len(sets)], dice) for at in numbers]
        planned = [
            _board_row(season, set_number, board, SEATS * (at + 1)) for at, board in zip(numbers, made, strict=True)
        ]
        connection.execute(insert(boards), planned)
        rows = [
            _match_row(season, sitting, SEATS * at + 1 + result.rotation, result)
            for at, board in zip(numbers, made, strict=True)
            for result in board
        ]
        connection.execute(insert(matches), rows)
        connection.execute(insert(match_players), [one for row in rows for one in _player_rows(row)])
        yield from made


def _write_set(connection: Connection, season: Season, number: int) -> int:
    """A set of boards that is over; returns one of its sittings."""
    of_set = {"season_id": season.id, "set_number": number, "state": "done", "match_count": BOARDS_A_SET}
    connection.execute(
        insert(board_sets).values(season_id=season.id, number=number, sittings_open=0, over_at=utc_now())
    )
    rows = [{**of_set, "rotation": rotation, "stored": BOARDS_A_SET} for rotation in range(SEATS)]
    connection.execute(insert(sittings), rows[1:])
    return int(connection.execute(insert(sittings).values(rows[0]).returning(sittings.c.id)).scalar_one())


def _board(number: int, players: tuple[int, ...], dice: Random) -> list[MatchResult]:
    return [_result(number, rotation, players, dice) for rotation in range(SEATS)]


def _result(number: int, rotation: int, players: tuple[int, ...], dice: Random) -> MatchResult:
    seated = tuple(players[(seat - rotation) % SEATS] for seat in range(SEATS))
    scores = tuple(player // 10 + round(dice.gauss(0, 40)) for player in seated)
    deal = DealPoints(contract="no_tricks", points=scores, own=(True,) * SEATS)
    return MatchResult(
        board=number,
        rotation=rotation,
        players=seated,
        scores=scores,
        places=tuple(1 + sum(other > score for other in scores) for score in scores),
        forfeited=(False,) * SEATS,
        deals=VARIANT.deal_count,
        deal_points=(deal,),
    )


def _board_row(season: Season, set_number: int, board: Sequence[MatchResult], whole_at: int) -> dict[str, Any]:
    players = board[0].players
    secrets = {"commitment": "0" * 64, "deal_secret": "0" * 64}
    of_set = {"season_id": season.id, "set_number": set_number, "stored": SEATS, "whole_at": whole_at}
    return {**of_set, **secrets, "number": board[0].board, "players": list(players)}


def _match_row(season: Season, sitting: int, number: int, result: MatchResult) -> dict[str, Any]:
    return {
        "match_id": f"{season.id:04x}{number:012x}",
        "season_id": season.id,
        "board": result.board,
        "rotation": result.rotation,
        "number": number,
        "sitting_id": sitting,
        "attempt": 1,
        "players": list(result.players),
        "scores": list(result.scores),
        "totals": list(result.scores),
        "places": list(result.places),
        "forfeits": [],
        "deal_points": [[deal.contract, list(deal.points), list(deal.own)] for deal in result.deal_points],
        "ended_at": utc_now(),
    }


def _player_rows(match: dict[str, Any]) -> list[dict[str, Any]]:
    of_match = {"season_id": match["season_id"], "number": match["number"], "live_elo": 1500.0}
    return [{**of_match, "entrant": player} for player in match["players"]]


def ladder_cost(folder: Path, season_id: int) -> Cost:
    """Reads a ladder from the store; to be called in a process of its own."""
    return Cost.of(lambda: open_store(folder).standings.ladder(season_id))


def sums_cost(folder: Path, season_id: int, bots: int) -> Cost:
    """Rates from additive sums that are in memory already; to be called in a process of its own."""
    sums = open_store(folder).standings.sums(season_id)
    rate(sums.clean[:1], bot_count=bots, deals=VARIANT.deal_count)  # loads what is loaded at the first use
    return Cost.of(lambda: rate(sums.clean, bot_count=bots, deals=VARIANT.deal_count))


def commit_costs(store: Store, each: Sequence[Season]) -> list[tuple[float, float]]:
    """Stores made-up results in several seasons by turns: of each the median milliseconds by the wall, and of CPU."""
    claims = [claimed(store, store.sittings.due(season.id)[0]) for season in each]
    taken: list[list[Cost]] = [[] for _ in each]
    for at in range(len(claims[0].tables)):
        for claim, costs in zip(claims, taken, strict=True):
            record = short_record(claim, claim.tables[at], scorer=drawn_scores)
            costs.append(Cost.of(partial(store.results.commit, claim, record)))
    return [
        (1000 * median(one.seconds for one in costs), 1000 * median(one.cpu_seconds for one in costs))
        for costs in taken
    ]


def drawn_scores(labels: Sequence[str], dice: Random) -> list[int]:
    """Scores without strengths."""
    return [dice.randint(-99, 99) for _ in labels]


def ordo_cost(bots: int) -> Cost:
    """Solves for the strengths of so many bots by scipy; to be called in a process of its own."""
    dice = np.random.default_rng(1)
    games = np.triu(dice.integers(1, 60, (bots, bots)), 1)
    games = games + games.T
    share = dice.random((bots, bots))
    points = games * (np.triu(share, 1) + np.tril(1 - share.T, -1))

    def loss(strengths: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        expected = games * expit(strengths[:, None] - strengths[None, :])
        off = points - expected
        likely = points * np.log(np.maximum(expected, 1e-300) / np.maximum(games, 1))
        return -float(likely.sum()), -off.sum(axis=1)

    minimize(loss, np.zeros(bots), jac=True, method="L-BFGS-B", options={"maxiter": 1})  # loads what is loaded late

    def solve() -> None:
        if not minimize(loss, np.zeros(bots), jac=True, method="L-BFGS-B").success:
            raise RuntimeError("scipy has not found the strengths")

    return Cost.of(solve)


def measure(folder: Path, *, bots: int, match_count: int, set_count: int, rebuild: bool) -> dict[str, float]:
    """Makes an empty season and a large one, and measures."""
    store = open_store(folder)
    empty, large = new_season(store, "empty", bots), new_season(store, "large", bots)
    with store._database.writing() as connection:
        made = Cost.of(partial(fill, connection, large, bots=bots, match_count=match_count, set_count=set_count))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        ladder = pool.submit(ladder_cost, folder, large.id).result()
        ratings = pool.submit(sums_cost, folder, large.id, bots).result()
        ordo = pool.submit(ordo_cost, bots).result()
    (in_empty, cpu_in_empty), (in_large, cpu_in_large) = commit_costs(store, [empty, large])
    found = {
        "mebibytes": (folder / "league.sqlite3").stat().st_size / 2**20,
        "made_s": made.seconds,
        "ladder_s": ladder.seconds,
        "ladder_cpu_s": ladder.cpu_seconds,
        "ladder_mebibytes": ladder.mebibytes,
        "ratings_s": ratings.seconds,
        "ratings_cpu_s": ratings.cpu_seconds,
        "ordo_by_scipy_cpu_s": ordo.cpu_seconds,
        "ratio_to_ordo": ratings.cpu_seconds / ordo.cpu_seconds,
        "commit_in_empty_ms": in_empty,
        "commit_in_empty_cpu_ms": cpu_in_empty,
        "commit_ms": in_large,
        "commit_cpu_ms": cpu_in_large,
        "commit_ratio": cpu_in_large / cpu_in_empty,
    }
    if rebuild:
        rebuilt = Cost.of(partial(store.results.rebuild, large.id))
        found |= {"rebuilt_s": rebuilt.seconds, "rebuilt_cpu_s": rebuilt.cpu_seconds}
    store.close()
    return found


def main(arguments: Sequence[str]) -> dict[str, float]:
    """Reads the command line, measures and prints; returns the figures, named by the number of matches."""
    parser = argparse.ArgumentParser(description="Ratings of a large season, and the cost of one more match")
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--matches", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--sets", type=int, default=1000, help="different sets of players that met")
    parser.add_argument("--rebuild", action="store_true", help="make all sums anew from the matches, too")
    options = parser.parse_args(arguments)
    use_one_thread()  # as `king` does: the processes that rate are started below
    found: dict[str, float] = {}
    for count in options.matches:
        with TemporaryDirectory() as name:
            of_season = measure(
                Path(name), bots=options.bots, match_count=count, set_count=options.sets, rebuild=options.rebuild
            )
        for key, value in of_season.items():
            sys.stdout.write(f"ratings {count:9,} matches {key:28} {value:12.3f}\n")
        sys.stdout.flush()
        found |= {f"{count}_{key}": value for key, value in of_season.items()}
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
