"""Always plays its lowest legal card, and takes the first legal action where there is no card to play."""

from __future__ import annotations

from collections.abc import Sequence

from king_bot import Action, Bot, Table, run


class LowestBot(Bot):
    """Plays the lowest card."""

    def choose(self, table: Table, actions: Sequence[Action]) -> Action:
        """Takes the lowest rank; of equal ranks, the first suit."""
        return min(actions, key=lambda action: action.card.rank if action.card else 0)


if __name__ == "__main__":
    run(LowestBot())
