"""Shows its best at once: the beginner's first idea, and on `russian-14` weaker than chance.

Where points are wanted it plays its highest legal card, where they are to be avoided its lowest. So its high cards
are gone when they would win, and are all that is left when they hurt.
"""

from __future__ import annotations

from collections.abc import Sequence

from king_bot import Action, ActionKind, Bot, Table, run


def rank(action: Action) -> int:
    """The rank of the card played, 2 to 14."""
    assert action.card is not None
    return action.card.rank


class HighestBot(Bot):
    """Plays the card that looks best for this trick alone."""

    def choose(self, table: Table, actions: Sequence[Action]) -> Action:
        """Takes the highest or the lowest rank; else the first action."""
        if actions[0].kind is not ActionKind.PLAY:
            return actions[0]
        return min(actions, key=rank) if table.scoring.avoids else max(actions, key=rank)


if __name__ == "__main__":
    run(HighestBot())
