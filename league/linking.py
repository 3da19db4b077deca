"""Which bots are linked by matches, directly or through others: only these can be compared.

Pure numpy; knows matrices, not bots.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from league.arrays import Bools, Ints


def components(linked: Bools) -> Ints:
    """For each bot the lowest bot that it is linked with, directly or through others."""
    size = len(linked)
    root: Ints = np.arange(size)
    for start in range(size):
        if root[start] == start:
            reached, front = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
            front[start] = True
            while front.any():
                reached |= front
                front = linked[front].any(axis=0) & ~reached
            root[reached] = start
    return root


def steady_groups(boards_met: Ints, sole_links: Sequence[Ints]) -> Ints:
    """For each bot a group: bots of one stay linked whichever single board is left out.

    `boards_met[i, k]`: boards on which i and k met; `sole_links`: as `jackknife` finds them.
    """
    others = boards_met.copy()
    for pairs in sole_links:
        others[pairs[:, 0], pairs[:, 1]] -= 1
        others[pairs[:, 1], pairs[:, 0]] -= 1
    _, within = np.unique(components(others > 0), return_inverse=True)
    links = [within[pairs] for pairs in sole_links]
    groups = _joined(links, len(within))[within]
    for left_out in range(len(links)):
        parts = _joined(links[:left_out] + links[left_out + 1 :], len(within))[within]
        _, groups = np.unique(groups * len(within) + parts, return_inverse=True)
    return groups.astype(np.int64)


def _joined(links: Sequence[Ints], size: int) -> Ints:
    """For each of `size` things a number that those have in common which pairs link."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = np.concatenate([*links, np.empty((0, 2), dtype=np.int64)])
    graph = coo_array((np.ones(len(pairs), dtype=np.int8), (pairs[:, 0], pairs[:, 1])), shape=(size, size))
    labels: Ints = connected_components(graph, directed=False)[1].astype(np.int64)
    return labels
