"""The ladder's sentence and rows, from ladders made for the purpose."""

from __future__ import annotations

import pytest

from dashboard.pages.ladder import lead
from league.differences import Difference, Differences
from league.estimates import Estimate
from league.ladder import Ladder, LadderEntry, LadderRow
from league.ratings import BotRating


def rating(entrant: int, boards: int = 30) -> BotRating:
    told = Estimate(value=1600.0 - entrant, low=1590.0, high=1610.0)
    return BotRating(
        entrant=entrant,
        boards=boards,
        matches=4 * boards,
        elo=told if boards else None,
        prior_pull=0.0,
        points=told if boards else None,
        places=(boards, boards, boards, boards),
        forfeits=0,
    )


def ladder(gaps: dict[tuple[int, int], tuple[float, float]], count: int = 3, boards: int = 30) -> Ladder:
    """A ladder of bots a, b, c…; `gaps` have points and adjusted p of pairs, others are clear by 5 points."""
    rows = tuple(
        LadderRow(
            rank=at + 1,
            entry=LadderEntry(entrant=at, label="abcdef"[at], bot="abcdef"[at], version="1"),
            rating=rating(at, boards),
            unflagged=rating(at, boards),
        )
        for at in range(count)
    )
    differences = tuple(
        Difference(
            a=a,
            b=b,
            points=Estimate(value=points, low=points - 1, high=points + 1),
            p=p,
            p_holm=p,
            boards_together=9,
        )
        for a in range(count)
        for b in range(a + 1, count)
        for points, p in [gaps.get((a, b), (5.0, 0.001))]
    )
    return Ladder(
        variant="russian-14",
        seats=4,
        deal_count=14,
        forfeit_points=100,
        boards=30,
        flagged_boards=0,
        results_version=1,
        updated_at=None,
        rows=rows,
        differences=Differences.of(differences),
    )


@pytest.mark.parametrize(
    ("gaps", "kind", "second"),
    [
        ({}, "clear", "b"),
        ({(0, 1): (0.4, 0.3)}, "close", "b"),
        ({(0, 1): (0.4, 0.3), (0, 2): (0.6, 0.2)}, "many", "b"),
        ({(0, 2): (0.6, 0.2)}, "many", "c"),
        ({(0, 1): (-0.4, 0.3)}, "crossed", "b"),
        ({(0, 1): (-4.0, 0.001)}, "crossed", "b"),
    ],
)
def test_the_sentence_follows_the_verdicts(
    gaps: dict[tuple[int, int], tuple[float, float]], kind: str, second: str
) -> None:
    """Who leads, and how surely, is told by the adjusted p of differences; the second is who comes closest."""
    found = lead(ladder(gaps))
    assert found is not None
    assert (found.kind, found.first, found.second) == (kind, "a", second)
    assert found.error == pytest.approx(1.0)


def test_a_lonely_bot_leads_nobody() -> None:
    """One rated bot is the only one, and without boards nobody leads."""
    alone = lead(ladder({}, count=1))
    assert alone is not None
    assert alone.kind == "alone"
    assert lead(ladder({}, boards=0)) is None
