"""Takes any legal action, with equal chances. Its dice are the operating system's: no run repeats another."""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom

from king_bot import Action, Bot, Table, run

DICE = SystemRandom()


class RandomBot(Bot):
    """Takes any legal action."""

    def choose(self, table: Table, actions: Sequence[Action]) -> int:
        """Draws an index."""
        return DICE.randrange(len(actions))


if __name__ == "__main__":
    run(RandomBot())
