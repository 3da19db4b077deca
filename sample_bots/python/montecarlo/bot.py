"""Deals the unseen cards at random, plays every candidate out to the end of the deal, and takes the best on average.

The rules and the position come from the arena's own engine, `referee.rules`, used as a library. Time is counted in CPU
time of this process, so that a busy machine does not make the bot weaker; the clock's share bounds it in real time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from random import Random

from calls import weigh
from king_bot import Action, ActionKind, Bot, Card, Table, run
from playouts import Playouts, playouts_of
from worlds import Dealer, Position, position_of

from referee.rules import PlayRules

BUDGET_MS = 5.0
CALL_BUDGET_MS = 20.0
SHARE = 0.5  # of what the clock leaves for a decision, at most so much is used
FEWEST_WORLDS = 4  # whatever the time
CUTS = ((0.3, 0.5), (0.6, 0.5))  # after this part of the budget, this part of the candidates stays


class MonteCarlo(Bot):
    """Searches by random worlds and quick playouts."""

    def warm_up(self) -> None:
        """Reads the settings."""
        chosen = os.environ.get("KING_MONTECARLO_BUDGET_MS") or self.settings.get("budget_ms", BUDGET_MS)
        self.budget_ms = float(chosen)
        self.call_budget_ms = float(self.settings.get("call_budget_ms", CALL_BUDGET_MS))
        self.dice = Random()

    def choose(self, table: Table, actions: Sequence[Action]) -> Action:
        """Takes a decision of any kind."""
        if actions[0].kind is not ActionKind.PLAY:
            budget_ms = min(self.call_budget_ms, SHARE * self.clock.share_ms)
            return weigh(table, actions, self.dice, budget_s=budget_ms / 1000)
        cards = [action.card for action in actions if action.card is not None]
        return actions[cards.index(self.pick(table, cards))]

    def pick(self, table: Table, cards: Sequence[Card]) -> Card:
        """Searches for the best of the legal cards."""
        deal = table.deal
        playouts = playouts_of(table, deal.contract or "", deal.trump, misere=deal.misere)
        position = position_of(table, playouts.rules)
        candidates = distinct(cards, position, playouts.rules)
        if len(candidates) == 1:
            return candidates[0]
        dealer = Dealer(position, deal, self.dice)
        return self._search(position, candidates, playouts, dealer)

    def _search(self, position: Position, candidates: list[Card], playouts: Playouts, dealer: Dealer) -> Card:
        """Plays worlds until the time is over, dropping the weaker candidates on the way."""
        budget_s = min(self.budget_ms, SHARE * self.clock.share_ms) / 1000
        started_at = time.thread_time()
        latest = time.monotonic() + SHARE * self.clock.share_ms / 1000
        seat, play, seats = position.seat, position.play, len(position.sizes)
        totals = dict.fromkeys(candidates, 0.0)
        cuts = list(CUTS)
        worlds = 0
        while True:
            hands = dealer.deal()
            for card in totals:
                points = playouts.points(play, hands.copy(), card, tie=bool(worlds & 1))
                totals[card] += points[seat] - sum(points) / seats
            worlds += 1
            if worlds < FEWEST_WORLDS:
                continue
            used = (time.thread_time() - started_at) / budget_s if budget_s else 1.0
            if used >= 1.0 or time.monotonic() > latest:
                break
            if cuts and used >= cuts[0][0] and len(totals) > 2:
                keep = max(2, round(len(totals) * cuts.pop(0)[1]))
                best = sorted(totals, key=totals.__getitem__, reverse=True)[:keep]
                totals = {card: totals[card] for card in best}
        return max(totals, key=totals.__getitem__)


def distinct(cards: Sequence[Card], position: Position, rules: PlayRules) -> list[Card]:
    """One of each run of cards that do the same: neighbours, with nothing between them that another hand may hold."""
    alive = position.unseen
    for card in position.play.trick:
        alive |= 1 << card
    found: list[Card] = []
    for card in sorted(cards):
        if found and _same(found[-1], card, alive, rules):
            continue
        found.append(card)
    return found


def _same(lower: Card, higher: Card, alive: int, rules: PlayRules) -> bool:
    between = (1 << higher) - (1 << lower + 1)
    return lower.suit == higher.suit and not between & alive and rules.card_points[lower] == rules.card_points[higher]


if __name__ == "__main__":
    run(MonteCarlo())
