"""Record files: what is no record, what is broken, and writing and reading back."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from referee.random_match import random_match
from referee.rules import (
    RulesError,
    check_record,
    parse_record,
    parse_variant,
    read_record,
    record_text,
    replay,
    write_record,
)
from referee.rules.shape import MOST_PROBLEMS
from referee.verification import verify
from tests.rules.records import NOT_COMPARED, QUICK, changed, places, record_of


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "3", '"record"', "{}", '{"deals": []}', "[" * 100_000, "\x00", '{"a": 1e999}', "9" * 5000],
)
def test_malformed_files_are_told(text: str) -> None:
    """Whatever the file holds, the answer is a problem or one clear error."""
    try:
        record = parse_record(text)
    except RulesError as error:
        assert "not a record" in str(error)
    else:
        assert verify(record).problems
        with pytest.raises(RulesError):
            replay(record)


def test_bytes_that_are_no_text() -> None:
    """A file that is not UTF-8 is told as such."""
    with pytest.raises(RulesError, match="UTF-8"):
        parse_record(b"\xff\xfe{\xff")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "b": {"x": 1, "x": 1}}', "an object has two members 'x'; each name comes once"),
        ('{"a" :1,"a":2}', "an object has two members 'a'; each name comes once"),
        ('{"a":1,"a"\n:2}', "an object has two members 'a'; each name comes once"),
        ('{"a":"\\":","a":2}', "an object has two members 'a'; each name comes once"),
        ('{"a":{"b":1,"b":2},"c":NaN}', "an object has two members 'b'; each name comes once"),
        ('{"a":{"b":1,"b":2},"c":' + "[" * 100_000, "an object has two members 'b'; each name comes once"),
        ('{"a": NaN}', "NaN is no number of JSON"),
        ('{"a": -Infinity}', "-Infinity is no number of JSON"),
        ('{"a": -1e999}', "the number -1e999 is too large"),
        ('{"a": "\\ud800"}', r"half of a surrogate pair, '\ud800', is no letter of Unicode"),
        ("[" * 100_000, "it is nested too deeply"),
        ("\ufeff{}", "Unexpected UTF-8 BOM"),
    ],
)
def test_what_readers_could_take_for_different_things_is_no_record(text: str, words: str) -> None:
    """Names given twice, numbers that JSON has not and letters that nothing can show are refused with the reason."""
    with pytest.raises(RulesError) as error:
        parse_record(text.encode())
    assert f"not a record: not JSON in UTF-8: {words}" in str(error.value)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-be"])
def test_other_encodings_are_no_record(encoding: str) -> None:
    """JSON in another encoding than UTF-8 is refused, though Python could guess it."""
    with pytest.raises(RulesError, match="not JSON in UTF-8"):
        parse_record('{"format": "king-record/1"}'.encode(encoding))


def test_whole_surrogate_pairs_are_read() -> None:
    """A letter beyond the basic plane, written as two escapes, is that letter."""
    assert parse_record(b'{"a": "\\ud83d\\ude00", "b": 1.5}') == {"a": "\U0001f600", "b": 1.5}


@pytest.mark.parametrize("entry", [0, "KH", {"seat": 0}])
@pytest.mark.parametrize("place", ["deals", "totals", "forfeits", "places"])
def test_so_many_problems_are_told_and_no_more(place: str, entry: object) -> None:
    """A record with thousands of wrong entries has a hundred problems at most, and every one fits on a line."""
    record = record_of("russian-14") | {place: [entry] * 20_000, "options": {"last_points": [0] * 10_000}}
    problems = verify(record).problems
    assert 0 < len(problems) <= MOST_PROBLEMS
    assert all(len(str(problem)) < 500 for problem in problems)


@pytest.mark.parametrize("odd", ["\x1b[2J", "a\nb", "\u202e", "\0"])
def test_no_problem_has_a_control_in_it(odd: str) -> None:
    """What a record has is told with escapes: a terminal obeys none of it, and a problem stays one line."""
    record = record_of("russian-14")
    for wrong in ({"variant": odd}, {"options": record["options"] | {odd: odd}}, {"termination": {"kind": odd}}):
        problems = verify(record | wrong).problems
        assert problems
        assert all(str(problem).isprintable() for problem in problems)


JUNK: list[Any] = [None, True, 0, -1, 10**40, 0.5, float("nan"), "", "KH", "\ud800", [], [[]], {}, {"seat": 0}, [1, 2]]


@pytest.mark.slow
@pytest.mark.parametrize("preset", QUICK)
def test_junk_is_never_an_exception(preset: str) -> None:
    """Any value of any type at any place gives problems with paths, never an exception."""
    record = record_of(preset)
    chance = random.Random(preset)
    for path, value in chance.sample(list(places(record)), 25):
        junk = chance.choice(JUNK)
        other = changed(record, path, junk)
        if junk != value and not NOT_COMPARED.fullmatch(path):
            assert verify(other).problems
        else:
            verify(other)
        try:
            replay(other)
        except RulesError as error:
            assert str(error)


@pytest.mark.parametrize("record", [None, [], 3, "text", True])
def test_what_is_no_object_is_no_record(record: object) -> None:
    """Other JSON values are told as such."""
    assert check_record(record)
    assert verify(record).problems


def test_files_are_written_and_read_back(tmp_path: Path) -> None:
    """A record written to a file is read back the same; a file that is missing is an error that names it."""
    record = random_match(parse_variant("chooser-12[contracts=short]"), 1)
    write_record(tmp_path / "record.json", record)
    assert read_record(tmp_path / "record.json") == json.loads(record_text(record))
    with pytest.raises(RulesError, match=r"none\.json"):
        read_record(tmp_path / "none.json")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    with pytest.raises(RulesError, match=r"broken\.json"):
        read_record(tmp_path / "broken.json")


def test_random_matches_are_reproducible() -> None:
    """The same seed gives the same record, another seed another one."""
    variant = parse_variant("russian-14")
    assert random_match(variant, 5) == random_match(variant, 5)
    assert random_match(variant, 5)["deals"] != random_match(variant, 6)["deals"]
