"""The SDK's view and facts, held against the engine in random matches of every preset."""

from __future__ import annotations

from random import Random

import pytest
from king_bot.contracts import pack_of, scoring_of

from benchmarks.in_process import new_table, tell
from referee import dealing
from referee.rules import PRESETS, VARIANTS, Match, Scored, parse_variant
from referee.rules.contracts import SCORED_CARDS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("preset", PRESETS)
def test_facts_of_variants_agree(preset: str) -> None:
    """The pack, and what each contract counts, are those of the rules."""
    variant = parse_variant(preset)
    row = VARIANTS[variant.base_id]
    options = {name: row.option(name).text(value) for name, value in variant.options.items()}
    assert pack_of(variant.base_id, options) == variant.pack_mask
    for contract in variant.contracts.values():
        if not contract.is_played:
            continue
        scoring = scoring_of(variant.base_id, options, contract.id)
        assert scoring.each_trick == contract.trick_points
        for card in range(52):
            expected = sum(row.points for row in contract.rows if SCORED_CARDS[row.scored] >> card & 1)
            assert scoring.card_points.get(card, 0) == expected
        for number in range(1, variant.tricks + 1):
            numbered = [row for row in contract.rows if row.scored is Scored.NUMBERED_TRICK and number in row.tricks]
            assert scoring.tricks.get(number, 0) == sum(row.points for row in numbered)


@pytest.mark.parametrize("preset", PRESETS)
def test_view_agrees_with_the_engine(preset: str) -> None:
    """In a random match every seat's view has its true hand, nothing false about the others, and the true points."""
    variant = parse_variant(preset)
    dice = Random(preset)
    seed = dealing.deal_seed(dealing.local_secret(5, 1), dealing.LOCAL_SALT)
    match = Match(variant, dealing.packs(seed, variant), dealing.first_seat(seed, variant))
    tables = [new_table(variant, seat) for seat in range(variant.seats)]
    events = match.start()
    while True:
        for event in events:
            for table in tables:
                tell(table, event)
        if match.over:
            break
        deal = match.deal
        assert deal is not None
        if deal.play is not None:
            for table in tables:
                view, play = table.deal, deal.play
                assert view.hand_mask == play.hands[table.seat]
                assert view.tricks_taken == play.tricks_taken
                assert table.points_so_far() == play.won
                for seat in range(variant.seats):
                    assert not view.known_cards[seat] & ~play.hands[seat]
                    assert not view.void_masks[seat] & play.hands[seat]
        events = match.apply(dice.choice(match.legal_actions()))
    assert all(tuple(table.totals) == match.totals and table.places == match.places for table in tables)
