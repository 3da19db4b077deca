"""Ratings as they stood: whole boards in their order, the moments that are shown, and the lines drawn of them."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from dashboard.pages.chart import history, thinned_places
from dashboard.pages.played import PlayedBoard, played_boards
from dashboard.pages.prefixes import Prefix, moments, prefix_ratings
from league.model import FaultKind, MatchForfeit, MatchRow, Season, SeasonKind, SeasonState
from league.ratings import rate
from referee.rules import parse_variant

VARIANT = parse_variant("russian-14")
START = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)
SEASON = Season(
    id=1,
    name="Autumn",
    kind=SeasonKind.MANAGED,
    state=SeasonState.RUNNING,
    variant=VARIANT.id,
    seats=VARIANT.seats,
    deal_count=VARIANT.deal_count,
    boards=1,
    set_count=None,
    player_sets=None,
    time_control="",
    commitment="",
    deal_salt=None,
    secret=None,
    balance="",
    created_at=START,
    started_at=START,
    ended_at=None,
)


def row(number: int, board: int, rotation: int, scores: tuple[int, ...], *, forfeit: bool = False) -> MatchRow:
    """The `number`-th result: four bots, player k at seat (k + rotation) mod 4; `scores` are by player."""
    seats = tuple((seat - rotation) % 4 for seat in range(4))
    by_seat = tuple(scores[player] for player in seats)
    gone = (MatchForfeit(seat=seats.index(0), kind=FaultKind.EXIT, deal=2, action=1, detail=""),)
    return MatchRow(
        match_id=f"{number:016x}",
        season=1,
        board=board,
        rotation=rotation,
        set_number=1,
        sitting=1,
        attempt=1,
        number=number,
        players=seats,
        labels=tuple("abcd"[player] for player in seats),
        scores=by_seat,
        totals=by_seat,
        places=tuple(1 + sum(other > own for other in by_seat) for own in by_seat),
        forfeits=gone if forfeit else (),
        public=True,
        ended_at=START + timedelta(seconds=number),
    )


def rows_of(count: int) -> list[MatchRow]:
    """Boards one after another, the first bot best, the last worst, with much luck."""
    chance = random.Random(5)
    return [
        row(
            4 * board + rotation + 1,
            board + 1,
            rotation,
            tuple(60 - 40 * k + chance.randint(-99, 99) for k in range(4)),
        )
        for board in range(count)
        for rotation in range(4)
    ]


def boards_of(count: int) -> tuple[PlayedBoard, ...]:
    return played_boards(rows_of(count), SEASON, VARIANT)


def prefixes_of(count: int) -> tuple[Prefix, ...]:
    return prefix_ratings(boards_of(count), bot_count=4, variant=VARIANT)


def test_boards_come_in_the_order_in_which_they_became_whole() -> None:
    """A board counts from its last rotation on; one that lacks a rotation is left out."""
    early, late = (20, -10, -5, -5), (-20, 10, 5, 5)
    rows = [row(1 + at, 7, rotation, early) for at, rotation in enumerate((0, 1, 2))]
    rows += [row(4 + rotation, 3, rotation, late) for rotation in range(4)]
    rows += [row(8, 7, 3, early), row(9, 9, 0, early)]
    found = played_boards(reversed(rows), SEASON, VARIANT)
    assert [(board.number, board.at_result) for board in found] == [(3, 7), (7, 8)]
    assert found[1].devs == {0: 4 * 4 * 20, 1: 4 * 4 * -10, 2: 4 * 4 * -5, 3: 4 * 4 * -5}


def test_a_forfeit_costs_what_the_variant_says() -> None:
    """The deviation of a forfeited match is that of the ratings, and the others' stay."""
    rows = [row(1 + rotation, 1, rotation, (40, 0, -20, -20), forfeit=rotation == 0) for rotation in range(4)]
    board = played_boards(rows, SEASON, VARIANT)[0]
    assert board.devs[0] == 3 * 4 * 40 - 4 * VARIANT.forfeit_points
    assert board.devs[2] == 4 * 4 * -20


@pytest.mark.parametrize(
    ("boards", "shown"),
    [(0, ()), (1, ()), (2, (2,)), (5, (2, 3, 4, 5)), (30, (*range(2, 31, 2),)), (61, (*range(5, 61, 5), 61))],
)
def test_moments_are_round_and_few(boards: int, shown: tuple[int, ...]) -> None:
    """At most 24 moments and the last, at multiples of a round step, never one board alone."""
    assert moments(boards) == shown
    assert len(moments(10**5 + 1)) <= 25


def test_the_last_moment_is_the_ladder_of_today() -> None:
    """All boards together give the ratings bit for bit, whatever came before; earlier moments have fewer boards."""
    boards = boards_of(30)
    found = prefix_ratings(boards, bot_count=4, variant=VARIANT)
    whole = rate([board.sums for board in reversed(boards)], bot_count=4, deals=VARIANT.deal_count)
    assert found[-1].ratings == whole
    assert [prefix.ratings.bots[0].boards for prefix in found] == [prefix.boards for prefix in found]
    assert found[-1].at_result == 120


def test_known_moments_are_not_made_again() -> None:
    """With more boards, moments that stay are taken as they are."""
    before = prefixes_of(30)
    after = prefix_ratings(
        boards_of(32), bot_count=4, variant=VARIANT, known={prefix.boards: prefix for prefix in before}
    )
    assert [prefix.boards for prefix in after] == [*range(2, 33, 2)]
    assert all(any(one is other for other in before) for one in after[:-1])


def test_a_history_has_lines_band_and_live() -> None:
    """The band has an end above and below for each moment; the line is dashed until the twentieth board, then whole."""
    found = history(prefixes_of(30), 0, [(4 * k, 1500.0 + k) for k in range(1, 31)])
    assert found is not None
    assert [moment.boards for moment in found.moments] == [*range(2, 31, 2)]
    assert len(found.elo.band.split(" ")) == 2 * len(found.moments)
    assert found.elo.provisional.split(" ")[-1] == found.elo.sure.split(" ")[0]
    assert len(found.elo.provisional.split(" ")) == 10
    assert found.live.startswith("0,")
    assert found.points is not None
    assert (found.end_at, found.is_provisional) == (100.0, False)
    assert found.moments[-1].elo.low is not None
    assert found.elo.scale.low < found.moments[-1].elo.low


def test_one_moment_is_no_history() -> None:
    """With less than three boards there is no line; a bot without boards has none either."""
    assert history(prefixes_of(2), 0) is None
    assert history(prefix_ratings(boards_of(9), bot_count=5, variant=VARIANT), 4) is None


def test_a_late_entrant_begins_late() -> None:
    """A bot that entered after some moments has no part in them; its history begins with the first one after."""
    early = prefix_ratings(boards_of(5), bot_count=3 + 1, variant=VARIANT)
    late = prefix_ratings(boards_of(9), bot_count=5, variant=VARIANT, known={prefix.boards: prefix for prefix in early})
    assert len(late[0].ratings.bots) == 4
    assert history(late, 4) is None
    assert history(late, 3) is not None


def test_long_series_are_thinned() -> None:
    """A line has no more points than a screen shows, and keeps first and last."""
    places = thinned_places(2000)
    assert len(places) == 240
    assert (places[0], places[-1]) == (0, 1999)
    assert thinned_places(3) == [0, 1, 2]
