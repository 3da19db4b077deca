"""The models of crosstable, duel and audit: tints, windows, boards needed, the sequential test, flagged pairs."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from dashboard.numbers import NARROW, p_value
from dashboard.pages.audit import audit_part
from dashboard.pages.needed import MOST, boards_needed, holm_strictness
from dashboard.pages.sequence import looks, watch
from dashboard.pages.tables import WINDOW, heat_step, shown_part, windows
from league.collusion import audit, audit_summary
from league.differences import Difference, Differences
from league.estimates import Estimate, t_quantile
from league.results import MatchResult
from league.sums import SetSums, add_up, board_sums
from league.verdicts import SprtVerdict, holm, sprt


def difference(a: int, b: int, gap: float, error: float, p: float | None) -> Difference:
    told = Estimate(value=gap, low=gap - error, high=gap + error)
    return Difference(a=a, b=b, points=told, p=p, p_holm=p, boards_together=9)


@pytest.mark.parametrize(
    ("value", "clear", "step"),
    [
        (0.0, True, 0),
        (9.0, True, 3),
        (4.0, True, 2),
        (1.0, True, 2),
        (9.0, False, 1),
        (-9.0, True, -3),
        (-9.0, False, -1),
    ],
)
def test_a_strong_tint_needs_certainty(value: float, step: int, *, clear: bool) -> None:
    """Steps follow the size, but what may be nothing has the weakest one, and only that."""
    assert heat_step(value, 10.0, clear=clear) == step


def test_windows_cover_the_ladder_once() -> None:
    """Every place is in one window, and one window is shown."""
    parts = windows(2 * WINDOW + 5, WINDOW + 1)
    assert [place for part in parts for place in range(part.first, part.last + 1)] == [*range(1, 2 * WINDOW + 6)]
    assert [part.here for part in parts] == [False, True, False]
    assert shown_part(range(2 * WINDOW + 5), parts) == range(WINDOW, 2 * WINDOW)
    assert len(windows(WINDOW, 1)) == 1


def test_boards_needed_go_with_the_square_of_the_interval() -> None:
    """Half the difference needs four times the boards; what is clear already needs no more."""
    wide = boards_needed(difference(0, 1, 1.0, 2.0, 0.4), Differences.of([difference(0, 1, 1.0, 2.0, 0.4)]), 100)
    half = boards_needed(difference(0, 1, 0.5, 2.0, 0.7), Differences.of([difference(0, 1, 0.5, 2.0, 0.7)]), 100)
    clear = boards_needed(difference(0, 1, 9.0, 2.0, 0.001), Differences.of([difference(0, 1, 9.0, 2.0, 0.001)]), 100)
    assert wide is not None
    assert half is not None
    assert clear is not None
    assert wide.single is not None
    # (z of 0.975 + z of 0.8) standard errors must be the difference
    assert wide.single == pytest.approx(100 * ((1.959964 + 0.841621) * 2.0 / t_quantile(99)) ** 2, abs=1)
    assert half.single == pytest.approx(4 * wide.single, abs=4)
    assert wide.more_single == wide.single - 100
    assert (clear.more_single, clear.more_ladder) == (0, 0)


def test_boards_forecast_are_enough_as_often_as_said() -> None:
    """Drawn with the true difference, a duel of as many boards is told apart in about 80 of 100 cases."""
    gap, deviation = 1.0, 4.0
    error = t_quantile(49) * deviation / 50**0.5
    needed = boards_needed(difference(0, 1, gap, error, 0.1), Differences.of([difference(0, 1, gap, error, 0.1)]), 50)
    assert needed is not None
    assert needed.single is not None
    chance, told = random.Random(3), 0
    for _ in range(400):
        drawn = [chance.gauss(gap, deviation) for _ in range(needed.single)]
        mean = sum(drawn) / len(drawn)
        variance = sum((one - mean) ** 2 for one in drawn) / (len(drawn) - 1)
        told += abs(mean) > t_quantile(len(drawn) - 1) * (variance / len(drawn)) ** 0.5
    assert 290 <= told <= 350


def test_the_ladder_asks_for_more_boards() -> None:
    """Among many pairs p must be as many times smaller as Holm's correction multiplies it by."""
    pairs = [difference(0, k, 1.0, 2.0, p) for k, p in enumerate((0.001, 0.01, 0.02, 0.3), start=1)]
    family = Differences.of(pairs)
    adjusted = holm([one.p for one in family])
    for one, corrected in zip(pairs[:3], adjusted, strict=False):
        assert one.p is not None
        assert holm_strictness(one, family) * one.p == pytest.approx(corrected)
    found = boards_needed(pairs[2], family, 60)
    assert found is not None
    assert found.strictness == 8  # of 10 pairs, six of which cannot be told
    assert found.single is not None
    assert found.ladder is not None
    assert found.ladder > found.single


def test_some_forecasts_cannot_be_made() -> None:
    """Without an interval there is no forecast, and of no difference at all none that ends."""
    bare = Difference(a=0, b=1, points=Estimate(value=1.0, low=None, high=None), p=None, p_holm=None, boards_together=1)
    assert boards_needed(bare, Differences.of([bare]), 1) is None
    level = difference(0, 1, 0.0, 2.0, 1.0)
    found = boards_needed(level, Differences.of([level]), 100)
    assert found is not None
    assert (found.single, found.more_single, found.ladder) == (None, None, None)
    tiny = difference(0, 1, 0.001, 2.0, 0.99)
    nearly = boards_needed(tiny, Differences.of([tiny]), 100)
    assert nearly is not None
    assert nearly.single is None
    assert MOST == 100_000


def test_the_test_stops_at_its_first_verdict() -> None:
    """It is looked at after each board, and what comes after the stop changes nothing."""
    chance = random.Random(1)
    gaps = [chance.gauss(2.0, 3.0) for _ in range(200)]
    found = watch(gaps, len(gaps))
    stop = found.state.boards
    assert found.stopped
    assert found.state.verdict is SprtVerdict.BETTER
    assert sprt(gaps[:stop]).verdict is SprtVerdict.BETTER
    assert all(sprt(gaps[:count]).verdict is SprtVerdict.GO_ON for count in range(stop))
    assert watch([*gaps, *(-9.0 for _ in range(99))], 299).state == found.state
    assert watch(gaps[:stop], 200) == found
    assert len(found.line.split(" ")) == stop - 15


def test_few_boards_are_not_looked_at() -> None:
    """Before 16 boards there is no line and no verdict; very many are looked at every few."""
    found = watch([1.0] * 15, 15)
    assert (found.line, found.stopped, found.state.boards) == ("", False, 15)
    assert looks(15) == ()
    assert looks(18) == (16, 17, 18)
    assert len(looks(10_000)) <= 402
    assert looks(10_000)[-1] == 10_000


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1.0, "1.00"),
        (0.234, "0.23"),
        (0.0512, "0.051"),
        (0.0012, "0.0012"),
        (0.00001, f"<{NARROW}0.0001"),
        (0.0, f"<{NARROW}0.0001"),
    ],
)
def test_p_values_have_the_decimals_they_need(p: float, text: str) -> None:
    """Small p keep their digits, tiny ones are bounded."""
    assert p_value(p) == text


def fed_season(gift: int) -> tuple[SetSums, ...]:
    """Six bots, every four of them on 20 boards; where 0 and 1 sit together, 1 gets `gift` points more a match."""
    chance, boards = random.Random(8), []
    for number, players in enumerate(tuple(combinations(range(6), 4)) * 20, start=1):
        extra = {1: gift} if {0, 1} <= set(players) else {}
        rotations = []
        for rotation in range(4):
            seated = tuple(players[(seat - rotation) % 4] for seat in range(4))
            scores = tuple(chance.randint(-60, 60) + extra.get(player, 0) for player in seated)
            rotations.append(
                MatchResult(
                    board=number,
                    rotation=rotation,
                    players=seated,
                    scores=scores,
                    places=tuple(1 + sum(other > own for other in scores) for own in scores),
                    forfeited=(False,) * 4,
                    deals=14,
                )
            )
        boards.append(board_sums(rotations, 600))
    return add_up(boards)


def test_the_audit_names_flagged_pairs_alone() -> None:
    """A bot that is fed is named with who feeds it, its gain and p; honest pairs are counted only."""
    labels = dict(enumerate("abcdef"))
    fed = audit_part(audit_summary(audit(fed_season(90), deals=14)), labels)
    assert [(one.giver, one.taker) for one in fed.flagged] == [("a", "b")]
    assert fed.flagged[0].points > 0
    assert fed.flagged[0].p_adjusted is not None
    assert fed.flagged[0].p_adjusted < fed.chance
    assert (fed.lack, fed.each_way) == (None, 2)
    honest = audit_part(audit_summary(audit(fed_season(0), deals=14)), labels)
    assert (honest.flagged, honest.pairs, honest.asked, honest.boards) == ((), 30, 30, 300)
