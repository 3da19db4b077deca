"""The playing of a `king match`: a referee in this process, bots beside it, sitting after sitting.

No queue and no store; sittings, launcher and referee are those of a league. Each rotation of a set of boards is a
sitting with fresh processes, so that no process sees the same cards twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from king_cli.human.seat import HUMAN, HumanLauncher
from king_cli.match_folder import FolderSink, MatchFolder
from king_cli.match_score import settled
from league.pairing import PlannedBoard, plan_season, players_by_seat
from league.verdicts import SprtVerdict
from referee.dealing import local_secret
from referee.rules import Variant
from referee.server import RefereeServer
from workers.bots import BotProgram
from workers.launcher import Launcher, LocalLauncher
from workers.referee_client import PlayerPlan, SittingPlan, TablePlan
from workers.sitting import Stage, play_sitting
from workers.socket_folder import socket_folder

if TYPE_CHECKING:
    from king_cli.local_match import LocalMatch

PROCESS_LIMIT = 4
SETS_AT_ONCE = 2
VERDICT_SET_BOARDS = 4
"""Boards of a set where a verdict may end the match: few, so that little is played for nothing."""

_NO_SALT = bytes(32)


class Evening:
    """The playing of a match: the sets of its boards, two at once, each rotation after rotation."""

    def __init__(
        self,
        match: LocalMatch,
        programs: Sequence[BotProgram],
        names: Sequence[str],
        rules: Variant,
        folder: MatchFolder,
    ) -> None:
        """Play `match` among `programs`, whose names to show are `names`, and keep what comes of it in `folder`."""
        self._match = match
        self._programs = programs
        self._names = names
        self._rules = rules
        self._folder = folder
        self._players = tuple(
            PlayerPlan(name, program.version, PROCESS_LIMIT) for name, program in zip(names, programs, strict=True)
        )

    async def play(self) -> None:
        """Play until there are no more boards, the verdict is in, or there is no use in going on."""
        with socket_folder("king-match-") as place:
            address = f"unix:{place}/referee.sock"
            key = secrets.token_urlsafe(16)
            launcher = self._launcher(address)
            stage = Stage(referee=address, control_key=key, launcher=launcher, tell_last_words=True)
            server = RefereeServer(address, control_key=key)
            await server.start()
            sets = iter(self._sets())
            at_once = 1 if self._match.has_person else SETS_AT_ONCE
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(at_once):
                        group.create_task(self._play_sets(sets, stage))
            finally:
                await server.stop()

    def _launcher(self, address: str) -> Launcher:
        bots = LocalLauncher(address)
        person = next((program for program in self._programs if program.source.location == HUMAN), None)
        if person is None:
            return bots
        return HumanLauncher(bots=bots, referee=address, names=self._names, human=person, sink=self._match.person_reads)

    def _sets(self) -> list[list[PlannedBoard]]:
        boards = self._match.boards
        sets = -(-boards // VERDICT_SET_BOARDS) if self._match.until_verdict else min(boards, SETS_AT_ONCE)
        sets = boards if self._match.has_person else sets
        plan = plan_season([""] * self._rules.seats, seats=self._rules.seats, boards=boards, set_count=sets)
        return [
            [board for board in plan.boards if board.set_number == number] for number in range(1, plan.set_count + 1)
        ]

    async def _play_sets(self, sets: Iterator[list[PlannedBoard]], stage: Stage) -> None:
        for boards in sets:
            if self._is_settled():
                return
            # One rotation after the other, so that no two sittings with the same cards run at the same time.
            for rotation in range(1 if self._match.has_person else self._rules.seats):
                sitting = self._sitting(boards, rotation)
                await play_sitting(sitting, self._programs, stage=stage, sink=FolderSink(self._folder, sitting))
                if self._folder.is_hopeless() or self._folder.has_left():
                    return

    def _is_settled(self) -> bool:
        if not self._match.until_verdict:
            return False
        return settled(self._folder.leads()).verdict is not SprtVerdict.GO_ON

    def _sitting(self, boards: Sequence[PlannedBoard], rotation: int) -> SittingPlan:
        return SittingPlan(
            sitting=f"{boards[0].set_number}-{rotation}",
            attempt=1,
            variant=self._rules.id,
            time_control=self._match.time_control,
            players=self._players,
            tables=tuple(self._table(board, rotation) for board in boards),
        )

    def _table(self, board: PlannedBoard, rotation: int) -> TablePlan:
        secret = local_secret(self._match.seed, board.number)
        return TablePlan(
            match_id=hashlib.sha256(b"king-match" + secret + bytes([rotation])).hexdigest()[:16],
            season=None,
            board=board.number,
            rotation=rotation,
            deal_secret=secret,
            deal_salt=_NO_SALT,
            players=players_by_seat(board.players, rotation),
        )
