"""Boards among a table's bots on this machine: a referee in this process, bots beside it, records in a folder.

No queue and no store; sittings, launcher and referee are those of a league. Each rotation of a set of boards is a
sitting with fresh processes, so that no process sees the same cards twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from king_cli.errors import UsageError
from king_cli.human.seat import HUMAN, HumanLauncher, human_program
from king_cli.leagues import check_plays
from king_cli.match_folder import FolderSink, MatchFolder, Recorded, clear_records
from king_cli.match_score import FIRST, score, settled, verdict_json
from king_cli.reporting import MatchProgress, stderr_console
from league.ladder import ladder_json, rate_matches
from league.pairing import PlannedBoard, plan_season, players_by_seat
from league.results import MatchResult
from league.verdicts import SprtVerdict
from referee.clock import TimeControl
from referee.dealing import local_secret
from referee.rules import Variant, parse_variant
from referee.server import RefereeServer
from workers.bots import BotProgram, distinct_names, find_bot
from workers.building import build_bots
from workers.launcher import Launcher, LocalLauncher
from workers.referee_client import PlayerPlan, SittingPlan, TablePlan
from workers.sitting import Stage, play_sitting

PROCESS_LIMIT = 4
SETS_AT_ONCE = 2
VERDICT_SET_BOARDS = 4
"""Boards of a set where a verdict may end the match: few, so that little is played for nothing."""

_NO_SALT = bytes(32)


@dataclass(frozen=True, kw_only=True)
class LocalMatch:
    """What to play: bots as `find_bot` takes them, one for each seat of the variant, and where the records go.

    `until_verdict` ends it when the first bot is settled to be better than the others, or not; `boards` are the most
    then. With a person (`human`) only rotation 0 is played, since a person would remember the cards; `person_reads` is
    where the dialogue is printed, by default standard output. `report` takes lines for people.
    """

    bots: Sequence[str]
    variant: str
    boards: int
    seed: int
    time_control: str
    out: Path
    report: Callable[[str], None]
    until_verdict: bool = False
    recorded: Recorded = Recorded.ALL
    person_reads: IO[str] | None = None

    def play(self) -> dict[str, Any]:
        """Play all boards. Returns the ladder's JSON with "records", the paths of the records in order, and "faults".

        With `until_verdict` also "verdict"; with a person "matches", totals and places, instead of a ladder.

        Raises:
            UsageError, BotError, RulesError: a bot, the variant or another setting is wrong.
            SittingError: it could not be played; no bot is to blame.
        """
        rules = parse_variant(self.variant)
        programs = self._programs(rules)
        build_bots(programs, self.report)
        removed = clear_records(self.out)
        if removed:
            self.report(f"removed {removed} records of an earlier match from {self.out}")
        names = distinct_names(programs)
        rotations = 1 if self.has_person else rules.seats
        with MatchProgress(self.boards * rotations, stderr_console(), hidden=self.has_person) as progress:
            folder = MatchFolder(
                self.out,
                names,
                rules,
                recorded=self.recorded,
                show=lambda count, leads: progress.show(count, _note(names[FIRST], leads)),
            )
            asyncio.run(_Evening(self, programs, names, rules, folder).play())
        return self._result(programs, names, rules, folder)

    @property
    def has_person(self) -> bool:
        """Whether somebody sits at the table in the terminal."""
        return HUMAN in self.bots

    def _programs(self, rules: Variant) -> list[BotProgram]:
        try:
            TimeControl.parse(self.time_control)
        except ValueError as error:
            raise UsageError(str(error)) from None
        if self.bots.count(HUMAN) > 1:
            raise UsageError("one person can sit at this terminal: name human once")
        if self.has_person and self.until_verdict:
            raise UsageError("--until verdict is for bots: a person does not play the rotations of a board")
        programs = [human_program() if text == HUMAN else find_bot(text) for text in self.bots]
        if len(programs) != rules.seats:
            raise UsageError(
                f"{rules.base_id} has {rules.seats} seats, so give {rules.seats} bots, not {len(programs)}"
            )
        for program in programs:
            check_plays(program, rules.base_id)
        return programs

    def _result(
        self, programs: Sequence[BotProgram], names: Sequence[str], rules: Variant, folder: MatchFolder
    ) -> dict[str, Any]:
        kept = {"records": folder.paths(), "faults": folder.faults()}
        if self.has_person:
            return {"variant": rules.id, "matches": _matches_json(names, folder.results()), **kept}
        ladder = rate_matches(
            [(name, program.version) for name, program in zip(names, programs, strict=True)],
            folder.results(),
            variant=rules,
            faults=folder.fault_counts(),
        )
        verdict = {"verdict": verdict_json(names[FIRST], folder.leads())}
        return {**ladder_json(ladder), **kept, **(verdict if self.until_verdict else {})}


class _Evening:
    """The playing of a match: the sets of its boards, two at once, each rotation after rotation."""

    def __init__(
        self,
        match: LocalMatch,
        programs: Sequence[BotProgram],
        names: Sequence[str],
        rules: Variant,
        folder: MatchFolder,
    ) -> None:
        self._match = match
        self._programs = programs
        self._names = names
        self._rules = rules
        self._folder = folder
        self._players = tuple(
            PlayerPlan(name, program.version, PROCESS_LIMIT) for name, program in zip(names, programs, strict=True)
        )

    async def play(self) -> None:
        """Play until there are no more boards, or the verdict is in."""
        with tempfile.TemporaryDirectory(prefix="king-match-") as place:
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


def _note(bot: str, leads: Sequence[float]) -> str:
    so_far = score(bot, leads)
    return "" if so_far is None else str(so_far)


def _matches_json(names: Sequence[str], results: Sequence[MatchResult]) -> list[dict[str, Any]]:
    return [
        {
            "board": result.board,
            "seats": [
                {"player": names[player], "score": score, "place": place, "forfeited": gone}
                for player, score, place, gone in zip(
                    result.players, result.scores, result.places, result.forfeited, strict=True
                )
            ],
        }
        for result in results
    ]
