"""What the bots do in a few positions: `python -m unittest` in this folder. No referee is needed."""

from __future__ import annotations

import unittest
from collections.abc import Sequence

from greedy_bot import Greedy
from king_bot import Action, ActionBy, ActionKind, Bot, Table, card
from king_bot.tactics import decide
from simple_bot import SimpleBot


def table_with(hand: str, *, contract: str = "no_tricks", trick: str = "") -> Table:
    """Seat 3 of a `russian-14` table, with this hand; `trick` has what seats 0 to 2 have played so far."""
    table = Table(variant="russian-14", options={}, seats=4, seat=3)
    table.on_deal_start(1, dealer=3, chooser=None)
    table.on_cards([card(text) for text in hand.split()])
    table.on_contract(contract, None, None, None, misere=False)
    for seat, text in enumerate(trick.split(), start=3 - len(trick.split())):
        table.deal.on_action(seat, Action(ActionKind.PLAY, card=card(text)), ActionBy.BOT)
    return table


def played(bot: Bot, table: Table, legal: str) -> str:
    """The card that the bot plays among the legal ones."""
    actions = [Action(ActionKind.PLAY, card=card(text)) for text in legal.split()]
    chosen = bot.choose(table, actions)
    return str(chosen.card if isinstance(chosen, Action) else actions[chosen].card)


class DuckingBot(Bot):
    """The idea of which README.md tells."""

    def choose(self, table: Table, actions: Sequence[Action]) -> Action:
        """Where points are to be avoided, plays the highest card that does not take the trick."""
        if actions[0].kind is not ActionKind.PLAY:
            return decide(table, actions)
        cards = [action.card for action in actions if action.card is not None]
        losing = [card for card in cards if not table.beats(card)]
        if table.scoring.avoids and losing:
            chosen = max(losing, key=lambda card: card.rank)
        else:
            chosen = min(cards, key=lambda card: card.rank)
        return actions[cards.index(chosen)]


class DuckingBotTest(unittest.TestCase):
    """An idea, tried without a referee."""

    def test_ducks(self) -> None:
        """It stays below where tricks cost points, and plays its lowest card where it leads or they do not."""
        legal = "7S 9S AS"
        self.assertEqual(played(DuckingBot(), table_with(legal, trick="TS"), legal), "9S")
        self.assertEqual(played(DuckingBot(), table_with(legal, trick="8S"), legal), "7S")
        self.assertEqual(played(DuckingBot(), table_with(legal), legal), "7S")
        self.assertEqual(played(DuckingBot(), table_with(legal, contract="tricks", trick="TS"), legal), "7S")


class SimpleBotTest(unittest.TestCase):
    """The bot that stays low."""

    def test_lowest_card(self) -> None:
        """It plays its lowest card."""
        self.assertEqual(played(SimpleBot(), table_with("9S KH 7D AC"), "9S KH 7D AC"), "7D")


class GreedyTest(unittest.TestCase):
    """The bot that plays each contract by simple rules."""

    def test_ducks(self) -> None:
        """Where tricks cost points, it follows with the highest card that still loses."""
        self.assertEqual(played(Greedy(), table_with("7S TS AS", trick="8S JS"), "7S TS AS"), "TS")

    def test_throws_the_king_of_hearts(self) -> None:
        """Where the king of hearts costs points, it is thrown as soon as somebody else takes it."""
        table = table_with("KH AD 7C", contract="no_king", trick="8S JS 7S")
        self.assertEqual(played(Greedy(), table, "KH AD 7C"), "KH")

    def test_takes_cheaply(self) -> None:
        """Where tricks are wanted, the last seat takes with no more than it needs."""
        table = table_with("9S QS AS", contract="tricks", trick="8S JS 7S")
        self.assertEqual(played(Greedy(), table, "9S QS AS"), "QS")


if __name__ == "__main__":
    unittest.main()
