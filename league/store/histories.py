"""Ratings as they stood at the moments of a season, each with its audit: written once, read by pages.

Owns the tables `moments` and `past_ratings`. What the ladder said of the first so many boards is a function of the
stored results alone, so whoever comes to write a moment, and whenever, writes the same numbers. Sums are whole numbers:
those of a moment are the sums of today, less the boards that have become whole since.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, delete, insert, select

from league.estimates import Estimate
from league.histories import PastRating, moments
from league.model import SeasonState
from league.results import MatchResult
from league.store.commits import result_from
from league.store.database import Database
from league.store.history_schema import moments as moment_table
from league.store.history_schema import past_ratings
from league.store.rows import season_row
from league.store.schema import boards, matches
from league.store.sums import SeasonSums, read_sums
from league.sums import SetSums, board_sums
from referee.rules import Variant, parse_variant

if TYPE_CHECKING:
    from league.ratings import BotRating, Ratings

AUDIT_AT_MOST = 50_000_000
"""Ordered pairs times sets of players beyond which no audit is kept: it would take minutes."""

_ROWS_AT_ONCE = 1000
_WANTED = ("board", "rotation", "players", "scores", "places", "forfeits", "deal_points")


@dataclass(frozen=True, kw_only=True)
class _Moment:
    """What is written of a moment: `boards` whole ones, the last by result `at_result`."""

    boards: int
    at_result: int
    ratings: Ratings
    audit: Mapping[str, Any] | None


class HistoryStore:
    """Keeps the past of seasons."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def catch_up(self, season_id: int) -> int:
        """Writes the moments that a season has passed and that are not written yet; returns how many these were.

        To be called when a sitting is over, by whoever likes: twice, or by two at once, is harmless. Takes about as
        long as a ladder for each moment, and keeps no result waiting meanwhile.
        """
        with self._database.reading() as connection:
            made = _missing(connection, season_row(connection, season_id))
        if made:
            with self._database.writing() as connection:
                _write(connection, season_row(connection, season_id, lock=True), made)
        return len(made)

    def of_entrant(self, season_id: int, entrant: int) -> tuple[PastRating, ...]:
        """The ratings of an entrant at the moments at which it had any, the earliest first."""
        with self._database.reading() as connection:
            mine = (past_ratings.c.season_id == season_id) & (past_ratings.c.entrant == entrant)
            query = (
                select(past_ratings, moment_table.c.at_result)
                .join_from(past_ratings, moment_table)
                .where(mine)
                .order_by(past_ratings.c.season_boards)
            )
            return tuple(map(_past_rating, connection.execute(query)))

    def audit(self, season_id: int) -> Mapping[str, Any] | None:
        """The audit of the latest moment that has one, with the pairs that are flagged alone; None where none has."""
        with self._database.reading() as connection:
            query = (
                select(moment_table.c.audit)
                .where(moment_table.c.season_id == season_id, moment_table.c.audit.is_not(None))
                .order_by(moment_table.c.boards.desc())
                .limit(1)
            )
            found: Mapping[str, Any] | None = connection.scalar(query)
            return found


def rewrite_moments(connection: Connection, season: Row[Any]) -> None:
    """Makes anew, from the sums, what is kept of a season's past."""
    _forget(connection, season.id)
    _write(connection, season, _missing(connection, season))


def _forget(connection: Connection, season_id: int) -> None:
    connection.execute(delete(past_ratings).where(past_ratings.c.season_id == season_id))
    connection.execute(delete(moment_table).where(moment_table.c.season_id == season_id))


def _wanted(season: Row[Any]) -> tuple[int, ...]:
    return moments(season.boards_over, ended=season.state == SeasonState.ENDED)


def _written(connection: Connection, season_id: int) -> Sequence[int]:
    return connection.scalars(select(moment_table.c.boards).where(moment_table.c.season_id == season_id)).all()


def _missing(connection: Connection, season: Row[Any]) -> list[_Moment]:
    missing = set(_wanted(season)) - set(_written(connection, season.id))
    return _rated(connection, season, missing) if missing else []


def _write(connection: Connection, season: Row[Any], made: Iterable[_Moment]) -> None:
    """Writes moments that nobody else has written, and takes away those that are too fine for the season by now."""
    kept, written = set(_wanted(season)), set(_written(connection, season.id))
    for moment in made:
        if moment.boards in kept - written:
            _insert(connection, season.id, moment)
    _delete(connection, season.id, sorted(written - kept))


def _rated(connection: Connection, season: Row[Any], missing: set[int]) -> list[_Moment]:
    """The missing moments, the latest first: from the sums of today, taking away board after board."""
    variant = parse_variant(season.variant)
    sums = _Sums(read_sums(connection, season.id))
    found: list[_Moment] = []
    with closing(_backwards(connection, season)) as boards_whole:
        for number, (at_result, results) in zip(range(season.boards_over, 0, -1), boards_whole, strict=False):
            if number in missing:
                found.append(sums.moment(number, at_result, variant))
            if len(found) == len(missing):
                break
            sums.take_away(results, variant)
    return found


def _backwards(connection: Connection, season: Row[Any]) -> Generator[tuple[int, list[MatchResult]], None, None]:
    """Whole boards with the result that made them so, the latest first; to be closed, for it holds a cursor."""
    query = (
        select(boards.c.whole_at, *(matches.c[name] for name in _WANTED))
        .join_from(boards, matches)
        .where(boards.c.season_id == season.id, boards.c.whole_at.is_not(None))
        .order_by(boards.c.whole_at.desc(), matches.c.rotation)
        .execution_options(yield_per=_ROWS_AT_ONCE)
    )
    with connection.execute(query) as found:
        for whole_at, rows in groupby(found, key=lambda row: row.whole_at):
            yield whole_at, [result_from(row, season.deal_count) for row in rows]


class _Sums:
    """The sums of a season without its latest boards; by whether somebody forfeited, and by set of players."""

    def __init__(self, today: SeasonSums) -> None:
        by_flag = {False: today.clean, True: today.flagged}
        self._sums: dict[bool, dict[tuple[int, ...], SetSums]] = {
            flagged: {one.players: one for one in sums} for flagged, sums in by_flag.items()
        }

    def take_away(self, results: Sequence[MatchResult], variant: Variant) -> None:
        board = board_sums(results, variant.forfeit_points)
        sums = self._sums[any(any(result.forfeited) for result in results)]
        sums[board.players] = sums[board.players] - board

    def moment(self, boards_whole: int, at_result: int, variant: Variant) -> _Moment:
        from league.ratings import rate  # here, for its numerics take long to load

        clean, flagged = (
            [one for _players, one in sorted(self._sums[flag].items()) if one.boards] for flag in (False, True)
        )
        bots = 1 + max(player for one in (*clean, *flagged) for player in one.players)
        return _Moment(
            boards=boards_whole,
            at_result=at_result,
            ratings=rate([*clean, *flagged], bot_count=bots, deals=variant.deal_count),
            audit=_audit(clean, bots, variant),
        )


def _audit(clean: Sequence[SetSums], bots: int, variant: Variant) -> Mapping[str, Any] | None:
    """What pages show of the audit: counts, and the pairs that are flagged."""
    from league.collusion import audit, audit_summary

    if len(clean) * bots * (bots - 1) > AUDIT_AT_MOST:
        return None
    return audit_summary(audit(clean, deals=variant.deal_count))


def _insert(connection: Connection, season_id: int, moment: _Moment) -> None:
    connection.execute(
        insert(moment_table).values(
            season_id=season_id, boards=moment.boards, at_result=moment.at_result, audit=moment.audit
        )
    )
    rows = [
        {"season_id": season_id, "season_boards": moment.boards, **_numbers(bot)}
        for bot in moment.ratings.bots
        if bot.elo is not None
    ]
    connection.execute(insert(past_ratings), rows)


def _delete(connection: Connection, season_id: int, numbers: Sequence[int]) -> None:
    if numbers:
        for table, column in ((past_ratings, past_ratings.c.season_boards), (moment_table, moment_table.c.boards)):
            connection.execute(delete(table).where(table.c.season_id == season_id, column.in_(numbers)))


def _numbers(bot: BotRating) -> dict[str, Any]:
    return {"entrant": bot.entrant, "boards": bot.boards, **_columns("elo", bot.elo), **_columns("points", bot.points)}


def _columns(name: str, one: Estimate | None) -> dict[str, float | None]:
    values = (None, None, None) if one is None else (one.value, one.low, one.high)
    return dict(zip((name, f"{name}_low", f"{name}_high"), values, strict=True))


def _past_rating(row: Row[Any]) -> PastRating:
    points = None
    if row.points is not None:
        points = Estimate(value=row.points, low=row.points_low, high=row.points_high)
    return PastRating(
        season_boards=row.season_boards,
        at_result=row.at_result,
        boards=row.boards,
        elo=Estimate(value=row.elo, low=row.elo_low, high=row.elo_high),
        points=points,
    )
