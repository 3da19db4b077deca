"""The step in which the declarer takes the talon and gives cards away (RULES.md section 5)."""

from referee.rules.actions import Action, ActionKind
from referee.rules.cards import cards_of, mask_of
from referee.rules.deal import Deal


def give_begins(deal: Deal) -> bool:
    """The talon joins the declarer's hand."""
    declarer = _declarer(deal)
    deal.hands[declarer] |= mask_of(deal.talon)
    deal.talon_taken = True
    deal.seat_to_act = declarer
    return True


def give_legal(deal: Deal, seat: int) -> list[Action]:
    """Any card, hand and talon together in pack order, to the next opponent in playing order."""
    to = _receivers(deal)[0]
    return [Action(seat, ActionKind.GIVE, card=card, to=to) for card in cards_of(deal.hands[seat])]


def give_apply(deal: Deal, action: Action) -> bool:
    """The card changes hands; done when every opponent has one."""
    if action.card is None or action.to is None:
        raise AssertionError(f"a gift without a card or a receiver: {action}")
    deal.hands[action.seat] ^= 1 << action.card
    deal.hands[action.to] |= 1 << action.card
    return len(_receivers(deal)) == 1


def _receivers(deal: Deal) -> list[int]:
    """The opponents who have not been given a card yet; the action in hand is not counted yet."""
    given = {action.to for action in deal.actions if action.kind is ActionKind.GIVE}
    declarer = _declarer(deal)
    return [seat for seat in deal.seats_from(declarer) if seat != declarer and seat not in given]


def _declarer(deal: Deal) -> int:
    if deal.declarer is None:
        raise AssertionError("a talon is taken only by a declarer")
    return deal.declarer
