"""What the engine is measured at, and a process that does it: the same code on the pure and on the compiled engine.

Run by `benchmarks.engine` as `python -P -m benchmarks.engine_works VARIANT…`: each line on its standard input names a
work, a seed and for how many seconds of CPU time, and is answered by how many a second were done; it ends with its
input. Owns what one piece of each work is.
"""

from __future__ import annotations

import importlib.util
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from referee import dealing
from referee.random_match import RANDOM_PLAYER, random_match
from referee.rules import (
    Action,
    By,
    Match,
    Play,
    Secrets,
    Taken,
    match_text,
    parse_variant,
    record_text,
    replay,
)
from referee.rules.compiled import engine_text
from referee.verification import verify_text

PEER = "OpenSpiel hearts"
RECORDS = 3
POSITIONS = 64

Work = Callable[[random.Random], int]
"""Does a piece of work with these dice; returns how many plays (or matches) it was."""


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


def legal_actions(variant_id: str) -> Work:
    """Asking what may be done, in positions of a match, opening and play alike."""
    dice, reached = random.Random(1), []
    for _ in range(POSITIONS):
        match = begin(variant_id, 1)
        for _ in range(dice.randrange(250)):
            if not match.over:
                match.apply(dice.choice(match.legal_actions()))
        reached.append(match)

    def run(_dice: random.Random) -> int:
        for match in reached:
            match.legal_actions()
        return len(reached)

    return run


def apply(variant_id: str) -> Work:
    """Taking actions that are known, one after the other through whole matches, with the events that follow."""
    match, dice = begin(variant_id, 1), random.Random(1)
    actions: list[Action] = []
    while not match.over:
        actions.append(dice.choice(match.legal_actions()))
        match.apply(actions[-1])

    def run(_dice: random.Random) -> int:
        again = begin(variant_id, 1)
        for action in actions:
            again.apply(action)
        return len(actions)

    return run


def matches(variant_id: str) -> Work:
    """Whole matches, dealt and played by `legal_actions` and `apply`, with the events that the referee sends on."""

    def run(dice: random.Random) -> int:
        match, actions = begin(variant_id, dice.randrange(1 << 32)), 0
        while not match.over:
            match.apply(dice.choice(match.legal_actions()))
            actions += 1
        return actions

    return run


def recorded(variant_id: str, seed: int) -> dict[str, Any]:
    """A record as a league has them: with who took each action, how long it took and how many were asked with it."""
    record = random_match(parse_variant(variant_id), seed)
    dice = random.Random(seed)
    for deal in record["deals"]:
        for action in deal["actions"]:
            action |= {"ms": dice.randrange(40), "asked_with": dice.randrange(1, 65)}
    return record


def records(variant_id: str) -> Work:
    """Records of finished matches written, as the referee does."""
    match = replay(recorded(variant_id, 1)).match
    taken = [[Taken(by=By.BOT, ms=7, asked_with=3).text] * len(deal.actions) for deal in match.deals]
    players = [RANDOM_PLAYER] * match.variant.seats

    def run(_dice: random.Random) -> int:
        match_text(match, match_id="one", players=players, context={}, secrets=Secrets(), taken=taken)
        return 1

    return run


def verify(variant_id: str) -> Work:
    """Records as a league has them, read from text, replayed and verified."""
    texts = [record_text(recorded(variant_id, seed)) for seed in range(RECORDS)]

    def run(dice: random.Random) -> int:
        assert verify_text(dice.choice(texts)).problems == ()
        return 1

    return run


def open_spiel_hearts() -> Work:
    """OpenSpiel's `hearts` by its Python, as its users drive it."""
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


WORKS = {
    "playouts": playouts,
    "legal": legal_actions,
    "apply": apply,
    "match": matches,
    "record": records,
    "verify": verify,
}
"""By name, from a variant's id."""


def has_peer() -> bool:
    """Whether OpenSpiel is installed."""
    return importlib.util.find_spec("pyspiel") is not None


def rate(work: Work, dice: random.Random, seconds: float) -> float:
    """Units of work for each second of CPU time."""
    done, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        done += work(dice)
    return done / (time.process_time() - began)


def main(variants: Sequence[str]) -> None:
    """Say which engine this is, then do what the lines ask for."""
    works = {f"{name} {variant}": make(variant) for variant in variants for name, make in WORKS.items()}
    if has_peer():
        works[PEER] = open_spiel_hearts()
    sys.stdout.write(f"{engine_text()}\n")
    sys.stdout.flush()
    for line in sys.stdin:
        asked = json.loads(line)
        found = rate(works[asked["work"]], random.Random(asked["seed"]), asked["seconds"])
        sys.stdout.write(f"{found}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
