"""The linear algebra of ratings: maximum likelihood, least squares, and what each board says of both.

Pure numpy; knows matrices, not bots. Everything is laid out by set of players, in a fixed order, so that the same
sums give the same bits. `G` below is always the inverse of an information matrix on the vectors that sum to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from league.arrays import Bools, Floats, Ints
from league.errors import LeagueError
from league.jackknife import Block
from league.linking import components
from league.sums import SetSums, layout

_STEPS_AT_MOST = 2000
_CONVERGED = 1e-9
_LONGEST_STEP = 2.0
_OVERFLOW = 700.0


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The sums of m sets of n players as arrays; bots are numbered 0 to `size` - 1.

    `rotations`: in how many matches each board was played; `at`: (m, n) the bots of each set; `boards`: (m,); `wins`,
    `devs`, `forfeits`: (m, n); the others: (m, n, n).
    """

    size: int
    rotations: int
    at: Ints
    boards: Ints
    wins: Ints
    wins_products: Ints
    devs: Ints
    devs_products: Ints
    pair_wins: Ints
    places: Ints
    forfeits: Ints

    @property
    def seats(self) -> int:
        """Players at a table, n."""
        return int(self.at.shape[1])

    def pair_sums(self, parts: Ints) -> Ints:
        """A (size, size) matrix that adds up (m, n, n) parts: exact, whatever the order."""
        total: Ints = np.zeros((self.size, self.size), dtype=np.int64)
        np.add.at(total, (self.at[:, :, None], self.at[:, None, :]), parts)
        return total

    def bot_sums(self, parts: Ints) -> Ints:
        """A (size, …) array that adds up (m, n, …) parts by bot: exact, whatever the order."""
        total: Ints = np.zeros((self.size, *parts.shape[2:]), dtype=np.int64)
        np.add.at(total, self.at, parts)
        return total

    def boards_of_bots(self) -> Ints:
        """How many boards each bot has."""
        return self.bot_sums(np.broadcast_to(self.boards[:, None], self.at.shape))

    def meetings(self) -> Ints:
        """How many matches each pair of bots has played with each other."""
        matches = self.boards[:, None, None] * self.rotations
        return self.pair_sums(matches * (1 - np.eye(self.seats, dtype=np.int64)))

    def boards_together(self) -> Ints:
        """How many boards each pair of bots has shared."""
        return self.meetings() // self.rotations


def layout_of(sums: Sequence[SetSums], bots: Sequence[int]) -> Layout:
    """Lays out sums, one for each set of players in ascending order; `bots` are the entrants that occur in them.

    Raises LeagueError when not all boards have the same number of rotations.
    """
    place = {bot: at for at, bot in enumerate(bots)}
    values: Ints = np.array([one.values for one in sums], dtype=np.int64)
    n = len(sums[0].players)
    parts = layout(n)
    boards, matches = values[:, parts["boards"]][:, 0], values[:, parts["matches"]][:, 0]
    rotations = int(matches[0] // boards[0])
    if (matches != boards * rotations).any():
        raise LeagueError("boards of different numbers of rotations: they are never in one ladder")

    def matrices(name: str) -> Ints:
        return values[:, parts[name]].reshape(-1, n, n)

    return Layout(
        size=len(bots),
        rotations=rotations,
        at=np.array([[place[player] for player in one.players] for one in sums], dtype=np.int64),
        boards=boards,
        wins=values[:, parts["wins"]],
        wins_products=matrices("wins_products"),
        devs=values[:, parts["devs"]],
        devs_products=matrices("devs_products"),
        pair_wins=matrices("pair_wins"),
        places=matrices("places"),
        forfeits=values[:, parts["forfeits"]],
    )


def expected(theta: Floats) -> Floats:
    """The matrix of p_ij, the expected score of i against j."""
    return chance(theta[:, None] - theta[None, :])


def chance(ahead: Floats) -> Floats:
    """The expected score of who is so far ahead. It is never 0: far behind, p · (1 - p) keeps its precision as
    chance(ahead) · chance(-ahead)."""
    return 1.0 / (1.0 + np.exp(np.minimum(-ahead, _OVERFLOW)))


def bradley_terry(wins: Floats, meetings: Floats, prior_draws: float) -> tuple[Floats, Floats]:
    """Strengths with mean 0 on the natural scale, and G, by Newton.

    `wins[i, j]`: points of i against j (ties ½) in `meetings[i, j]` matches. Each bot has `prior_draws` draws more
    against a phantom at the pool's mean. Raises LeagueError when without these a strength is not finite.
    """
    if prior_draws == 0:
        _check_finite(wins)
    theta: Floats = np.zeros(len(wins))
    for _ in range(_STEPS_AT_MOST):
        p = expected(theta)
        phantom = chance(theta)
        slope = (wins - meetings * p).sum(axis=1) + prior_draws * (0.5 - phantom)
        pull = prior_draws * phantom * chance(-theta)
        g = _inverse(_laplacian(meetings * p * p.T), pull)
        step = g @ slope
        longest = float(np.abs(step).max())
        # far from the solution a whole step may overshoot
        theta = theta + step * min(1.0, _LONGEST_STEP / max(1e-300, longest))
        theta -= theta.mean()
        if longest < _CONVERGED * max(1.0, float(np.abs(theta).max())):
            return theta, g
    raise LeagueError(f"the ratings do not settle within {_STEPS_AT_MOST} steps: use a larger prior")


def _check_finite(wins: Floats) -> None:
    """Without a prior, everybody must have scored, through others, against everybody else."""
    scored = wins > 0
    for direction in (scored, scored.T):
        reached: Bools = np.zeros(len(wins), dtype=bool)
        reached[0] = True
        for _ in range(len(wins)):
            reached |= direction[reached].any(axis=0)
        if not reached.all():
            raise LeagueError(
                "without a prior some ratings are infinite: a bot, or a group of bots, has won or lost everything "
                "against the others; use a prior above 0"
            )


def _laplacian(weights: Floats) -> Floats:
    laplacian: Floats = np.diag(weights.sum(axis=1)) - weights
    return laplacian


def _inverse(laplacian: Floats, pull: Floats) -> Floats:
    """G: the step, with sum 0, that an information matrix asks for; `pull` is a prior's part of its diagonal.

    Without a prior, steps have sum 0 among bots that are linked, and nothing is said about the others.
    """
    if (pull > 0).all():
        inverse = np.linalg.inv(laplacian + np.diag(pull))
        constrained: Floats = inverse - np.outer(inverse.sum(axis=1), inverse.sum(axis=0)) / inverse.sum()
        return constrained
    root = components(laplacian < 0)
    linked = (root[:, None] == root[None, :]).astype(np.float64)
    shift = linked / linked.sum(axis=1)[:, None]
    pseudo: Floats = np.linalg.inv(laplacian + shift) - shift
    return pseudo


def pair_slopes(sets: Layout, theta: Floats) -> Block:
    """The boards of all sets, with their slopes for strengths from places."""
    n, rotations = sets.seats, sets.rotations
    p = expected(theta)[sets.at[:, :, None], sets.at[:, None, :]]
    off_diagonal = 1.0 - np.eye(n)
    weights = rotations * p * p.transpose(0, 2, 1) * off_diagonal
    per_board: Floats = np.eye(n) * weights.sum(axis=2)[:, :, None] - weights
    hoped = rotations * (p * off_diagonal).sum(axis=2)
    slopes = _centred(sets.wins / 2.0, sets.wins_products / 4.0, hoped, sets.boards)
    return Block(at=sets.at, boards=sets.boards, per_board=per_board, slopes=slopes)


def deviation_slopes(sets: Layout, beta: Floats, unit: float) -> Block:
    """The same for points by least squares; `unit`: what one whole number of `devs` is worth."""
    centre: Floats = np.eye(sets.seats) - 1.0 / sets.seats
    fitted = sets.rotations * (centre @ beta[sets.at][:, :, None])[:, :, 0]
    devs = (sets.devs @ centre) * unit
    products = centre @ sets.devs_products @ centre * unit**2
    per_board: Floats = np.broadcast_to(sets.rotations * centre, products.shape).copy()
    slopes = _centred(devs, products, fitted, sets.boards)
    return Block(at=sets.at, boards=sets.boards, per_board=per_board, slopes=slopes)


def _centred(total: Floats, products: Floats, mean: Floats, boards: Ints) -> Floats:
    """The sum over boards of (x - mean)(x - mean)ᵀ, from the sums of x and of xxᵀ."""
    cross = total[:, :, None] * mean[:, None, :]
    spread: Floats = (
        products - cross - cross.transpose(0, 2, 1) + boards[:, None, None] * mean[:, :, None] * mean[:, None, :]
    )
    return spread


def least_squares(sets: Layout, unit: float) -> tuple[Floats, Floats]:
    """Points by least squares on the deviations, with mean 0 among bots that are linked, and G.

    Deviations of a table do not sum to nothing where somebody forfeited: the fit spreads the rest over all its players.
    """
    own = sets.bot_sums(sets.devs)
    of_table = sets.bot_sums(np.broadcast_to(sets.devs.sum(axis=1)[:, None], sets.at.shape))
    return solved((own - of_table / sets.seats) * unit, sets.meetings() / sets.seats)


def solved(centred: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Points by least squares, with mean 0 among bots that are linked, and G.

    `centred[i]`: the sum of deviations of i over its matches; `shares[i, k]`: the sum of 1/n over the matches
    of i and k.
    """
    g = _inverse(_laplacian(shares), np.zeros(len(shares)))
    return g @ centred, g
