"""The quick way to say that a record is right: never of one in which the thorough way finds something."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from referee.rules import PRESETS, RulesError, parse_record, record_text
from referee.verification import (
    Verification,
    is_faultless,
    is_faultless_text,
    verify,
    verify_text,
    verify_thoroughly,
)
from tests.rules.records import QUICK, changed, copy_of, inside, other_value, places, record_of, text_of, without

CHANGES = 6


@pytest.mark.parametrize("preset", PRESETS)
def test_written_records_are_told_quickly(preset: str) -> None:
    """What the engine writes of a match without a fault needs no thorough check, and would pass it."""
    record = record_of(preset, 4)
    assert is_faultless(record)
    assert is_faultless_text(text_of(preset, 4))
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


def noted(preset: str, seed: int) -> dict[str, Any]:
    """A record with times and frames, as a league has them."""
    record, dice = copy_of(record_of(preset, seed)), random.Random(seed)
    for deal in record["deals"]:
        for action in deal["actions"]:
            action |= {"ms": dice.choice([0, 3, 999, 1000, 31_557]), "asked_with": dice.choice([1, 64, 4096])}
    record["context"] |= {"season": "весна", "started_at": "2026-11-30T10:00:00Z"}
    return record


@pytest.mark.parametrize("preset", QUICK)
def test_texts_with_times_are_told_quickly(preset: str) -> None:
    """What a league writes of a match, with times, frames and names in any letters, is right at a glance too."""
    text = record_text(noted(preset, 6))
    assert is_faultless_text(text)
    assert is_faultless_text(text.encode())
    assert verify_text(text) == Verification((), ())


def _other_texts(text: str, dice: random.Random) -> Iterator[str]:
    """The text with a letter, or a few, left out, put in, doubled or taken from elsewhere."""
    for _ in range(CHANGES):
        at, length = dice.randrange(len(text)), dice.choice([1, 1, 2, 5, 40])
        elsewhere = dice.randrange(len(text))
        piece = dice.choice(['"', ",", "}", "]", "{", "0", "1", " ", "\n", "S", ',"ms":1', text[elsewhere:][:length]])
        yield text[:at] + text[at + length :]
        yield text[:at] + piece + text[at:]
        yield text[:at] + piece + text[at + len(piece) :]


@pytest.mark.parametrize("preset", QUICK)
def test_no_text_is_passed_unread_in_which_something_is_found(preset: str) -> None:
    """Whatever is done to a record's text: if it is called right unread, it is JSON in which nothing is found."""
    text, refused = record_text(noted(preset, 7)), 0
    for other in _other_texts(text, random.Random(preset)):
        if is_faultless_text(other):
            assert verify_thoroughly(parse_record(other)) == Verification((), ()), other
        else:
            refused += 1
    assert refused > CHANGES


@pytest.mark.parametrize("name", ["ms", "asked_with"])
def test_a_number_too_long_to_be_read_is_not_passed_unread(name: str) -> None:
    """What nobody can open again is not verified, however right the rest is; a long number that can be read is."""
    text = text_of("russian-14", 4)
    readable, unreadable = (text.replace('"by":"bot"', f'"by":"bot","{name}":{"9" * count}', 1) for count in (40, 5000))
    assert verify_text(readable) == Verification((), ())
    with pytest.raises(RulesError, match="not JSON"):
        verify_text(unreadable)


def _with_deals_hidden(text: str) -> Iterator[str]:
    """Texts whose real deals are none, beside right ones where they do not count."""
    start, end = text.index('"deals":['), text.index('],"totals":') + 1
    deals, tail = text[start:end], text[end:]
    yield f'{text[:start]}"hidden":{{{deals}{tail.rstrip()[:-1]}}},"deals":[]{tail}'
    yield f'{text[:start]}{deals},"deals":[]{tail}'
    yield f'{text[:start]}"deals":[],{deals}{tail}'
    yield f'{text[:start]}"hidden":[{{{deals}}}],"deals":[]{tail}'
    yield f"[{text.rstrip()}]"
    yield f"{text}{text}"
    yield text.replace('"deals":[', '"deals" :[', 1).replace("7H", "8H", 1)
    yield text.replace('},{"seat"', '},,{"seat"', 1)
    yield text.replace('"by":"bot"}', '"by":"bot","ms":01}', 1)
    yield text.replace('"by":"bot"}', '"by":"bot","ms":-1}', 1)
    yield text.replace('"by":"bot"}', '"by":"bot","ms":٣}', 1)
    yield text.replace('"by":"bot"}', '"by":"bot","asked_with":1,"ms":1}', 1)
    yield text.replace('"by":"bot"}', '"by":"bot","ms":1,"ms":1}', 1)


def test_right_deals_in_a_wrong_place_do_not_count() -> None:
    """Deals within something else, twice, or in a text that is no JSON, are not taken for the record's own."""
    text = text_of("russian-14", 1)
    assert is_faultless_text(text)
    for other in _with_deals_hidden(text):
        assert other != text
        assert not is_faultless_text(other)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"deals":[],"totals":[]}', b"\xff", '"deals":[],"totals":'])
def test_texts_that_are_no_records(text: str | bytes) -> None:
    """They are left to those who say why."""
    assert not is_faultless_text(text)
