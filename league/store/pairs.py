"""What every two bots of a season have done against each other, kept as boards become whole.

Owns the table `pair_sums`; what is kept of a pair, and how it adds up, is `league.pair_sums`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from league.pair_sums import PairSums, board_pairs
from league.results import MatchResult
from league.store.history_schema import pair_sums
from referee.rules import Variant


def add_pairs(connection: Connection, season_id: int, results: Sequence[MatchResult], variant: Variant) -> None:
    """Adds a board whose rotations are all given, as the latest that became whole."""
    made = board_pairs(results, variant.forfeit_points)
    players = sorted(results[0].players)
    table = pair_sums.c
    known = read_pairs(connection, season_id, players)
    older = [known[one.a, one.b].followed_by(one) for one in made if (one.a, one.b) in known]
    _insert(connection, season_id, [one for one in made if (one.a, one.b) not in known])
    if older:
        this_pair = (table.season_id == season_id) & (table.a == bindparam("of_a")) & (table.b == bindparam("of_b"))
        new: dict[str, Any] = {name: bindparam(f"new_{name}") for name in ("sums", "widest", "path")}
        connection.execute(
            update(pair_sums).where(this_pair).values(new),
            [
                {"of_a": one.a, "of_b": one.b, **{f"new_{name}": value for name, value in one.packed().items()}}
                for one in older
            ],
        )


def gathering_pairs(
    boards: Iterable[Sequence[MatchResult]], variant: Variant, pairs: dict[tuple[int, int], PairSums]
) -> Iterator[Sequence[MatchResult]]:
    """Passes on whole boards, in the order in which they became so, and adds them to `pairs` as they go by."""
    for results in boards:
        for one in board_pairs(results, variant.forfeit_points):
            known = pairs.get((one.a, one.b))
            pairs[one.a, one.b] = one if known is None else known.followed_by(one)
        yield results


def write_pairs(connection: Connection, season_id: int, pairs: Mapping[tuple[int, int], PairSums]) -> None:
    """Writes the pairs of a season that has none."""
    _insert(connection, season_id, [pairs[key] for key in sorted(pairs)])


def read_pair(connection: Connection, season_id: int, a: int, b: int) -> PairSums | None:
    """Two bots on the boards of both, seen from `a`; None where they have none."""
    first, second = sorted((a, b))
    row = connection.execute(
        select(pair_sums).where(pair_sums.c.season_id == season_id, pair_sums.c.a == first, pair_sums.c.b == second)
    ).one_or_none()
    if row is None:
        return None
    pair = _pair_from(row)
    return pair if pair.a == a else pair.turned()


def read_pairs(connection: Connection, season_id: int, among: Sequence[int]) -> Mapping[tuple[int, int], PairSums]:
    """All pairs a < b of some entrants that have boards together."""
    table = pair_sums.c
    query = select(pair_sums).where(table.season_id == season_id, table.a.in_(among), table.b.in_(among))
    return {(row.a, row.b): _pair_from(row) for row in connection.execute(query)}


def forget_pairs(connection: Connection, season_id: int) -> None:
    """Deletes a season's pairs, to make them anew from results."""
    connection.execute(delete(pair_sums).where(pair_sums.c.season_id == season_id))


def _pair_from(row: Row[Any]) -> PairSums:
    return PairSums.unpacked(row.a, row.b, sums=row.sums, widest=row.widest, path=row.path)


def _insert(connection: Connection, season_id: int, pairs: Sequence[PairSums]) -> None:
    if pairs:
        rows = [{"season_id": season_id, "a": one.a, "b": one.b, **one.packed()} for one in pairs]
        connection.execute(insert(pair_sums), rows)
