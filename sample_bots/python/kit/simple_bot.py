"""Stays low: plays its lowest card, and leaves every other decision to the SDK's judgement."""

from __future__ import annotations

from collections.abc import Sequence

from king_bot import Action, ActionKind, Bot, Table, run
from king_bot.tactics import decide


class SimpleBot(Bot):
    """Plays as low as it can."""

    def choose(self, table: Table, actions: Sequence[Action]) -> Action:
        """Takes one of the actions, all of which are legal."""
        if actions[0].kind is not ActionKind.PLAY:
            return decide(table, actions)
        return min(actions, key=lambda action: action.card.rank if action.card else 0)


if __name__ == "__main__":
    run(SimpleBot())
