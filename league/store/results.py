"""Results as they are looked up: matches, records, faults, standard error; and the rebuilding of sums from them.

Owns the rule of publication: a record, or standard error, is given out when its set of boards is over, not before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from league.errors import NotPublicYetError, NotThereError, Thing
from league.model import Fault, MatchRow, ProcessLog
from league.results import MatchResult
from league.store.commits import CommitStore, first_board, log_purpose, result_from
from league.store.kept_records import Cards, Kept, Layout, opened_record
from league.store.rebuilding import rebuild_sums
from league.store.rows import fault_from, labels_of, match_from, season_row, select_faults, select_matches
from league.store.schema import (
    board_sets,
    boards,
    entrants,
    faults,
    match_players,
    match_records,
    matches,
    process_logs,
    seasons,
)
from league.store.schema import sittings as sittings_table
from league.store.sealing import unseal
from referee.rules import parse_variant


class ResultStore(CommitStore):
    """Looks up what has been stored."""

    def count(self, season_id: int, *, bot: int | None = None) -> int:
        """How many matches are stored, of the whole season or of one entrant."""
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            if bot is None:
                return int(season.matches_stored)
            mine = (entrants.c.season_id == season_id) & (entrants.c.number == bot)
            return connection.scalar(select(entrants.c.matches).where(mine)) or 0

    def matches(
        self, season_id: int, *, bot: int | None = None, limit: int = 50, before: int | None = None
    ) -> tuple[MatchRow, ...]:
        """The latest matches of the season or of one entrant, newest first; page on with the number of the last."""
        with self._database.reading() as connection:
            season_row(connection, season_id)
            query = select_matches().where(matches.c.season_id == season_id)
            number = matches.c.number
            if bot is not None:
                number = match_players.c.number
                of_bot = (match_players.c.season_id == season_id) & (match_players.c.entrant == bot)
                query = query.join(match_players, of_bot & (match_players.c.number == matches.c.number))
            if before is not None:
                query = query.where(number < before)
            labels = labels_of(connection, season_id)
            rows = connection.execute(query.order_by(number.desc()).limit(limit))
            return tuple(match_from(row, labels) for row in rows)

    def match(self, match_id: str) -> MatchRow:
        """The stored match with this id; LeagueError when there is none."""
        with self._database.reading() as connection:
            row = _match_row(connection, match_id)
            return match_from(row, labels_of(connection, row.season_id))

    def board_matches(self, season_id: int, board: int) -> tuple[MatchRow, ...]:
        """The stored rotations of a board, in their order."""
        with self._database.reading() as connection:
            of_board = (matches.c.season_id == season_id) & (matches.c.board == board)
            labels = labels_of(connection, season_id)
            rows = connection.execute(select_matches().where(of_board).order_by(matches.c.rotation))
            return tuple(match_from(row, labels) for row in rows)

    def matches_of_boards(self, season_id: int, numbers: Sequence[int]) -> tuple[MatchRow, ...]:
        """The stored matches of some boards, newest first."""
        with self._database.reading() as connection:
            these = (matches.c.season_id == season_id) & matches.c.board.in_(numbers)
            labels = labels_of(connection, season_id)
            rows = connection.execute(select_matches().where(these).order_by(matches.c.number.desc()))
            return tuple(match_from(row, labels) for row in rows)

    def latest_public_boards(self, season_id: int, *, limit: int, bot: int | None = None) -> tuple[int, ...]:
        """Boards that count of the latest sets that are over, of the whole season or of one entrant, latest first."""
        of_set = (board_sets.c.season_id == boards.c.season_id) & (board_sets.c.number == boards.c.set_number)
        query = select(boards.c.number, boards.c.set_number).join(board_sets, of_set)
        query = query.where(
            boards.c.season_id == season_id, board_sets.c.over_at.is_not(None), boards.c.void.is_(False)
        )
        if bot is not None:
            here = (matches.c.season_id == boards.c.season_id) & (matches.c.board == boards.c.number)
            mine = (match_players.c.season_id == season_id) & (match_players.c.entrant == bot)
            query = query.join(matches, here).join(match_players, mine & (match_players.c.number == matches.c.number))
        latest_first = query.order_by(boards.c.set_number.desc(), boards.c.number.desc())
        with self._database.reading() as connection:
            return tuple(connection.scalars(latest_first.distinct().limit(limit)))

    def public_results(self, season_id: int, numbers: Sequence[int]) -> tuple[tuple[MatchRow, MatchResult], ...]:
        """The public matches of some boards that count, with their points by deal, by board and rotation."""
        with self._database.reading() as connection:
            season = season_row(connection, season_id)
            these = (matches.c.season_id == season_id) & matches.c.board.in_(numbers)
            query = select_matches().where(these, board_sets.c.over_at.is_not(None), boards.c.void.is_(False))
            labels = labels_of(connection, season_id)
            rows = connection.execute(query.order_by(matches.c.board, matches.c.rotation))
            return tuple((match_from(row, labels), result_from(row, season.deal_count)) for row in rows)

    def record(self, match_id: str) -> dict[str, Any]:
        """The record of a match, secrets included.

        Raises NotPublicYetError while its set of boards is being played, LeagueError for an unknown match.
        """
        with self._database.reading() as connection:
            row = _match_row(connection, match_id)
            if not row.public:
                raise NotPublicYetError(
                    f"match {match_id} is of board {row.board}, whose cards are still being played: "
                    f"its record becomes public when set {row.set_number} is over"
                )
            found = connection.execute(_select_record(row)).one()
            cards = Cards(
                secret=str(found.deal_secret),
                salt=found.deal_salt,
                rotation=row.rotation,
                variant=parse_variant(found.variant),
            )
        return opened_record(Kept(layout=Layout(found.layout), sealed=found.sealed), cards)

    def faults(self, season_id: int, *, bot: int | None = None, limit: int = 100) -> tuple[Fault, ...]:
        """The latest faults that count, newest first, of the whole season or of one entrant.

        Not those of tables that are being played, or were void and played again.
        """
        with self._database.reading() as connection:
            season_row(connection, season_id)
            query = select_faults().where(faults.c.season_id == season_id, faults.c.counted)
            if bot is not None:
                query = query.where(faults.c.entrant == bot)
            return tuple(map(fault_from, connection.execute(query.order_by(faults.c.id.desc()).limit(limit))))

    def logs(self, season_id: int, *, bot: int | None = None, limit: int = 100) -> tuple[ProcessLog, ...]:
        """Standard error of bot processes, newest sittings first, only of sets of boards that are over."""
        with self._database.reading() as connection:
            season_row(connection, season_id)
            over = (
                (board_sets.c.season_id == season_id)
                & (board_sets.c.number == sittings_table.c.set_number)
                & board_sets.c.over_at.is_not(None)
            )
            query = (
                select(process_logs, entrants.c.label, sittings_table.c.set_number)
                .join(sittings_table, sittings_table.c.id == process_logs.c.sitting_id)
                .join(board_sets, over)
                .join(
                    entrants,
                    (entrants.c.season_id == season_id) & (entrants.c.number == process_logs.c.entrant),
                )
                .where(process_logs.c.season_id == season_id)
            )
            if bot is not None:
                query = query.where(process_logs.c.entrant == bot)
            newest = query.order_by(
                process_logs.c.sitting_id.desc(), process_logs.c.attempt.desc(), process_logs.c.process
            )
            return tuple(_log_from(connection, row) for row in connection.execute(newest.limit(limit)).all())

    def rebuild(self, season_id: int) -> int:
        """Rebuilds the season's sums from its stored matches; returns how many whole boards there are."""
        with self._database.writing() as connection:
            return rebuild_sums(connection, season_row(connection, season_id, lock=True))

    def updated_at(self, season_id: int) -> Any:
        """When the latest result of a season came in; None while there is none."""
        with self._database.reading() as connection:
            return connection.scalar(select(func.max(matches.c.ended_at)).where(matches.c.season_id == season_id))


def _match_row(connection: Connection, match_id: str) -> Row[Any]:
    row = connection.execute(select_matches().where(matches.c.match_id == match_id)).one_or_none()
    if row is None:
        is_so = "is stored: ids of matches are 16 hex digits, as the match list has them"
        raise NotThereError(Thing.MATCH, match_id, f"{match_id!r} {is_so}")
    return row


def _select_record(match: Row[Any]) -> Select[Any]:
    """The record of a match, a row of `select_matches`, with what it is sealed and packed by."""
    this_board = (boards.c.season_id == match.season_id) & (boards.c.number == match.board)
    this_set = (board_sets.c.season_id == match.season_id) & (board_sets.c.number == match.set_number)
    this_season = seasons.c.id == match.season_id
    all_of_it = match_records.join(boards, this_board).join(board_sets, this_set).join(seasons, this_season)
    columns = (match_records, boards.c.deal_secret, board_sets.c.deal_salt, seasons.c.variant)
    return select(*columns).select_from(all_of_it).where(match_records.c.match_id == match.id)


def _deal_secret(connection: Connection, season_id: int, board: int) -> str:
    this_board = (boards.c.season_id == season_id) & (boards.c.number == board)
    return str(connection.execute(select(boards.c.deal_secret).where(this_board)).scalar_one())


def _log_from(connection: Connection, row: Row[Any]) -> ProcessLog:
    first = first_board(connection, row.season_id, row.set_number)
    secret = _deal_secret(connection, row.season_id, first)
    text = unseal(row.sealed, secret, log_purpose(row.sitting_id, row.attempt, row.process))
    return ProcessLog(
        season=row.season_id,
        sitting=row.sitting_id,
        attempt=row.attempt,
        process=row.process,
        entrant=row.entrant,
        label=row.label,
        exit_status=row.exit_status,
        text=text.decode(),
        truncated=row.truncated,
    )
