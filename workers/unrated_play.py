"""Plays one board outside of any season, each rotation with fresh processes, and keeps what comes of it.

The sittings are those of a league. Its secret is drawn here and known to nobody before all rotations are over. Stores
nothing and judges nobody.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from league.pairing import players_by_seat
from league.results import result_of
from league.unrated import PlayedRotation, UnratedLog
from referee.dealing import LOCAL_SALT
from referee.rules import Variant
from workers.bots import BotProgram
from workers.referee_client import FaultSeen, PlayerPlan, SittingPlan, TablePlan
from workers.sitting import Stage, play_sitting

PROCESS_LIMIT = 1
"""A board has one table at a time."""


@dataclass(frozen=True, kw_only=True)
class BoardToPlay:
    """What is to be played: the players' programs, named as records show them, in cyclic order.

    `heard`: the places of those whose standard error is kept.
    """

    programs: Sequence[BotProgram]
    variant: Variant
    time_control: str
    heard: frozenset[int]


@dataclass(kw_only=True)
class BoardPlayed:
    """All rotations of a board, and the faults that there were, by player."""

    rotations: list[PlayedRotation] = field(default_factory=list)
    faults: dict[int, list[FaultSeen]] = field(default_factory=dict)


async def play_board(board: BoardToPlay, stage: Stage) -> BoardPlayed:
    """Play all rotations. Cancelling drops the board.

    Raises:
        SittingError: it could not be played; nobody's fault.
    """
    secret = secrets.token_bytes(32)
    played = BoardPlayed()
    for rotation in range(board.variant.seats):
        sink = _Sink(board, rotation, played.faults)
        plan = _sitting(board, secret, rotation)
        await play_sitting(plan, board.programs, stage=replace(stage, tell_last_words=True), sink=sink)
        players = plan.tables[0].players
        result = result_of(sink.record, players, board.variant)
        played.rotations.append(PlayedRotation(result=result, record=sink.record, logs=tuple(sink.logs)))
    return played


class _Sink:
    """Takes what comes of one rotation."""

    def __init__(self, board: BoardToPlay, rotation: int, faults: dict[int, list[FaultSeen]]) -> None:
        self.record: dict[str, Any] = {}
        self.logs: list[UnratedLog] = []
        self._board = board
        self._rotation = rotation
        self._faults = faults

    async def keep_result(self, match_id: str, record: bytes) -> None:
        """As in `workers.sitting.Sink`."""
        del match_id
        self.record = json.loads(record)

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


def _sitting(board: BoardToPlay, secret: bytes, rotation: int) -> SittingPlan:
    return SittingPlan(
        sitting=f"unrated-{secrets.token_hex(8)}",
        attempt=1,
        variant=board.variant.id,
        time_control=board.time_control,
        players=tuple(PlayerPlan(each.name, each.version, PROCESS_LIMIT) for each in board.programs),
        tables=(
            TablePlan(
                match_id=hashlib.sha256(b"king-unrated" + secret + bytes([rotation])).hexdigest()[:16],
                season=None,
                board=1,
                rotation=rotation,
                deal_secret=secret,
                deal_salt=LOCAL_SALT,
                players=players_by_seat(tuple(range(len(board.programs))), rotation),
            ),
        ),
    )
