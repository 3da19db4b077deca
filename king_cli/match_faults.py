"""What went wrong with the bots of a match, and when, so that its report can say so of each.

Owns the JSON of faults. Must not write files or judge anybody: the referee has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from league.results import MatchResult
from workers.last_words import telling_excerpt
from workers.referee_client import FaultSeen, TablePlan

SHOWN_LIMIT: Final = 20
"""How many faults of one bot are told one by one."""

STDERR_LINES: Final = 5
"""How much of a process's standard error is told with each of its faults."""


@dataclass(frozen=True, kw_only=True)
class Blame:
    """A fault as it was told: when, in which sitting, and the tables that it touched."""

    at: datetime
    sitting: str
    fault: FaultSeen
    tables: tuple[TablePlan, ...]


class MatchFaults:
    """The faults of a match, in the order in which they were told."""

    def __init__(self) -> None:
        self._blames: list[Blame] = []
        self._forfeits: dict[tuple[str, int], Mapping[str, Any]] = {}
        self._logs: dict[tuple[str, int], Path] = {}
        self._stderr: dict[tuple[str, int], list[str]] = {}

    def keep(self, sitting: str, fault: FaultSeen, tables: Iterable[TablePlan]) -> None:
        """Keep a fault; `tables` are those that it touched."""
        now = datetime.now().astimezone()
        self._blames.append(Blame(at=now, sitting=sitting, fault=fault, tables=tuple(tables)))

    def keep_forfeits(self, table: TablePlan, record: Mapping[str, Any]) -> None:
        """Keep from a record where each of its forfeits began."""
        for forfeit in record["forfeits"]:
            self._forfeits[table.match_id, table.players[forfeit["seat"]]] = forfeit

    def keep_log(self, sitting: str, process: int, path: Path, text: str) -> None:
        """Keep where the standard error of a process is, and what of it tells the cause."""
        self._logs[sitting, process] = path
        self._stderr[sitting, process] = telling_excerpt(text, STDERR_LINES)

    def count(self, player: int) -> int:
        """How many faults a player had."""
        return len(self._of(player))

    def has_ended(self, player: int) -> bool:
        """Whether a process of a player ended while it was needed."""
        return any(blame.fault.kind == "exit" for blame in self._of(player))

    def to_json(self, player: int, name: str, results: Sequence[MatchResult]) -> dict[str, Any]:
        """The JSON of a player that had faults; kind, detail and place are those of the first that forfeited."""
        blames = self._of(player)
        mine = [result for result in results if player in result.players]
        first = next((blame for blame in blames if blame.fault.forfeits), blames[0])
        logs = [path for blame in blames if (path := self._log_of(blame)) is not None]
        return {
            "bot": name,
            "faults": len(blames),
            "matches": len(mine),
            "forfeited": sum(result.forfeited[result.players.index(player)] for result in mine),
            **self._blame_json(first),
            "logs": [str(path) for path in dict.fromkeys(logs)],
            "list": [self._blame_json(blame) for blame in blames[:SHOWN_LIMIT]],
        }

    def _of(self, player: int) -> list[Blame]:
        return [blame for blame in self._blames if blame.fault.player == player]

    def _log_of(self, blame: Blame) -> Path | None:
        return self._logs.get((blame.sitting, blame.fault.process))

    def _blame_json(self, blame: Blame) -> dict[str, Any]:
        fault = blame.fault
        table = blame.tables[0] if blame.tables else None
        forfeit = self._forfeits.get((table.match_id, fault.player)) if table and fault.forfeits else None
        log = self._log_of(blame)
        return {
            "at": blame.at.isoformat(timespec="milliseconds"),
            "kind": fault.kind,
            "detail": fault.detail,
            "forfeits": fault.forfeits,
            "sitting": blame.sitting,
            "process": fault.process,
            "board": table.board if table else None,
            "rotation": table.rotation if table else None,
            "deal": forfeit["deal"] if forfeit else None,
            "action": forfeit["action"] if forfeit else None,
            "log": str(log) if log else None,
            "stderr": "\n".join(self._stderr.get((blame.sitting, fault.process), [])),
        }
