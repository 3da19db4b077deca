"""The SDK's view of a table, message by message."""

from __future__ import annotations

import pytest
from king_bot import Action, ActionBy, ActionKind, Table, card, cards_of, mask_of
from king_bot.actions import PLAYS
from king_bot.contracts import scoring_of


def cards(text: str) -> list[int]:
    return [card(word) for word in text.split()]


def table_of(variant: str = "russian-14", *, seats: int = 4, seat: int = 0, **options: str) -> Table:
    table = Table(variant=variant, options=options, seats=seats, seat=seat)
    table.on_deal_start(1, 3, None)
    return table


def play(table: Table, first: int, text: str) -> None:
    for step, played in enumerate(cards(text)):
        table.deal.on_action((first + step) % table.seats, PLAYS[played], ActionBy.BOT)


def test_cards_read_and_write() -> None:
    """A card knows its suit and rank, and reads what it writes."""
    for number in range(52):
        assert card(str(cards_of(1 << number)[0])) == number
    assert (card("TS").suit, card("TS").rank, card("AC").rank) == ("S", 10, 14)


@pytest.mark.parametrize("text", ["", "1H", "10H", "KX", "hk"])
def test_wrong_card_is_refused(text: str) -> None:
    """What is no card raises, naming how cards are written."""
    with pytest.raises(ValueError, match="write a rank of"):
        card(text)


def test_hand_comes_in_parts_and_goes_card_by_card() -> None:
    """Cards dealt in two parts are one hand, from which our own plays go."""
    table = table_of()
    table.on_cards(cards("7S TS JD"))  # type: ignore[arg-type]
    table.on_cards(cards("KH AH 8C 9C QC"))  # type: ignore[arg-type]
    play(table, 0, "TS AS")
    assert [str(held) for held in table.deal.hand] == ["7S", "KH", "AH", "JD", "8C", "9C", "QC"]
    assert table.deal.unseen.bit_count() == 32 - 7 - 2


def test_trick_is_open_until_it_ends() -> None:
    """The open trick shows who played what; when it ends it is its taker's."""
    table = table_of()
    play(table, 2, "9S KS 7S")
    trick = table.deal.trick
    assert trick is not None
    assert (trick.number, trick.leader, trick.led) == (1, 2, "S")
    assert [(played.seat, str(played.card)) for played in trick.plays] == [(2, "9S"), (3, "KS"), (0, "7S")]
    play(table, 1, "AH")
    table.deal.on_trick_end(3)
    assert table.deal.trick is None
    assert table.deal.tricks_taken == [0, 0, 0, 1]
    assert table.deal.cards_taken[3] == mask_of(cards("9S KS 7S AH")) == table.deal.fallen
    assert table.deal.trick_number == 2


def test_highest_of_the_suit_led_wins() -> None:
    """What is thrown wins nothing, a trump beats all other suits, and at misère the ranks are upside down."""
    table = table_of()
    play(table, 1, "8S JS AC")
    trick = table.deal.trick
    assert trick is not None
    assert (table.winner, table.beats(card("QS")), table.beats(card("TS"))) == ((2, card("JS")), True, False)
    assert not table.beats(card("AD"))
    table.on_contract("trumps", None, "D", None, misere=False)
    assert table.beats(card("7D"))
    assert trick.winner("C", misere=False) == (3, card("AC"))
    table.on_contract("trumps", None, None, None, misere=True)
    assert (table.winner, table.beats(card("7S")), table.beats(card("7C"))) == ((1, card("8S")), True, False)


def test_a_lead_beats_what_is_not_there() -> None:
    """Before a lead nothing wins, and any card would."""
    table = table_of()
    assert table.winner is None
    assert table.beats(card("7S"))


def test_unknown_variant_is_refused() -> None:
    """A variant that the SDK does not have raises and is named, options aside."""
    with pytest.raises(ValueError, match='does not know the variant "bridge-52"'):
        table_of("bridge-52[seats=3]")
    with pytest.raises(ValueError, match='does not know the variant "bridge-52"'):
        scoring_of("bridge-52", {}, "no_king")


def test_discard_shows_a_void() -> None:
    """A seat that does not follow suit is void in it from then on."""
    table = table_of()
    play(table, 0, "9S KS AH 7S")
    assert table.deal.voids == [set(), set(), {"S"}, set()]
    assert table.deal.void_masks[2] == mask_of(range(13))


def test_points_so_far_follow_the_contract() -> None:
    """Complete tricks are worth what the contract says."""
    table = table_of()
    table.on_contract("no_jumble", None, None, None, misere=False)
    play(table, 0, "KH KS QD AH")
    table.deal.on_trick_end(0)
    assert table.points_so_far() == [-34, 0, 0, 0]


def test_finished_deals_are_remembered() -> None:
    """After a deal, its contract and points stay, and the next one starts empty."""
    table = table_of()
    table.on_contract("no_tricks", None, None, None, misere=False)
    table.on_deal_end([-16, 0, 0, 0], [-16, 0, 0, 0])
    table.on_deal_start(2, 0, None)
    assert [(deal.contract, deal.points) for deal in table.finished] == [("no_tricks", (-16, 0, 0, 0))]
    assert table.totals == [-16, 0, 0, 0]
    assert (table.deal.number, table.deal.eldest, table.deal.contract, table.deal.fallen) == (2, 1, None, 0)


def talon_table(seat: int) -> Table:
    table = table_of("classic[redemption=talon]", seat=seat, redemption="talon", pack="52", seats_="4")
    table.on_cards(cards("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"))  # type: ignore[arg-type]
    table.on_talon(cards("AS AH AD AC"))  # type: ignore[arg-type]
    return table


def test_declarer_has_the_talon_when_asked_to_give() -> None:
    """The first request for a gift puts the talon in our hand; gifts leave it and are known where they went."""
    table = talon_table(0)
    gives = [Action(ActionKind.GIVE, card=held, to=1) for held in cards_of(mask_of(cards("2S AS")))]
    table.on_request(gives)
    assert table.deal.hand_mask.bit_count() == 16
    table.deal.on_gift(0, 1, card("2S"))
    assert table.deal.hand_mask.bit_count() == 15
    assert table.deal.known_cards == [0, 1 << card("2S"), 0, 0]


def test_gift_comes_to_our_hand() -> None:
    """A card given to us is ours; one given to another is a gift without a card."""
    table = talon_table(2)
    table.deal.on_gift(0, 1, None)
    table.deal.on_gift(0, 2, card("AC"))
    assert table.deal.talon_taker == 0
    assert [gift.card for gift in table.deal.gifts] == [None, card("AC")]
    assert table.deal.hand_mask.bit_count() == 13


def test_exposed_card_is_known_until_played() -> None:
    """A card shown to all stays known in that hand until it falls."""
    table = table_of()
    table.deal.on_exposed(2, card("TD"))
    assert table.deal.known_cards[2] == 1 << card("TD")
    play(table, 2, "TD")
    assert table.deal.known_cards[2] == 0


def test_calls_are_kept_apart_from_plays() -> None:
    """Bids and the like are listed in order, with who said them."""
    table = table_of()
    table.deal.on_action(0, Action(ActionKind.BID, tricks=2), ActionBy.BOT)
    table.deal.on_action(1, Action(ActionKind.PASS), ActionBy.FORCED)
    assert [(said.seat, said.action.kind, said.action.tricks) for said in table.deal.said] == [
        (0, ActionKind.BID, 2),
        (1, ActionKind.PASS, None),
    ]
