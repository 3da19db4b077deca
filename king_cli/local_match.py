"""Boards among a table's bots on this machine: a referee in this process, bots beside it, records in a folder.

No queue and no store; sittings, launcher and referee are those of a league. Each rotation of a set of boards is a
sitting with fresh processes, so that no process sees the same cards twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from king_cli.errors import UsageError
from king_cli.leagues import check_plays
from king_cli.match_folder import FolderSink, MatchFolder, clear_records
from king_cli.reporting import MatchProgress, stderr_console
from league.ladder import ladder_json, rate_matches
from league.pairing import PlannedBoard, plan_season, players_by_seat
from referee.clock import TimeControl
from referee.dealing import local_secret
from referee.rules import parse_variant
from referee.server import RefereeServer
from workers.bots import BotProgram, distinct_names, find_bot
from workers.launcher import LocalLauncher
from workers.referee_client import PlayerPlan, SittingPlan, TablePlan
from workers.sitting import Stage, play_sitting

PROCESS_LIMIT = 4
SETS_AT_ONCE = 2
_NO_SALT = bytes(32)


@dataclass(frozen=True, kw_only=True)
class LocalMatch:
    """What to play: bots as `find_bot` takes them, one for each seat of the variant, and where the records go.

    `report` takes lines for people.
    """

    bots: Sequence[str]
    variant: str
    boards: int
    seed: int
    time_control: str
    out: Path
    report: Callable[[str], None]

    def play(self) -> dict[str, Any]:
        """Play all boards. Returns the ladder's JSON with "records", the paths of the records in order, and "faults".

        Raises:
            UsageError, BotError, RulesError: a bot, the variant or another setting is wrong.
            SittingError: it could not be played; no bot is to blame.
        """
        rules = parse_variant(self.variant)
        try:
            TimeControl.parse(self.time_control)
        except ValueError as error:
            raise UsageError(str(error)) from None
        programs = [find_bot(text) for text in self.bots]
        if len(programs) != rules.seats:
            raise UsageError(
                f"{rules.base_id} has {rules.seats} seats, so give {rules.seats} bots, not {len(programs)}"
            )
        for program in programs:
            check_plays(program, rules.base_id)
        removed = clear_records(self.out)
        if removed:
            self.report(f"removed {removed} records of an earlier match from {self.out}")
        names = distinct_names(programs)
        with MatchProgress(self.boards * rules.seats, stderr_console()) as progress:
            folder = MatchFolder(self.out, names, rules, progress.show)
            asyncio.run(self._play_all(programs, names, rules.id, folder))
        ladder = rate_matches(
            [(name, program.version) for name, program in zip(names, programs, strict=True)],
            folder.results(),
            variant=rules,
            faults=folder.fault_counts(),
        )
        return {**ladder_json(ladder), "records": folder.paths(), "faults": folder.faults()}

    async def _play_all(
        self, programs: Sequence[BotProgram], names: Sequence[str], variant: str, folder: MatchFolder
    ) -> None:
        plan = plan_season(
            [""] * len(programs), seats=len(programs), boards=self.boards, set_count=min(self.boards, SETS_AT_ONCE)
        )
        players = tuple(
            PlayerPlan(name, program.version, PROCESS_LIMIT) for name, program in zip(names, programs, strict=True)
        )
        with tempfile.TemporaryDirectory(prefix="king-match-") as place:
            address = f"unix:{place}/referee.sock"
            key = secrets.token_urlsafe(16)
            launcher = LocalLauncher(address)
            stage = Stage(referee=address, control_key=key, launcher=launcher, tell_last_words=True)
            server = RefereeServer(address, control_key=key)
            await server.start()
            try:
                async with asyncio.TaskGroup() as sets:
                    for number in range(1, plan.set_count + 1):
                        boards = [board for board in plan.boards if board.set_number == number]
                        sittings = [
                            self._sitting(number, boards, rotation, variant, players)
                            for rotation in range(len(programs))
                        ]
                        sets.create_task(_play_set(sittings, programs, stage, folder))
            finally:
                await server.stop()

    def _sitting(
        self,
        number: int,
        boards: Sequence[PlannedBoard],
        rotation: int,
        variant: str,
        players: tuple[PlayerPlan, ...],
    ) -> SittingPlan:
        return SittingPlan(
            sitting=f"{number}-{rotation}",
            attempt=1,
            variant=variant,
            time_control=self.time_control,
            players=players,
            tables=tuple(self._table(board, rotation) for board in boards),
        )

    def _table(self, board: PlannedBoard, rotation: int) -> TablePlan:
        secret = local_secret(self.seed, board.number)
        return TablePlan(
            match_id=hashlib.sha256(b"king-match" + secret + bytes([rotation])).hexdigest()[:16],
            season=None,
            board=board.number,
            rotation=rotation,
            deal_secret=secret,
            deal_salt=_NO_SALT,
            players=players_by_seat(board.players, rotation),
        )


async def _play_set(
    sittings: Sequence[SittingPlan], programs: Sequence[BotProgram], stage: Stage, folder: MatchFolder
) -> None:
    """Play the rotations of a set one after the other, so that no two of its sittings run at the same time."""
    for sitting in sittings:
        await play_sitting(sitting, programs, stage=stage, sink=FolderSink(folder, sitting))
