"""Decisions that are not card play: choose, order, bid, name a trump, offer or keep, give.

Owns one function for each situation, all resting on the estimates of a hand. Every one answers with a legal action,
whatever the variant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from king_bot.actions import Action, ActionKind
from king_bot.cards import SUIT_MASKS, Card, cards_of
from king_bot.table import Table
from king_bot.tactics.estimates import (
    best_trump,
    chance_to_win,
    edge,
    expected_tricks,
    hand_size,
    pack_total,
)

Value = Callable[[Table, str, str | None], float]

ORDER_EDGE = 0.06  # an order is worth it from this share of the contract's total
SELF_RELIANCE = 0.5  # tricks by which our own game must beat the price that others may pay


def value_of(table: Table, contract: str, trump: str | None) -> float:
    """How much better than average our hand is in a contract, in points."""
    return edge(table, table.deal.hand_mask, contract, trump)


def decide(table: Table, actions: Sequence[Action], value: Value = value_of) -> Action:
    """Takes any decision but the play of a card; `value` says what a contract is worth beyond the average."""
    kinds = {action.kind for action in actions}
    if ActionKind.CHOOSE in kinds:
        return max(actions, key=lambda action: value(table, action.contract or "", action.trump))
    if ActionKind.ORDER in kinds:
        return _order(table, actions, value)
    if ActionKind.BID in kinds:
        return _bid(table, actions)
    if ActionKind.OFFER in kinds:
        return _offer_or_keep(table, actions)
    if ActionKind.GIVE in kinds:
        return _give(table, actions)
    return _name(table, actions)


def _order(table: Table, actions: Sequence[Action], value: Value) -> Action:
    """Orders the contract that suits us best, or passes if none does and passing is allowed."""
    orders = [action for action in actions if action.kind is ActionKind.ORDER]
    passes = [action for action in actions if action.kind is ActionKind.PASS]

    def gain(action: Action) -> float:
        contract = action.contract or ""
        return value(table, contract, None) / abs(pack_total(table, table.scoring_of(contract)))

    best = max(orders, key=gain)
    return passes[0] if passes and gain(best) < ORDER_EDGE else best


def _bid(table: Table, actions: Sequence[Action]) -> Action:
    """Bids as little as will do, while the game is worth its price to us."""
    bids = [action for action in actions if action.kind is ActionKind.BID]
    passes = [action for action in actions if action.kind is ActionKind.PASS]
    lowest = min(bids, key=lambda action: action.tricks or 0)
    if not passes:
        return lowest
    return lowest if (lowest.tricks or 0) <= _highest_price(table) else passes[0]


def _highest_price(table: Table) -> float:
    """The most tricks worth bidding: what our own game makes beyond what somebody else's would leave us."""
    deal = table.deal
    hand = deal.hand_mask
    own = best_trump(table, _with_talon(table, hand))[1]
    share = hand_size(table) / table.seats
    if table.base_id != "classic":
        return own - share  # the bid is lost to all, so the rest must beat a defender's share
    return own - share - SELF_RELIANCE


def _with_talon(table: Table, hand: int) -> int:
    """The hand after taking the talon and giving away as many of the worst cards."""
    deal = table.deal
    if not deal.talon or deal.talon_taker is not None:
        return hand
    for card in deal.talon:
        hand |= card.bit
    for _ in range(table.seats - 1):
        hand &= ~_worst(table, hand).bit
    return hand


def _offer_or_keep(table: Table, actions: Sequence[Action]) -> Action:
    """Keeps a good game; a poor one is better sold, for somebody pays for it."""
    own = _named_tricks(table)
    keep = own - hand_size(table) / table.seats > SELF_RELIANCE
    kind = ActionKind.KEEP if keep else ActionKind.OFFER
    return next(action for action in actions if action.kind is kind)


def _named_tricks(table: Table) -> float:
    """The tricks expected in the game that we have just named, or would name."""
    deal = table.deal
    hand = _with_talon(table, deal.hand_mask)
    ours = [said.action for said in deal.said if said.seat == table.seat]
    named = next((action for action in reversed(ours) if action.kind in _GAMES), None)
    return best_trump(table, hand)[1] if named is None else _GAMES[named.kind](table, hand, named)


def _name(table: Table, actions: Sequence[Action]) -> Action:
    """Names the game that makes most tricks. Two tricks each is what remains when none makes a fair share."""
    hand = table.deal.hand_mask
    return max(actions, key=lambda action: _GAMES[action.kind](table, hand, action))


def _by_last(table: Table, hand: int, _action: Action) -> float:
    """The card that decides is not dealt yet: each suit is about as likely, and one more card of it is ours."""
    each = [expected_tricks(table, hand, trump=suit) for suit in SUIT_MASKS if SUIT_MASKS[suit] & table.pack]
    return sum(each) / len(each) + 0.25


def _two_tricks_each(table: Table, _hand: int, _action: Action) -> float:
    """Worth what everybody gets, that is no more than an average game."""
    return hand_size(table) / table.seats


_GAMES: dict[ActionKind, Callable[[Table, int, Action], float]] = {
    ActionKind.NAME_TRUMP: lambda table, hand, action: expected_tricks(table, hand, trump=action.trump),
    ActionKind.BY_LAST: _by_last,
    ActionKind.MISERE: lambda table, hand, _action: expected_tricks(table, hand, misere=True),
    ActionKind.TWO_TRICKS_EACH: _two_tricks_each,
}


def _give(table: Table, actions: Sequence[Action]) -> Action:
    """Gives the worst card of the hand, trumps last."""
    held = 0
    for action in actions:
        held |= action.card.bit if action.card is not None else 0
    worst = _worst(table, held)
    return next(action for action in actions if action.card == worst)


def _worst(table: Table, hand: int) -> Card:
    """The card that we miss least: a small one of a short side suit."""
    trump = best_trump(table, hand)[0]

    def worth(card: Card) -> tuple[bool, float]:
        length = (hand & SUIT_MASKS[card.suit]).bit_count()
        return card.suit == trump, chance_to_win(table, card, hand) + 0.02 * length + 0.002 * card.rank

    return min(cards_of(hand), key=worth)
