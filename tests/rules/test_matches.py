"""Whole matches: dealers, ends, places, settlement, extra deals, refusals."""

from dataclasses import replace

import pytest

from referee.rules import (
    Action,
    ActionKind,
    DealEnded,
    IllegalAction,
    Match,
    MatchEnded,
    Play,
    RulesError,
    lead_is_shared,
    parse_variant,
    places,
    settlement,
    visible_to,
)
from tests.rules.positions import action_of, begin, cards, only, pack_with, say, words_of

A, B, C, D = range(4)


def _play_deal(match: Match) -> None:
    deal = match.deal
    while match.deal is deal and match.deal is not None:
        match.apply(match.legal_actions()[0])


def test_000_01_dealers_and_leaders() -> None:
    """000-01: first dealer C: D leads deal 1; deal 2 is dealt by D and led by A; deal 14 by D, led by A."""
    match = begin(parse_variant("russian-14"), dealer=C)
    seen = []
    while match.deal is not None:
        seen.append((match.deal.dealer, match.seat_to_act))
        _play_deal(match)
    assert (seen[0], seen[1], seen[13], len(seen)) == ((C, D), (D, A), (D, A), 14)


def test_000_01_first_card_goes_to_eldest() -> None:
    """000-01: the first card dealt goes to the seat after the dealer."""
    variant = parse_variant("russian-14")
    match = Match(variant, lambda _: variant.pack, C)
    match.start()
    assert match.deal is not None
    assert match.deal.dealt[D][0] == variant.pack[0]
    assert match.deal.dealt[A][0] == variant.pack[1]


def test_000_16_early_end_goes_on_with_the_next_deal() -> None:
    """000-16: when the fourth king is taken the deal ends with cards left, at -16, and the next contract follows."""
    hands = ["KS AS KD AD KC AC KH AH", "QS JS QD JD QC JC QH JH", "", ""]
    match = begin(parse_variant("russian-14"), dealer=D)
    _play_deal(match)
    match = begin(only(parse_variant("russian-14"), 2), hands)
    for card in ("KS", "KD", "KC", "KH"):
        assert not match.over
        say(match, f"play {card}")
        for _ in range(3):
            match.apply(match.legal_actions()[0])
        if card == "KS":
            assert match.seat_to_act == A
    deal = match.deals[0]
    assert (deal.points, deal.ended_early, len(deal.tricks)) == ((-16, 0, 0, 0), True, 4)


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ((20, 20, -10, -30), (1, 1, 3, 4)),
        ((0, 0, 0, 0), (1, 1, 1, 1)),
        ((10, 10, -20, -24), (1, 1, 3, 4)),
        ((-5, 7, 7, 9), (4, 2, 2, 1)),
    ],
    ids=["000-25", "000-26", "002-17", "ties below the lead"],
)
def test_places(totals: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """Equal sums share a place, also below zero."""
    assert places(totals) == expected
    assert lead_is_shared(totals) is (expected.count(1) > 1)


@pytest.mark.parametrize(
    ("sums", "expected"),
    [
        ((-10, -40, -40, -100), (150, -30, -30, -90)),
        ((60, 10, -70), (180, -50, -130)),
        ((100, 70, 65, -20), (185, -30, -35, -120)),
        ((100, 100, 95, 100), (2, 2, -5, 1)),
        ((5, 5, 5, 5), (0, 0, 0, 0)),
    ],
    ids=["001-37", "001-41", "001 example", "shared win", "nobody pays"],
)
def test_settlement(sums: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """The winner collects the differences; shared winners split them in whole points, the rest in seat order."""
    assert settlement(sums) == expected
    assert sum(expected) == 0


def test_settlement_is_classics() -> None:
    """Classic settles at the end; other variants do not."""
    for text, settles in (("classic", True), ("russian-14", False), ("chooser-12", False)):
        match = begin(parse_variant(text))
        while match.deal is not None:
            _play_deal(match)
        assert (match.settlement is not None) is settles
        if match.settlement is not None:
            assert match.settlement == settlement(match.totals)


def _tied(variant: str) -> Match:
    """Play a match of one regular deal after which B, C and D share the lead.

    Each seat holds a whole suit in every deal: so who chooses, leads and takes every trick.
    """
    regular = replace(parse_variant(variant), deals=parse_variant(variant).deals[:1])
    pack = pack_with(regular, [""] * 4)
    match = Match(regular, lambda _: pack, A)
    match.start()
    say(match, "choose no_7th_13th")
    _play_deal(match)
    return match


def test_extra_deals_while_the_lead_is_shared() -> None:
    """With `tie=extra_deal` the next chooser chooses from the whole list, and it counts for everybody."""
    match = _tied("chooser-12[tie=extra_deal]")
    for chooser in (B, C):
        assert match.deal is not None
        assert (match.deal.is_extra, match.seat_to_act) == (True, chooser)
        assert words_of(match) == [f"choose {contract}" for contract in parse_variant("chooser-12").contracts]
        say(match, "choose no_7th_13th")
        _play_deal(match)
    assert (match.over, match.totals, match.places) == (True, (-16, -16, -16, 0), (2, 2, 2, 1))
    assert match.scores == (-16, 0, 0, 0)


def test_four_extra_deals_at_most() -> None:
    """After four extra deals a lead that is still shared is a shared win, by the match's own way of winning."""
    match = _tied("chooser-12[tie=extra_deal,winner=smallest_penalties]")
    for chooser in (B, C, D, A):
        assert match.seat_to_act == chooser
        say(match, "choose tricks")
        _play_deal(match)
    assert (match.over, match.totals, match.places) == (True, (10, 26, 26, 26), (4, 1, 1, 1))


def test_no_extra_deal_by_default() -> None:
    """Without the option a shared lead is a shared win."""
    match = _tied("chooser-12")
    assert match.over
    assert match.places is not None
    assert match.places.count(1) > 1


def test_smallest_penalties_win() -> None:
    """With `winner=smallest_penalties` only the negative contracts count, least first."""
    row = parse_variant("chooser-12[winner=smallest_penalties]")
    match = begin(row, dealer=A)
    while match.deal is not None:
        _play_deal(match)
    penalties = [0] * 4
    for deal in match.deals:
        if deal.contract is not None and deal.contract.total < 0:
            penalties = [total + points for total, points in zip(penalties, deal.points or (), strict=True)]
    assert match.scores == tuple(penalties)
    assert match.places == places(match.scores)


def test_making_king_is_recorded() -> None:
    """004-35: who takes all 13 tricks of a trump deal has 650 and is marked, without extra points."""
    variant = replace(only(parse_variant("turkish-20"), 1))
    match = begin(variant, ["2D AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S", "2S", "", ""])
    say(match, "choose trumps S", "play AS")
    _play_deal(match)
    deal = match.deals[0]
    assert deal.made_king is None
    assert deal.points is not None
    match = begin(variant, ["AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D", "", "", ""])
    say(match, "choose trumps D")
    _play_deal(match)
    assert (match.deals[0].made_king, match.deals[0].points) == (A, (650, 0, 0, 0))


@pytest.mark.parametrize(
    ("seat", "word"),
    [(A, "play 7C"), (B, "play 8S"), (A, "pass"), (A, "choose no_tricks"), (A, "name_trump S"), (A, "bid 1")],
)
def test_x_01_illegal_actions_are_refused(seat: int, word: str) -> None:
    """X-01: a card not in the hand, out of turn, or another kind of action is refused; the position is unchanged."""
    match = begin(parse_variant("russian-14"), ["7S AS KH QD", "8S", "", "7C"])
    before = match.legal_actions()
    with pytest.raises(IllegalAction, match="not legal"):
        match.apply(action_of(seat, word))
    assert match.legal_actions() == before
    assert match.deal is not None
    assert match.deal.actions == []


def test_x_01_card_against_the_rules() -> None:
    """X-01: a card of the hand that the rules forbid is refused."""
    match = begin(parse_variant("russian-14"), ["7S AS KH QD", "8S KC", "", ""])
    say(match, "play 7S")
    with pytest.raises(IllegalAction, match="KC"):
        match.apply(action_of(B, "play KC"))
    with pytest.raises(IllegalAction):
        match.apply(Action(B, ActionKind.PLAY, card=cards("8S")[0], trump="S"))
    say(match, "play 8S")


def test_nothing_is_legal_after_the_end() -> None:
    """A match that is over has nobody to act and takes no action."""
    match = begin(only(parse_variant("russian-14"), 5))
    while match.deal is not None:
        last = match.legal_actions()[0]
        events = match.apply(last)
    assert (match.over, match.seat_to_act, match.legal_actions()) == (True, None, ())
    assert isinstance(events[-2], DealEnded)
    assert events[-1] == MatchEnded(match.totals, match.places or ())
    with pytest.raises(IllegalAction, match="over"):
        match.apply(last)


def test_wrong_pack_is_an_error() -> None:
    """A match that is given a pack of another variant does not begin."""
    variant = parse_variant("russian-14")
    with pytest.raises(ValueError, match="deal 1"):
        Match(variant, lambda _: parse_variant("turkish-20").pack, A).start()
    with pytest.raises(ValueError, match="lot"):
        Match(variant, lambda _: variant.pack, None)


def test_a_seat_sees_its_own_cards_only() -> None:
    """Of the dealing a seat is told its own hand alone."""
    variant = parse_variant("russian-14")
    events = Match(variant, lambda _: variant.pack, A).start()
    seen = [event for event in events if visible_to(event, C) is not None]
    assert [event for event in events if event not in seen] != []
    assert len([event for event in seen if type(event).__name__ == "CardsDealt"]) == 1


def test_copies_of_a_play_go_their_own_ways() -> None:
    """A copy of a play, and one with other hands, do not change the original."""
    match = begin(parse_variant("russian-14"))
    assert match.deal is not None
    play = match.deal.play
    assert isinstance(play, Play)
    other = play.copy()
    other.finish_at_random(lambda: 0.5)
    swapped = play.with_hands([play.hands[1], play.hands[0], *play.hands[2:]])
    swapped.play(swapped.legal().bit_length() - 1)
    assert (other.over, play.over, play.trick, len(swapped.trick)) == (True, False, [], 1)
    assert sum(hand.bit_count() for hand in play.hands) == 32


def test_errors_are_rules_errors() -> None:
    """Refusals can be caught as errors of the rules."""
    assert issubclass(IllegalAction, RulesError)
