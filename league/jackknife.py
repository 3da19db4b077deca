"""The jackknife: the spread of estimates when one board at a time is left out.

Pure numpy; knows matrices, not bots. `G` is the inverse of an information matrix on the vectors that sum to nothing, as
`league.solver` makes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from league.arrays import Bools, Floats, Ints

_FIT_ALONE = 1e-9
"""Below this share of information left, a board was the only link between some bots."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """Boards of k players each, in m lots of boards that have players and information in common.

    `at`: (m, k) the bots of each lot; `boards`: (m,) how many boards are in it; `per_board`: (m, k, k) the information
    that one board of it carries; `slopes`: (m, k, k) the sum, over its boards, of outer products of the board's slope.
    """

    at: Ints
    boards: Ints
    per_board: Floats
    slopes: Floats


@dataclass(frozen=True, kw_only=True)
class Jackknife:
    """The covariance of estimates from leaving out one board at a time, one Newton step each.

    `sole_links`: of each board without which some bots are not linked with the others, the pairs that
    met on it, (p, 2).
    """

    covariance: Floats
    sole_links: tuple[Ints, ...]


def jackknife(g: Floats, blocks: Iterable[Block]) -> Jackknife:
    """Leaves out every board in turn."""
    middle: Floats = np.zeros_like(g)
    sole_links: list[Ints] = []
    count = 0
    for block in blocks:
        g_block = g[block.at[:, :, None], block.at[:, None, :]]
        left: Floats = np.eye(block.at.shape[1]) - block.per_board @ g_block
        sole = (block.boards == 1) & _singular(left)
        lever: Floats = np.empty_like(left)
        lever[~sole] = np.linalg.inv(left[~sole])
        lever[sole] = np.linalg.pinv(left[sole], rcond=1e-9)
        parts = lever @ block.slopes @ lever.transpose(0, 2, 1)
        np.add.at(middle, (block.at[:, :, None], block.at[:, None, :]), parts)
        count += int(block.boards.sum())
        sole_links += [_met(block, at) for at in np.flatnonzero(sole).tolist()]
    covariance: Floats = (count - 1) / count * (g @ middle @ g)
    return Jackknife(covariance=covariance, sole_links=tuple(sole_links))


def _singular(matrices: Floats) -> Bools:
    """Which of some matrices with eigenvalues from 0 to 1 have one that is 0."""
    small: Bools = np.abs(np.linalg.det(matrices)) < _FIT_ALONE
    for at in np.flatnonzero(small).tolist():  # many eigenvalues below 1 have a small product as well
        small[at] = np.abs(np.linalg.eigvals(matrices[at])).min() < _FIT_ALONE
    return small


def _met(block: Block, at: int) -> Ints:
    """The pairs of bots that met on a board, by the information that it carries."""
    pairs = np.argwhere(np.triu(block.per_board[at] < 0, 1))
    met: Ints = block.at[at][pairs]
    return met
