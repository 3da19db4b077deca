"""What montecarlo builds on: worlds that may be true, and playouts that follow the rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from king_bot import Table

from benchmarks.in_process import SAMPLES, new_table, tell
from referee import dealing
from referee.rules import PRESETS, Deal, Match, parse_variant

if TYPE_CHECKING:
    from playouts import Playouts

pytestmark = pytest.mark.slow

OPTIONS = ("turkish-20[must_beat=always]", "turkish-20[rifki_void=any_heart]", "turkish-20[trump_lead=after_broken]")


@pytest.fixture(autouse=True)
def _beside_the_bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Imports montecarlo's own modules as its process does: from its folder."""
    monkeypatch.syspath_prepend(SAMPLES / "montecarlo")
    yield
    for path in Path(SAMPLES / "montecarlo").glob("*.py"):
        sys.modules.pop(path.stem, None)


class Recorded(list[int]):
    """Hands that note which card leaves which hand, in order."""

    def __init__(self, hands: list[int]) -> None:
        super().__init__(hands)
        self.plays: list[tuple[int, int]] = []

    def __setitem__(self, seat: int, hand: int) -> None:  # type: ignore[override]
        gone = self[seat] & ~hand
        self.plays.append((seat, gone.bit_length() - 1))
        super().__setitem__(seat, hand)


def positions(variant_id: str) -> Iterator[tuple[Table, Deal]]:
    """Some positions of a random match in which a seat has a card to play: its view, and the true deal."""
    variant = parse_variant(variant_id)
    dice = Random(variant_id)
    seed = dealing.deal_seed(dealing.local_secret(6, 1), dealing.LOCAL_SALT)
    match = Match(variant, dealing.packs(seed, variant), dealing.first_seat(seed, variant))
    tables = [new_table(variant, seat) for seat in range(variant.seats)]
    events = match.start()
    while True:
        for event in events:
            for table in tables:
                tell(table, event)
        if match.over:
            return
        deal = match.deal
        if deal is not None and deal.play is not None and dice.random() < 0.3:
            yield tables[deal.play.to_play], deal
        events = match.apply(dice.choice(match.legal_actions()))


def playouts_for(table: Table) -> Playouts:
    from playouts import playouts_of

    deal = table.deal
    return playouts_of(table, deal.contract or "", deal.trump, misere=deal.misere)


@pytest.mark.parametrize("variant_id", [*PRESETS, *OPTIONS])
def test_playout_is_a_legal_line_of_the_engine(variant_id: str) -> None:
    """Every card of a playout is legal for the engine, which gives the same points in the end."""
    for number, (table, deal) in enumerate(positions(variant_id)):
        assert deal.play is not None
        playouts = playouts_for(table)
        line = deal.play.copy()
        card = line.legal().bit_length() - 1
        hands = Recorded(line.hands)
        points = playouts.points(line, hands, card, tie=bool(number & 1))
        for seat, played in hands.plays:
            assert seat == line.to_play
            assert line.legal() >> played & 1
            line.play(played)
        assert line.over
        assert points == line.points()


@pytest.mark.parametrize("variant_id", [*PRESETS, *OPTIONS])
def test_true_hands_are_never_excluded(variant_id: str) -> None:
    """What plays are taken to give away is true: the real hands stay possible, and worlds deal every card once."""
    from worlds import Dealer, position_of

    dice = Random(1)
    for table, deal in positions(variant_id):
        assert deal.play is not None
        position = position_of(table, playouts_for(table).rules)
        assert list(position.sizes) == [hand.bit_count() for hand in deal.play.hands]
        for seat, hand in enumerate(deal.play.hands):
            if seat != table.seat:
                assert not hand & position.excluded[seat]
        world = Dealer(position, table.deal, dice).deal()
        assert [hand.bit_count() for hand in world] == list(position.sizes)
        assert sum(world) == position.hand | position.unseen
        assert world[table.seat] == table.deal.hand_mask
