"""What comes before the play: choosing, ordering, auctions, sales, naming, praise, the talon."""

import pytest

from referee.rules import (
    CardExposed,
    CardGiven,
    CardsDealt,
    ContractSet,
    Deal,
    IllegalAction,
    Match,
    TalonShown,
    parse_variant,
    visible_to,
)
from tests.rules.positions import action_of, begin, cards, only, pack_with, say, words_of

A, B, C, D = range(4)


def _deal(match: Match) -> Deal:
    assert match.deal is not None
    return match.deal


def _auction() -> Match:
    return begin(only(parse_variant("auction-11"), 8))


def _praise(variant: str = "classic[redemption=praise]", *hands: str) -> Match:
    return begin(only(parse_variant(variant), 7), hands)


def _talon(*hands: str, talon: str = "2S 3S 4S 5S") -> Match:
    return begin(only(parse_variant("classic[redemption=talon]"), 7), hands, talon=talon)


def _play_out(match: Match) -> None:
    """Play first legal cards until the deal is over."""
    deal = match.deal
    while match.deal is deal and match.deal is not None:
        match.apply(match.legal_actions()[0])


# ordered-56


def test_003_10_dealer_may_not_pass() -> None:
    """003-10: after three passes the dealer must order one of their own contracts."""
    match = begin(parse_variant("ordered-56"))
    assert words_of(match)[-1] == "pass"
    say(match, "pass", "pass", "pass")
    assert match.seat_to_act == D
    assert words_of(match) == [f"order {contract}" for contract in parse_variant("ordered-56").contracts]


def test_003_11_lists_are_personal() -> None:
    """003-11: who has ordered a contract cannot order it again, another seat can; the order ends the opening."""
    match = begin(parse_variant("ordered-56"))
    say(match, "order no_girls")
    assert (_deal(match).declarer, _deal(match).play is not None) == (A, True)
    _play_out(match)
    assert (_deal(match).dealer, match.seat_to_act) == (A, B)
    say(match, "order no_girls")
    _play_out(match)
    assert match.seat_to_act == C
    say(match, "pass", "pass")
    assert match.seat_to_act == A
    assert "order no_girls" not in words_of(match)
    assert len(words_of(match)) == 14


def _until_done(match: Match, wanted: dict[int, int]) -> None:
    """Play deals until each seat has ordered at least `wanted[seat]` contracts; all others pass while they may."""
    ordered = dict.fromkeys(range(4), 0)
    while any(ordered[seat] < count for seat, count in wanted.items()):
        seat = match.seat_to_act
        assert seat is not None
        words = words_of(match)
        if words[-1] == "pass" and not (seat in wanted and ordered[seat] < wanted[seat]):
            say(match, "pass")
        else:
            ordered[seat] += 1
            say(match, words[0])
            _play_out(match)


def test_003_13_last_speaker_with_contracts_must_order() -> None:
    """003-13: B and D have nothing left, so they are skipped; after A's pass C must order."""
    match = begin(parse_variant("ordered-56"))
    _until_done(match, {B: 14, D: 14})
    while _deal(match).dealer != D:
        say(match, words_of(match)[0])
        _play_out(match)
    assert match.seat_to_act == A
    say(match, "pass")
    assert match.seat_to_act == C
    assert "pass" not in words_of(match)
    say(match, words_of(match)[0])
    assert [action.seat for action in _deal(match).actions] == [A, C]


# auction-11


def test_003_14_highest_bid_wins() -> None:
    """003-14: A 1, B 2, C and D pass, A 3, B passes: A is the declarer at 3, names any trump, and A leads."""
    match = _auction()
    say(match, "bid 1", "bid 2", "pass", "pass", "bid 3", "pass")
    assert (_deal(match).declarer, _deal(match).price, match.seat_to_act) == (A, 3, A)
    assert words_of(match) == ["name_trump S", "name_trump H", "name_trump D", "name_trump C"]
    say(match, "name_trump D")
    assert (_deal(match).trump, match.seat_to_act) == ("D", A)


def test_003_16_three_opening_passes() -> None:
    """003-16: after three opening passes the dealer names the trump at 1, without being asked to bid."""
    match = _auction()
    say(match, "pass", "pass", "pass")
    assert (_deal(match).declarer, _deal(match).price, match.seat_to_act) == (D, 1, D)
    say(match, "name_trump S")
    assert match.seat_to_act == A


def test_003_17_bids_rise_and_passes_are_final() -> None:
    """003-17: B may bid only above 3, and A, who has passed, does not speak again."""
    match = _auction()
    say(match, "pass", "bid 2", "bid 3", "pass")
    assert match.seat_to_act == B
    assert words_of(match) == ["pass", "bid 4", "bid 5", "bid 6", "bid 7", "bid 8"]
    say(match, "bid 4")
    assert match.seat_to_act == C
    say(match, "pass")
    assert (_deal(match).declarer, _deal(match).price) == (B, 4)


def test_003_28_no_bid_above_the_tricks() -> None:
    """003-28: 9 tricks cannot be bid; after a bid of 8 the passes are forced."""
    match = _auction()
    with pytest.raises(IllegalAction, match="bid 9"):
        match.apply(action_of(A, "bid 9"))
    say(match, "bid 8")
    for seat in (B, C, D):
        assert (match.seat_to_act, words_of(match)) == (seat, ["pass"])
        say(match, "pass")
    assert (_deal(match).declarer, _deal(match).price) == (A, 8)


def test_auction_points_follow_the_bid() -> None:
    """The declarer of an auction that is played out has only the tricks above the bid."""
    match = _auction()
    say(match, "bid 1", "pass", "pass", "pass", "name_trump S")
    _play_out(match)
    taken = [0] * 4
    for trick in match.deals[0].tricks:
        assert trick.taker is not None
        taken[trick.taker] += 1
    assert match.deals[0].points == (6 * max(0, taken[A] - 1), 6 * taken[B], 6 * taken[C], 6 * taken[D])


# trump-11


def test_003_25_trump_after_three_cards() -> None:
    """003-25: A names clubs having seen three cards; nothing is exposed and A leads."""
    match = begin(only(parse_variant("trump-11"), 8), ["9C KC 7D", "", "", ""])
    assert _deal(match).hands[A].bit_count() == 3
    say(match, "name_trump C")
    deal = _deal(match)
    assert (deal.trump, deal.exposed, deal.declarer, match.seat_to_act) == ("C", None, A, A)
    assert deal.hands[A].bit_count() == 8


def test_003_26_by_the_last() -> None:
    """003-26: A declines; the suit of A's eighth card is trump, and all see that card."""
    match = begin(only(parse_variant("trump-11"), 8), ["9C KC 7D 8D 9D JD QD TD", "", "", "8S 9S TS JS QS KS AS 7S"])
    assert words_of(match)[-1] == "by_last"
    events = match.apply(action_of(A, "by_last"))
    assert CardExposed(A, cards("TD")[0]) in events
    dealt = [event for event in events if isinstance(event, CardsDealt)]
    assert [len(event.cards) for event in dealt] == [5, 5, 5, 5]
    assert events.index(dealt[-1]) < events.index(CardExposed(A, cards("TD")[0]))
    assert events[-1] == ContractSet("trumps", A, "D", False, None)
    assert _deal(match).hands[A] >> cards("TD")[0] & 1


# classic: trumps and praise


def test_eldest_names_the_trump() -> None:
    """In classic trumps eldest names any suit after seeing the whole hand, and is the declarer."""
    match = begin(only(parse_variant("classic"), 7))
    assert _deal(match).hands[A].bit_count() == 13
    assert words_of(match) == ["name_trump S", "name_trump H", "name_trump D", "name_trump C"]
    say(match, "name_trump H")
    assert (_deal(match).declarer, _deal(match).price, match.seat_to_act) == (A, None, A)


def test_praise_offers_suits_among_three_cards() -> None:
    """Eldest praises a suit among the first three cards, by the last, misère, or two tricks each."""
    match = _praise("classic[redemption=praise]", "9C KC 7D", "", "", "")
    assert words_of(match) == ["name_trump D", "name_trump C", "by_last", "misere", "two_tricks_each"]
    say(match, "misere")
    assert words_of(match) == ["offer", "keep"]
    say(match, "keep")
    deal = _deal(match)
    assert (deal.declarer, deal.trump, deal.misere, deal.price, match.seat_to_act) == (A, None, True, None, A)


def test_001_22_by_the_last_is_eldests_card() -> None:
    """001-22: by the last, eldest's 13th card decides, not the dealer's; it is shown when the rest is dealt."""
    eldest = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 5H"
    dealer = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS AS KS"
    match = _praise("classic[redemption=praise]", eldest, "", "", dealer)
    say(match, "by_last")
    assert _deal(match).exposed is None
    say(match, "keep")
    assert (_deal(match).trump, _deal(match).exposed) == ("H", cards("5H")[0])


def test_buyer_chooses_anew() -> None:
    """The buyer of a praise deal chooses again among all suits, by the last and misère, and is the declarer."""
    match = _praise("classic[redemption=praise]", "9C KC 7D", "", "", "")
    say(match, "by_last", "offer")
    assert match.seat_to_act == B
    assert words_of(match)[:2] == ["pass", "bid 1"]
    assert len(words_of(match)) == 14
    say(match, "bid 2", "bid 3", "pass", "pass")
    assert match.seat_to_act == C
    assert words_of(match) == [f"name_trump {suit}" for suit in "SHDC"] + ["by_last", "misere"]
    assert _deal(match).hands[C].bit_count() == 3
    say(match, "name_trump S")
    deal = _deal(match)
    assert (deal.declarer, deal.price, deal.trump, deal.exposed, match.seat_to_act) == (C, 3, "S", None, A)


def test_buyer_by_the_last() -> None:
    """By the last is still eldest's last card when the buyer says it."""
    match = _praise("classic[redemption=praise]", "9C KC 7D 2D 3D 4D 5D 6D 8D 9D TD JD 2H", "", "", "")
    say(match, "misere", "offer", "bid 1", "pass", "pass", "by_last")
    deal = _deal(match)
    assert (deal.declarer, deal.trump, deal.misere, deal.exposed) == (B, "H", False, cards("2H")[0])


def test_offered_and_not_bought() -> None:
    """With no bid eldest keeps the game as praised."""
    match = _praise("classic[redemption=praise]", "9C KC 7D", "", "", "")
    say(match, "name_trump C", "offer", "pass", "pass")
    assert words_of(match)[:2] == ["pass", "bid 1"]
    say(match, "pass")
    deal = _deal(match)
    assert (deal.declarer, deal.price, deal.trump) == (A, None, "C")


def test_001_28_two_tricks_each() -> None:
    """001-28: two tricks are written to everybody, the rest is not dealt and nothing is played."""
    for seats in (4, 3):
        match = begin(only(parse_variant(f"classic[redemption=praise,seats={seats}]"), 7), dealer=2)
        eldest = match.seat_to_act
        assert eldest is not None
        events = match.apply(action_of(eldest, "two_tricks_each"))
        deal = match.deals[0]
        assert not [event for event in events if isinstance(event, CardsDealt)]
        assert ContractSet("two_tricks_each", eldest, None, False, None) in events
        assert (deal.points, deal.tricks, deal.ended_early, deal.trump) == ((60,) * seats, [], False, None)


# classic: talon


def test_001_31_talon_of_four() -> None:
    """001-31: 12 cards each and 4 face up; taker 12 + 4 - 3 = 13, the others 12 + 1 = 13."""
    match = _talon()
    assert [hand.bit_count() for hand in _deal(match).hands] == [12] * 4
    say(match, "keep", "give 1 2S", "give 2 3S", "give 3 4S")
    assert [hand.bit_count() for hand in _deal(match).hands] == [13] * 4
    say(match, "name_trump S")
    assert (_deal(match).declarer, _deal(match).price, match.seat_to_act) == (A, None, A)


def test_001_32_talon_of_three() -> None:
    """001-32: with three players 16 each and 3 face up; all have 17 in the end."""
    match = begin(only(parse_variant("classic[redemption=talon,seats=3]"), 7), talon="2S 3S 4S", dealer=2)
    assert [hand.bit_count() for hand in _deal(match).hands] == [16] * 3
    say(match, "keep", "give 1 2S", "give 2 3S")
    assert [hand.bit_count() for hand in _deal(match).hands] == [17] * 3


def test_001_34_no_bid_for_the_talon() -> None:
    """001-34: when nobody bids, eldest takes the talon and names the trump."""
    match = _talon()
    say(match, "offer", "pass", "pass", "pass")
    assert match.seat_to_act == A
    assert words_of(match)[0].startswith("give 1 ")


def test_001_35_an_offer_stands() -> None:
    """001-35: once offered, eldest cannot keep the talon any more; the highest bidder gets it."""
    match = _talon()
    say(match, "offer", "bid 2")
    with pytest.raises(IllegalAction):
        match.apply(action_of(A, "keep"))
    say(match, "pass", "pass")
    deal = _deal(match)
    assert (deal.declarer, deal.price, match.seat_to_act) == (B, 2, B)


def test_gifts_in_playing_order_and_secret() -> None:
    """The declarer gives hand or talon cards, pack order, from the next seat on; only giver and receiver see them."""
    match = _talon(talon="2S 3S 4S 5S")
    say(match, "offer", "pass", "bid 1", "pass")
    assert match.seat_to_act == C
    words = words_of(match)
    assert len(words) == 16
    assert words == sorted(words, key=lambda word: cards(word.split()[2])[0])
    assert words[:4] == ["give 3 2S", "give 3 3S", "give 3 4S", "give 3 5S"]
    (event,) = match.apply(action_of(C, "give 3 4S"))
    assert event == CardGiven(C, D, cards("4S")[0])
    assert [visible_to(event, seat) for seat in (C, D)] == [event, event]
    assert [visible_to(event, seat) for seat in (A, B)] == [CardGiven(C, D, None)] * 2
    assert words_of(match)[0] == "give 0 2S"
    say(match, "give 0 2S", "give 1 3S")
    assert words_of(match) == ["name_trump S", "name_trump H", "name_trump D", "name_trump C"]
    say(match, "name_trump D")
    assert match.seat_to_act == A


def test_talon_is_shown_to_all() -> None:
    """The talon is face up before eldest decides."""
    variant = only(parse_variant("classic[redemption=talon]"), 7)
    pack = pack_with(variant, [""] * 4, "2S 3S 4S 5S")
    events = Match(variant, lambda _: pack, D).start()
    assert events[-1] == TalonShown(tuple(cards("2S 3S 4S 5S")))


# chooser-12


def test_002_01_choosers_take_turns() -> None:
    """002-01: A B C D three times over; deal 11 is C's."""
    match = begin(parse_variant("chooser-12"), dealer=A)
    choosers = []
    while match.deal is not None:
        assert match.deal.declarer == match.deal.chooser == match.seat_to_act
        choosers.append(match.deal.chooser)
        say(match, words_of(match)[0])
        _play_out(match)
    assert choosers == [A, B, C, D] * 3
    assert choosers[10] == C


def test_002_02_a_contract_is_chosen_once() -> None:
    """002-02: what has been chosen is gone for everybody."""
    match = begin(parse_variant("chooser-12"), dealer=A)
    for contract in ("no_tricks", "no_king", "tricks"):
        say(match, f"choose {contract}")
        _play_out(match)
    left = [
        contract
        for contract in parse_variant("chooser-12").contracts
        if contract not in {"no_tricks", "no_king", "tricks"}
    ]
    assert words_of(match) == [f"choose {contract}" for contract in left]
    assert len(left) == 9


def test_bonus_trump_is_optional() -> None:
    """With `bonus_trump=chooser` bonuses are chosen with no trump or any suit; three seats have no diamonds."""
    four = words_of(begin(parse_variant("chooser-12[bonus_trump=chooser]"), dealer=A))
    assert four[:8] == [f"choose {contract}" for contract in list(parse_variant("chooser-12").contracts)[:7]] + [
        "choose tricks"
    ]
    assert four[8:12] == [f"choose tricks {suit}" for suit in "SHDC"]
    three = words_of(begin(parse_variant("chooser-12[bonus_trump=chooser,seats=3]"), dealer=A))
    assert three[7:11] == ["choose tricks", "choose tricks S", "choose tricks H", "choose tricks C"]


def test_seven_of_clubs_leads() -> None:
    """With `leader=seven_of_clubs` its holder leads, any card."""
    match = begin(parse_variant("chooser-12[leader=seven_of_clubs]"), ["", "", "7C", ""], dealer=A)
    say(match, "choose tricks")
    assert match.seat_to_act == C
    assert len(words_of(match)) == 13


# turkish-20


def test_004_01_two_of_diamonds_chooses() -> None:
    """004-01: C holds 2D and chooses in deal 1, then D, A, …; deal 20 is B's; the chooser leads."""
    match = begin(parse_variant("turkish-20"), ["", "", "2D", ""])
    choosers = []
    while match.deal is not None:
        choosers.append(match.seat_to_act)
        say(match, words_of(match)[0])
        assert match.deal.tricks[0].leader == choosers[-1] == match.deal.declarer
        _play_out(match)
    assert (choosers[:3], choosers[19], len(choosers)) == ([C, D, A], B, 20)


@pytest.mark.parametrize(
    ("limits", "penalties"),
    [("3+2", []), ("free", ["no_boys", "no_girls", "no_king", "no_last_two"])],
)
def test_004_02_limits_of_choice(limits: str, penalties: list[str]) -> None:
    """004-02: after three penalties and one trump deal a seat has only trumps left; freely, whatever is left."""
    match = begin(parse_variant(f"turkish-20[limits={limits}]"), ["2D", "", "", ""])
    plan = {
        A: ["choose no_tricks", "choose no_hearts", "choose no_tricks", "choose trumps S"],
        B: ["choose no_hearts", "choose no_boys", "choose no_girls", "choose trumps S"],
        C: ["choose trumps S", "choose no_king", "choose no_last_two", "choose trumps S"],
        D: ["choose trumps S", "choose trumps S", "choose no_king", "choose no_girls"],
    }
    for number in range(16):
        say(match, plan[number % 4][number // 4])
        _play_out(match)
    assert match.seat_to_act == A
    open_penalties = [contract for contract in penalties if contract not in {"no_king", "no_girls"}]
    assert words_of(match) == [f"choose {contract}" for contract in open_penalties] + [
        f"choose trumps {suit}" for suit in "SHDC"
    ]


def test_trumps_are_chosen_with_a_suit() -> None:
    """Penalties are chosen without trump, in table order, then trumps with each suit."""
    match = begin(parse_variant("turkish-20"))
    assert words_of(match) == [
        *(f"choose {contract}" for contract in list(parse_variant("turkish-20").contracts)[:6]),
        *(f"choose trumps {suit}" for suit in "SHDC"),
    ]
