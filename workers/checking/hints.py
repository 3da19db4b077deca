"""What the author of a silent bot should look at first. Must not judge: the referee has."""

from __future__ import annotations

from pathlib import Path

from workers.bots import BotProgram
from workers.checking.sittings import Run

_OF_TIME = frozenset({"absent", "timeout"})


def silence_hint(run: Run, bot: BotProgram) -> str:
    """How far a bot came that then said nothing more, and what to look at; empty if time was not what ran out."""
    if run.fault is None or run.fault.kind not in _OF_TIME:
        return ""
    is_bridged = Path(bot.run[0]).name == "king" and bot.run[1:2] == ("bridge",)
    if not run.traffic.streams:
        return _FIRST_LINE if is_bridged else _DIAL
    if not any(stream.ready for stream in run.traffic.streams):
        return f"; it said hello but never ready: {_INPUT if is_bridged else _STREAM}"
    if is_bridged and not run.traffic.has_answered:
        return f"; it never answered: {_INPUT}"
    return ""


_FIRST_LINE = "; it never said hello: does it write its first line before it reads, and flush it?"
_DIAL = "; it never said hello: does it dial the address in KING_REFEREE?"
_INPUT = "does it read its standard input, and flush each line that it writes?"
_STREAM = "does it say Ready once Welcome has come?"
