"""The two bots that collude find each other without being told, and honest bots are not taken for the taker."""

from __future__ import annotations

import pytest
from king_bot import Bot, Table

from benchmarks.colluders import SIGNALLED_DEALS, Feeder, Taker
from benchmarks.in_process import load_bot, play_board
from referee import dealing
from referee.rules import parse_variant

RUSSIAN = parse_variant("russian-14")
PLAYERS = ("feeder", "partner", "greedy", "lowest")


class Watching(Feeder):
    """A feeder that keeps which seat it took for the taker's once all was signalled, by its own seat."""

    def __init__(self, honest: Bot) -> None:
        super().__init__(honest)
        self.told: list[tuple[int, int | None]] = []

    def _taker(self, table: Table) -> int | None:
        taker = super()._taker(table)
        if table.deal.number == SIGNALLED_DEALS + 1 and not (table.deal.tricks or table.deal.trick):
            self.told.append((table.seat, taker))
        return taker


def told_with(partner: Bot, boards: int) -> list[bool | None]:
    """Of matches whose first deal after the signals the feeder led: whether it knew its partner; None: nobody."""
    feeder = Watching(load_bot("greedy"))
    bots = {"feeder": feeder, "partner": partner, "greedy": load_bot("greedy"), "lowest": load_bot("lowest")}
    for number in range(1, boards + 1):
        seed = dealing.deal_seed(dealing.local_secret(3, number), dealing.LOCAL_SALT)
        play_board(RUSSIAN, seed, PLAYERS, bots, timed=False)
    return [None if taker is None else taker == (seat + 1) % 4 for seat, taker in feeder.told]


@pytest.mark.slow
def test_the_feeder_knows_the_taker_by_its_cards() -> None:
    """In nearly every match it knows the seat after the deals in which the taker signals."""
    told = told_with(Taker(load_bot("greedy")), 16)
    assert len(told) >= 12
    assert told.count(True) >= 0.75 * len(told)


@pytest.mark.slow
def test_an_honest_bot_is_seldom_taken_for_the_taker() -> None:
    """Without a taker at the table the feeder mostly plays its own game."""
    told = told_with(load_bot("greedy"), 16)
    assert len(told) >= 12
    assert told.count(None) >= 0.75 * len(told)
