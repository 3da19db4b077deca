"""How strong the sample bots are: points per deal over duplicate boards, with standard errors clustered by board.

Run as `python benchmarks/bot_strength.py --boards 20 montecarlo counter greedy random`; more bots than seats play in
all their combinations. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from statistics import fmean, stdev

from king_bot import Bot

from benchmarks.in_process import load_bot, play_board
from referee import dealing
from referee.rules import Variant, parse_variant


@dataclass(frozen=True, slots=True)
class Measured:
    """By player: points per deal above the table mean on each board, and what its decisions cost."""

    boards: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    differences: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    decisions: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    by_contract: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))


def measure(variant: Variant, bots: Mapping[str, Bot], names: Sequence[str], *, boards: int, seed: int) -> Measured:
    """Plays `boards` boards among each combination of as many players as there are seats."""
    measured = Measured()
    tables = list(combinations(names, variant.seats))
    number = 0
    for _ in range(boards):
        for players in tables:
            number += 1
            board_seed = dealing.deal_seed(dealing.local_secret(seed, number), dealing.LOCAL_SALT)
            _play(measured, variant, board_seed, players, bots)
    return measured


def _play(measured: Measured, variant: Variant, seed: bytes, players: Sequence[str], bots: Mapping[str, Bot]) -> None:
    seats = variant.seats
    totals = dict.fromkeys(players, 0.0)
    deals = 0
    for rotation, sitting in enumerate(play_board(variant, seed, players, bots)):
        deals += len(sitting.match.deals)
        mean = fmean(sitting.match.totals)
        for k, player in enumerate(players):
            seat = (k + rotation) % seats
            totals[player] += sitting.match.totals[seat] - mean
            measured.decisions[player] += sitting.decisions[seat]
            measured.seconds[player] += sitting.seconds[seat]
            for deal in sitting.tables[seat].finished:
                measured.by_contract[player, deal.contract or ""].append(deal.points[seat] - fmean(deal.points))
    for player in players:
        measured.boards[player].append(totals[player] / deals)
    for a, b in combinations(players, 2):
        measured.differences[a, b].append((totals[a] - totals[b]) / deals)


def report(measured: Measured, names: Sequence[str]) -> str:
    """The table of results as text."""
    lines = [f"{'bot':<14}{'boards':>7}{'points/deal':>13}{'± s.e.':>9}{'decisions':>11}{'ms each':>9}"]
    for name in sorted(names, key=lambda name: -fmean(measured.boards[name])):
        boards = measured.boards[name]
        cost = 1000 * measured.seconds[name] / max(1, measured.decisions[name])
        mean, error = fmean(boards), _standard_error(boards)
        lines.append(f"{name:<14}{len(boards):>7}{mean:>13.3f}{error:>9.3f}{measured.decisions[name]:>11}{cost:>9.2f}")
    lines.append("")
    for (a, b), boards in measured.differences.items():
        mean, error = fmean(boards), _standard_error(boards)
        lines.append(f"{a + ' − ' + b:<28}{mean:>8.3f} ± {error:.3f}   t = {mean / error if error else 0.0:.1f}")
    return "\n".join(lines)


def report_contracts(measured: Measured, names: Sequence[str]) -> str:
    """Points per deal above the table mean by contract, as text."""
    contracts = list(dict.fromkeys(contract for _, contract in measured.by_contract))
    lines = [f"{'contract':<16}" + "".join(f"{name:>13}" for name in names)]
    for contract in contracts:
        means = [fmean(measured.by_contract.get((name, contract), [0.0])) for name in names]
        lines.append(f"{contract:<16}" + "".join(f"{mean:>13.2f}" for mean in means))
    return "\n".join(lines)


def _standard_error(values: Sequence[float]) -> float:
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def main() -> None:
    """Reads the command line, measures and prints."""
    parser = argparse.ArgumentParser(description="Points per deal of sample bots over duplicate boards")
    parser.add_argument("bots", nargs="+", metavar="BOT", help="a sample's name; name@MS sets montecarlo's budget")
    parser.add_argument("--variant", default="russian-14")
    parser.add_argument("--boards", type=int, default=5, help="boards of each combination of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--contracts", action="store_true", help="show points by contract, too")
    options = parser.parse_args()
    bots = {name: load_bot(name) for name in options.bots}
    measured = measure(parse_variant(options.variant), bots, options.bots, boards=options.boards, seed=options.seed)
    tables = [report(measured, options.bots)]
    if options.contracts:
        tables.append(report_contracts(measured, options.bots))
    sys.stdout.write("\n\n".join(tables) + "\n")


if __name__ == "__main__":
    main()
