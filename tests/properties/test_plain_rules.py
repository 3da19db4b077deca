"""The engine against the rules written a second time: legal cards, takers, points and the end of every deal."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.random_match import random_match
from referee.rules import PRESETS, Position, card_text, parse_record, parse_variant, record_text, replay
from tests.properties import plain_rules
from tests.rules.test_variants import every_single_option

pytestmark = pytest.mark.slow

SEEDS = st.integers(min_value=0, max_value=(1 << 64) - 1)


def _compare(variant: str, seed: int) -> None:
    row = parse_variant(variant)
    record = parse_record(record_text(random_match(row, seed)))
    pack = [card_text(card) for card in row.pack]
    for deal, played in zip(record["deals"], replay(record).deals, strict=True):
        _compare_plays(record, deal, played.positions)
        assert deal["points"] == plain_rules.points(record, deal)
        _compare_end(record, deal, pack)


def _compare_plays(record: dict[str, Any], deal: dict[str, Any], positions: tuple[Position, ...]) -> None:
    done: list[list[str]] = []
    for position, action in zip(positions, deal["actions"], strict=False):
        if action["do"] == "play":
            if len(position.trick) == 0 and position.last_trick is not None:
                done.append(position.last_trick["cards"])
            hand = position.hands[action["seat"]]
            assert set(position.legal_cards) == plain_rules.legal(record, deal, hand, position.trick, done)


def _compare_end(record: dict[str, Any], deal: dict[str, Any], pack: list[str]) -> None:
    fallen: list[str] = []
    for trick in deal["tricks"]:
        assert not plain_rules.ends_early(record, deal, fallen, pack)
        assert trick["taker"] == plain_rules.taker(deal, trick["leader"], trick["cards"])
        fallen += trick["cards"]
    if deal["contract"] != "two_tricks_each":
        whole = len(fallen) == len(pack)
        assert whole or plain_rules.ends_early(record, deal, fallen, pack)
        assert deal["ended_early"] is not whole


@pytest.mark.slow
@pytest.mark.parametrize("text", [*PRESETS, *every_single_option()])
@given(seed=SEEDS)
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_engine_against_plain_rules(text: str, seed: int) -> None:
    """On random matches of every preset and with every value of every option, both agree everywhere."""
    _compare(text, seed)
