"""Seats where a board is played once: there no rotations make up for a seat, so each bot is to sit in each as often.

Pure. Who sits after whom stays as it was planned: a board's cyclic order is only turned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from league.neighbours import Players
from league.pairing import PlannedBoard


def seated_once(boards: Sequence[PlannedBoard], before: Iterable[Players] = ()) -> tuple[PlannedBoard, ...]:
    """The boards with their orders turned such that bots have had each seat about as often as any other.

    `before`: the orders of boards of the season that are planned already, so turned.
    """
    sat = Counter((player, seat) for order in before for seat, player in enumerate(order))
    seated = []
    for board in boards:
        turns = [board.players[turn:] + board.players[:turn] for turn in range(len(board.players))]
        order = min(turns, key=lambda turned: sum(sat[player, seat] for seat, player in enumerate(turned)))
        sat.update((player, seat) for seat, player in enumerate(order))
        seated.append(replace(board, players=order))
    return tuple(seated)
