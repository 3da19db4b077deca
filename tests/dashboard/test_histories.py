"""Ratings as they stood: the moments that are shown up to today, and the lines drawn of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from dashboard.pages.chart import history, thinned_places
from league.estimates import Estimate
from league.histories import PastRating
from league.ladder import Ladder
from league.model import Season, SeasonKind, SeasonState
from referee.rules import parse_variant
from tests.dashboard.test_ladder_page import ladder, rating

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


def past(count: int) -> list[PastRating]:
    """A bot that climbs and becomes surer, at every second of `count` boards of the season."""
    return [
        PastRating(
            season_boards=boards,
            at_result=4 * boards,
            boards=boards,
            elo=Estimate(value=1500.0 + boards, low=1400.0 + 2 * boards, high=1700.0 - boards),
            points=Estimate(value=0.1 * boards, low=-1.0, high=4.0),
        )
        for boards in range(2, count + 1, 2)
    ]


def today(boards: int) -> Ladder:
    """A ladder of a season with so many boards, on which the first of three bots has 1600 Elo."""
    return replace(ladder({}, boards=boards), boards=boards, results_version=4 * boards + 1)


def test_a_history_has_lines_band_and_live() -> None:
    """The band has an end above and below for each moment; the line is dashed until the twentieth board, then whole."""
    found = history(past(30), today(30), 0, [(4 * k, 1500.0 + k) for k in range(1, 31)])
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


def test_a_history_ends_with_the_ladder_of_today() -> None:
    """What came in since the last moment is one more; where the last moment is today there is no other."""
    found = history(past(30), today(31), 0)
    assert found is not None
    assert [moment.boards for moment in found.moments] == [*range(2, 31, 2), 31]
    assert (found.moments[-1].results, found.moments[-1].elo) == (125, rating(0).elo)
    same = history(past(30), today(30), 0)
    assert same is not None
    assert len(same.moments) == 15


def test_one_moment_is_no_history() -> None:
    """A line needs two moments; a bot without boards has none either."""
    assert history(past(2), today(2), 0) is None
    assert history((), today(9), 0) is None
    assert history((), today(0), 0) is None
    assert history(past(2), today(9), 0) is not None


def test_long_series_are_thinned() -> None:
    """A line has no more points than a screen shows, and keeps first and last."""
    places = thinned_places(2000)
    assert len(places) == 240
    assert (places[0], places[-1]) == (0, 1999)
    assert thinned_places(3) == [0, 1, 2]
