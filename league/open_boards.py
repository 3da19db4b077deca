"""What boards of any shape add up to, and what each of them says of ratings, for the jackknife.

Pure numpy, a part of the boards at a time, so that a million matches fit. The order of boards decides every sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from league.arrays import Bools, Floats, Ints
from league.jackknife import Block
from league.open_results import OpenResults
from league.solver import chance
from league.sums import TIED, WON

AT_ONCE = 2_000_000
"""How many pairs of entries, or elements of matrices of boards, are held in memory at once."""


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Pairs of different players of one match, each pair in both orders: numbers of entries."""

    i: Ints
    k: Ints


@dataclass(frozen=True, kw_only=True)
class Boards:
    """Boards of k players each, m of them.

    `at`: (m, k) the players of each, ascending. The rest is by entry, ordered by match: `player`, `standing`;
    `place_in_board`: which element of `at`, counted through; `size`: of its match; `start`: the match's first entry.
    `deviation` is centred: it has sum 0 in every match.
    """

    at: Ints
    player: Ints
    place_in_board: Ints
    size: Ints
    start: Ints
    standing: Floats
    deviation: Floats

    @property
    def players(self) -> int:
        """How many players each board has, k."""
        return int(self.at.shape[1])

    def pairs(self) -> Iterator[Pairs]:
        """All pairs, some matches at a time."""
        for first, end in _runs(self.size, _different(self.start)):
            size = self.size[first:end]
            i = np.repeat(np.arange(first, end), size)
            k = np.arange(len(i)) - np.repeat(np.cumsum(size) - size, size) + self.start[i]
            yield Pairs(i=i[i != k], k=k[i != k])

    def half_points(self, pairs: Pairs) -> Ints:
        """What the first of each pair made of the match against the second."""
        own, other = self.standing[pairs.i], self.standing[pairs.k]
        points: Ints = WON * (own < other).astype(np.int64) + TIED * (own == other)
        return points

    def by_player(self, values: Floats, at: Ints | slice = slice(None)) -> Floats:
        """(m, k) sums of the values of entries `at`."""
        sums = np.bincount(self.place_in_board[at], values, minlength=self.at.size)
        return sums.astype(np.float64).reshape(self.at.shape)

    def by_pair(self, pairs: Pairs, values: Floats) -> Floats:
        """(m, k, k) sums of values of pairs."""
        cells = self.place_in_board[pairs.i] * self.players + self.place_in_board[pairs.k] % self.players
        shape = (*self.at.shape, self.players)
        return np.bincount(cells, values, minlength=self.at.size * self.players).astype(np.float64).reshape(shape)


def boards_of(results: OpenResults) -> Sequence[Boards]:
    """The boards of results, those of equally many players together, in a fixed order."""
    count = len(results.players)
    _, member = np.unique(results.board * count + results.player, return_inverse=True)
    first_member = np.minimum.reduceat(member, np.flatnonzero(_different(results.board)))
    players = np.diff(np.append(first_member, member.max() + 1))
    order = np.lexsort((np.arange(len(member)), results.board, players[results.board]))
    entries = _Entries(
        board=results.board[order],
        players=players[results.board[order]],
        within=(member - first_member[results.board])[order],
        match=results.match[order],
        player=results.player[order],
        standing=results.standing[order],
        deviation=_centred(results)[order],
    )
    return tuple(entries.boards())


def _centred(results: OpenResults) -> Floats:
    if results.deviation is None:
        return np.zeros(len(results.player))
    mean = np.bincount(results.match, results.deviation) / np.bincount(results.match)
    centred: Floats = results.deviation - mean[results.match]
    return centred


@dataclass(frozen=True, kw_only=True)
class _Entries:
    """All entries, by the number of players on their board, then by board, match and player."""

    board: Ints
    players: Ints
    within: Ints
    match: Ints
    player: Ints
    standing: Floats
    deviation: Floats

    def boards(self) -> Iterator[Boards]:
        """The entries in parts of boards with equally many players."""
        starts = _different(self.match)
        of_match = np.cumsum(starts) - 1
        size = np.bincount(of_match)[of_match]
        for low, high in _ranges(_different(self.players)):
            cost = np.maximum(size, self.players)[low:high]
            for first, end in _runs(cost, _different(self.board[low:high])):
                yield self._part(slice(low + first, low + end), size[low + first : low + end])

    def _part(self, part: slice, size: Ints) -> Boards:
        k = int(self.players[part][0])
        board = np.cumsum(_different(self.board[part])) - 1
        starts = _different(self.match[part])
        place = board * k + self.within[part]
        at = np.empty((int(board[-1]) + 1) * k, dtype=np.int64)
        at[place] = self.player[part]
        return Boards(
            at=at.reshape(-1, k),
            player=self.player[part],
            place_in_board=place,
            size=size,
            start=np.flatnonzero(starts)[np.cumsum(starts) - 1],
            standing=self.standing[part],
            deviation=self.deviation[part],
        )


def _different(values: Ints) -> Bools:
    """Where another value begins."""
    different: Bools = np.append(True, values[1:] != values[:-1])
    return different


def _ranges(begins: Bools) -> Iterator[tuple[int, int]]:
    return pairwise([*np.flatnonzero(begins).tolist(), len(begins)])


def _runs(cost: Ints, may_begin: Bools) -> Iterator[tuple[int, int]]:
    """Ranges of entries that cost about AT_ONCE together, and begin where they may."""
    edges = np.flatnonzero(may_begin)
    before = (np.cumsum(cost) - cost)[edges]
    return pairwise([*edges[_different(before // AT_ONCE)].tolist(), len(cost)])


@dataclass(frozen=True, kw_only=True)
class Totals:
    """Sums over all boards. By player: `boards`, `centred` (deviations). By pair of players: `wins` (half points),
    `meetings` (matches), `shares` (of these, the sum of 1/n), `boards_together` (on both are), `boards_met` (on which
    they met)."""

    boards: Ints
    centred: Floats
    wins: Ints
    meetings: Ints
    shares: Floats
    boards_together: Ints
    boards_met: Ints


def totals_of(boards: Sequence[Boards], size: int) -> Totals:
    """The sums over boards of `size` players."""
    square = (size, size)
    centred = np.zeros(size)
    of_boards = np.zeros(size, dtype=np.int64)
    wins, meetings, together, met = (np.zeros(square, dtype=np.int64) for _ in range(4))
    shares = np.zeros(square)
    for some in boards:
        at, k = some.at, some.players
        of_boards += np.bincount(at.ravel(), minlength=size)
        centred += np.bincount(some.player, some.deviation, minlength=size)
        met_here = np.zeros((*at.shape, k), dtype=bool)
        for pairs in some.pairs():
            cells = (some.player[pairs.i], some.player[pairs.k])
            np.add.at(wins, cells, some.half_points(pairs))
            np.add.at(meetings, cells, 1)
            np.add.at(shares, cells, 1.0 / some.size[pairs.i])
            met_here |= some.by_pair(pairs, np.ones(len(pairs.i))) > 0
        cells = (at[:, :, None], at[:, None, :])
        np.add.at(together, cells, 1)
        np.add.at(met, cells, met_here.astype(np.int64))
    np.fill_diagonal(together, 0)
    return Totals(
        boards=of_boards,
        centred=centred,
        wins=wins,
        meetings=meetings,
        shares=shares,
        boards_together=together,
        boards_met=met,
    )


def by_places(boards: Sequence[Boards], theta: Floats) -> Iterator[Block]:
    """What each board says of strengths from places."""
    for some in boards:
        weights, slope = np.zeros((*some.at.shape, some.players)), np.zeros(some.at.shape)
        for pairs in some.pairs():
            ahead = theta[some.player[pairs.i]] - theta[some.player[pairs.k]]
            p = chance(ahead)
            weights += some.by_pair(pairs, p * chance(-ahead))
            slope += some.by_player(some.half_points(pairs) / 2.0 - p, pairs.i)
        yield _block(some, weights, slope)


def by_points(boards: Sequence[Boards], beta: Floats) -> Iterator[Block]:
    """What each board says of points by least squares."""
    for some in boards:
        weights, slope = np.zeros((*some.at.shape, some.players)), some.by_player(some.deviation)
        for pairs in some.pairs():
            share = 1.0 / some.size[pairs.i]
            weights += some.by_pair(pairs, share)
            slope -= some.by_player(share * (beta[some.player[pairs.i]] - beta[some.player[pairs.k]]), pairs.i)
        yield _block(some, weights, slope)


def _block(boards: Boards, weights: Floats, slope: Floats) -> Block:
    information: Floats = np.eye(boards.players) * weights.sum(axis=2)[:, :, None] - weights
    return Block(
        at=boards.at,
        boards=np.ones(len(boards.at), dtype=np.int64),
        per_board=information,
        slopes=slope[:, :, None] * slope[:, None, :],
    )
