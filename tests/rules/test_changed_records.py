"""Records that were changed: whatever it is, it is found, and its place named."""

import json
import random
import re
from typing import Any

import pytest

from referee.rules import (
    PRESETS,
)
from referee.verification import verify
from tests.rules.records import (
    NOT_COMPARED,
    QUICK,
    changed,
    inside,
    names,
    other_value,
    places,
    record_of,
    text_of,
    without,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("preset", PRESETS)
def test_written_records_pass(preset: str) -> None:
    """A record of a whole match of any preset passes, with nothing left unchecked."""
    answer = verify(record_of(preset))
    assert answer.problems == ()
    assert answer.unchecked == ()


def _check_changes(preset: str, count: int) -> None:
    chance = random.Random(preset)
    record = record_of(preset, 2)
    compared = [(path, value) for path, value in places(record) if not NOT_COMPARED.fullmatch(path)]
    for path, value in chance.sample(compared, count):
        problems = verify(changed(record, path, other_value(value, chance))).problems
        assert problems, f"a change of {path} was not found"
        if path.startswith("options."):
            continue  # another option may make another variant of it, which then is broken elsewhere
        assert any(names(problem.path, path) for problem in problems), f"{path} was changed, found: {problems[0]}"


@pytest.mark.parametrize("preset", PRESETS)
def test_any_change_is_found_and_named(preset: str) -> None:
    """Any one value of a record of any preset that is changed makes it fail, and the place is named."""
    _check_changes(preset, 40)


@pytest.mark.parametrize(
    "path",
    [
        "deal_secret",
        "deal_salt",
        "deal_seed",
        "deal_commitment",
        "deals[0].dealer",
        "deals[3].hands[1][2]",
        "deals[3].actions[5].card",
        "deals[3].actions[6].seat",
        "deals[3].tricks[2].cards[1]",
        "deals[3].tricks[2].taker",
        "deals[3].tricks[2].leader",
        "deals[13].points[2]",
        "totals[0]",
        "places[3]",
    ],
)
def test_the_place_is_named_exactly(path: str) -> None:
    """A changed digit, card, taker or point is named by its very path."""
    record = record_of("russian-14", 3)
    chance = random.Random(path)
    container, last = inside(record, path)
    problems = verify(changed(record, path, other_value(container[last], chance))).problems
    assert path in {problem.path for problem in problems}


@pytest.mark.parametrize("preset", QUICK)
def test_missing_fields_are_named(preset: str) -> None:
    """Every listed field must be there, except how an action came about."""
    record = record_of(preset)
    chance = random.Random(preset)
    fields = [path for path, _ in places(record) if not path.endswith("]")]
    for path in chance.sample(fields, 25):
        problems = verify(without(record, path)).problems
        if path.endswith(".by"):
            assert problems == ()
        elif not path.startswith("options."):
            assert (problems[0].path, problems[0].message) == (path, "is missing")
        else:
            assert problems[0].path == path


def test_fields_that_are_not_listed_may_be_added() -> None:
    """A field that the format does not know is passed over."""
    record = record_of("russian-14")
    record["note"] = {"any": "thing"}
    record["deals"][2]["actions"][0]["note"] = 1
    record["deals"][2]["tricks"][0]["note"] = None
    assert verify(record).problems == ()


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda deals: deals.pop(), "deals"),
        (lambda deals: deals.append(dict(deals[-1])), "deals[14]"),
        (lambda deals: deals[4]["actions"].pop(), "deals[4].actions"),
        (lambda deals: deals[13]["actions"].pop(), "deals[13].actions"),
        (lambda deals: deals[4]["actions"].append(dict(deals[4]["actions"][-1])), "deals[4].actions[{}]"),
        (lambda deals: deals[4]["tricks"].pop(), "deals[4].tricks"),
        (lambda deals: deals[4]["tricks"][1]["cards"].pop(), "deals[4].tricks[1].cards"),
        (lambda deals: deals[4]["hands"].pop(), "deals[4].hands"),
        (lambda deals: deals[4]["hands"][0].pop(), "deals[4].hands[0]"),
        (lambda deals: deals[4]["points"].append(0), "deals[4].points[4]"),
        (lambda deals: deals.clear(), "deals"),
    ],
)
def test_what_is_missing_or_too_much_is_named(change: Any, path: str) -> None:
    """Deals, actions, tricks and cards that are missing or too many make a record fail."""
    record = record_of("russian-14", 4)
    place = path.format(len(record["deals"][4]["actions"]))
    change(record["deals"])
    assert place in {problem.path for problem in verify(record).problems}


def test_an_impossible_but_consistent_change_is_found() -> None:
    """Two cards swapped between hands, actions and tricks alike do not agree with the seed."""
    text = text_of("russian-14", 5)
    deal = json.loads(text)["deals"][0]
    one, other = deal["hands"][0][0], deal["hands"][1][0]
    swap = {one: other, other: one}
    record = json.loads(text)
    changed = json.dumps(record["deals"][0])
    changed = re.sub("|".join(f'"{card}"' for card in swap), lambda hit: f'"{swap[hit[0][1:-1]]}"', changed)
    record["deals"][0] = json.loads(changed)
    paths = {problem.path for problem in verify(record).problems}
    assert {"deals[0].hands[0][0]", "deals[0].hands[1][0]"} <= paths
