"""Plays one board outside of any season, each rotation with fresh processes, and keeps what comes of it.

The sittings are those of a league. Its secret is drawn here and known to nobody before all rotations are over. With a
remote bot, which remembers what it likes, each rotation is of a board of its own, and they are one sitting, as in an
open season. Stores nothing and judges nobody.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from league.pairing import players_by_seat
from league.results import result_of
from league.unrated import PlayedRotation, UnratedLog
from referee.dealing import LOCAL_SALT
from referee.rules import Variant
from workers.bots import BotProgram
from workers.referee_client import FaultSeen, PlayerPlan, SittingPlan, TablePlan
from workers.sitting import Venue, play_sitting

PROCESS_LIMIT = 1
"""A board has one table at a time."""


@dataclass(frozen=True, kw_only=True)
class BoardPlayer:
    """Who plays, as records name it. `program`: None for a remote bot, whose id is `remote`."""

    name: str
    version: str
    program: BotProgram | None
    remote: str = ""

    @classmethod
    def of(cls, program: BotProgram) -> BoardPlayer:
        """A bot that we start."""
        return cls(name=program.name, version=program.version, program=program)


@dataclass(frozen=True, kw_only=True)
class BoardToPlay:
    """What is to be played: the players in cyclic order. `heard`: the places of those whose standard error is kept."""

    players: Sequence[BoardPlayer]
    variant: Variant
    time_control: str
    heard: frozenset[int]


@dataclass(kw_only=True)
class BoardPlayed:
    """All rotations of a board, and the faults that there were, by player."""

    rotations: list[PlayedRotation] = field(default_factory=list)
    faults: dict[int, list[FaultSeen]] = field(default_factory=dict)


async def play_board(board: BoardToPlay, stage: Venue) -> BoardPlayed:
    """Play all rotations. Cancelling drops the board.

    Raises:
        SittingError: it could not be played; nobody's fault.
    """
    rotations = range(board.variant.seats)
    if any(player.remote for player in board.players):
        sittings = [[_table(board, secrets.token_bytes(32), each, number=each + 1) for each in rotations]]
    else:
        secret = secrets.token_bytes(32)
        sittings = [[_table(board, secret, each)] for each in rotations]
    played = BoardPlayed()
    for tables in sittings:
        await _play_tables(board, tables, played, stage)
    return played


def forfeits_told(variant: Variant, played: BoardPlayed, player: int) -> str:
    """By what a player has forfeited: the variant, and the first fault with its detail. Empty if it has not."""
    fault = next((fault for fault in played.faults.get(player, ()) if fault.forfeits), None)
    return "" if fault is None else f"{variant.id}: {fault.kind}: {fault.detail}"


async def _play_tables(board: BoardToPlay, tables: Sequence[TablePlan], played: BoardPlayed, stage: Venue) -> None:
    sink = _Sink(board, tables[0].rotation, played.faults)
    programs = [player.program for player in board.players]
    plan = _sitting(board, tables)
    await play_sitting(plan, programs, stage=stage.telling_last_words(), sink=sink)
    for table in tables:
        record = sink.records[table.match_id]
        logs = tuple(sink.logs) if table is tables[0] else ()
        result = result_of(record, table.players, board.variant)
        played.rotations.append(PlayedRotation(result=result, record=record, logs=logs))


class _Sink:
    """Takes what comes of one sitting; `rotation` is the first one of it."""

    def __init__(self, board: BoardToPlay, rotation: int, faults: dict[int, list[FaultSeen]]) -> None:
        self.records: dict[str, dict[str, Any]] = {}
        self.logs: list[UnratedLog] = []
        self._board = board
        self._rotation = rotation
        self._faults = faults

    async def keep_result(self, match_id: str, record: bytes) -> None:
        """As in `workers.sitting.Sink`."""
        self.records[match_id] = json.loads(record)

    async def keep_fault(self, number: int, fault: FaultSeen) -> None:
        """As in `workers.sitting.Sink`."""
        del number
        self._faults.setdefault(fault.player, []).append(fault)

    async def keep_log(self, *, process: int, player: int, exit_status: int, text: str) -> None:
        """As in `workers.sitting.Sink`."""
        if player in self._board.heard:
            log = UnratedLog(
                rotation=self._rotation, process=process, player=player, exit_status=exit_status, text=text
            )
            self.logs.append(log)


def _sitting(board: BoardToPlay, tables: Sequence[TablePlan]) -> SittingPlan:
    return SittingPlan(
        sitting=f"unrated-{secrets.token_hex(8)}",
        attempt=1,
        variant=board.variant.id,
        time_control=board.time_control,
        players=tuple(PlayerPlan(each.name, each.version, PROCESS_LIMIT, remote=each.remote) for each in board.players),
        tables=tuple(tables),
    )


def _table(board: BoardToPlay, secret: bytes, rotation: int, *, number: int = 1) -> TablePlan:
    """One rotation of the board with this secret."""
    return TablePlan(
        match_id=hashlib.sha256(b"king-unrated" + secret + bytes([rotation])).hexdigest()[:16],
        season=None,
        board=number,
        rotation=rotation,
        deal_secret=secret,
        deal_salt=LOCAL_SALT,
        players=players_by_seat(tuple(range(len(board.players))), rotation),
    )
