"""Results as they come in: each (board, rotation) once, with everything that follows from it in one transaction.

Owns what a result changes: the match and its sealed record, live Elo, and, when it completes its board, the sums. The
cost of a result does not depend on how many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from league.elo import k_factor, updated_ratings
from league.errors import LeagueError
from league.model import Claim, NewFault, TablePlan
from league.results import DealPoints, MatchResult, forfeits_of, result_of
from league.store.database import Database
from league.store.faults import add_fault, count_faults, is_told
from league.store.kept_records import Cards, Kept, kept_record
from league.store.pairs import add_pairs
from league.store.rows import forfeit_to_json, rotations_of, season_row
from league.store.schema import boards, entrants, match_players, match_records, matches, process_logs, seasons
from league.store.schema import sittings as sittings_table
from league.store.sealing import deal_secret_of, seal
from league.store.sittings import check_held, locked
from league.store.sums import add_board
from league.store.vault import Vault
from league.sums import pair_points
from referee.rules import Variant, parse_variant

LOG_BYTES_AT_MOST = 64 * 1024

# Made once: to write a statement costs as much as to run it, and each result needs all of them.
_STORED = select(matches.c.id).where(
    matches.c.season_id == bindparam("of_season"),
    matches.c.board == bindparam("of_board"),
    matches.c.rotation == bindparam("of_rotation"),
)
_NEW_MATCH = insert(matches).returning(matches.c.id)
_NEW_RECORD = insert(match_records)
_PLAYER = (entrants.c.season_id == bindparam("of_season")) & (entrants.c.number == bindparam("of_player"))
_PLAYERS = select(entrants.c.number, entrants.c.live_elo, entrants.c.matches).where(
    entrants.c.season_id == bindparam("of_season"), entrants.c.number.in_(bindparam("of_players", expanding=True))
)
_RATE = update(entrants).where(_PLAYER).values(live_elo=bindparam("elo"), matches=bindparam("count"))
_NEW_PLAYER = insert(match_players)
_SITTING = (
    update(sittings_table)
    .where(sittings_table.c.id == bindparam("of_sitting"))
    .values(stored=sittings_table.c.stored + 1)
)
_BOARD = (
    update(boards)
    .where(boards.c.season_id == bindparam("of_season"), boards.c.number == bindparam("of_board"))
    .values(stored=boards.c.stored + 1)
    .returning(boards.c.stored)
)
_SEASON = (
    update(seasons)
    .where(seasons.c.id == bindparam("of_season"))
    .values(
        matches_stored=bindparam("number"),
        ladder_version=seasons.c.ladder_version + 1,
        boards_over=seasons.c.boards_over + bindparam("whole"),
    )
)


class CommitStore:
    """Stores what a claimed sitting brings forth."""

    def __init__(self, database: Database, vault: Callable[[], Vault], clock: Callable[[], datetime]) -> None:
        self._database = database
        self._vault = vault
        self._clock = clock

    def commit(self, claim: Claim, record: Mapping[str, Any]) -> bool:
        """Stores a match of a claimed sitting; False when it is stored already, by whatever attempt.

        Raises LeagueError when the record is of no table of the claim or not of a match that is over, StaleAttemptError
        when the claim is lost.
        """
        table = _table_of(claim, record)
        variant = parse_variant(claim.variant)
        seated = tuple(claim.players[place].entrant for place in table.players)
        result = result_of(record, seated, variant)
        _check_result(claim, table, record, result)
        cards = Cards(secret=table.deal_secret, salt=table.deal_salt, rotation=table.rotation, variant=variant)
        kept = kept_record(record, cards)
        with self._database.writing() as connection:
            season, sitting = locked(connection, claim.sitting)
            if _is_stored(connection, claim.season, result):
                return False
            check_held(claim, season, sitting)
            number = season.matches_stored + 1
            self._insert_match(connection, claim, record, result, number=number, kept=kept)
            _rate_live(connection, claim.season, result, number)
            count_faults(connection, claim.season, claim.sitting, claim.attempt, match_id=table.match_id)
            whole = _count(connection, season, claim, result)
            if whole:
                results = _results_of_board(connection, claim.season, result)
                _add_whole(connection, claim.season, results, variant, number)
            connection.execute(_SEASON, {"of_season": claim.season, "number": number, "whole": int(whole)})
            return True

    def record_fault(self, claim: Claim, fault: NewFault) -> bool:
        """Stores one failure of a bot as one event; False when it is stored already.

        It counts as soon as this attempt has stored one of its matches, or has finished the sitting: what was void is
        played again, and the bot may then fail again or not.
        Raises StaleAttemptError when the claim is lost.
        """
        entrant = _player(claim, fault.player)
        with self._database.writing() as connection:
            season, sitting = locked(connection, claim.sitting)
            if is_told(connection, claim, fault):
                return False
            check_held(claim, season, sitting)
            add_fault(connection, claim, fault, entrant, self._clock())
            return True

    def keep_log(self, claim: Claim, *, process: int, player: int, exit_status: int | None, text: str) -> bool:
        """Keeps the standard error of a bot process, its last 64 KiB; False when it is kept already.

        Kept for any attempt, lost claims too: it is for the bot's author, who sees it when the set is over.
        """
        entrant = _player(claim, player)
        raw = text.encode(errors="replace")
        kept = raw[-LOG_BYTES_AT_MOST:].decode(errors="ignore").encode()
        with self._database.writing() as connection:
            known = select(process_logs.c.process).where(
                process_logs.c.sitting_id == claim.sitting,
                process_logs.c.attempt == claim.attempt,
                process_logs.c.process == process,
            )
            locked(connection, claim.sitting)  # or two could find it missing
            if connection.scalar(known) is not None:
                return False
            connection.execute(
                insert(process_logs).values(
                    sitting_id=claim.sitting,
                    attempt=claim.attempt,
                    process=process,
                    season_id=claim.season,
                    entrant=entrant,
                    exit_status=exit_status,
                    sealed=self._seal_log(connection, claim, process, kept),
                    truncated=len(raw) > LOG_BYTES_AT_MOST,
                )
            )
            return True

    def _seal_log(self, connection: Connection, claim: Claim, process: int, text: bytes) -> bytes:
        first = first_board(connection, claim.season, claim.set_number)
        secret = self._vault().secret(season_row(connection, claim.season).commitment)
        purpose = log_purpose(claim.sitting, claim.attempt, process)
        return seal(text, deal_secret_of(secret, first), purpose)

    def _insert_match(
        self,
        connection: Connection,
        claim: Claim,
        record: Mapping[str, Any],
        result: MatchResult,
        *,
        number: int,
        kept: Kept,
    ) -> None:
        new = {
            "match_id": record["match_id"],
            "season_id": claim.season,
            "board": result.board,
            "rotation": result.rotation,
            "number": number,
            "sitting_id": claim.sitting,
            "attempt": claim.attempt,
            "players": list(result.players),
            "scores": list(result.scores),
            "totals": list(record["totals"]),
            "places": list(result.places),
            "forfeits": [forfeit_to_json(forfeit) for forfeit in forfeits_of(record)],
            "deal_points": [[deal.contract, list(deal.points), list(deal.own)] for deal in result.deal_points],
            "ended_at": self._clock(),
        }
        row = connection.execute(_NEW_MATCH, new).scalar_one()
        connection.execute(_NEW_RECORD, {"match_id": row, "layout": kept.layout, "sealed": kept.sealed})


def log_purpose(sitting: int, attempt: int, process: int) -> str:
    """What seals the standard error of one process."""
    return f"log {sitting} {attempt} {process}"


def first_board(connection: Connection, season_id: int, set_number: int) -> int:
    """The lowest board of a set: its secret seals the set's logs."""
    of_set = (boards.c.season_id == season_id) & (boards.c.set_number == set_number)
    return int(connection.execute(select(func.min(boards.c.number)).where(of_set)).scalar_one())


def result_from(row: Row[Any], deals: int) -> MatchResult:
    """The result of a stored match of `deals` regular deals, from a row of `matches`."""
    failed = {forfeit["seat"] for forfeit in row.forfeits}
    return MatchResult(
        board=row.board,
        rotation=row.rotation,
        players=tuple(row.players),
        scores=tuple(row.scores),
        places=tuple(row.places),
        forfeited=tuple(seat in failed for seat in range(len(row.players))),
        deals=deals,
        deal_points=tuple(
            DealPoints(contract=contract, points=tuple(points), own=tuple(own))
            for contract, points, own in row.deal_points
        ),
    )


def _table_of(claim: Claim, record: Mapping[str, Any]) -> TablePlan:
    for table in claim.tables:
        if table.match_id == record["match_id"]:
            return table
    raise LeagueError(
        f"match {record['match_id']} is no table of attempt {claim.attempt} of sitting {claim.sitting}: "
        "commit the records of the claim's own tables"
    )


def _check_result(claim: Claim, table: TablePlan, record: Mapping[str, Any], result: MatchResult) -> None:
    if (result.board, result.rotation) != (table.board, table.rotation):
        raise LeagueError(
            f"match {table.match_id} is said to be board {result.board}, rotation {result.rotation}: "
            f"the plan has board {table.board}, rotation {table.rotation}"
        )
    labels = [claim.players[place].label for place in table.players]
    seated = [player["bot"] for player in sorted(record["players"], key=lambda player: int(player["seat"]))]
    if seated != labels:
        raise LeagueError(f"match {table.match_id} was played by {seated}: the plan has {labels}")
    if record["deal_secret"] not in {table.deal_secret, None}:
        raise LeagueError(f"match {table.match_id} was dealt from another secret than its board's")


def _is_stored(connection: Connection, season_id: int, result: MatchResult) -> bool:
    place = {"of_season": season_id, "of_board": result.board, "of_rotation": result.rotation}
    return connection.scalar(_STORED, place) is not None


def _rate_live(connection: Connection, season_id: int, result: MatchResult, number: int) -> None:
    """Moves the live ratings of the players, all read before any is written."""
    found = connection.execute(_PLAYERS, {"of_season": season_id, "of_players": result.players})
    rows = {row.number: row for row in found}
    before = [rows[player] for player in result.players]
    after = updated_ratings(
        [row.live_elo for row in before],
        [[points / 2 for points in line] for line in pair_points(result)],
        [k_factor(row.matches) for row in before],
    )
    both = list(zip(before, after, strict=True))
    connection.execute(
        _RATE,
        [
            {"of_season": season_id, "of_player": row.number, "elo": rating, "count": row.matches + 1}
            for row, rating in both
        ],
    )
    connection.execute(
        _NEW_PLAYER,
        [{"season_id": season_id, "entrant": row.number, "number": number, "live_elo": rating} for row, rating in both],
    )


def _count(connection: Connection, season: Row[Any], claim: Claim, result: MatchResult) -> bool:
    """Counts a result for its sitting and its board; says whether all rotations of the board are stored now."""
    connection.execute(_SITTING, {"of_sitting": claim.sitting})
    stored = connection.execute(_BOARD, {"of_season": claim.season, "of_board": result.board}).scalar_one()
    return bool(stored == rotations_of(season))


def _add_whole(
    connection: Connection, season_id: int, results: Sequence[MatchResult], variant: Variant, number: int
) -> None:
    """Adds a board that result `number` has made whole to all that is summed up."""
    this_board = (boards.c.season_id == season_id) & (boards.c.number == results[0].board)
    connection.execute(update(boards).where(this_board).values(whole_at=number))
    add_board(connection, season_id, results, variant)
    add_pairs(connection, season_id, results, variant)


def _results_of_board(connection: Connection, season_id: int, result: MatchResult) -> Sequence[MatchResult]:
    of_board = (matches.c.season_id == season_id) & (matches.c.board == result.board)
    rows = connection.execute(select(matches).where(of_board).order_by(matches.c.rotation))
    return [result_from(row, result.deals) for row in rows]


def _player(claim: Claim, place: int) -> int:
    if not 0 <= place < len(claim.players):
        raise LeagueError(f"player {place} is not in sitting {claim.sitting}: it has 0 to {len(claim.players) - 1}")
    return claim.players[place].entrant
