"""The score of a `king match`: the first bot against the mean of its table, board by board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from king_cli.match_score import lead_of, score, settled, verdict_json, verdict_line
from king_cli.reporting import print_ladder
from league.ladder import ladder_json, rate_matches
from league.results import MatchResult
from league.verdicts import SprtVerdict
from referee.rules import parse_variant

RUSSIAN = parse_variant("russian-14")


def rotation(number: int, scores: tuple[int, ...], forfeited: tuple[bool, ...] = (False,) * 4) -> MatchResult:
    """A match in which player k sits at seat (k + number) mod 4; `scores` are by player."""
    seat = [(player + number) % 4 for player in range(4)]
    by_seat = [0] * 4
    players = [0] * 4
    gone = [False] * 4
    for player in range(4):
        players[seat[player]] = player
        by_seat[seat[player]] = scores[player]
        gone[seat[player]] = forfeited[player]
    return MatchResult(
        board=1,
        rotation=number,
        players=tuple(players),
        scores=tuple(by_seat),
        places=(1, 2, 3, 4),
        forfeited=tuple(gone),
        deals=14,
    )


def test_lead_is_over_the_mean_of_the_table() -> None:
    """+28 against −10, −10, −8 is 28 above the mean of all four in a match of 14 deals, whatever the seat."""
    board = [rotation(number, (28, -10, -10, -8)) for number in range(4)]
    assert lead_of(board, RUSSIAN) == pytest.approx(28 / 14)


def test_lead_is_what_the_ladder_shows() -> None:
    """The running score and the ladder of the same matches have one number for a bot."""
    boards = [[rotation(number, scores) for number in range(4)] for scores in ((28, -10, -10, -8), (-20, 5, 5, 10))]
    results = [replace(match, board=number) for number, board in enumerate(boards, 1) for match in board]
    ladder = ladder_json(rate_matches([(name, "1") for name in "abcd"], results, variant=RUSSIAN, faults=[0] * 4))
    (row,) = [row for row in ladder["bots"] if row["bot"] == "a"]
    mine = score("a", [lead_of(board, RUSSIAN) for board in boards])
    assert mine is not None
    assert row["points_per_deal"] == pytest.approx(mine.lead.value)


def test_forfeit_counts_as_the_variant_says() -> None:
    """A forfeited match is −W against the table's mean, whatever the stand-in made of it."""
    board = [rotation(number, (100, 0, 0, 0), (True, False, False, False)) for number in range(4)]
    assert lead_of(board, RUSSIAN) == pytest.approx(-RUSSIAN.forfeit_points / 14)


def test_score_has_an_interval_from_two_boards_on() -> None:
    """One board has no spread; two with 1 and 3 have 2 ± t(1) × 1; two that do not differ may do so by chance."""
    assert score("greedy", []) is None
    one = score("greedy", [1.0])
    assert one is not None
    assert str(one) == "greedy +1.00 points a deal, 1 board: too few for an interval"
    two = score("greedy", [1.0, 3.0])
    assert two is not None
    assert two.lead.high == pytest.approx(2 + 12.7062, abs=1e-4)
    assert str(two) == "greedy +2.00 ± 12.71 points a deal, 2 boards"
    assert str(score("greedy", [1.0, 1.0])) == "greedy +1.00 points a deal, 2 boards: too few for an interval"
    assert str(score("greedy", [-1.0, -3.0] * 3)) == "greedy −2.00 ± 1.15 points a deal, 6 boards"


@pytest.mark.parametrize("boards", [1, 3, 20])
def test_ladder_shows_what_boards_tell_however_few_and_says_who_is_provisional(
    boards: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """One board has no interval and no verdict, three have both, and below twenty that is called provisional."""
    results = [
        replace(rotation(number, (70 + board % 3, 10, -30, -50 - board % 3)), board=board)
        for board in range(1, boards + 1)
        for number in range(4)
    ]
    print_ladder(ladder_json(rate_matches([(name, "1") for name in "abcd"], results, variant=RUSSIAN)))
    told = capsys.readouterr().out
    assert ("too few boards for intervals" in told) == (boards == 1)
    assert (
        ("a is better than b by 4." in told) == ("95 % intervals in brackets" in told) == ("[" in told) == (boards > 1)
    )
    assert ("Provisional, with fewer than 20 boards: all\n" in told) == (boards < 20)


def test_verdict_is_the_first_that_the_boards_gave() -> None:
    """Boards after the one that settled it change nothing; before 16 there is none."""
    leads = [1.0, 1.2] * 8
    assert settled(leads[:15]).verdict is SprtVerdict.GO_ON
    first = settled(leads)
    assert (first.verdict, first.boards) == (SprtVerdict.BETTER, 16)
    assert settled([*leads, *([-9.0] * 30)]) == first
    told = verdict_json("greedy", leads)
    assert (told["verdict"], told["after_boards"], told["biased"]) == ("better", 16, True)
    assert "greedy is better than the others" in verdict_line(told)


def test_no_verdict_asks_for_more_boards() -> None:
    """What is not settled says so, and is not called biased."""
    told = verdict_json("greedy", [1.0, -1.0])
    assert (told["verdict"], told["biased"]) == ("go on", False)
    assert "play more boards" in verdict_line(told)
