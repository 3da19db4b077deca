"""The page about deals: its program and its vectors are right."""

import copy
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.rules.records import QUICK, record_of
from tests.rules.test_dealing import VECTORS

PAGE = (Path(__file__).parents[2] / "docs" / "deals.md").read_text(encoding="utf-8")


def _program() -> Callable[[dict[str, Any]], None]:
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {"__name__": "page"}
    exec(code[1], names)
    check: Callable[[dict[str, Any]], None] = names["check"]
    return check


@pytest.mark.parametrize("preset", [*QUICK, "chooser-12[seats=3]", "classic[pack=32,seats=3]"])
def test_the_pages_program_accepts_records(preset: str) -> None:
    """The program on the page, which shares nothing with the engine, accepts what the engine writes."""
    record = record_of(preset)
    check = _program()
    check(record)
    changed = copy.deepcopy(record)
    hands = changed["deals"][3]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    with pytest.raises(AssertionError, match="hands of deal 4"):
        check(changed)


def test_the_pages_vectors() -> None:
    """Every seed, commitment, hand and draw on the page is that of the vectors."""
    russian, talon = VECTORS["vectors"][0], VECTORS["vectors"][2]
    for text in (
        VECTORS["local_secret_of_seed_7_board_1"],
        russian["deal_seed"],
        russian["deal_commitment"],
        ", ".join(map(str, russian["first_words_of_stream_1"])),
        *russian["deals"][0]["hands"],
        russian["deals"][1]["hands"][0],
        ", ".join(map(str, russian["stand_in_draws_in_deal_1"]["drawn"])),
        talon["deal_secret"],
        talon["deal_seed"],
        talon["deals"][0]["hands"][0],
        talon["deals"][2]["hands"][0],
        talon["deals"][2]["talon"],
    ):
        assert text in PAGE
