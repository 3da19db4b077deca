"""A scripted referee: puts a bot before the scripted tables and compares its choices with those of the Python greedy.

For authors of kits: `python -m tests.conformance.scripted BOT` (as `king match` takes it) prints each difference, and
ends with 0 if there is none. All tables are played on one stream at the same time; whatever the bot chooses, its tables
go on as they were written down.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc
from king.v1 import arena_pb2 as pb
from king_bot import Action, Table
from king_bot.wire import Asked, Tables

from tests.conformance.referee_script import DEADLINE_S, ScriptedReferee, Talk, run_program, serving
from tests.conformance.scripting import ScriptedTable, read_tables
from workers.bots import find_bot
from workers.building import build_bots

PART_LENGTH = 400  # messages; longer frames come in parts


@dataclass(frozen=True, slots=True)
class Difference:
    """A decision that a bot took otherwise; deals and actions count from 1."""

    table: str
    deal: int
    action: int
    hand: str
    legal: tuple[str, ...]
    expected: str
    chosen: str

    def __str__(self) -> str:
        return (
            f"{self.table}, deal {self.deal}, action {self.action}: expected {self.expected}, chosen {self.chosen}\n"
            f"  hand {self.hand}\n  legal {', '.join(self.legal)}"
        )


@dataclass(slots=True)
class Report:
    """What came of a bot's run."""

    asked_count: int = 0
    differences: list[Difference] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    exit_status: int | None = None
    stderr: str = ""

    @property
    def passed(self) -> bool:
        """Whether the bot did all that was expected."""
        return not self.differences and not self.faults and self.exit_status == 0

    def __str__(self) -> str:
        lines = [str(difference) for difference in self.differences] + self.faults
        lines.append(f"{self.asked_count} decisions, {len(self.differences)} different; exit status {self.exit_status}")
        return "\n".join(lines + ([f"standard error:\n{self.stderr}"] if self.stderr else []))


class _Reel:
    """One table as it is played: its messages up to the next request, step by step."""

    def __init__(self, table: ScriptedTable) -> None:
        self.name = f"{table.variant} (table {table.messages[0].table})"
        self.choices = iter(table.choices)
        self.action = 0  # the number of the last action in its deal
        self._messages = iter(table.messages)

    def next_step(self, request_id: int) -> list[pb.RefereeMessage]:
        """The messages up to the next request, which gets this id; after the last one those up to the end."""
        step = []
        for message in self._messages:
            step.append(message)
            kind = message.WhichOneof("message")
            if kind == "deal_start":
                self.action = 0
            elif kind in {"action_taken", "card_given"}:
                self.action += 1
            elif kind == "request":
                message.request.request_id = request_id
                break
        return step


class ScriptedTables:
    """The script of one stream: every table, all at once."""

    def __init__(self, tables: Iterable[ScriptedTable], report: Report) -> None:
        self._reels = [_Reel(table) for table in tables]
        self._report = report
        self._views = Tables(started=_ignore, deal_ended=_ignore, ended=_ignore)

    def __call__(self, talk: Talk) -> Iterator[pb.PlayResponse]:
        """Plays to the end of the last table."""
        said = self._hear(talk)
        yield pb.PlayResponse(messages=[pb.RefereeMessage(welcome=pb.Welcome(protocol_version=1))])
        if len(said) == 1:
            said += self._hear(talk)
        if [message.WhichOneof("message") for message in said] != ["hello", "ready"]:
            self._refuse(talk, f"a bot begins with Hello and Ready, not with {said}")
        while self._reels:
            messages, asked = self._next_step()
            yield from _parts(messages)
            if asked:
                self._compare(asked, self._answers(talk, [request.request_id for _, request in asked]))

    def _next_step(self) -> tuple[list[pb.RefereeMessage], list[tuple[_Reel, Asked]]]:
        messages: list[pb.RefereeMessage] = []
        asked: list[tuple[_Reel, Asked]] = []
        for reel in list(self._reels):
            step = reel.next_step(self._report.asked_count + 1)
            messages += step
            requests = self._views.take_in(step)
            if requests:
                self._report.asked_count += 1
                asked.append((reel, requests[0]))
            else:
                self._reels.remove(reel)
        return messages, asked

    def _compare(self, asked: Sequence[tuple[_Reel, Asked]], answers: Mapping[int, int]) -> None:
        for reel, request in asked:
            expected, chosen = next(reel.choices), answers[request.request_id]
            legal = tuple(_words(action) for action in request.actions)
            if not 0 <= chosen < len(legal):
                self._report.faults.append(f"{reel.name}: the index {chosen} is none of {len(legal)} actions")
            elif chosen != expected:
                deal = request.table.deal
                hand = " ".join(map(str, deal.hand))
                found = Difference(reel.name, deal.number, reel.action + 1, hand, legal, legal[expected], legal[chosen])
                self._report.differences.append(found)

    def _answers(self, talk: Talk, wanted: Iterable[int]) -> dict[int, int]:
        """The choices, by request, once all of them have come."""
        open_requests = set(wanted)
        answers: dict[int, int] = {}
        while open_requests:
            for message in self._hear(talk):
                if not message.HasField("choice") or message.choice.request_id not in open_requests:
                    self._refuse(talk, f"a message that answers no open request: {message}")
                open_requests.remove(message.choice.request_id)
                answers[message.choice.request_id] = message.choice.index
        return answers

    def _hear(self, talk: Talk) -> list[pb.BotMessage]:
        try:
            return talk.hear()
        except (StopIteration, grpc.RpcError):
            self._refuse(talk, ENDED_EARLY)
            raise

    def _refuse(self, talk: Talk, sentence: str) -> None:
        self._report.faults.append(sentence)
        talk.context.abort(grpc.StatusCode.INVALID_ARGUMENT, sentence)


def _ignore(_table: Table) -> None:
    """Nothing follows."""


def _parts(messages: Sequence[pb.RefereeMessage]) -> Iterator[pb.PlayResponse]:
    for start in range(0, len(messages), PART_LENGTH):
        end = start + PART_LENGTH
        yield pb.PlayResponse(messages=messages[start:end], more=end < len(messages))


def _words(action: Action) -> str:
    values = (
        action.card,
        action.contract,
        action.trump,
        action.tricks,
        None if action.to is None else f"to {action.to}",
    )
    return " ".join([action.kind, *(str(value) for value in values if value is not None)])


ENDED_EARLY = "the bot's stream ended too early"


def run_scripted(run: Sequence[str], folder: Path, tables: Iterable[ScriptedTable] | None = None) -> Report:
    """Puts the bot that the command `run` starts in `folder` before the tables: all of them unless some are given."""
    report = Report()
    script = ScriptedTables(read_tables() if tables is None else tables, report)
    with TemporaryDirectory(prefix="king-") as scratch, serving(ScriptedReferee(script), Path(scratch)) as address:
        try:
            done = run_program(run, folder, address)
        except subprocess.TimeoutExpired as late:
            report.faults.append(f"the bot had not ended after {DEADLINE_S} s")
            report.stderr = (late.stderr or b"").decode("utf-8", "replace")
        else:
            report.exit_status, report.stderr = done.returncode, done.stderr
    if report.exit_status and not report.faults:  # the stream's thread may not have got to say it
        report.faults.append(ENDED_EARLY)
    return report


def main() -> None:
    """Build a bot, put it before all tables, print the report."""
    bot = find_bot(sys.argv[1])
    build_bots([bot], lambda line: print(line, file=sys.stderr))
    report = run_scripted(bot.run, bot.folder)
    print(report)
    sys.exit(0 if report.passed else 1)


if __name__ == "__main__":
    main()
