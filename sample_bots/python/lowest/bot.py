"""Stays low: the beginner's second idea, and a good one.

Where points are to be avoided it leads its lowest card, follows with the highest that still loses, and throws its
highest when it cannot follow. Where they are wanted it plays its lowest, so that its high cards win when those of
the others are gone. It remembers nothing and looks at no suit.
"""

from __future__ import annotations

from collections.abc import Sequence

from king_bot import Action, ActionKind, Bot, Table, run


def rank(action: Action) -> int:
    """The rank of the card played, 2 to 14."""
    assert action.card is not None
    return action.card.rank


def loses(action: Action, led: str, best: int) -> bool:
    """Whether the card stays below the best of the led suit, or is of another suit."""
    assert action.card is not None
    return action.card.suit != led or action.card.rank < best


class LowestBot(Bot):
    """Plays as low as it can."""

    def choose(self, table: Table, actions: Sequence[Action]) -> Action:
        """Takes a card that loses if that is what the deal asks for; else the first action."""
        if actions[0].kind is not ActionKind.PLAY:
            return actions[0]
        trick = table.deal.trick
        if trick is None or not trick.plays or not table.scoring.avoids:
            return min(actions, key=rank)
        best = max(played.card.rank for played in trick.plays if played.card.suit == trick.led)
        losing = [action for action in actions if loses(action, trick.led, best)]
        return max(losing, key=rank) if losing else min(actions, key=rank)


if __name__ == "__main__":
    run(LowestBot())
