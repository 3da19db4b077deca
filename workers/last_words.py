"""What of a program's standard error says why it ended: one line for a fault, a few for a report.

Owns the knowledge of how languages print traces. Must not read files or start anything, and imports nothing of ours:
`king bridge`, which starts with every bot, uses it too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

BRIDGE: Final = "king bridge: "
"""How every line of `king bridge` begins."""

BROKEN_STREAM: Final = "stream broken"
"""What it says when it dials again. All else is a complaint: it names the cause, its command's own words with it."""

DETAIL_LENGTH: Final = 300
"""The most characters of a telling line."""

_LINE_LENGTH: Final = 200

_MARGIN: Final = re.compile(r"[ |]*\| (?=\S)")
"""What Python puts before every line of an exception group."""

_AROUND: Final = re.compile(
    r"""
      \s | [{}()\[\]|+^~.\ -]*$                               # indented; a brace or a rule alone
    | at\s\S*\(.*\)$ | at\s\S.*:\d+\)?$                       # frames that are not indented
    | (stack\s?trace(back)?|CallStack\s\(.*\)|Traceback\s.*):$ # what stands above frames
    | (Raised|Re-raised|Called)\s(at|by|from)\s               # frames of OCaml
    | note:\srun\swith\s.RUST_BACKTRACE                       # a hint
    | king:\sended\swith\sthe\sbot                        # the keeper of its tree, of what it left running
    | Node\.js\sv\d | npm\s(ERR!|error) | exit\sstatus\s\d+$  # what runners say when all is over
    """,
    re.VERBOSE | re.IGNORECASE,
)
_GO_PANIC: Final = re.compile(r"\s*(panic|fatal error): ")
_GO_TRACE: Final = re.compile(r"goroutine \d+ .*\[.*:$|runtime stack:$")
_TCL_TRACE: Final = re.compile(r"\s+while executing$")
_TWO_LINES: Final = re.compile(r"thread '.*' .*panicked at .*:$|terminate called after throwing ")
"""Rust and C++ have the message on the line below."""


def telling_line(text: str) -> str:
    """The line that says why the program ended: an exception with its message, a panic, or else the last words.

    Frames of stacks, and what is printed around them, are passed over in any language. Empty if there is no text.
    """
    lines = text.splitlines()
    place = _telling_place(lines)
    if place is None:
        return ""
    told = _MARGIN.sub("", lines[place]).strip()
    if _TWO_LINES.match(told) and place + 1 < len(lines):
        told = f"{told} {lines[place + 1].strip()}"
    return told[:DETAIL_LENGTH]


def telling_excerpt(text: str, most: int) -> list[str]:
    """At most `most` lines, long ones cut: the last ones, or from the telling line on if that comes before them."""
    lines = text.rstrip().splitlines()
    place = _telling_place(lines)
    start = max(0, len(lines) - most)
    if place is not None:
        start = min(start, place)
    return [line if len(line) <= _LINE_LENGTH else f"{line[:_LINE_LENGTH]}…" for line in lines[start : start + most]]


def _telling_place(lines: Sequence[str]) -> int | None:
    """Where the telling line is; None if all are blank."""
    spoken = [place for place, line in enumerate(lines) if line.strip()]
    if not spoken:
        return None
    found = (*_complaints(lines), *_heads(lines), *_outside_of_traces(lines))
    return found[0] if found else spoken[-1]


def _complaints(lines: Sequence[str]) -> Iterator[int]:
    """What the bridge says is wrong, the last first: the command may have cried out after it, when it was ended."""
    for place in range(len(lines) - 1, -1, -1):
        if lines[place].startswith(BRIDGE) and not lines[place].startswith(f"{BRIDGE}{BROKEN_STREAM}"):
            yield place


def _heads(lines: Sequence[str]) -> Iterator[int]:
    """The last line that heads a trace, of languages whose traces have other lines without indentation."""
    for place in range(len(lines) - 1, -1, -1):
        if (
            _TWO_LINES.match(lines[place])
            or (_GO_PANIC.match(lines[place]) and any(map(_GO_TRACE.match, lines[place + 1 :])))
            or (place + 1 < len(lines) and _TCL_TRACE.match(lines[place + 1]))
        ):
            yield place


def _outside_of_traces(lines: Sequence[str]) -> Iterator[int]:
    for place in range(len(lines) - 1, -1, -1):
        told = _MARGIN.sub("", lines[place])
        if not _AROUND.match(told):
            yield place
