"""What the bots do in a few positions: `python -m unittest` in this folder. No referee is needed."""

from __future__ import annotations

import unittest

from greedy_bot import Greedy
from king_bot import Action, ActionBy, ActionKind, Bot, Table, card
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
