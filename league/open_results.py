"""Results of matches from anywhere: any players, any number at a table, any matches on a board.

Pure. Owns what makes results consistent and the order they are kept in, which depends on names alone, never on the
order of arrival. How files say it is `league.results_file`'s.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from league.arrays import Bools, Floats, Ints
from league.errors import LeagueError

HIGHEST_NUMBER = 1e9
NOT_GIVEN = math.nan


@dataclass(frozen=True, kw_only=True)
class OpenResults:
    """Results, one entry for each player of each match, ordered by board, match and player.

    `players`: names in ascending order; `player`, `match`, `board`: (entries,) numbers from 0. A match without a board
    is a board of its own. `standing`: lower is better, equal is tied; `place`: from 1, shared by ties. `deviation`:
    points against the mean of the table, None unless all are known. `named_boards`: boards that the results name.
    `first_named`: the player that was named first. `deals`: of a match, where the results say it.
    """

    players: tuple[str, ...]
    player: Ints
    match: Ints
    board: Ints
    standing: Floats
    place: Ints
    deviation: Floats | None
    named_boards: int
    first_named: int
    deals: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def matches(self) -> int:
        """How many matches there are."""
        return int(self.match[-1]) + 1

    @property
    def boards(self) -> int:
        """How many boards there are."""
        return int(self.board[-1]) + 1


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What a match says of one player: a place (from 1), points, or both; NaN is not given.

    `forfeit_cost`: the player forfeited, which costs so many points against the mean of the table; NaN if it did not.
    """

    player: str
    place: float = NOT_GIVEN
    points: float = NOT_GIVEN
    forfeit_cost: float = NOT_GIVEN


Fail = Callable[[int, str], NoReturn]


class Collector:
    """Gathers entries in any order, then puts them in one order and checks them.

    `fail(line, text)` raises the error that says where; lines count from 1.
    """

    def __init__(self, fail: Fail) -> None:
        self._fail = fail
        self._players: dict[str, int] = {}
        self._boards: dict[str, int] = {}
        self._named: dict[str, int] = {}
        self._match_keys: list[str] = []
        self._match_boards = array("q")
        self._player = array("q")
        self._match = array("q")
        self._line = array("q")
        self._place = array("d")
        self._points = array("d")
        self._forfeits: dict[int, float] = {}

    def __len__(self) -> int:
        """How many entries there are so far."""
        return len(self._player)

    def match(self, name: str, board: str, line: int) -> int:
        """The number of the match `name`, a new one if it was not heard of; `board` empty: none of that name."""
        known = self._named.get(name)
        at = -1 if not board else self._boards.setdefault(board, len(self._boards))
        if known is None:
            known = self._named[name] = self._add_match(name, at)
        elif self._match_boards[known] != at:
            self._fail(
                line,
                f"match {name!r} is on board {board!r} here and on another one before: "
                "give every match a name of its own in the whole file, such as 7-2 for the second of board 7",
            )
        return known

    def unnamed_match(self, content: str, board: str) -> int:
        """The number of a new match; `content` decides its order, and says all that is known of it."""
        return self._add_match(content, -1 if not board else self._boards.setdefault(board, len(self._boards)))

    def _add_match(self, key: str, board: int) -> int:
        self._match_keys.append(key)
        self._match_boards.append(board)
        return len(self._match_keys) - 1

    def add(self, match: int, player: str, place: float, points: float, line: int) -> None:
        """Adds what one match says of one player."""
        if place == place:  # noqa: PLR0124  # not NaN
            if not 1.0 <= place <= HIGHEST_NUMBER:
                self._fail(line, f"place {place:g} of {player!r}: places count from 1, the best; ties share one")
        elif points != points:  # noqa: PLR0124
            self._fail(line, f"{player!r} has neither a place nor points: give one of them, or both")
        if not (points != points or -HIGHEST_NUMBER <= points <= HIGHEST_NUMBER):  # noqa: PLR0124
            self._fail(line, f"points {points:g} of {player!r}: a finite number up to {HIGHEST_NUMBER:g} is expected")
        self._player.append(self._players.setdefault(player, len(self._players)))
        self._match.append(match)
        self._line.append(line)
        self._place.append(place)
        self._points.append(points)

    def add_all(self, match: int, entries: Sequence[Entry], line: int) -> None:
        """Adds a whole match."""
        for entry in entries:
            self.add(match, entry.player, entry.place, entry.points, line)
            if not math.isnan(entry.forfeit_cost):
                self._forfeits[len(self._player) - 1] = entry.forfeit_cost

    def results(self, *, deals: int | None = None, notes: Sequence[str] = ()) -> OpenResults:
        """All that was gathered; raises what `fail` raises when it is not consistent, or nothing."""
        if not self:
            raise LeagueError("there are no results: a match of at least two players is needed")
        names = sorted(self._players)
        board, match = self._order_of_matches()
        given = _Given(
            player=_ranks(list(self._players), names)[np.array(self._player)],
            match=match[np.array(self._match)],
            line=np.array(self._line),
            place=np.array(self._place),
            points=np.array(self._points),
            forfeit_cost=self._costs(),
        ).in_order()
        given.check(names, self._fail)
        standing = given.standing()
        return OpenResults(
            players=tuple(names),
            player=given.player,
            match=given.match,
            board=board[given.match],
            standing=standing,
            place=_places(given.match, standing),
            deviation=given.deviation(),
            named_boards=len(self._boards),
            first_named=names.index(next(iter(self._players))),
            deals=deals,
            notes=tuple(notes),
        )

    def _costs(self) -> Floats:
        costs = np.full(len(self._player), NOT_GIVEN)
        for at, cost in self._forfeits.items():
            costs[at] = cost
        return costs

    def _order_of_matches(self) -> tuple[Ints, Ints]:
        """The board of each match in the new order, and the new number of each match in the order of arrival."""
        keys = self._match_keys
        by_key = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)
        position = _inverse_order(by_key)
        board = np.array(self._match_boards)
        by_name = _ranks(list(self._boards), sorted(self._boards))
        named = board >= 0
        board[named] = by_name[board[named]]
        board[~named] = len(self._boards) + position[~named]
        order = np.lexsort((position, board))
        _, numbers = np.unique(board[order], return_inverse=True)
        return numbers.astype(np.int64), _inverse_order(order)


@dataclass(frozen=True, kw_only=True)
class _Given:
    """What was gathered, as arrays with an element for each entry."""

    player: Ints
    match: Ints
    line: Ints
    place: Floats
    points: Floats
    forfeit_cost: Floats

    def in_order(self) -> _Given:
        """The same by match, within a match by player."""
        order = np.lexsort((self.line, self.player, self.match))
        return _Given(**{name: values[order] for name, values in vars(self).items()})

    def check(self, names: Sequence[str], fail: Fail) -> None:
        """Checks every match; reports the first that is not right."""
        sizes = np.bincount(self.match)
        twice = np.flatnonzero((self.match[1:] == self.match[:-1]) & (self.player[1:] == self.player[:-1])) + 1
        if len(twice):
            at = twice[np.argmin(self.line[twice])]
            fail(int(self.line[at]), f"{names[self.player[at]]!r} is in the match twice: a player has one seat in it")
        alone = np.flatnonzero(sizes[self.match] == 1)
        if len(alone):
            at = alone[np.argmin(self.line[alone])]
            fail(int(self.line[at]), f"{names[self.player[at]]!r} is alone in its match: a match has two or more")
        for what, values, other in (("place", self.place, "points"), ("points", self.points, "place")):
            partly = self._partly(values)
            if len(partly):
                at = partly[np.argmin(self.line[partly])]
                fail(
                    int(self.line[at]),
                    f"{names[self.player[at]]!r} has no {what} where others of its match have: "
                    f"give {what} for all players of a match, or {other}",
                )

    def _partly(self, values: Floats) -> Ints:
        lacking = np.isnan(values)
        lacks = np.bincount(self.match, lacking)[self.match]
        some = (lacks > 0) & (lacks < np.bincount(self.match)[self.match])
        found: Ints = np.flatnonzero(some & lacking)
        return found

    def standing(self) -> Floats:
        """Place, or less points where there is none; who forfeited is last."""
        standing: Floats = np.where(np.isnan(self.place), -self.points, self.place)
        standing[self._forfeited()] = np.inf
        return standing

    def deviation(self) -> Floats | None:
        """Points against the mean of the table; None if some are not known."""
        if np.isnan(self.points).any():
            return None
        above: Floats = self.points - self._least()[self.match]  # so that who all tie are 0 exactly
        mean = np.bincount(self.match, above) / np.bincount(self.match)
        deviation: Floats = above - mean[self.match]
        gone = self._forfeited()
        deviation[gone] = -self.forfeit_cost[gone]
        return deviation

    def _least(self) -> Floats:
        least: Floats = np.minimum.reduceat(self.points, np.flatnonzero(np.append(True, np.diff(self.match) != 0)))
        return least

    def _forfeited(self) -> Bools:
        gone: Bools = ~np.isnan(self.forfeit_cost)
        return gone


def _places(match: Ints, standing: Floats) -> Ints:
    """Places from 1 within each match, shared by ties (1, 2, 2, 4); the entries of a match are together."""
    order = np.lexsort((standing, match))
    matches, standings = match[order], standing[order]
    at: Ints = np.arange(len(order))
    starts = np.append(True, matches[1:] != matches[:-1])
    news = starts | np.append(True, standings[1:] != standings[:-1])
    start_of_match = np.maximum.accumulate(np.where(starts, at, 0))
    start_of_tie = np.maximum.accumulate(np.where(news, at, 0))
    places = np.empty_like(at)
    places[order] = start_of_tie - start_of_match + 1
    return places


def _ranks(names: Sequence[str], ascending: Sequence[str]) -> Ints:
    """Where each name is among the ascending ones."""
    at = {name: rank for rank, name in enumerate(ascending)}
    return np.array([at[name] for name in names], dtype=np.int64)


def _inverse_order(order: Ints) -> Ints:
    inverse: Ints = np.empty(len(order), dtype=np.int64)
    inverse[order] = np.arange(len(order))
    return inverse
