"""Deals from a seed: the published vectors, and the fairness of the draw."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from referee import dealing
from referee.rules import Match, card_text, parse_variant
from referee.rules.state import deal_out

VECTORS: Mapping[str, Any] = json.loads((Path(__file__).parent / "deal_vectors.json").read_text(encoding="utf-8"))


def test_local_secret() -> None:
    """The secret of `--seed 7`, board 1, is the published one."""
    assert dealing.local_secret(7, 1).hex() == VECTORS["local_secret_of_seed_7_board_1"]


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda vector: str(vector["variant"]))
def test_vectors(vector: Mapping[str, Any]) -> None:
    """Seed, commitment, lot, words, hands, talon and the stand-in's draws are as published."""
    variant = parse_variant(vector["variant"])
    secret, salt = bytes.fromhex(vector["deal_secret"]), bytes.fromhex(vector["deal_salt"])
    seed = dealing.deal_seed(secret, salt)
    assert seed.hex() == vector["deal_seed"]
    assert dealing.commitment(secret).hex() == vector["deal_commitment"]
    lot = vector["first_dealer"] if variant.has_dealer else vector["first_chooser"]
    assert dealing.first_seat(seed, variant) == lot
    words = dealing.Stream(seed, 1)
    assert [words.below(1 << 32) for _ in range(4)] == vector["first_words_of_stream_1"]
    for deal in vector["deals"]:
        hands, talon = deal_out(variant, deal["number"], dealing.pack(seed, deal["number"], variant), deal["dealer"])
        assert [" ".join(map(card_text, hand)) for hand in hands] == deal["hands"]
        assert " ".join(map(card_text, talon)) == deal["talon"]
    draws = vector["stand_in_draws_in_deal_1"]
    stream = dealing.stand_in_stream(seed, 1)
    assert [stream.below(count) for count in draws["of"]] == draws["drawn"]


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda vector: str(vector["variant"]))
def test_matches_deal_the_vectors(vector: Mapping[str, Any]) -> None:
    """A match deals the published hands, with the dealer of each deal going round."""
    variant = parse_variant(vector["variant"])
    seed = bytes.fromhex(vector["deal_seed"])
    match = Match(variant, dealing.packs(seed, variant), dealing.first_seat(seed, variant))
    match.start()
    published = {deal["number"]: deal for deal in vector["deals"]}
    while match.deal is not None:
        deal = match.deal
        if deal.number in published:
            assert deal.dealer == published[deal.number]["dealer"]
            assert [" ".join(map(card_text, hand)) for hand in deal.dealt] == published[deal.number]["hands"]
            assert " ".join(map(card_text, deal.talon)) == published[deal.number]["talon"]
        match.apply(match.legal_actions()[0])


def test_words_that_would_be_unfair_are_passed_over() -> None:
    """A word at or above the last whole multiple of the limit is not used."""
    seed = bytes(32)
    limit = 3 * (1 << 30)
    words = dealing.Stream(seed, 5)
    drawn = dealing.Stream(seed, 5)
    expected = [word for word in (words.below(1 << 32) for _ in range(64)) if word < limit]
    assert len(expected) < 64
    assert [drawn.below(limit) for _ in expected] == expected


@pytest.mark.parametrize(("seed", "board"), [(-1, 1), (1 << 64, 1), (1, -1), (1, 1 << 32)])
def test_seeds_out_of_range(seed: int, board: int) -> None:
    """Seeds and boards that do not fit their bytes are refused."""
    with pytest.raises(ValueError, match="out of range"):
        dealing.local_secret(seed, board)
