"""Whether the audit catches two bots that collude, and leaves honest ones alone: whole leagues of 8 bots.

Run as `python -m benchmarks.collusion --leagues 20 --boards 6`: so many leagues with the two of
`benchmarks.colluders` in them, and as many without; every set of four bots plays so many boards, all rotations, within
this process's children. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from multiprocessing import get_context
from random import Random

from king_bot import Bot

from benchmarks.colluders import Feeder, Taker, Wavering
from benchmarks.in_process import load_bot, play_board
from league.collusion import Audit, audit
from league.results import MatchResult
from league.sums import SetSums, board_sums
from referee import dealing
from referee.rules import Variant, match_scores, parse_variant

FEEDER, TAKER = 6, 7
"""The entrants who collude, where any do; in an honest league other bots have these places."""


@dataclass(frozen=True, kw_only=True)
class Caught:
    """What the audit said of one league."""

    seed: int
    colluding: bool
    found: Audit

    @property
    def right(self) -> bool:
        """Whether the colluding pair is flagged, and in an honest league nobody."""
        flagged = [(one.giver, one.taker) for one in self.found.flagged]
        return (FEEDER, TAKER) in flagged if self.colluding else not flagged


def field(seed: int, *, colluding: bool) -> dict[str, Bot]:
    """The eight bots of a league: the samples, some that waver, and the two that collude or two honest ones."""
    dice = Random(seed)
    steady = ["counter", "greedy", "lowest", "highest"]
    bots: dict[str, Bot] = {name: load_bot(name) for name in steady}
    shares = [dice.uniform(0.05, 0.6) for _ in range(2 if colluding else 4)]
    for at, share in enumerate(shares, start=1):
        bots[f"wavering {at}"] = Wavering(load_bot("greedy"), share, dice.randrange(2**32))
    if colluding:
        bots |= {"feeder": Feeder(load_bot("greedy")), "taker": Taker(load_bot("greedy"))}
    return bots


def play_league(variant: Variant, bots: dict[str, Bot], *, boards: int, seed: int) -> Iterator[SetSums]:
    """The sums of every board of a league in which all sets of players meet on so many boards."""
    names = list(bots)
    number = 0
    for _ in range(boards):
        for players in combinations(range(len(names)), variant.seats):
            number += 1
            yield board_sums(_board(variant, bots, players, number, seed), variant.forfeit_points)


def _board(variant: Variant, bots: dict[str, Bot], players: Sequence[int], number: int, seed: int) -> list[MatchResult]:
    names, seats = list(bots), variant.seats
    cards = dealing.deal_seed(dealing.local_secret(seed, number), dealing.LOCAL_SALT)
    results = []
    seated = [names[player] for player in players]
    for rotation, sitting in enumerate(play_board(variant, cards, seated, bots, timed=False)):
        deals = sitting.match.deals
        played = [{"contract": deal.contract and deal.contract.id, "points": deal.points} for deal in deals]
        results.append(
            MatchResult(
                board=number,
                rotation=rotation,
                players=tuple(players[(seat - rotation) % seats] for seat in range(seats)),
                scores=match_scores(variant, played),
                places=sitting.match.places or (),
                forfeited=(False,) * seats,
                deals=variant.deal_count,
            )
        )
    return results


def audit_league(variant_id: str, boards: int, seed: int, colluding: bool) -> Caught:
    """Plays a league and audits it."""
    variant = parse_variant(variant_id)
    sums = list(play_league(variant, field(seed, colluding=colluding), boards=boards, seed=seed))
    return Caught(seed=seed, colluding=colluding, found=audit(sums, deals=variant.deal_count))


def line(caught: Caught) -> str:
    """One league in a line: its kind, what was flagged, and the least adjusted p."""
    flagged = ", ".join(f"{one.giver} → {one.taker}" for one in caught.found.flagged) or "nobody"
    surest = min((one.p_adjusted for one in caught.found.pairs if one.p_adjusted is not None), default=1.0)
    told = next(one for one in caught.found.pairs if (one.giver, one.taker) == (FEEDER, TAKER)).effect
    gain = "" if told is None or told.low is None else f"; 6 → 7 gains {told.value:.2f} ± {told.value - told.low:.2f}"
    kind = "colluding" if caught.colluding else "honest"
    return f"{kind:<10}seed {caught.seed:<4}flagged: {flagged:<16} least adjusted p {surest:.1e}{gain}"


def main() -> None:
    """Reads the command line, plays and prints."""
    parser = argparse.ArgumentParser(description="Leagues of 8 bots, with and without two that collude")
    parser.add_argument("--leagues", type=int, default=20, help="of each kind")
    parser.add_argument("--boards", type=int, default=6, help="boards of each set of players")
    parser.add_argument("--variant", default="russian-14")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    began = time.monotonic()
    right = {True: 0, False: 0}
    one_league = partial(audit_league, options.variant, options.boards)
    seeds = [options.seed + at for at in range(options.leagues)] * 2
    kinds = [True] * options.leagues + [False] * options.leagues
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        for caught in pool.map(one_league, seeds, kinds):
            right[caught.colluding] += caught.right
            sys.stdout.write(line(caught) + "\n")
            sys.stdout.flush()
    sets = 70
    sys.stdout.write(
        f"{sets * options.boards} boards a league ({options.boards} of each set, {35 * options.boards} a bot): the two "
        f"that collude flagged in {right[True]} of {options.leagues}, nobody flagged in {right[False]} of "
        f"{options.leagues} honest ones; {time.monotonic() - began:.0f} s\n"
    )


if __name__ == "__main__":
    main()
