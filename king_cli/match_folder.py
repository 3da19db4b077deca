"""The folder of `king match`: records as files, the standard error of bots, and what went wrong with whom.

Owns the names of those files. Must not play or rate.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from king_cli.errors import UsageError, naming
from king_cli.match_faults import MatchFaults
from king_cli.match_score import FIRST, lead_of
from king_cli.recorded import Recorded
from king_cli.reporting import MINUS, record_name
from league.results import result_of
from referee.rules import By, Variant
from workers.referee_client import FaultSeen, SittingPlan, TablePlan

if TYPE_CHECKING:
    from league.results import MatchResult

_RECORD_NAME = re.compile(r"board-\d{4,}-rotation-\d+\.json")


def clear_records(folder: Path) -> int:
    """Make `folder`, and remove the records that an earlier `king match` left in it, nothing else. Returns how many.

    Raises:
        UsageError: there are records of a season, which must not be mixed up with those of a match; nothing is removed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    old = [path for path in folder.iterdir() if _RECORD_NAME.fullmatch(path.name)]
    for path in old:
        if path.is_file() and _is_of_season(path.read_bytes()):
            raise UsageError(f"{path} is a record of a season: choose another folder with --out")
    for path in old:
        path.unlink()
    return len(old)


def _is_of_season(text: bytes) -> bool:
    try:
        record = json.loads(text)
    except ValueError:
        return False  # a match that was killed while it wrote
    context = record.get("context") if isinstance(record, dict) else None
    return isinstance(context, dict) and context.get("season") is not None


class MatchFolder:
    """The records of a match as files, and what they add up to."""

    def __init__(
        self,
        folder: Path,
        names: Sequence[str],
        variant: Variant,
        *,
        recorded: Recorded,
        show: Callable[[int, Sequence[float]], None],
        say: Callable[[str], None],
        person: int | None = None,
    ) -> None:
        """Keep everything in `folder`; `names` are the bots by player, `person` is the one that is none.

        `show` is told after each match how many there are, and the leads of the boards that are whole; `say` takes a
        line when a bot forfeits for the first time.
        """
        self._folder = folder
        self._variant = variant
        self._names = names
        self._recorded = recorded
        self._show = show
        self._results: dict[tuple[int, int], tuple[Path | None, MatchResult]] = {}
        self._boards: dict[int, list[MatchResult]] = {}
        self._leads: dict[int, float] = {}
        self._faults = MatchFaults()
        self._say = say
        self._person = person
        self._told: set[int] = set()
        self._decisions: Counter[int] = Counter()

    def keep(self, table: TablePlan, record: bytes) -> None:
        """Keep the result of a table, and its record if that is wanted."""
        fields = json.loads(record)
        result = result_of(fields, table.players, self._variant)
        self._faults.keep_forfeits(table, fields)
        self._decisions.update(_deciders(table, fields))
        path = None
        if self._recorded is Recorded.ALL or not _first_won(result):
            path = self._folder / record_name(table.board, table.rotation)
            with naming(path):
                path.write_bytes(record)
        self._results[table.board, table.rotation] = path, result
        board = self._boards.setdefault(table.board, [])
        board.append(result)
        if len(board) == self._variant.seats:
            self._leads[table.board] = lead_of(board, self._variant)
        self._show(len(self._results), self.leads())

    def leads(self) -> list[float]:
        """By whole board, in order: how far the first bot is above the table's mean, in points per deal."""
        return [lead for _, lead in sorted(self._leads.items())]

    def keep_fault(self, sitting: str, fault: FaultSeen, tables: Iterable[TablePlan]) -> None:
        """Keep what a bot did wrong, which touched `tables`."""
        touched = list(tables)
        self._faults.keep(sitting, fault, touched)
        if fault.forfeits and fault.player not in {*self._told, self._person}:
            self._told.add(fault.player)
            place = f" board {touched[0].board} rotation {touched[0].rotation}" if touched else ""
            cost = f"a match counts {MINUS}{self._variant.forfeit_points} points"
            self._say(f"{self._names[fault.player]} forfeited{place}: {fault.kind}: {fault.detail} ({cost})")

    def keep_log(self, sitting: str, process: int, player: int, text: str) -> None:
        """Keep what a process wrote to its standard error, if it did and is no person's."""
        if text and player != self._person:
            logs = self._folder / "logs"
            logs.mkdir(exist_ok=True)
            path = logs / f"{self._names[player]}-sitting-{sitting}-process-{process}.txt"
            with naming(path):
                path.write_text(text, encoding="utf-8")
            self._faults.keep_log(sitting, process, path, text)

    def is_hopeless(self) -> bool:
        """Whether the first bot forfeited all matches so far, as many as a board has at least."""
        results = self.results()
        return len(results) >= self._variant.seats and all(
            result.forfeited[result.players.index(FIRST)] for result in results
        )

    def has_left(self) -> bool:
        """Whether the person has left the table."""
        return self._person is not None and self._faults.has_ended(self._person)

    def results(self) -> list[MatchResult]:
        """The results, by board and rotation."""
        return [result for _, (_, result) in sorted(self._results.items())]

    def paths(self) -> list[str]:
        """The paths of the records that were written, by board and rotation."""
        return [str(path) for _, (path, _) in sorted(self._results.items()) if path is not None]

    def fault_counts(self) -> list[int]:
        """How many faults there were, by player."""
        return [self._faults.count(player) for player in range(len(self._names))]

    def faults(self) -> list[dict[str, Any]]:
        """The JSON of the bots that had faults: how many, the matches they forfeited, each fault, the logs.

        With the decisions that each made in all matches. For a person to leave the table is no fault.
        """
        results, counts = self.results(), self.fault_counts()
        return [
            {
                **self._faults.to_json(player, self._names[player], results),
                "decisions": self._decisions[player],
                "forfeit_points": -self._variant.forfeit_points,
            }
            for player, count in enumerate(counts)
            if count and not (player == self._person and self.has_left())
        ]


def _deciders(table: TablePlan, record: Mapping[str, Any]) -> Iterator[int]:
    """The player of each decision in the record that a bot made: none that was forced or the stand-in's."""
    for deal in record["deals"]:
        for action in deal["actions"]:
            if action.get("by", By.BOT) == By.BOT:
                yield table.players[action["seat"]]


def _first_won(result: MatchResult) -> bool:
    """Whether no seat came before the first bot's; a shared first place is no loss."""
    seat = result.players.index(FIRST)
    return result.places[seat] == 1 and not result.forfeited[seat]


class FolderSink:
    """Keeps what comes of one sitting in the folder."""

    def __init__(self, folder: MatchFolder, sitting: SittingPlan) -> None:
        """Keep what comes of `sitting` in `folder`."""
        self._folder = folder
        self._sitting = sitting
        self._tables = {table.match_id: table for table in sitting.tables}

    async def keep_result(self, match_id: str, record: bytes) -> None:
        """As in `workers.sitting.Sink`."""
        self._folder.keep(self._tables[match_id], record)

    async def keep_fault(self, number: int, fault: FaultSeen) -> None:
        """As in `workers.sitting.Sink`."""
        del number
        tables = [self._tables[match_id] for match_id in fault.match_ids]
        self._folder.keep_fault(self._sitting.sitting, fault, tables)

    async def keep_log(self, *, process: int, player: int, exit_status: int, text: str) -> None:
        """As in `workers.sitting.Sink`."""
        del exit_status
        self._folder.keep_log(self._sitting.sitting, process, player, text)
