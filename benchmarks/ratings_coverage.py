"""Whether intervals keep their word: simulated seasons with known strengths, and sequential tests with known gaps.

Run as `python -m benchmarks.ratings_coverage`. Boards are correlated as those of `russian-14` (`--measure` plays real
matches and prints by how much). Seasons are drawn as arrays and given to `league.ratings.rate` as the additive sums
that it reads for any season. Owns the simulation only.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

import numpy as np

from benchmarks.collusion import field, play_league
from league.arrays import Floats, Ints
from league.designs import balanced_sets
from league.estimates import Estimate
from league.luck import Luck, luck
from league.neighbours import balanced_orders
from league.ratings import ELO_PER_UNIT, MEAN_ELO, Ratings, rate
from league.solver import bradley_terry
from league.sums import SetSums
from league.verdicts import SPRT_GAP_IN_DEVIATIONS, SprtVerdict, sprt
from referee.rules import parse_variant

DEALS = 14
SEATS = 4
MEASURED = Luck(boards=140, hand=4.4, bot_on_board=0.2, rest=5.0)
"""Variances of points per deal in one match of `russian-14` among the bots of `benchmarks.collusion`."""
STRENGTH_DEVIATION = 1.0
"""How far bots of a simulated season are apart, in points per deal; those of `benchmarks.collusion` are as far."""
AT_ONCE = 20
"""Seasons drawn together."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Who meets at each board, in cyclic order (boards, 4), in seasons of so many bots and boards a bot."""

    bots: int
    boards_a_bot: int
    orders: Ints

    @classmethod
    def of(cls, bots: int, boards_a_bot: int) -> Plan:
        """As the planner makes them."""
        sets = balanced_sets([""] * bots, SEATS, bots * boards_a_bot // SEATS)
        return cls(bots=bots, boards_a_bot=boards_a_bot, orders=np.array(balanced_orders(sets, bots), dtype=np.int64))


@dataclass(frozen=True, kw_only=True)
class Truth:
    """Strengths in points per deal against the pool's mean, and the Elo that an endless season would give."""

    strengths: Floats
    elo: Floats


def truth_of(plan: Plan, seed: int) -> Truth:
    """Draws strengths for a plan. Elo: where expected places meet the model's, with the meetings of the plan."""
    drawn: Floats = np.random.default_rng(seed).normal(0.0, STRENGTH_DEVIATION, plan.bots)
    strengths = drawn - drawn.mean()
    spread = math.sqrt(2.0 * (MEASURED.hand + MEASURED.bot_on_board + MEASURED.rest))
    above: Floats = np.vectorize(lambda z: 0.5 * math.erfc(-z / math.sqrt(2.0)))(
        (strengths[:, None] - strengths[None, :]) / spread
    )
    meetings: Floats = np.zeros((plan.bots, plan.bots))
    np.add.at(meetings, (plan.orders[:, :, None], plan.orders[:, None, :]), float(SEATS))
    np.fill_diagonal(meetings, 0.0)
    theta, _ = bradley_terry(meetings * above, meetings, 0.0)
    return Truth(strengths=strengths, elo=MEAN_ELO + theta * ELO_PER_UNIT)


def draw_scores(plan: Plan, truth: Truth, dice: np.random.Generator, seasons: int) -> Ints:
    """Scores of matches, (seasons, boards, rotations, 4), by place in the cyclic order."""
    shape = (seasons, len(plan.orders), SEATS, SEATS)
    hands = dice.normal(0.0, math.sqrt(MEASURED.hand), (*shape[:2], SEATS))
    held = (np.arange(SEATS)[None, :] + np.arange(SEATS)[:, None]) % SEATS  # player k of rotation r holds hand k + r
    rest = dice.normal(size=shape)
    common = rest.mean(axis=2, keepdims=True)
    apart = math.sqrt(MEASURED.rest)
    together = math.sqrt(MEASURED.rest + SEATS * MEASURED.bot_on_board)
    made = truth.strengths[plan.orders][None, :, None, :] + hands[:, :, held]
    made = made + apart * (rest - common) + together * common
    scores: Ints = np.rint(made * DEALS).astype(np.int64)
    return scores


def sums_of(plan: Plan, scores: Ints) -> list[SetSums]:
    """The additive sums of one season's scores, (boards, rotations, 4): one of each board."""
    order = np.argsort(plan.orders, axis=1)
    players = np.take_along_axis(plan.orders, order, axis=1)
    scores = np.take_along_axis(scores, np.broadcast_to(order[:, None, :], scores.shape), axis=2)
    devs = SEATS * scores - scores.sum(axis=2, keepdims=True)
    beats = np.sign(scores[..., :, None] - scores[..., None, :]) + 1
    beats[..., range(SEATS), range(SEATS)] = 0
    places = (scores[..., None, :] > scores[..., :, None]).sum(axis=3)
    pair_wins = beats.sum(axis=1)
    counts = (places[..., None] == np.arange(SEATS)).sum(axis=1)
    return [
        SetSums(players=tuple(who), values=tuple(values))
        for who, values in zip(players.tolist(), _values(devs, pair_wins, counts).tolist(), strict=True)
    ]


def _values(devs: Ints, pair_wins: Ints, counts: Ints) -> Ints:
    """Boards' values in the order of `league.sums.layout`; which hand was whose matters to luck alone."""
    boards = len(devs)
    of_board, wins = devs.sum(axis=1), pair_wins.sum(axis=2)
    ones: Ints = np.ones((boards, 1), dtype=np.int64)
    parts = [
        ones,
        ones * SEATS,
        wins,
        (wins[:, :, None] * wins[:, None, :]).reshape(boards, -1),
        of_board,
        (of_board[:, :, None] * of_board[:, None, :]).reshape(boards, -1),
        pair_wins.reshape(boards, -1),
        (pair_wins**2).reshape(boards, -1),
        counts.reshape(boards, -1),
        np.zeros((boards, SEATS), dtype=np.int64),
        (devs**2).sum(axis=(1, 2))[:, None],
        np.zeros((boards, 1), dtype=np.int64),
    ]
    return np.concatenate(parts, axis=1)


@dataclass(frozen=True, kw_only=True)
class Covered:
    """How many intervals held the truth, of how many, by what they are of."""

    elo: int
    points: int
    differences: int
    bots: int
    pairs: int

    def __add__(self, other: Covered) -> Covered:
        return Covered(
            elo=self.elo + other.elo,
            points=self.points + other.points,
            differences=self.differences + other.differences,
            bots=self.bots + other.bots,
            pairs=self.pairs + other.pairs,
        )


def covered(found: Ratings, truth: Truth) -> Covered:
    """Counts the intervals of one season that hold the truth."""
    differences = [
        holds(one.points, float(truth.strengths[one.a] - truth.strengths[one.b])) for one in found.differences
    ]
    return Covered(
        elo=sum(holds(bot.elo, float(truth.elo[bot.entrant])) for bot in found.bots),
        points=sum(holds(bot.points, float(truth.strengths[bot.entrant])) for bot in found.bots),
        differences=sum(differences),
        bots=len(found.bots),
        pairs=len(differences),
    )


def holds(told: Estimate | None, true: float) -> bool:
    """Whether an interval holds a value."""
    return told is not None and told.low is not None and told.high is not None and told.low <= true <= told.high


def simulate(bots: int, boards_a_bot: int, seasons: int, seed: int) -> Covered:
    """Seasons of one shape, every one with strengths of its own."""
    plan = Plan.of(bots, boards_a_bot)
    dice = np.random.default_rng(seed)
    total = Covered(elo=0, points=0, differences=0, bots=0, pairs=0)
    for batch in range(-(-seasons // AT_ONCE)):
        truth = truth_of(plan, seed * 100_003 + batch)
        for scores in draw_scores(plan, truth, dice, min(AT_ONCE, seasons - batch * AT_ONCE)):
            total += covered(rate(sums_of(plan, scores), bot_count=bots, deals=DEALS), truth)
    return total


def spread_out(work: Callable[[int, int], Covered], count: int, processes: int) -> Covered:
    """Cuts `count` seasons into parts of 100, each with a seed of its own."""
    parts = [min(100, count - start) for start in range(0, count, 100)]
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(work, parts, range(1, len(parts) + 1)))
    total = found[0]
    for part in found[1:]:
        total += part
    return total


def sequential_errors(runs: int, seed: int) -> tuple[float, float, float]:
    """SPRT with its defaults on normal board differences: false "better" without a gap, false "not better" with the
    one it asks for, and the mean number of boards to a verdict."""
    dice = np.random.default_rng(seed)
    wrong, boards = [0, 0], 0
    for gap, verdict in ((0, SprtVerdict.BETTER), (1, SprtVerdict.NOT_BETTER)):
        for _ in range(runs):
            told, after = run_test(partial(_drawn, dice, SPRT_GAP_IN_DEVIATIONS * gap))
            wrong[gap] += told is verdict
            boards += after
    return wrong[0] / runs, wrong[1] / runs, boards / (2 * runs)


def _drawn(dice: np.random.Generator, mean: float) -> list[float]:
    return [float(x) for x in dice.normal(mean, 1.0, 128)]


def run_test(draw: Callable[[], Sequence[float]]) -> tuple[SprtVerdict, int]:
    """One test, asked after every board until it has a verdict: what it says, and after how many boards."""
    differences: list[float] = []
    while True:
        for difference in draw():
            differences.append(difference)
            told = sprt(differences)
            if told.verdict is not SprtVerdict.GO_ON:
                return told.verdict, len(differences)


def measure(leagues: int) -> Iterator[str]:
    """Plays leagues of 8 bots, a board of each set of four, and says how their boards are correlated."""
    variant = parse_variant("russian-14")
    for seed in range(1, leagues + 1):
        bots = field(seed, colluding=False)
        found = luck(list(play_league(variant, bots, boards=1, seed=seed)), deals=variant.deal_count)
        if found is not None:
            yield (
                f"league {seed}, {found.boards} boards: variance of hands {found.hand:.2f}, of bots on boards "
                f"{found.bot_on_board:.2f}, of the rest {found.rest:.2f}; luck share {found.share:.2f}"
            )


def main() -> None:
    """Reads the command line, simulates and prints."""
    parser = argparse.ArgumentParser(description="Coverage of the intervals of ratings; errors of the sequential test")
    parser.add_argument("--seasons", type=int, default=2000, help="of each shape")
    parser.add_argument("--runs", type=int, default=20_000, help="sequential tests of each kind")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--measure", type=int, metavar="LEAGUES", help="play so many real leagues instead")
    options = parser.parse_args()
    if options.measure:
        for text in measure(options.measure):
            sys.stdout.write(text + "\n")
        return
    for bots, boards in ((12, 20), (12, 60), (40, 20), (4, 3), (12, 3)):
        began = time.monotonic()
        found = spread_out(partial(simulate, bots, boards), options.seasons, options.processes)
        sys.stdout.write(
            f"{bots} bots with {boards} boards each, {options.seasons} seasons: Elo {found.elo / found.bots:.2%}, "
            f"points {found.points / found.bots:.2%}, differences {found.differences / found.pairs:.2%} covered; "
            f"{time.monotonic() - began:.0f} s\n"
        )
        sys.stdout.flush()
    better, not_better, boards_needed = sequential_errors(options.runs, 1)
    sys.stdout.write(
        f'SPRT, {options.runs} runs each: says "better" without a gap in {better:.2%}, "not better" with the gap in '
        f"{not_better:.2%}; {boards_needed:.0f} boards on average\n"
    )


if __name__ == "__main__":
    main()
