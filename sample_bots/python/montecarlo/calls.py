"""Contracts and trumps weighed by playing them out, for decisions taken with the whole hand in sight.

Owns the search over whole deals. Everything it does not cover is left to `king_bot.tactics`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random

from king_bot import Action, ActionKind, Table, card
from king_bot.tactics import decide, hand_size
from king_bot.tactics.calls import value_of
from playouts import playouts_of
from worlds import Dealer, opening_of

from referee.rules import parse_variant
from referee.rules.variant import LeaderRule

MOST_CANDIDATES = 8  # the estimates sort out the rest
WORLDS = 200  # more tell nothing new
SEVEN_OF_CLUBS = card("7C").bit
WEIGHED = {ActionKind.CHOOSE, ActionKind.ORDER, ActionKind.NAME_TRUMP}
Game = tuple[str, str | None]


def weigh(table: Table, actions: Sequence[Action], dice: Random, *, budget_s: float) -> Action:
    """Takes any decision but the play of a card."""
    games = [_game(action) for action in actions if action.kind in WEIGHED]
    if len(games) < 2 or table.deal.hand_mask.bit_count() != hand_size(table):
        return decide(table, actions)
    estimated = sorted(games, key=lambda game: value_of(table, *game), reverse=True)
    values = _values(table, estimated[:MOST_CANDIDATES], dice, budget_s)
    if actions[0].kind is ActionKind.NAME_TRUMP:
        named = [action for action in actions if action.kind is ActionKind.NAME_TRUMP]
        return max(named, key=lambda action: values.get(_game(action), float("-inf")))
    return decide(table, actions, lambda _table, contract, trump: values.get((contract, trump), float("-inf")))


def _game(action: Action) -> Game:
    return action.contract or "trumps", action.trump


def _values(table: Table, games: Sequence[Game], dice: Random, budget_s: float) -> dict[Game, float]:
    """By game, our points above the table's mean, averaged over random worlds that all games share."""
    searches = [_Search(table, game) for game in games]
    dealer = Dealer(searches[0].position, table.deal, dice)
    started_at = time.thread_time()
    worlds = 0
    while worlds < WORLDS and (worlds < 2 or time.thread_time() - started_at < budget_s):
        hands = dealer.deal()
        for search in searches:
            search.play(hands, tie=bool(worlds & 1))
        worlds += 1
    return {search.game: search.total / worlds for search in searches}


class _Search:
    """One game, played out from the first lead."""

    def __init__(self, table: Table, game: Game) -> None:
        self.game = game
        self.total = 0.0
        self._seat = table.seat
        self._playouts = playouts_of(table, *game)
        self._seven_leads = parse_variant(table.variant).leader is LeaderRule.SEVEN_OF_CLUBS
        leader = table.deal.eldest if table.deal.chooser is None else table.deal.chooser
        self.position = opening_of(table, self._playouts.rules, leader or 0)

    def play(self, hands: list[int], *, tie: bool) -> None:
        """Plays one world."""
        play = self.position.play
        if self._seven_leads:
            play = play.copy()
            play.leader = play.to_play = next(seat for seat, hand in enumerate(hands) if hand & SEVEN_OF_CLUBS)
        lead = self._playouts.lead(play, hands, tie=tie)
        points = self._playouts.points(play, hands.copy(), lead, tie=tie)
        self.total += points[self._seat] - sum(points) / len(points)
