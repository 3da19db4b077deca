"""What holds in every match, whatever is dealt and done: tried on random matches of every preset."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from referee import dealing
from referee.random_match import random_match
from referee.rules import (
    PRESETS,
    Action,
    ActionKind,
    Contract,
    Deal,
    Event,
    IllegalAction,
    Match,
    PriceRule,
    Variant,
    card_text,
    mask_of,
    parse_record,
    parse_variant,
    record_text,
    replay,
    visible_to,
)
from referee.verification import verify
from tests.rules.test_variants import every_single_option

pytestmark = pytest.mark.slow

ZERO_SUM = frozenset(
    preset
    for preset in PRESETS
    if preset.startswith(("russian-14", "base-14", "ordered-56", "trump-11", "turkish-20"))
    or preset in {"classic[seats=3]", "classic[redemption=talon,seats=3]"}
)
SEEDS = st.integers(min_value=0, max_value=(1 << 64) - 1)
FEW = settings(max_examples=3, deadline=None, derandomize=True)
MANY = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@dataclass
class Table:
    """A match and the chance that its actions are drawn from."""

    match: Match
    chance: random.Random

    def act(self) -> tuple[Event, ...]:
        """Take a random legal action."""
        return self.match.apply(self.chance.choice(self.match.legal_actions()))


def _begin(preset: str, seed: int) -> Table:
    variant = parse_variant(preset)
    deal_seed = dealing.deal_seed(dealing.local_secret(seed, 1), dealing.LOCAL_SALT)
    match = Match(variant, dealing.packs(deal_seed, variant), dealing.first_seat(deal_seed, variant))
    match.start()
    return Table(match, random.Random(seed))


def _check_match(preset: str, seed: int, *, looks: float = 1.0) -> None:
    """Play a random match; `looks` is the chance that what holds at every moment is looked at there."""
    table = _begin(preset, seed)
    match = table.match
    while match.deal is not None:
        deal = match.deal
        if table.chance.random() < looks:
            _try_illegal(match, table.chance)
        while match.deal is deal and match.deal is not None:
            if table.chance.random() < looks:
                _check_cards(deal)
            table.act()
        _check_deal(match.variant, deal)
    points = [deal.points for deal in match.deals if deal.points is not None]
    assert match.totals == tuple(map(sum, zip(*points, strict=True)))
    if preset in ZERO_SUM:
        assert sum(match.totals) == 0
    if match.settlement is not None:
        assert sum(match.settlement) == 0
    assert match.places is not None
    assert min(match.places) == 1
    assert _dealers_go_round(match)


def _check_cards(deal: Deal) -> None:
    """Every card is in one place: a hand, a trick, or not dealt or taken up yet."""
    if deal.play is None:
        return
    played = [card for trick in deal.tricks for card in trick.cards]
    held = sum(hand.bit_count() for hand in deal.hands)
    assert mask_of(played) | deal.hands[0] | deal.hands[1] | deal.hands[2] | deal.hands[-1] == deal.variant.pack_mask
    assert held + len(played) == len(deal.variant.pack)


def _check_deal(variant: Variant, deal: Deal) -> None:
    assert deal.points is not None
    assert deal.contract is not None
    assert sum(deal.points) == _expected_sum(deal, deal.contract)
    for trick, following in pairwise(deal.tricks):
        assert len(trick.cards) == variant.seats
        assert following.leader == trick.taker
    if deal.contract.is_played:
        assert deal.ended_early == (len(deal.tricks) < variant.tricks)
    assert deal.contract.early_end or not deal.ended_early


def _expected_sum(deal: Deal, contract: Contract) -> int:
    """The contract's total; only the tricks paid in an auction are written to nobody."""
    if contract.price is not PriceRule.ABOVE_BID or deal.price is None:
        return contract.total
    taken = sum(trick.taker == deal.declarer for trick in deal.tricks)
    return contract.total - contract.trick_points * min(deal.price, taken)


def _try_illegal(match: Match, chance: random.Random) -> None:
    """Whatever is not in the list of legal actions is refused and changes nothing."""
    legal = match.legal_actions()
    seat = match.seat_to_act
    assert seat is not None
    assert {action.seat for action in legal} == {seat}
    tried = [Action(seat, ActionKind.PLAY, card=chance.randrange(52)) for _ in range(4)]
    tried += [
        Action((one.seat + 1) % match.variant.seats, one.kind, one.card, one.contract, one.trump) for one in legal
    ]
    tried += [Action(seat, kind) for kind in ActionKind]
    for action in tried:
        if action not in legal:
            with pytest.raises(IllegalAction):
                match.apply(action)
    assert match.legal_actions() == legal


def _dealers_go_round(match: Match) -> bool:
    turns = [deal.dealer if deal.chooser is None else deal.chooser for deal in match.deals]
    return all(
        turn is not None and following == (turn + 1) % match.variant.seats for turn, following in pairwise(turns)
    )


@pytest.mark.parametrize("preset", PRESETS)
@given(seed=SEEDS)
@FEW
def test_matches(preset: str, seed: int) -> None:
    """Cards are conserved, points sum as expected, turns go round, and what is illegal is refused."""
    _check_match(preset, seed)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
@given(seed=SEEDS)
@MANY
def test_many_matches(preset: str, seed: int) -> None:
    """The same, on 100 random matches of every preset, others each time, looking at a part of their moments."""
    _check_match(preset, seed, looks=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("text", every_single_option())
@given(seed=SEEDS)
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_option(text: str, seed: int) -> None:
    """Every value of every option gives matches in which the same holds, and records that pass."""
    _check_match(text, seed, looks=0.2)
    assert verify(parse_record(record_text(random_match(parse_variant(text), seed)))).problems == ()


@pytest.mark.parametrize("preset", PRESETS)
@given(seed=SEEDS)
@settings(max_examples=1, deadline=None, derandomize=True)
def test_records_replay_to_the_same_state(preset: str, seed: int) -> None:
    """A match that is replayed from its record ends in the same state, with the same actions legal on the way."""
    record = parse_record(record_text(random_match(parse_variant(preset), seed)))
    match = replay(record).match
    assert verify(record).problems == ()
    assert (list(match.totals), list(match.places or ())) == (record["totals"], record["places"])
    for deal, form in zip(match.deals, record["deals"], strict=True):
        assert [action.to_json() for action in deal.actions] == [_bare(action) for action in form["actions"]]


def _bare(action: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in action.items() if name != "by"}


def _events(match: Match, pack: list[int], actions: list[Action]) -> Iterator[Event]:
    """Play a first deal from a pack by some actions; ends at the first that is not legal."""
    again = Match(match.variant, lambda number: pack if number == 1 else match.variant.pack, _lot(match))
    yield from again.start()
    for action in actions:
        yield from again.apply(action)


def _lot(match: Match) -> int | None:
    if match.variant.first_holder is not None:
        return None
    deal = match.deal or match.deals[0]
    return deal.chooser if deal.dealer is None else deal.dealer


@pytest.mark.parametrize("preset", PRESETS)
@given(seed=SEEDS, stop=st.integers(0, 30), viewer=st.integers(0, 3))
@settings(max_examples=5, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.filter_too_much])
def test_hidden_cards_change_nothing_seen(preset: str, seed: int, stop: int, viewer: int) -> None:
    """Swapping cards that a seat has not seen leaves everything that it is told, and may do, unchanged."""
    table = _begin(preset, seed)
    match = table.match
    deal = match.deal
    assert deal is not None
    assume(viewer < match.variant.seats)
    while len(deal.actions) < stop and match.deal is deal and len(match.legal_actions()) > 0:
        table.act()
    assume(match.deal is deal)
    known = {action.card for action in deal.actions} | {deal.exposed, deal.variant.first_holder}
    others = [seat for seat in range(match.variant.seats) if seat != viewer]
    one, other = table.chance.sample(others, 2)
    hidden = [[card for card in deal.dealt[seat] if card not in known] for seat in (one, other)]
    assume(all(hidden))
    swap = (table.chance.choice(hidden[0]), table.chance.choice(hidden[1]))
    pack = list(dealing.pack(_seed_of(seed), 1, match.variant))
    swapped = [dict(zip(swap, swap[::-1], strict=True)).get(card, card) for card in pack]
    seen = [visible_to(event, viewer) for event in _events(match, pack, deal.actions)]
    try:
        seen_swapped = [visible_to(event, viewer) for event in _events(match, swapped, deal.actions)]
    except IllegalAction:
        assume(False)
    assert seen == seen_swapped, f"after swapping {' and '.join(map(card_text, swap))}"


def _seed_of(seed: int) -> bytes:
    return dealing.deal_seed(dealing.local_secret(seed, 1), dealing.LOCAL_SALT)
