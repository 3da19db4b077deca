"""How fast the rules engine is, beside OpenSpiel's `hearts` in the same run.

Run as `python -m benchmarks.engine [VARIANT…]`, or by `make bench`. Figures are plays (or records) for each second of
this process's CPU time, the median of several rounds; the peer is measured between the rounds, so that the ratio
holds on a noisy machine. OpenSpiel (the package `open_spiel`) is driven from Python as its users drive it, and named
when it is absent. Owns the measurement only.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import sys
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from referee import dealing
from referee.random_match import random_match
from referee.rules import Match, Play, parse_record, parse_variant, record_text
from referee.verification import verify

DEFAULT_VARIANTS = ("russian-14", "turkish-20", "classic", "chooser-12")
ROUNDS = 5
ROUND_SECONDS = 1.0

Work = Callable[[random.Random], int]
"""Does a piece of work with these dice; returns how many plays (or records) it was."""


def begin(variant_id: str, seed: int) -> Match:
    """A match that has just begun."""
    variant = parse_variant(variant_id)
    deal_seed = dealing.deal_seed(dealing.local_secret(seed, 1), dealing.LOCAL_SALT)
    match = Match(variant, dealing.packs(deal_seed, variant), dealing.first_seat(deal_seed, variant))
    match.start()
    return match


def starts_of(variant_id: str) -> tuple[Play, ...]:
    """The first position of play of each deal of one match."""
    match, dice, starts = begin(variant_id, 1), random.Random(1), []
    while match.deal is not None:
        deal = match.deal
        while match.deal is deal and deal.play is None:
            match.apply(dice.choice(match.legal_actions()))
        if match.deal is deal and deal.play is not None:
            starts.append(deal.play.copy())
        while match.deal is deal:
            match.apply(dice.choice(match.legal_actions()))
    return tuple(starts)


def cards_in(play: Play) -> int:
    """How many cards are still held."""
    return sum(hand.bit_count() for hand in play.hands)


def playouts(variant_id: str) -> Work:
    """Random legal cards from the first lead of each deal to its end, as a searching bot plays them."""
    starts = starts_of(variant_id)

    def run(dice: random.Random) -> int:
        plays = 0
        for start in starts:
            play = start.copy()
            play.finish_at_random(dice.random)
            plays += cards_in(start) - cards_in(play)
        return plays

    return run


def matches(variant_id: str) -> Work:
    """Whole matches by `legal_actions` and `apply`, with the events that the referee sends on."""

    def run(dice: random.Random) -> int:
        match, actions = begin(variant_id, dice.randrange(1 << 32)), 0
        while not match.over:
            match.apply(dice.choice(match.legal_actions()))
            actions += 1
        return actions

    return run


def records(variant_id: str) -> Work:
    """Records read and verified."""
    texts = [record_text(random_match(parse_variant(variant_id), seed)) for seed in range(3)]

    def run(dice: random.Random) -> int:
        found = verify(parse_record(dice.choice(texts)))
        assert found.problems == ()
        return 1

    return run


def open_spiel_hearts() -> Work | None:
    """OpenSpiel's `hearts`, or None where it is not installed."""
    if importlib.util.find_spec("pyspiel") is None:
        return None
    pyspiel: Any = importlib.import_module("pyspiel")
    game = pyspiel.load_game("hearts")

    def run(dice: random.Random) -> int:
        state, plays = game.new_initial_state(), 0
        while not state.is_terminal():
            if not state.is_chance_node():
                plays += 1
            state.apply_action(dice.choice(state.legal_actions()))
        return plays

    return run


def rate(work: Work, dice: random.Random) -> float:
    """Units of work for each second of CPU time."""
    done, began = 0, time.process_time()
    while time.process_time() - began < ROUND_SECONDS:
        done += work(dice)
    return done / (time.process_time() - began)


def measure(works: dict[str, Work]) -> dict[str, float]:
    """The median rate of each work, all taken in turn."""
    rates: dict[str, list[float]] = {name: [] for name in works}
    for number in range(ROUNDS):
        for name, work in works.items():
            rates[name].append(rate(work, random.Random(number)))
    return {name: median(values) for name, values in rates.items()}


def main(arguments: Sequence[str]) -> dict[str, float]:
    """Measure and print a table; returns how many a second."""
    parser = argparse.ArgumentParser(description="How fast the rules engine is.")
    parser.add_argument("variants", nargs="*", default=DEFAULT_VARIANTS)
    variants = parser.parse_args(arguments).variants
    works: dict[str, Work] = {}
    for variant in variants:
        works |= {f"playouts {variant}": playouts(variant), f"match {variant}": matches(variant)}
        works[f"verify {variant}"] = records(variant)
    peer = open_spiel_hearts()
    if peer is not None:
        works["OpenSpiel hearts"] = peer
    rates = measure(works)
    for name, value in rates.items():
        ratio = f"{value / rates['OpenSpiel hearts']:8.2f} × OpenSpiel" if peer and name.startswith("playouts") else ""
        sys.stdout.write(f"{name:32} {value:12,.0f} a second {ratio}\n")
    if peer is None:
        sys.stdout.write("OpenSpiel hearts is not measured: install the package open_spiel\n")
    return rates


if __name__ == "__main__":
    main(sys.argv[1:])
