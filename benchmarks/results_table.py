"""The table of what was measured beside what, for the terminal and for docs/performance.md.

Owns which figures are in it, what they are called, and what is asked of them. Measures nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.machine import described

BEGIN: Final = "<!-- written by python -m benchmarks --write-docs -->"
END: Final = "<!-- to here -->"


@dataclass(frozen=True)
class Figure:
    """A figure of a part.

    `key` is its name there, `per` another figure that it is divided by; `unit` and `digits` are for people, `target`
    is what is asked of it.
    """

    part: str
    key: str
    says: str
    unit: str = ""
    digits: int = 2
    per: str = ""
    target: str = ""


FIGURES: Final = (
    Figure(
        "engine",
        "playouts russian-14",
        "random playouts of `russian-14`, beside OpenSpiel's `hearts`",
        "×",
        per="OpenSpiel hearts",
        target="0.7",
    ),
    Figure("engine", "compiled playouts russian-14", "the same, compiled", "×", per="OpenSpiel hearts", target="3"),
    Figure("engine", "verify russian-14", "records verified a second", digits=0, target="150"),
    Figure("engine", "compiled verify russian-14", "the same, compiled", digits=0, target="1,000"),
    *(
        Figure(
            "decisions",
            f"{course}_{engine}ratio{peer}",
            f"decisions {where}{how}, beside gRPC with {what}",
            "×",
            target="" if peer else asked,
        )
        for course, where, asked in (
            ("256", "at 256 tables", "0.7"),
            ("64", "at 64 tables", "0.7"),
            ("8", "at 8 tables", "0.7"),
            ("season", "at the tables of a season of 8 bots", ""),
        )
        for engine, how in (("", ""), ("compiled_", ", compiled"))
        for peer, what in (
            ("", "the same bytes, unread"),
            ("_parsed", "the same bytes, parsed"),
            ("_answering", "the same bots"),
        )
    ),
    *(
        Figure(
            "decisions",
            f"1_{engine}p50_ratio{peer}",
            f"one table: a decision's time{how}, beside {what}",
            "×",
            target="" if peer else "at most 1.3",
        )
        for engine, how in (("", ""), ("compiled_", ", compiled"))
        for peer, what in (("", "gRPC, bytes unread"), ("_answering", "gRPC with the same bots"))
    ),
    Figure("two_referees", "matches_ratio", "matches of two referees, beside one", "×", target="1.8"),
    Figure("two_referees", "cpu_ratio", "their CPU for a decision, beside one", "×", target="0.9 to 1.1"),
    Figure("table_cost", "last_fifth_ratio", "CPU for a decision at tables 401 to 500, beside 1 to 100", "×"),
    Figure("decisions", "64_decisions_a_second", "decisions a second at 64 tables", digits=0),
    Figure("decisions", "python_kit_decisions_a_second", "the same with the kit in Python", digits=0),
    Figure("decisions", "cpp_kit_decisions_a_second", "the same with the kit in C++", digits=0),
    Figure("league_overhead", "ratio_to_king_match", "matches of a league, beside `king match`", "×", target="0.8"),
    Figure("start_up", "queued_to_horse_ms", "from a queued sitting to its process", "ms", digits=0),
    Figure("start_up", "first_table_ms", "from its process to the first table", "ms", digits=0),
    Figure("start_up", "ratio_to_plain_processes", "the same, beside processes without a sandbox", "×"),
    Figure("stored_size", "bytes_per_match", "a stored match, all included", "bytes", digits=0, target="at most 1,536"),
    Figure("stored_size", "record_bytes", "its record, of that", "bytes", digits=0),
    Figure("stored_size", "busy_bytes_per_match", "a stored match of bots that use up their clocks", "bytes", digits=0),
    Figure("memory", "bytes_per_table", "a table in the referee's memory", "bytes", digits=0),
    *(
        Figure("ratings", f"{count}_{key}", f"{says}, {count:,} matches", unit, target=target)
        for count in (1_000, 10_000, 100_000, 1_000_000)
        for key, says, unit, target in (
            ("ratings_s", "ratings from the sums", "s", ""),
            ("ratio_to_ordo", "its CPU, with intervals, beside Ordo's problem by scipy", "×", ""),
            ("commit_ratio", "CPU of storing one more, beside an empty season", "×", "1"),
        )
    ),
    *(
        Figure("pages", f"{count}_{key}", f"{says}, {count:,} matches", unit)
        for count in (1_000, 10_000, 100_000)
        for key, says, unit in (
            ("p99_ms", "ladder asked by 50 readers, 99th percentile", "ms"),
            ("ratio_to_health", "the median, beside an answer of three bytes", "×"),
            ("api_ladder_ms", "the ladder by the API, one reader", "ms"),
            ("api_matches_ms", "matches by the API, one reader", "ms"),
        )
    ),
)


def table_text(found: Mapping[str, Any]) -> str:
    """The table for a terminal."""
    lines = [described(found["machine"])]
    lines += [f"{says:72} {value:>16}  {target}" for says, value, target in _rows(found)]
    lines += [f"{name} failed: {error}" for name, error in found["failed"].items()]
    return "\n".join(lines)


def markdown(found: Mapping[str, Any]) -> str:
    """The table for the documents."""
    form = "its small form" if found["quick"] else "one run"
    lines = [f"{described(found['machine'])}; {form}:", "", "| what | | asked |", "|---|---|---|"]
    lines += [f"| {says} | {value} | {target} |" for says, value, target in _rows(found)]
    lines += [f"| {name} | failed: {error} | |" for name, error in found["failed"].items()]
    return "\n".join(lines)


def write_docs(path: Path, table: str) -> None:
    """Puts a table between the marks of a document.

    Raises:
        ValueError: it has no marks.
    """
    text = path.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{path} has no place for the table: write {BEGIN} and {END} where it belongs")
    path.write_text(f"{before}{begin}\n\n{table}\n\n{end}{after}", encoding="utf-8")


def _rows(found: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for figure in FIGURES:
        of_part = found.get(figure.part, {})
        if figure.key in of_part and (not figure.per or figure.per in of_part):
            value = of_part[figure.key] / (of_part[figure.per] if figure.per else 1)
            yield figure.says, f"{value:,.{figure.digits}f} {figure.unit}".rstrip(), figure.target
