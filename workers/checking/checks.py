"""The check of a bot from its first step to its last: what is played, and which step judges what of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from referee.clock import TimeControl
from referee.rules import Variant
from workers.bots import BotProgram
from workers.checking.ending import Surroundings, check_exit, check_writes
from workers.checking.findings import Finding, Report, Step
from workers.checking.playing import check_allowance, check_legal, check_resume, check_tables
from workers.checking.processes import Launching
from workers.checking.sittings import CheckStage, Run
from workers.checking.starting import check_hello, check_ready, check_starts
from workers.launcher import LocalLauncher

STEPS: Final = (
    "starts",
    "hello",
    "ready in time",
    "legal in every decision",
    "within its allowance",
    "several tables at once",
    "resume after a broken stream",
    "clean exit",
    "no writes outside",
)

TABLES: Final = 8
SITTINGS_AT_ONCE: Final = 2
_STDERR_LENGTH: Final = 4000


@dataclass(frozen=True, kw_only=True)
class BotCheck:
    """What is to be checked: a bot that is built, the variants it has to know, the clock it plays by.

    `show` is told each step as it is judged; `launching` gives the launcher of the bot's processes. `sealed`: that one
    lets them write nowhere else, so that nobody looks whether they do.
    """

    bot: BotProgram
    variants: Sequence[Variant]
    control: TimeControl
    show: Callable[[Step], None] = lambda step: None
    launching: Launching = LocalLauncher
    sealed: bool = False

    async def run(self) -> Report:
        """Take all steps. Those after one that did not pass are not reached, but for the last.

        Raises:
            SittingError: the check itself failed; the bot is not to blame.
        """
        report = Report(bot=self.bot.name, version=self.bot.version)
        notes = _Notes(report, self.show)
        stage = CheckStage(bot=self.bot, time_control=str(self.control), launching=self.launching, sealed=self.sealed)
        surroundings = None if self.sealed else Surroundings(self.bot.folder)
        runs = [await stage.play(self.variants[0])]
        with contextlib.suppress(_StepFailedError):
            await self._take_steps(stage, runs, notes)
        while len(report.steps) < len(STEPS) - 1:
            notes.add(Finding(passed=None, message="a step before did not pass"))
        notes.add(self._check_writes(runs, surroundings))
        report.asked = {run.variant: run.asked for run in runs[: len(self.variants)]}
        report.stderr = _stderr(runs)
        return report

    async def _take_steps(self, stage: CheckStage, runs: list[Run], notes: _Notes) -> None:
        notes.need(check_starts(runs[0], self.bot))
        notes.need(check_hello(runs[0], self.bot))
        notes.need(check_ready(runs[0], self.control, self.bot))
        if not runs[0].failed:
            runs += await _play_all(stage, self.variants[1:])
        legal, allowance = check_legal(runs, self.variants), check_allowance(runs, self.control, self.bot)
        notes.add(legal)
        notes.add(allowance)
        notes.stop_unless(legal.passed and allowance.passed)
        runs.append(await stage.play(self.variants[0], tables=TABLES))
        notes.need(check_tables(runs[-1]))
        runs.append(await stage.play(self.variants[0], cuts=True))
        notes.need(check_resume(runs[-1]))
        notes.need(check_exit(runs))

    def _check_writes(self, runs: Sequence[Run], surroundings: Surroundings | None) -> Finding:
        if not any(run.processes for run in runs):
            return Finding(passed=None, message="it did not start")
        if surroundings is None:
            return Finding(passed=True, message="it runs where it can write nowhere else")
        return check_writes(runs, surroundings.changed(), looked_beside=surroundings.is_looked_at)


class _StepFailedError(Exception):
    """A step did not pass, so those after it are not taken."""


class _Notes:
    """Numbers the findings and shows them."""

    def __init__(self, report: Report, show: Callable[[Step], None]) -> None:
        self._report = report
        self._show = show

    def add(self, finding: Finding) -> None:
        number = len(self._report.steps) + 1
        step = Step(number=number, name=STEPS[number - 1], finding=finding)
        self._report.steps.append(step)
        self._show(step)

    def need(self, finding: Finding) -> None:
        self.add(finding)
        self.stop_unless(finding.passed)

    def stop_unless(self, passed: bool | None) -> None:
        if not passed:
            raise _StepFailedError


async def _play_all(stage: CheckStage, variants: Sequence[Variant]) -> list[Run]:
    """Play one sitting of each variant, some at once; none is begun after one that failed."""
    runs: list[Run] = []
    to_play = list(variants)

    async def play_on() -> None:
        while to_play and not any(run.failed for run in runs):
            runs.append(await stage.play(to_play.pop(0)))

    async with asyncio.TaskGroup() as players:
        for _ in range(SITTINGS_AT_ONCE):
            players.create_task(play_on())
    return runs


def _stderr(runs: Sequence[Run]) -> str:
    """The end of what the process wrote that failed, or else the last one that wrote anything."""
    failed = [run for run in runs if run.failed] or list(runs)
    texts = [process.stderr() for run in failed for process in run.processes]
    return next((text[-_STDERR_LENGTH:] for text in reversed(texts) if text), "")
