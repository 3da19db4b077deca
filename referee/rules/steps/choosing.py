"""The steps in which a contract is chosen or ordered (RULES.md sections 4, 6 and 7)."""

from collections.abc import Callable, Mapping
from typing import Final

from referee.rules.actions import Action, ActionKind
from referee.rules.cards import SUITS
from referee.rules.contracts import Contract, TrumpRule
from referee.rules.deal import Deal

Trumps = tuple[str | None, ...]


def _no_trump(_contract: Contract) -> Trumps:
    return (None,)


def suits_to_name(contract: Contract) -> tuple[str, ...]:
    """Return the suits that may be trump, in pack order."""
    return tuple(suit for suit in SUITS if suit in contract.trump_suits)


def _optional_trump(contract: Contract) -> Trumps:
    return (None, *suits_to_name(contract))


TRUMP_RULES: Final[Mapping[TrumpRule, Callable[[Contract], Trumps]]] = {
    TrumpRule.NONE: _no_trump,
    TrumpRule.NAMED: suits_to_name,
    TrumpRule.OPTIONAL: _optional_trump,
}
"""The trumps that a contract can be chosen with."""


def contracts_left(deal: Deal, seat: int) -> list[Contract]:
    """Return the contracts that a seat may still choose in this match, in table order; an extra deal reopens all."""
    contracts = [deal.variant.contracts[contract_id] for contract_id in deal.plan.contracts]
    if deal.is_extra:
        return contracts
    return [contract for contract in contracts if _is_left(deal, seat, contract)]


def has_contract_left(deal: Deal, seat: int) -> bool:
    """Whether there is a contract that a seat may still choose, which is quicker than to gather them."""
    return deal.is_extra or any(_is_left(deal, seat, deal.variant.contracts[one]) for one in deal.plan.contracts)


def _is_left(deal: Deal, seat: int, contract: Contract) -> bool:
    played = deal.played
    return (
        _below(played.contracts[contract.id], contract.match_limit)
        and _below(played.by_seat[seat, contract.id], contract.seat_limit)
        and _below(played.groups[seat, contract.group], deal.variant.seat_limits.get(contract.group))
    )


def _below(count: int, limit: int | None) -> bool:
    return limit is None or count < limit


def choose_begins(deal: Deal) -> bool:
    """The chooser is asked."""
    deal.seat_to_act = deal.chooser
    return True


def choose_legal(deal: Deal, seat: int) -> list[Action]:
    """By contract row, then trump: none, S, H, D, C."""
    return [
        Action(seat, ActionKind.CHOOSE, contract=contract.id, trump=trump)
        for contract in contracts_left(deal, seat)
        for trump in TRUMP_RULES[contract.trump](contract)
    ]


def choose_apply(deal: Deal, action: Action) -> bool:
    """The choice holds."""
    deal.contract = deal.variant.contracts[str(action.contract)]
    deal.trump = action.trump
    return True


def order_begins(deal: Deal) -> bool:
    """Eldest speaks first, or the first after eldest who has a contract left."""
    deal.seat_to_act = next(seat for seat in deal.seats_from(deal.eldest) if has_contract_left(deal, seat))
    return True


def order_legal(deal: Deal, seat: int) -> list[Action]:
    """Own contracts not yet ordered, then pass, unless nobody is left to speak."""
    orders = [Action(seat, ActionKind.ORDER, contract=contract.id) for contract in contracts_left(deal, seat)]
    passes = [] if _next_speaker(deal, seat) is None else [Action(seat, ActionKind.PASS)]
    return orders + passes


def order_apply(deal: Deal, action: Action) -> bool:
    """An order holds; after a pass the next who has a contract left speaks."""
    if action.kind is ActionKind.PASS:
        deal.seat_to_act = _next_speaker(deal, action.seat)
        return False
    deal.contract = deal.variant.contracts[str(action.contract)]
    deal.declarer = action.seat
    return True


def _next_speaker(deal: Deal, seat: int) -> int | None:
    speakers = list(deal.seats_from(deal.eldest))
    later = speakers[speakers.index(seat) + 1 :]
    return next((speaker for speaker in later if has_contract_left(deal, speaker)), None)
