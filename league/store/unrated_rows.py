"""Rows of unrated boards as the dataclasses of `league.unrated`, and what is stored of a board that was played.

Owns the JSON in the columns `players` and `matches`, and the packing of records. Checks nothing.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select

from league.results import forfeits_of
from league.store.submission_schema import unrated_boards, unrated_logs, unrated_records
from league.unrated import (
    PlayedRotation,
    Purpose,
    UnratedBoard,
    UnratedLog,
    UnratedMatch,
    UnratedPlayer,
    UnratedState,
)

LOG_BYTES_AT_MOST = 64 * 1024


def board_from(row: Row[Any]) -> UnratedBoard:
    """An unrated board from a row of `unrated_boards`."""
    return UnratedBoard(
        id=row.id,
        owner=row.owner,
        purpose=Purpose(row.purpose),
        submission=row.submission_id,
        variant=row.variant,
        time_control=row.time_control,
        players=tuple(UnratedPlayer(**player) for player in row.players),
        state=UnratedState(row.state),
        attempt=row.attempt,
        outcome=row.outcome,
        matches=tuple(_match_from(match) for match in row.matches),
        created_at=row.created_at,
        ended_at=row.ended_at,
    )


def players_json(players: Sequence[UnratedPlayer]) -> list[dict[str, Any]]:
    """The players as they are kept."""
    return [asdict(player) for player in players]


def write_played(connection: Connection, board_id: int, played: Sequence[PlayedRotation]) -> list[dict[str, Any]]:
    """Stores the records and logs of a board. Returns its matches as they are kept in its row."""
    for rotation in played:
        packed = zlib.compress(json.dumps(rotation.record, separators=(",", ":")).encode())
        new = {"match_id": rotation.record["match_id"], "board_id": board_id, "packed": packed}
        connection.execute(insert(unrated_records).values(rotation=rotation.result.rotation, **new))
        for log in rotation.logs:
            connection.execute(insert(unrated_logs).values(board_id=board_id, **_log_values(log)))
    return [_match_json(rotation) for rotation in played]


def unpacked(packed: bytes) -> dict[str, Any]:
    """A record from the column `packed`."""
    record: dict[str, Any] = json.loads(zlib.decompress(packed))
    return record


def log_from(row: Row[Any]) -> UnratedLog:
    """Standard error of a process from a row of `unrated_logs`."""
    return UnratedLog(
        rotation=row.rotation, process=row.process, player=row.player, exit_status=row.exit_status, text=row.text
    )


def drop_qualifying(connection: Connection, submission_id: int) -> None:
    """Removes the qualifying boards of a submission, with records and logs."""
    mine = (unrated_boards.c.submission_id == submission_id) & (unrated_boards.c.purpose == Purpose.QUALIFYING.value)
    ids = list(connection.scalars(select(unrated_boards.c.id).where(mine)))
    for table, column in (
        (unrated_records, unrated_records.c.board_id),
        (unrated_logs, unrated_logs.c.board_id),
        (unrated_boards, unrated_boards.c.id),
    ):
        connection.execute(delete(table).where(column.in_(ids)))


def _log_values(log: UnratedLog) -> dict[str, Any]:
    return {**asdict(log), "text": log.text[-LOG_BYTES_AT_MOST:].replace("\0", "\ufffd")}


def _match_json(played: PlayedRotation) -> dict[str, Any]:
    kinds = {forfeit.seat: forfeit.kind.value for forfeit in forfeits_of(played.record)}
    result = played.result
    return {
        "match_id": played.record["match_id"],
        "rotation": result.rotation,
        "players": list(result.players),
        "totals": list(played.record["totals"]),
        "places": list(result.places),
        "forfeited": [kinds.get(seat, "") for seat in range(len(result.players))],
    }


def _match_from(kept: Mapping[str, Any]) -> UnratedMatch:
    return UnratedMatch(
        match_id=kept["match_id"],
        rotation=kept["rotation"],
        players=tuple(kept["players"]),
        totals=tuple(kept["totals"]),
        places=tuple(kept["places"]),
        forfeited=tuple(kept["forfeited"]),
    )
