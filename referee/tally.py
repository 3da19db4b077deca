"""What a referee has done since it began: sittings that are over and those that go on, added up when somebody asks.

Owns the adding up. It costs bots nothing: what is counted is counted where it happens, in whole numbers. May be asked
by another thread than the referee's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from referee.clock import ProcessClock
from referee.plans import FaultSeen, SittingEnd, SittingEvent, TableResult

LATENCY_SLOTS: Final = 64
"""Decisions are counted by the number of binary digits of their nanoseconds."""


class Outcome(StrEnum):
    """How a sitting ended: played out, given back whole tables only, or given up through no bot's fault."""

    PLAYED = "played"
    HANDED_BACK = "handed_back"
    VOID = "void"


class TalliedProcess(Protocol):
    """A bot's process, with what is counted there."""

    @property
    def clock(self) -> ProcessClock:
        """Its clock, which knows what it gave back."""

    @property
    def latencies(self) -> list[int]:
        """How many decisions took how long: in slot n those of 2^(n-1) ns and more, and less than 2^n ns."""

    @property
    def thought_ns(self) -> int:
        """How long its frames of requests took in all."""


@dataclass(slots=True)
class SittingTally:
    """What is counted of a sitting, beside its processes."""

    tables_played: int = 0
    failures: int = 0
    """How often code of ours failed, which makes a sitting void."""
    faults: Counter[str] = field(default_factory=Counter)
    outcome: Outcome = Outcome.VOID
    """Void also of one whose worker went away before it heard of an end."""

    def note(self, event: SittingEvent) -> None:
        """Count what the worker is told."""
        match event:
            case TableResult():
                self.tables_played += 1
            case FaultSeen(kind=kind):
                self.faults[kind] += 1
            case SittingEnd(void_reason=""):
                self.outcome = Outcome.PLAYED
            case SittingEnd(handed_back=True):
                self.outcome = Outcome.HANDED_BACK


class TalliedRun(Protocol):
    """A sitting."""

    @property
    def tally(self) -> SittingTally:
        """What is counted of it."""

    @property
    def tallied_processes(self) -> Collection[TalliedProcess]:
        """All processes that it ever had."""


@dataclass(slots=True)
class Sums:
    """What is added up over sittings."""

    sittings: Counter[Outcome] = field(default_factory=Counter)
    tables_played: int = 0
    failures: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    latencies: list[int] = field(default_factory=lambda: [0] * LATENCY_SLOTS)
    thought_ns: int = 0
    wait_returned_ns: int = 0
    lag_returned_ns: int = 0

    def with_run(self, run: TalliedRun) -> Sums:
        """These, and what a sitting has come to by now, but for its end."""
        processes, tally = run.tallied_processes, run.tally
        slots = zip(self.latencies, *(process.latencies for process in processes), strict=True)
        return Sums(
            sittings=self.sittings,
            tables_played=self.tables_played + tally.tables_played,
            failures=self.failures + tally.failures,
            faults=self.faults + Counter(dict(tally.faults)),  # a copy at one blow: another thread may count
            latencies=[sum(slot) for slot in slots],
            thought_ns=self.thought_ns + sum(process.thought_ns for process in processes),
            wait_returned_ns=self.wait_returned_ns + sum(process.clock.wait_returned_ns for process in processes),
            lag_returned_ns=self.lag_returned_ns + sum(process.clock.lag_returned_ns for process in processes),
        )


class RefereeTally:
    """Adds up over all sittings of a referee. No number ever falls."""

    def __init__(self) -> None:
        self._state: tuple[Sums, tuple[TalliedRun, ...]] = (Sums(), ())
        """Of what is over, and what goes on: replaced as one, so that who reads finds no sitting twice or nowhere."""

    def open(self, run: TalliedRun) -> None:
        """A sitting begins."""
        over, going_on = self._state
        self._state = (over, (*going_on, run))

    def close(self, run: TalliedRun) -> None:
        """It is over, one way or another."""
        over, going_on = self._state
        sums = over.with_run(run)
        sums.sittings = over.sittings + Counter([run.tally.outcome])
        self._state = (sums, tuple(other for other in going_on if other is not run))

    def sums(self) -> Sums:
        """What it all comes to now."""
        sums, going_on = self._state
        for run in going_on:
            sums = sums.with_run(run)
        return sums
