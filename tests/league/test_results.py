"""What a record means for statistics."""

from __future__ import annotations

import pytest

from league.errors import LeagueError
from league.results import result_of
from referee.random_match import random_match
from referee.rules import parse_variant

RUSSIAN = parse_variant("russian-14")


def test_a_whole_match_gives_scores_places_and_points_by_contract() -> None:
    """Scores are the sums of points, and each of the 14 deals is there with its contract."""
    record = random_match(RUSSIAN, 5)
    result = result_of(record, (3, 0, 2, 1), RUSSIAN)
    assert (result.board, result.rotation, result.players) == (1, 0, (3, 0, 2, 1))
    assert list(result.scores) == record["totals"]
    assert list(result.places) == record["places"]
    assert result.forfeited == (False,) * 4
    assert result.deals == len(result.deal_points) == 14
    assert result.deal_points[0].contract == record["deals"][0]["contract"]
    assert list(result.deal_points[0].points) == record["deals"][0]["points"]


def test_extra_deals_are_in_totals_but_not_in_scores() -> None:
    """A deal beyond the regular ones decides places and nothing else."""
    record = random_match(RUSSIAN, 6)
    extra = {**record["deals"][-1], "number": 15, "points": [40, 0, 0, -40]}
    longer = {**record, "deals": [*record["deals"], extra], "places": [1, 2, 3, 4]}
    result = result_of(longer, (0, 1, 2, 3), RUSSIAN)
    assert list(result.scores) == record["totals"]
    assert result.places == (1, 2, 3, 4)
    assert len(result.deal_points) == 14


def test_smallest_penalties_count_the_penalty_contracts_alone() -> None:
    """Where the fewest penalties win, bonus deals do not count as score."""
    variant = parse_variant("chooser-12[winner=smallest_penalties]")
    record = random_match(variant, 3)
    result = result_of(record, (0, 1, 2, 3), variant)
    expected = [0, 0, 0, 0]
    for deal in record["deals"][: variant.deal_count]:
        if sum(deal["points"]) < 0:
            expected = [a + b for a, b in zip(expected, deal["points"], strict=True)]
    assert list(result.scores) == expected
    assert list(result.scores) != record["totals"]


def test_deals_from_a_forfeit_on_are_not_the_bots_own() -> None:
    """The stand-in's deals do not count where a bot's skill in a contract is asked for."""
    record = random_match(RUSSIAN, 7)
    record["forfeits"] = [{"seat": 2, "kind": "exit", "deal": 3, "action": 17, "detail": "exit status 1"}]
    result = result_of(record, (0, 1, 2, 3), RUSSIAN)
    assert result.forfeited == (False, False, True, False)
    assert [deal.own[2] for deal in result.deal_points[:4]] == [True, True, False, False]
    assert all(deal.own[1] for deal in result.deal_points)


def test_a_match_that_is_not_over_has_no_result() -> None:
    """An unfinished or aborted record is refused by what it is."""
    record = {**random_match(RUSSIAN, 8), "termination": {"kind": "aborted", "detail": ""}}
    with pytest.raises(LeagueError, match="ended as 'aborted': only a match that is over has a result"):
        result_of(record, (0, 1, 2, 3), RUSSIAN)


def test_a_refusal_shows_what_cannot_be_seen() -> None:
    """An id with a control in it is quoted, so that no terminal obeys it."""
    record = {**random_match(RUSSIAN, 8), "match_id": "a\x1f", "termination": {"kind": "aborted", "detail": ""}}
    with pytest.raises(LeagueError, match=r"match 'a\\x1f' ended as"):
        result_of(record, (0, 1, 2, 3), RUSSIAN)


def test_a_match_of_another_variant_is_refused() -> None:
    """Ladders never mix variants."""
    with pytest.raises(LeagueError, match="variant 'turkish-20', not 'russian-14'"):
        result_of(random_match(parse_variant("turkish-20"), 1), (0, 1, 2, 3), RUSSIAN)
