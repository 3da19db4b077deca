"""The JSON of `king rate`: the ladder of results from anywhere, the differences of all pairs, and a duel.

Pure. Names that the ladder of a league has too mean the same there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from league.duel import Duel, duel_of, is_duel
from league.errors import LeagueError
from league.estimates import Estimate
from league.game_pairs import EloModel, duel_score, duel_test
from league.model import PROVISIONAL_BELOW_BOARDS
from league.open_ratings import OpenRatings, Scale, rate_open
from league.open_results import OpenResults
from league.ratings import PRIOR_DRAWS

DIFFERENCES_UP_TO_PLAYERS = 300
"""With more players differences of all pairs are not listed: there would be more than 44,850."""
GROUPS_NAMED = 4
PLAYERS_NAMED = 5
LEAST_PRIOR = 0.001
"""A smaller prior that is not 0 holds nobody: ratings are as large as the precision of the arithmetic lets them."""


@dataclass(frozen=True, kw_only=True)
class DuelQuestion:
    """What a sequential test asks: whether `of` (None: who was named first) is `elo1` better rather than `elo0`."""

    elo0: float
    elo1: float
    model: EloModel = EloModel.NORMALIZED
    of: str | None = None


@dataclass(frozen=True, kw_only=True)
class Asked:
    """How results are to be rated. `anchor`: the player put at `anchor_elo`, in place of the mean of all at `mean`.

    `deals`: of a match, to give points by deal; None: as the results say, else 1.
    """

    prior: float = PRIOR_DRAWS
    mean: float = Scale().mean
    anchor: str | None = None
    anchor_elo: float = Scale().mean
    deals: int | None = None
    question: DuelQuestion | None = None


def rated_json(results: OpenResults, asked: Asked) -> dict[str, Any]:
    """The ladder of results, best first; numbers that cannot be told are null. Raises LeagueError."""
    _check(results, asked)
    anchor = None if asked.anchor is None else results.players.index(asked.anchor)
    duel = _duel_json(results, asked.question)
    ratings = rate_open(
        results,
        prior_draws=asked.prior,
        scale=Scale(mean=asked.mean, anchor=anchor, anchor_elo=asked.anchor_elo),
    )
    deals = asked.deals or results.deals or 1
    order = _order(results, ratings)
    return {
        "ratings": [_row_json(rank, i, results, ratings, deals) for rank, i in enumerate(order, 1)],
        "differences": _differences(order, results, ratings, deals),
        "judged_by": "points" if ratings.points else "places",
        "players": len(results.players),
        "matches": results.matches,
        "boards": results.boards,
        "deals_per_match": deals,
        "prior": asked.prior,
        "mean": asked.mean if anchor is None else None,
        "anchor": None if anchor is None else {"player": asked.anchor, "elo": asked.anchor_elo},
        "duel": duel,
        "notes": [*results.notes, *_notes(results, ratings)],
    }


def _check(results: OpenResults, asked: Asked) -> None:
    question = asked.question
    for what, name in (("anchor", asked.anchor), ("the player to test", question.of if question else None)):
        if name is not None and name not in results.players:
            some = ", ".join(map(repr, results.players[:10]))
            raise LeagueError(f"{what} {name!r} is not among the players: {some}{', …' * (len(results.players) > 10)}")
    if asked.prior and not LEAST_PRIOR <= asked.prior < math.inf:
        raise LeagueError(f"a prior of {asked.prior:g} draws: 0 (none), or a number from {LEAST_PRIOR:g}, is expected")


def _order(results: OpenResults, ratings: OpenRatings) -> list[int]:
    def key(i: int) -> tuple[float, float, str]:
        return -ratings.elo[i].value, -ratings.points[i].value if ratings.points else 0.0, results.players[i]

    return sorted(range(len(results.players)), key=key)


def _notes(results: OpenResults, ratings: OpenRatings) -> list[str]:
    notes = []
    if ratings.groups.any():
        notes.append(_note_on_groups(results.players, ratings))
    if len(results.players) > DIFFERENCES_UP_TO_PLAYERS:
        notes.append(f"differences are listed up to {DIFFERENCES_UP_TO_PLAYERS} players: here are none")
    return notes


def _note_on_groups(players: Sequence[str], ratings: OpenRatings) -> str:
    """Who cannot be compared with the largest group, and why."""
    groups = [np.flatnonzero(ratings.groups == at).tolist() for at in range(int(ratings.groups.max()) + 1)]
    largest, *others = sorted(groups, key=lambda group: (-len(group), group))
    apart = [
        f"{_named(players, group)} ({_cause(linked=ratings.linked[group[0]] == ratings.linked[largest[0]])})"
        for group in others[:GROUPS_NAMED]
    ]
    more = len(others) - GROUPS_NAMED
    return (
        f"there are no intervals between {len(groups)} groups of players: {_named(players, largest)}; "
        f"{'; '.join(apart)}{f'; and {more} more' if more > 0 else ''}"
    )


def _cause(*, linked: bool) -> str:
    return "linked with the first by one board only" if linked else "not linked with the first by any match"


def _named(players: Sequence[str], group: Sequence[int]) -> str:
    named = ", ".join(repr(players[i]) for i in group[:PLAYERS_NAMED])
    return named if len(group) <= PLAYERS_NAMED else f"{named} and {len(group) - PLAYERS_NAMED} more"


def _parts(estimate: Estimate | None, by: float = 1.0) -> tuple[float | None, float | None, float | None]:
    values = (None, None, None) if estimate is None else (estimate.value, estimate.low, estimate.high)
    value, low, high = (None if each is None else each / by for each in values)
    return value, low, high


def _row_json(rank: int, i: int, results: OpenResults, ratings: OpenRatings, deals: int) -> dict[str, Any]:
    elo, elo_low, elo_high = _parts(ratings.elo[i])
    points, points_low, points_high = _parts(ratings.points[i] if ratings.points else None, deals)
    boards = int(ratings.boards[i])
    return {
        "rank": rank,
        "player": results.players[i],
        "boards": boards,
        "matches": int(ratings.matches[i]),
        "elo": elo,
        "elo_low": elo_low,
        "elo_high": elo_high,
        "points_per_deal": points,
        "points_low": points_low,
        "points_high": points_high,
        "provisional": boards < PROVISIONAL_BELOW_BOARDS,
        "places": ratings.places[i].tolist(),
        "prior_pull": float(ratings.prior_pull[i]),
    }


def _differences(order: Sequence[int], results: OpenResults, ratings: OpenRatings, deals: int) -> list[dict[str, Any]]:
    if len(order) > DIFFERENCES_UP_TO_PLAYERS:
        return []
    p_values = ratings.p_values()
    rows = []
    for at, i in enumerate(order):
        for k in order[at + 1 :]:
            elo, elo_low, elo_high = _parts(ratings.pairs_elo.difference(i, k))
            between = ratings.pairs_points.difference(i, k) if ratings.pairs_points else None
            points, low, high = _parts(between, deals)
            p, p_holm = p_values[min(i, k), max(i, k)]
            rows.append(
                {
                    "a": results.players[i],
                    "b": results.players[k],
                    "points_per_deal": points,
                    "low": low,
                    "high": high,
                    "elo": elo,
                    "elo_low": elo_low,
                    "elo_high": elo_high,
                    "p_above": p_above(elo or 0.0),
                    "p": p,
                    "p_holm": p_holm,
                    "boards_together": int(ratings.boards_together[i, k]),
                }
            )
    return rows


def p_above(elo: float) -> float:
    """The chance to finish a match above another who has so much less Elo, a tie counting half."""
    odds_against = math.pow(10.0, -abs(elo) / 400.0)
    return (1.0 if elo >= 0.0 else odds_against) / (1.0 + odds_against)


def _duel_json(results: OpenResults, question: DuelQuestion | None) -> dict[str, Any] | None:
    if question is None and not is_duel(results):
        return None
    of = None if question is None or question.of is None else results.players.index(question.of)
    duel = duel_of(results, of)
    score = duel_score(duel.counts)
    lost, tied, won = duel.matches
    return {
        "a": results.players[duel.a],
        "b": results.players[duel.b],
        "won": won,
        "tied": tied,
        "lost": lost,
        "pairs": None if duel.pairs is None else list(duel.pairs),
        "counted_by": "pairs" if duel.pairs else "matches",
        "left_out": duel.alone if duel.pairs else 0,
        "score": score.score,
        "elo": score.elo,
        "elo_error": score.elo_error,
        "normalized_elo": score.normalized_elo,
        "normalized_elo_error": score.normalized_elo_error,
        "los": score.los,
        "sprt": None if question is None else _test_json(results, duel, question),
    }


def _test_json(results: OpenResults, duel: Duel, question: DuelQuestion) -> dict[str, Any]:
    if duel.pairs is None and results.boards < results.matches:
        raise LeagueError(
            "boards have more than two matches: a sequential test takes boards of two, or matches without boards"
        )
    test = duel_test(duel.counts, elo0=question.elo0, elo1=question.elo1, model=question.model)
    return {
        "model": test.model,
        "elo0": test.elo0,
        "elo1": test.elo1,
        "llr": test.llr,
        "lower": test.lower,
        "upper": test.upper,
        "verdict": test.verdict,
    }
