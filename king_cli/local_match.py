"""Boards among a table's bots on this machine: a referee in this process, bots beside it, records in a folder.

No queue and no store; sittings, launcher and referee are those of a league. Each rotation of a set of boards is a
sitting with fresh processes, so that no process sees the same cards twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from king_cli.errors import UsageError
from king_cli.leagues import check_plays
from king_cli.reporting import MatchProgress, record_name, stderr_console
from league.ladder import ladder_json, rate_matches
from league.pairing import PlannedBoard, plan_season, players_by_seat
from league.results import result_of
from referee.clock import TimeControl
from referee.dealing import local_secret
from referee.rules import Variant, parse_variant
from referee.server import RefereeServer
from workers.bots import BotProgram, distinct_names, find_bot
from workers.launcher import LocalLauncher
from workers.referee_client import FaultSeen, PlayerPlan, SittingPlan, TablePlan
from workers.sitting import Stage, play_sitting

if TYPE_CHECKING:
    from league.results import MatchResult

PROCESS_LIMIT = 4
SETS_AT_ONCE = 2
_NO_SALT = bytes(32)


@dataclass(frozen=True, kw_only=True)
class LocalMatch:
    """What to play: bots as `find_bot` takes them, one for each seat of the variant, and where the records go."""

    bots: Sequence[str]
    variant: str
    boards: int
    seed: int
    time_control: str
    out: Path

    def play(self) -> dict[str, Any]:
        """Play all boards. Returns the ladder's JSON with "records", the paths of the records in order.

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
        self.out.mkdir(parents=True, exist_ok=True)
        names = distinct_names(programs)
        with MatchProgress(self.boards * rules.seats, stderr_console()) as progress:
            folder = _RecordFolder(self.out, names, rules, progress)
            asyncio.run(self._play_all(programs, names, rules.id, folder))
        ladder = rate_matches(
            [(name, program.version) for name, program in zip(names, programs, strict=True)],
            folder.results(),
            variant=rules,
            faults=folder.fault_counts,
        )
        return {**ladder_json(ladder), "records": folder.paths()}

    async def _play_all(
        self, programs: Sequence[BotProgram], names: Sequence[str], variant: str, folder: _RecordFolder
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
            stage = Stage(referee=address, control_key=key, launcher=LocalLauncher(address))
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
    sittings: Sequence[SittingPlan], programs: Sequence[BotProgram], stage: Stage, folder: _RecordFolder
) -> None:
    """Play the rotations of a set one after the other, so that no two of its sittings run at the same time."""
    for sitting in sittings:
        await play_sitting(sitting, programs, stage=stage, sink=_FolderSink(folder, sitting))


class _RecordFolder:
    """The records of a match as files, and what they add up to."""

    def __init__(self, folder: Path, names: Sequence[str], variant: Variant, progress: MatchProgress) -> None:
        self._folder = folder
        self._variant = variant
        self._names = names
        self._progress = progress
        self._results: dict[tuple[int, int], tuple[Path, MatchResult]] = {}
        self.fault_counts = [0] * len(names)

    def keep(self, table: TablePlan, record: bytes) -> None:
        path = self._folder / record_name(table.board, table.rotation)
        path.write_bytes(record)
        self._results[table.board, table.rotation] = path, result_of(json.loads(record), table.players, self._variant)
        self._progress.show(len(self._results))

    def keep_log(self, sitting: str, process: int, player: int, text: str) -> None:
        if text:
            logs = self._folder / "logs"
            logs.mkdir(exist_ok=True)
            name = f"{self._names[player]}-sitting-{sitting}-process-{process}.txt"
            (logs / name).write_text(text, encoding="utf-8")

    def results(self) -> list[MatchResult]:
        return [result for _, (_, result) in sorted(self._results.items())]

    def paths(self) -> list[str]:
        return [str(path) for _, (path, _) in sorted(self._results.items())]


class _FolderSink:
    """Keeps what comes of one sitting in the folder."""

    def __init__(self, folder: _RecordFolder, sitting: SittingPlan) -> None:
        self._folder = folder
        self._sitting = sitting
        self._tables = {table.match_id: table for table in sitting.tables}

    async def keep_result(self, match_id: str, record: bytes) -> None:
        self._folder.keep(self._tables[match_id], record)

    async def keep_fault(self, number: int, fault: FaultSeen) -> None:
        self._folder.fault_counts[fault.player] += 1

    async def keep_log(self, *, process: int, player: int, exit_status: int, text: str) -> None:
        self._folder.keep_log(self._sitting.sitting, process, player, text)
