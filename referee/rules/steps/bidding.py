"""The steps of auctions and sales (RULES.md sections 4 and 5)."""

from referee.rules.actions import Action, ActionKind
from referee.rules.deal import Deal

LOWEST_BID = 1


def bid_begins(deal: Deal) -> bool:
    """Eldest opens the auction."""
    deal.seat_to_act = deal.eldest
    return True


def bid_apply(deal: Deal, action: Action) -> bool:
    """The auction ends when all but one have passed; that one is the declarer, at 1 if nobody has bid."""
    _note(deal, action)
    speaking = _speaking(deal, list(deal.seats_from(deal.eldest)))
    if len(speaking) > 1:
        deal.seat_to_act = _next(deal, action.seat, speaking)
        return False
    deal.declarer = speaking[0]
    deal.price = deal.bid or LOWEST_BID
    return True


def offer_begins(deal: Deal) -> bool:
    """Eldest is asked."""
    deal.seat_to_act = deal.eldest
    return True


def offer_legal(_deal: Deal, seat: int) -> list[Action]:
    """Offer, keep."""
    return [Action(seat, ActionKind.OFFER), Action(seat, ActionKind.KEEP)]


def offer_apply(deal: Deal, action: Action) -> bool:
    """Eldest who keeps is the declarer."""
    deal.offered = action.kind is ActionKind.OFFER
    if not deal.offered:
        deal.declarer = action.seat
    return True


def sale_begins(deal: Deal) -> bool:
    """The seat after eldest speaks first, if the game was offered."""
    if deal.offered:
        deal.seat_to_act = (deal.eldest + 1) % deal.variant.seats
    return deal.offered


def sale_apply(deal: Deal, action: Action) -> bool:
    """The sale ends when all but the highest bidder have passed; with no bid eldest keeps the game."""
    _note(deal, action)
    speaking = _speaking(deal, _buyers(deal))
    if not speaking:
        deal.declarer = deal.eldest
        return True
    if speaking == [deal.bidder]:
        deal.declarer = deal.bidder
        deal.price = deal.bid
        return True
    deal.seat_to_act = _next(deal, action.seat, speaking)
    return False


def bids_legal(deal: Deal, seat: int) -> list[Action]:
    """Pass, then every higher number of tricks."""
    bids = range(deal.bid + 1, deal.variant.tricks + 1)
    return [Action(seat, ActionKind.PASS), *(Action(seat, ActionKind.BID, tricks=bid) for bid in bids)]


def _buyers(deal: Deal) -> list[int]:
    return [seat for seat in deal.seats_from(deal.eldest) if seat != deal.eldest]


def _note(deal: Deal, action: Action) -> None:
    if action.tricks is None:
        deal.passed.add(action.seat)
    else:
        deal.bid = action.tricks
        deal.bidder = action.seat


def _speaking(deal: Deal, seats: list[int]) -> list[int]:
    return [seat for seat in seats if seat not in deal.passed]


def _next(deal: Deal, seat: int, speaking: list[int]) -> int:
    return next(other for other in deal.seats_from((seat + 1) % deal.variant.seats) if other in speaking)
