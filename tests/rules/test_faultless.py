"""The quick way to say that a record is right: never of one in which the thorough way finds something."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from referee.rules import PRESETS
from referee.verification import Verification, is_faultless, verify, verify_thoroughly
from tests.rules.records import QUICK, changed, inside, other_value, places, record_of, without

CHANGES = 40


@pytest.mark.parametrize("preset", PRESETS)
def test_written_records_are_told_quickly(preset: str) -> None:
    """What the engine writes of a match without a fault needs no thorough check, and would pass it."""
    record = record_of(preset, 4)
    assert is_faultless(record)
    assert verify_thoroughly(record) == Verification((), ())


def _others(value: object, chance: random.Random) -> Iterator[object]:
    """Values that are another one, or the same but of another type."""
    yield other_value(value, chance)
    yield None if value is not None else False
    if isinstance(value, int):
        yield float(value)
        yield bool(value) if not isinstance(value, bool) else int(value)
    if isinstance(value, list):
        yield [*value, *value[-1:]]
        yield value[:-1]
        yield tuple(value)
    if isinstance(value, str):
        yield value.upper()
        yield f" {value}"
        yield [value]


def _changed_in_place(record: dict[str, Any], chance: random.Random) -> Iterator[str]:
    """Change a record at some places, one after the other, and put each back; gives the path that is changed."""
    for path, value in chance.sample(list(places(record)), CHANGES):
        container, last = inside(record, path)
        for other in _others(value, chance):
            container[last] = other
            yield path
        del container[last]
        yield path
        if isinstance(container, list):
            container.insert(int(last), value)
        else:
            container[last] = value


@pytest.mark.parametrize("preset", QUICK)
def test_no_change_is_passed_quickly_in_which_something_is_found(preset: str) -> None:
    """Wherever a record is changed, in value, type or length: if it is called right, the thorough check agrees."""
    record = record_of(preset, 5)
    refused = 0
    for path in _changed_in_place(record, random.Random(preset)):
        if is_faultless(record):
            assert verify_thoroughly(record) == Verification((), ()), path
        else:
            refused += 1
    assert refused > CHANGES
    assert is_faultless(record)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("termination.kind", "unfinished"),
        ("deal_secret", None),
        ("forfeits", [{"seat": 0, "kind": "timeout", "deal": 1, "action": 1, "detail": ""}]),
        ("deals[0].actions[0].by", "stand_in"),
        ("deals[0].actions[0].ms", 1.5),
        ("deals[0].actions[0].ms", -1),
        ("context", {}),
    ],
)
def test_what_needs_a_closer_look_is_left_to_it(path: str, value: object) -> None:
    """Matches that ended early, hid a secret, had a fault or a stand-in are never called right at a glance."""
    record = changed(record_of("russian-14"), path, value)
    assert not is_faultless(record)
    assert verify(record) == verify_thoroughly(record)


def test_anything_further_may_stand_in_a_record() -> None:
    """Members that the format does not know are passed over by both ways."""
    record = changed(changed(record_of("russian-14"), "note", "hand-made"), "deals[1].actions[1].note", [1])
    assert is_faultless(record)
    assert verify_thoroughly(record) == Verification((), ())


@pytest.mark.parametrize("name", ["match_id", "settlement", "context", "totals", "deal_salt"])
def test_what_is_missing_is_missed(name: str) -> None:
    """A record without one of its members is not called right, though null would do."""
    assert not is_faultless(without(record_of("russian-14"), name))


@pytest.mark.parametrize("record", [None, 3, "record", [], {}, {"format": "king-record/1"}])
def test_what_is_no_record_is_none(record: object) -> None:
    """Whatever JSON comes in, the answer is yes or no."""
    assert not is_faultless(record)
