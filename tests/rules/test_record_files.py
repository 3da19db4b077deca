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
