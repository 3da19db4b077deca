"""A bot within one sitting: its processes, its failures, and how many more processes it needs.

Owns no stream and no table. What a failure costs is decided in `faults`.
"""

from __future__ import annotations

from referee import faults
from referee.faults import Fault
from referee.plans import PlayerPlan
from referee.processes import BotProcess, Phase


class SittingPlayer:
    """A player of the plan; `tables_to_begin` counts its tables that have not begun."""

    def __init__(self, plan: PlayerPlan, *, tables_to_begin: int) -> None:
        self.plan = plan
        self.tables_to_begin = tables_to_begin
        self.processes: list[BotProcess] = []
        self.failure_count = 0
        self.last_fault: Fault | None = None

    @property
    def absence(self) -> Fault | None:
        """Why the player sits out all tables that have not begun; None while it does not."""
        if self.plan.sits_out:
            return faults.sits_out(self.plan.sits_out)
        if self.last_fault is None or faults.may_restart(self.failure_count):
            return None
        return faults.absent_from_start(self.last_fault)

    def fail(self, fault: Fault) -> None:
        """Note that a process of the player failed for good."""
        self.failure_count += 1
        self.last_fault = fault

    def for_next_table(self) -> BotProcess | Fault | None:
        """Return the process with most room, or why the player sits out, or None if the table has to wait."""
        if self.absence is not None:
            return self.absence
        best = max(self.processes, key=lambda process: process.free_tables, default=None)
        return best if best is not None and best.free_tables > 0 else None

    def processes_missing(self) -> int:
        """Return how many processes to start now, for the tables that are to begin."""
        if self.tables_to_begin == 0 or self.absence is not None:
            return 0
        live = [process for process in self.processes if process.live]
        if not live:
            return 1
        if any(process.phase is Phase.STARTING for process in live):
            return 0
        room = max(process.table_limit for process in live)
        tables = self.tables_to_begin + sum(process.open_count for process in live)
        limit = 1 if self.plan.remote else self.plan.process_limit
        return max(0, min(limit, -(-tables // room)) - len(live))
