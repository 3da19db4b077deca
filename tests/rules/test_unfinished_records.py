"""Records of matches that are not over, and of matches whose secrets are not public."""

import random

import pytest

from referee.rules import (
    PRESETS,
    RulesError,
    legal_json,
    parse_record,
    record_text,
)
from referee.verification import verify
from tests.rules.records import changed, cut, record_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("preset", PRESETS)
def test_unfinished_records_pass(preset: str) -> None:
    """A record cut anywhere passes as unfinished or aborted, says what was not checked, and has legal actions."""
    whole = record_of(preset, 6)
    chance = random.Random(preset)
    number = chance.randint(1, len(whole["deals"]))
    actions = chance.randrange(len(whole["deals"][number - 1]["actions"]))
    record = parse_record(record_text(cut(whole, number, actions)))
    answer = verify(record)
    assert answer.problems == ()
    assert answer.unchecked == ("totals, places and settlement: the match is unfinished",)
    assert verify(changed(record, "termination.kind", "aborted")).problems == ()
    assert (record["totals"], record["places"], record["settlement"]) == (None, None, None)
    legal = legal_json(record)
    taken = whole["deals"][number - 1]["actions"][len(record["deals"][-1]["actions"])]
    assert (legal["deal"], legal["seat"]) == (number, taken["seat"])
    assert {name: value for name, value in taken.items() if name != "by"} in legal["actions"]
    paths = {problem.path for problem in verify(changed(record, "termination.kind", "normal")).problems}
    assert f"deals[{number - 1}].actions" in paths


def test_unfinished_between_deals() -> None:
    """An unfinished record ends with the deal in progress, which may have no actions and an empty trick."""
    record = cut(record_of("russian-14"), 3, 0)
    assert record["deals"][2]["actions"] == []
    assert verify(record).problems == ()
    record["deals"][2]["tricks"].append({"leader": legal_json(record)["seat"], "cards": [], "taker": None})
    record["deals"][2]["points"] = [0, 0, 0, 0]
    assert verify(record).problems == ()
    assert "deals" in {problem.path for problem in verify({**record, "deals": record["deals"][:2]}).problems}
    record["deals"][2]["points"] = [0, 0, 0, 2]
    assert "deals[2].points" in {problem.path.split("[0]")[0] for problem in verify(record).problems}


def test_a_whole_match_is_not_unfinished() -> None:
    """A match that was played to its end must say so."""
    problems = verify(changed(record_of("russian-14"), "termination.kind", "unfinished")).problems
    assert "termination.kind" in {problem.path for problem in problems}


def test_records_without_secrets() -> None:
    """A record whose secrets are not public yet passes and says what could not be checked."""
    record = record_of("chooser-12")
    for name in ("deal_secret", "deal_salt", "deal_seed"):
        record[name] = None
    answer = verify(record)
    assert answer.problems == ()
    assert len(answer.unchecked) == 2
    assert "deal_commitment" in answer.unchecked[0]
    assert "deal_seed" in answer.unchecked[1]


def test_secrets_must_be_whole() -> None:
    """With secret and salt, seed and commitment follow and must be there."""
    record = record_of("russian-14")
    for name in ("deal_seed", "deal_commitment"):
        assert name in {problem.path for problem in verify(changed(record, name, None)).problems}
    assert verify(changed(record, "deal_secret", None)).problems == ()
    assert verify(changed(record, "deal_salt", None)).problems == ()


def test_no_legal_actions_of_a_deal_that_is_not_there() -> None:
    """A record that ends between deals lacks the cards of the next: what is legal is not known."""
    record = record_of("russian-14")
    record["deals"] = record["deals"][:3]
    with pytest.raises(RulesError, match="deal 4"):
        legal_json(record)
