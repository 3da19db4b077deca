"""The steps in which a trump is named or praised (RULES.md sections 4 and 5)."""

from referee.rules.actions import Action, ActionKind
from referee.rules.cards import SUITS, suit_mask
from referee.rules.deal import Deal
from referee.rules.steps.choosing import suits_to_name


def name_begins(deal: Deal) -> bool:
    """The declarer is asked; eldest, if nobody has become declarer."""
    deal.seat_to_act = deal.eldest if deal.declarer is None else deal.declarer
    return True


def name_legal(deal: Deal, seat: int) -> list[Action]:
    """Any suit of the contract: S, H, D, C."""
    return _suits(seat, suits_to_name(deal.played_contract()))


def name_or_last_legal(deal: Deal, seat: int) -> list[Action]:
    """Any suit, or by the last."""
    return [*name_legal(deal, seat), Action(seat, ActionKind.BY_LAST)]


def name_apply(deal: Deal, action: Action) -> bool:
    """Who names the trump is the declarer."""
    deal.declarer = action.seat
    _note(deal, action)
    return True


def praise_begins(deal: Deal) -> bool:
    """Eldest is asked, having seen the first cards."""
    deal.seat_to_act = deal.eldest
    return True


def praise_legal(deal: Deal, seat: int) -> list[Action]:
    """A suit among the first cards, by the last, misère, two tricks each."""
    held = tuple(suit for suit in SUITS if suit_mask(suit) & deal.hands[seat])
    return [*_suits(seat, held), *_without_suit(seat), Action(seat, ActionKind.TWO_TRICKS_EACH)]


def praise_apply(deal: Deal, action: Action) -> bool:
    """The choice stands until the game is sold; two tricks each end the deal."""
    _note(deal, action)
    if action.kind is ActionKind.TWO_TRICKS_EACH:
        deal.contract = deal.variant.contracts[action.kind]
        deal.declarer = action.seat
    return True


def praise_bought_begins(deal: Deal) -> bool:
    """The buyer is asked, if the game was sold."""
    deal.seat_to_act = deal.bidder
    return deal.price is not None


def praise_bought_legal(deal: Deal, seat: int) -> list[Action]:
    """Any suit, by the last, misère."""
    return [*name_legal(deal, seat), *_without_suit(seat)]


def _suits(seat: int, suits: tuple[str, ...]) -> list[Action]:
    return [Action(seat, ActionKind.NAME_TRUMP, trump=suit) for suit in suits]


def _without_suit(seat: int) -> list[Action]:
    return [Action(seat, ActionKind.BY_LAST), Action(seat, ActionKind.MISERE)]


def _note(deal: Deal, action: Action) -> None:
    deal.trump = action.trump
    deal.by_last = action.kind is ActionKind.BY_LAST
    deal.misere = action.kind is ActionKind.MISERE
