"""Whatever a bot decides, it is asked every kind of decision that the variants have."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from referee import dealing
from referee.rules import PRESETS, VARIANTS, Action, Match, RulesError, parse_variant
from workers.checking.decisions import PLAY, decisions_of, declared_variants, needs_leading
from workers.checking.steering import Steering

Policy = Callable[[Sequence[Action]], Action]

SEED = 1
POLICIES: dict[str, Policy] = {
    "first": lambda legal: legal[0],
    "last": lambda legal: legal[-1],
    "middle": lambda legal: legal[len(legal) // 2],
}


def play_steered(preset: str, policy: Policy, *, board: int, seat: int, is_led: bool) -> Counter[str]:
    """Play a match with a bot of this policy at `seat`; return what it was asked."""
    variant = parse_variant(preset)
    secret = dealing.local_secret(SEED, board)
    deal_seed = dealing.deal_seed(secret, dealing.LOCAL_SALT)
    match = Match(variant, dealing.packs(deal_seed, variant), dealing.first_seat(deal_seed, variant))
    asked: Counter[str] = Counter()
    lots = hashlib.sha256(secret).digest()
    steering = Steering(seat=seat, seed=lots, is_led=is_led, note=lambda decision, deal: asked.update([decision]))
    match.start()
    while not match.over:
        legal = match.legal_actions()
        decided = steering(match, legal) if len(legal) > 1 else (legal[0], None)
        match.apply(decided[0] if decided else policy(legal))
    return asked


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_decision_is_asked(preset: str, policy: str) -> None:
    """One free table, and one that is led where that is needed, show a bot each kind of decision."""
    variant = parse_variant(preset)
    for seat in (0, variant.seats - 1):
        asked = play_steered(preset, POLICIES[policy], board=1, seat=seat, is_led=False)
        if needs_leading(variant):
            asked += play_steered(preset, POLICIES[policy], board=2, seat=seat, is_led=True)
        assert {decision for decision in decisions_of(variant) if not asked[decision]} == set()


def test_seats_but_the_bots_are_decided() -> None:
    """The bot alone is asked: once a trick, unless it has one legal card."""
    asked = play_steered("russian-14", POLICIES["first"], board=1, seat=2, is_led=False)
    assert set(asked) == {PLAY}
    assert asked[PLAY] <= 14 * 8


def test_presets_to_play_show_all_there_is() -> None:
    """The presets chosen for a declaration have every kind of decision, contract and number of seats of all presets."""
    for base in VARIANTS:
        chosen = [parse_variant(preset) for preset in declared_variants([base])]
        every = [parse_variant(preset) for preset in PRESETS if parse_variant(preset).base_id == base]
        for shown in (
            decisions_of,
            lambda variant: variant.contracts,
            lambda variant: [variant.seats],
        ):
            assert {each for variant in chosen for each in shown(variant)} == {
                each for variant in every for each in shown(variant)
            }


def test_star_declares_all_variants() -> None:
    """ "*" stands for the presets of every base id, in their order."""
    assert declared_variants(["*"]) == tuple(preset for base in VARIANTS for preset in declared_variants([base]))


def test_unknown_variants_are_refused() -> None:
    """A manifest that declares what there is not is told so."""
    with pytest.raises(RulesError, match="no variant 'whist'"):
        declared_variants(["russian-14", "whist"])
