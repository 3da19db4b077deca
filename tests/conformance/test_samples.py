"""Every sample bot, in every preset, within this process."""

from __future__ import annotations

import pytest
from king_bot import ActionKind

from benchmarks.bot_strength import measure
from benchmarks.in_process import Sitting, load_bot
from referee import dealing
from referee.rules import PRESETS, parse_variant

pytestmark = pytest.mark.slow

DECISIVE = (
    "ordered-56",
    "auction-11",
    "trump-11",
    "classic[redemption=praise]",
    "classic[redemption=talon]",
    "turkish-20",
)
BOARD = dealing.deal_seed(dealing.local_secret(3, 1), dealing.LOCAL_SALT)


@pytest.mark.parametrize("preset", PRESETS)
def test_samples_decide_legally_in_every_preset(preset: str) -> None:
    """Samples finish a match of each preset; the in-process arena refuses anything illegal."""
    variant = parse_variant(preset)
    names = ["montecarlo@0.1", "counter", "greedy", "lowest"][: variant.seats]
    sitting = Sitting(variant, BOARD, [load_bot(name) for name in names])
    sitting.play()
    assert sitting.match.over


@pytest.mark.slow
def test_every_kind_of_decision_is_met() -> None:
    """Over the presets with auctions, sales and orders, bots are asked for every kind of action there is."""
    met: set[ActionKind] = set()
    bots = [load_bot(name) for name in ("greedy", "random", "counter", "highest")]
    for preset in DECISIVE:
        sitting = Sitting(parse_variant(preset), BOARD, bots)
        sitting.play()
        met |= sitting.kinds
    assert met == set(ActionKind)


@pytest.mark.slow
def test_counting_beats_rules_of_thumb_beats_none() -> None:
    """Over duplicate boards counter is ahead of greedy, and greedy of those that always play high or low."""
    names = ["counter", "greedy", "lowest", "highest"]
    measured = measure(parse_variant("russian-14"), {n: load_bot(n) for n in names}, names, boards=8, seed=8)
    mean = {name: sum(boards) / len(boards) for name, boards in measured.boards.items()}
    assert mean["counter"] > mean["greedy"] > max(mean["lowest"], mean["highest"])


@pytest.mark.slow
def test_searching_beats_rules_of_thumb() -> None:
    """Over duplicate boards montecarlo is ahead of greedy."""
    names = ["montecarlo@2", "greedy", "lowest", "highest"]
    measured = measure(parse_variant("russian-14"), {n: load_bot(n) for n in names}, names, boards=8, seed=9)
    assert sum(measured.differences["montecarlo@2", "greedy"]) > 0
