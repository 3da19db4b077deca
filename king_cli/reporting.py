"""How the command line talks: lines with a time for what runs long, progress, tables for results."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from textwrap import indent
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from king_cli.settings import Settings
    from league.store.silence import TellTakenBack

BEYOND_DOUBT = 0.05
NAMES_SHOWN = 10
FAULTS_SHOWN = 3
MINUS = "\N{MINUS SIGN}"


def log_to_stderr(level: int = logging.INFO) -> None:
    """Have what the parts in this process log appear on standard error, from `level` on, for people."""
    from workers import logs

    logs.log_to_stderr("king", level=level)


def reporter(settings: Settings, part: str, *, warning: bool = False) -> Callable[[str], None]:
    """What says one line for people; as `report_line`, unless KING_LOG wants objects: then of the level `warning`."""
    from workers.logs import LogStyle, log_to_stderr

    if settings.log is not LogStyle.JSON:
        return report_line
    import structlog

    log_to_stderr(part, LogStyle.JSON)
    log = structlog.get_logger("king")
    say: Callable[[str], None] = log.warning if warning else log.info
    return say


def teller_of_claims(report: Callable[[str], None]) -> TellTakenBack:
    """What tells of claims that a sweep takes back: the log, where it is set up, else `report`."""
    from workers.logs import is_set_up
    from workers.sweep import log_taken_back

    return log_taken_back if is_set_up() else lambda taken: report(str(taken))


def report_line(text: str) -> None:
    """Say one line on standard error, with the time of day.

    One that cannot be written, as on a full disk, is lost: who says it has a league to keep going.
    """
    with contextlib.suppress(OSError):
        typer.echo(f"{datetime.now().astimezone():%H:%M:%S} {text}", err=True)


def report_on(console: Console) -> Callable[[str], None]:
    """As `report_line`, on a console that may be showing progress."""

    def say(text: str) -> None:
        line = f"{datetime.now().astimezone():%H:%M:%S} {text}"
        with contextlib.suppress(OSError):
            console.print(line, markup=False, highlight=False, soft_wrap=True)

    return say


def record_name(board: int, rotation: int) -> str:
    """The name of the file with the record of a match."""
    return f"board-{board:04}-rotation-{rotation}.json"


def print_json(value: Mapping[str, Any]) -> None:
    """Print a JSON object on standard output."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


class MatchProgress:
    """Shows how many matches are stored: a bar on a terminal, else a line now and then. Use as a context."""

    def __init__(self, total: int, console: Console, *, hidden: bool = False) -> None:
        """Show progress towards `total` matches on `console`; not if `hidden`, where a person is using it."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
        from rich.progress import TimeRemainingColumn as Remaining

        self._console = console
        self._total = total
        self._hidden = hidden
        self._lines = 0
        note = TextColumn("{task.fields[note]}", markup=False)
        columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), Remaining(), note)
        self._bar = Progress(*columns, console=console)
        self._task = self._bar.add_task("matches", total=total, note="")

    def __enter__(self) -> MatchProgress:
        if self._console.is_terminal and not self._hidden:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal and not self._hidden:
            self._bar.stop()

    def say(self, text: str) -> None:
        """Say one line, as `report_line` does, above the bar."""
        report_on(self._console)(text)

    def show(self, done: int, note: str = "") -> None:
        """Say that `done` matches are stored, and what they come to so far."""
        self._bar.update(self._task, completed=done, note=note)
        tenths = 10 * done // self._total if self._total else 10
        if not self._hidden and not self._console.is_terminal and tenths > self._lines:
            self._lines = tenths
            report_line(f"{done} of {self._total} matches{'; ' if note else ''}{note}")


def stderr_console() -> Console:
    """A console on standard error."""
    from rich.console import Console

    return Console(stderr=True)


def print_faults(faults: Sequence[Mapping[str, Any]]) -> None:
    """Print of each bot that had faults what they cost, and the first ones, each with its time, its place, its cause.

    They are given as in the JSON of `king match`, and printed on standard output.
    """
    for each in faults:
        count = each["faults"]
        typer.echo(f"{each['bot']} had {count} {'fault' if count == 1 else 'faults'} and {_cost(each)}:")
        told = ""
        for fault in each["list"][:FAULTS_SHOWN]:
            typer.echo(f"  {_fault_line(fault)}")
            if fault["stderr"] and fault["stderr"] != told:
                typer.echo(indent(fault["stderr"], "    | "))
            told = fault["stderr"]
        if count > FAULTS_SHOWN:
            typer.echo(f"  and {count - FAULTS_SHOWN} more; --json lists them")
        if each["logs"]:
            typer.echo(f"  its standard error: {each['logs'][0]}")


def _cost(faults: Mapping[str, Any]) -> str:
    if not faults["forfeited"]:
        return "forfeited no match"
    points = number_text(faults["forfeit_points"], 0)
    counts = f"each counts {points} points against the table's mean"
    never = "" if faults["decisions"] else "; it never made a decision"
    return f"forfeited {faults['forfeited']} of {faults['matches']} matches ({counts}{never})"


def _fault_line(fault: Mapping[str, Any]) -> str:
    """One fault: the time, where, the kind, the words, as "13:05:59.123 board 1 rotation 0 deal 3: exit: …"."""
    time = datetime.fromisoformat(fault["at"]).strftime("%H:%M:%S.%f")[:-3]
    names = ("board", "rotation", "deal", "action")
    place = " ".join(f"{name} {fault[name]}" for name in names if fault[name] is not None)
    cost = "" if fault["forfeits"] else " (forgiven)"
    return f"{time} {place or 'before any table'}: {fault['kind']}: {fault['detail']}{cost}"


def print_matches(matches: Sequence[Mapping[str, Any]]) -> None:
    """Print the result of each match, given as in the JSON of a `king match` with a person, on standard output."""
    for match in matches:
        seats = sorted(match["seats"], key=lambda seat: int(seat["place"]))
        told = ", ".join(f"{seat['place']}. {seat['player']} {_person_score(seat)}" for seat in seats)
        typer.echo(f"Match {match['board']}: {told}")


def _person_score(seat: Mapping[str, Any]) -> str:
    return f"{number_text(seat['score'], 0, '+')}{' (forfeited)' if seat['forfeited'] else ''}"


def print_ladder(ladder: Mapping[str, Any], *, of: str = "") -> None:
    """Print a ladder, given as in its JSON, and which differences are beyond doubt, on standard output.

    `of` says in the title whose it is; by default, the variant's.
    """
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=max(console.width, 110))
    console.print(_ladder_table(ladder, of or ladder["variant"]))
    unsure = [row["bot"] for row in ladder["bots"] if row["provisional"]]
    for line in [*_verdicts(ladder), *provisional_lines(unsure, of=len(ladder["bots"]))]:
        console.print(line, markup=False, highlight=False)


def _ladder_table(ladder: Mapping[str, Any], of: str) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(f"Ladder of {of}"), title_justify="left", caption_justify="left")
    table.caption = f"{_on_intervals(ladder)}Elo per match, order-independent"
    for heading, justify in (("", "right"), ("Bot", "left"), ("Points per deal", "right"), ("Elo", "right")):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]  # rich wants a literal
    for heading in ("Boards", "Matches", "Faults"):
        table.add_column(heading, justify="right")
    for row in ladder["bots"]:
        points = with_interval(row["points_per_deal"], row["points_low"], row["points_high"], digits=2, sign="+")
        elo = with_interval(row["elo"], row["elo_low"], row["elo_high"], digits=0)
        counts = (str(row["boards"]), str(row["matches"]), str(row["faults"]))
        table.add_row(str(row["rank"]), f"{row['bot']} {row['version']}", points, elo, *counts)
    return table


def _on_intervals(ladder: Mapping[str, Any]) -> str:
    if any(row["points_low"] is not None or row["elo_low"] is not None for row in ladder["bots"]):
        return "95 % intervals in brackets; "
    return "too few boards for intervals; " if ladder["boards"] else ""


def _verdicts(ladder: Mapping[str, Any]) -> list[str]:
    """One line for each bot that is better than another beyond doubt; none while that cannot be judged."""
    if all(difference["p_holm"] is None for difference in ladder["differences"]):
        return []
    beaten: dict[str, list[str]] = {}
    for difference in ladder["differences"]:
        if difference["p_holm"] is not None and difference["p_holm"] < BEYOND_DOUBT:
            value = difference["points_per_deal"]
            better, worse = (difference["a"], difference["b"]) if value > 0 else (difference["b"], difference["a"])
            beaten.setdefault(better, []).append(f"{worse} by {abs(value):.2f}")
    if not beaten:
        return [f"No bot is better than another beyond doubt (p < {BEYOND_DOUBT}) yet."]
    lines = [f"{better} is better than {', '.join(worse)}" for better, worse in beaten.items()]
    return [*lines, f"(points per deal; p < {BEYOND_DOUBT} after Holm's correction over all pairs)"]


def provisional_lines(names: Sequence[str], *, of: int) -> list[str]:
    """A line that says who of so many has too few boards to be taken at its word; none where nobody is."""
    from league.model import PROVISIONAL_BELOW_BOARDS

    if not names:
        return []
    who = "all" if len(names) == of > 1 else listed(names)
    return [f"Provisional, with fewer than {PROVISIONAL_BELOW_BOARDS} boards: {who}"]


def listed(names: Sequence[str]) -> str:
    """The first of some names, and how many there are beside."""
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def counted(count: int, one: str, many: str = "") -> str:
    """A count with its noun, as "1 board" or "2 boards"; `many` by default has an s more."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def with_interval(value: float | None, low: float | None, high: float | None, *, digits: int, sign: str = "") -> str:
    """A number with its interval in brackets, as "1512 [1498, 1526]"; a dash for none."""
    if value is None:
        return "–"
    text = number_text(value, digits, sign)
    if low is None or high is None:
        return text
    return f"{text} [{number_text(low, digits, sign)}, {number_text(high, digits, sign)}]"


def number_text(value: float, digits: int, sign: str = "") -> str:
    """A number with so many digits after the point; `sign` "+" shows it of positive ones too."""
    return f"{value:{sign}.{digits}f}".replace("-", MINUS)
