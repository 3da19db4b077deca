"""The clock of one bot process, the time control it runs by, and the referee's own lag.

Owns what a bot is charged for, and nothing else: what an overrun costs is decided in `faults`. Reads no clock of its
own: every call is told the time, in nanoseconds of one monotonic clock.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

NS_PER_MS: Final = 1_000_000
_UNITS_MS: Final = {"ms": 1, "s": 1000, "m": 60_000}
_DURATION: Final = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,12})?)(ms|s|m)")
_LONGEST_MS: Final = 24 * 3600 * 1000
_SHOWN_LETTERS: Final = 100


class TimeControlError(ValueError):
    """A time control that cannot be read: its text says which part, and what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """How long a bot may think, in milliseconds: until `Ready`, more for each request, and in store at most."""

    start_ms: int = 30_000
    increment_ms: int = 100
    bank_ms: int = 10_000

    @staticmethod
    def parse(text: str) -> TimeControl:
        """Read `start=30s,inc=100ms,bank=10s`: any order, parts left out have these values, units ms, s and m.

        Raises:
            TimeControlError: if a part is unknown, given twice, no duration, or out of range.
        """
        shown = text if len(text) <= _SHOWN_LETTERS else f"{text[:_SHOWN_LETTERS]}…"
        values: dict[str, int] = {}
        for part in filter(None, [piece.strip() for piece in text.split(",")]):
            name, equals, duration = part.partition("=")
            if not equals or name not in _FIELDS:
                raise TimeControlError(
                    f"time control {shown!r}: {part[:_SHOWN_LETTERS]!r} is not one of start=…, inc=…, bank=…"
                )
            if _FIELDS[name] in values:
                raise TimeControlError(f"time control {shown!r}: {name} is given twice")
            values[_FIELDS[name]] = _milliseconds(duration, name, shown)
        return TimeControl(**values)

    def __str__(self) -> str:
        """The written form, all parts included."""
        parts = {"start": self.start_ms, "inc": self.increment_ms, "bank": self.bank_ms}
        return ",".join(f"{name}={_duration(value)}" for name, value in parts.items())


_FIELDS: Final = {"start": "start_ms", "inc": "increment_ms", "bank": "bank_ms"}


def _milliseconds(text: str, name: str, whole: str) -> int:
    match = _DURATION.fullmatch(text)
    if match is None:
        raise TimeControlError(
            f"time control {whole!r}: {name}={text[:_SHOWN_LETTERS]} is no duration; write 100ms, 1.5s or 2m"
        )
    value = Fraction(match[1]) * _UNITS_MS[match[2]]
    least = 0 if name == "inc" else 1
    if not least <= value <= _LONGEST_MS or value.denominator != 1:
        raise TimeControlError(f"time control {whole!r}: {name}={text} is not from {least}ms to 1440m in whole ms")
    return int(value)


def _duration(value_ms: int) -> str:
    return f"{value_ms // 1000}s" if value_ms % 1000 == 0 else f"{value_ms}ms"


class ProcessClock:
    """The one clock of a bot process: runs while a frame of requests is open, and before that until `Ready`.

    Time given back never exceeds the time charged. As reports of waiting come after the fact, and are under way for a
    while, what frames already answered were charged since the last report but one can still be given back.
    """

    __slots__ = ("_balance_ns", "_bank_ns", "_ceiling_ns", "_increment_ns", "_recent_ns", "_refundable_ns",
                 "_returned_ns", "_since_ns", "_start_ns", "_waited_ns", "lag_returned_ns", "least_left_ns",
                 "wait_returned_ns")  # fmt: skip

    def __init__(self, control: TimeControl) -> None:
        self._start_ns = control.start_ms * NS_PER_MS
        self._increment_ns = control.increment_ms * NS_PER_MS
        self._bank_ns = control.bank_ms * NS_PER_MS
        self._balance_ns = self._bank_ns
        self._ceiling_ns = self._bank_ns
        self._since_ns: int | None = None
        self._returned_ns = 0
        self._recent_ns = 0
        self._refundable_ns = 0
        self._waited_ns = 0
        self.wait_returned_ns = 0
        """How much was given back in all for waiting for a CPU."""
        self.lag_returned_ns = 0
        """How much was given back in all for the referee's lag."""
        self.least_left_ns = self._bank_ns
        """What was left at the end of the frame that came nearest to an overrun."""

    @property
    def running(self) -> bool:
        """Whether time is being charged."""
        return self._since_ns is not None

    @property
    def since_ns(self) -> int | None:
        """Since when time has been charged; None while none is."""
        return self._since_ns

    def left_ns(self, now_ns: int) -> int:
        """What is left; below zero is an overrun."""
        return self._balance_ns - self._charged_ns(now_ns)

    def begin_start_up(self, now_ns: int) -> None:
        """Run on the start-up allowance, until `ready`."""
        self._balance_ns = self._ceiling_ns = self._start_ns
        self._run(now_ns)

    def ready(self) -> None:
        """End the start-up: from now on the bank counts."""
        self._since_ns = None
        self._balance_ns = self._ceiling_ns = self._bank_ns
        self._recent_ns = self._refundable_ns = 0

    def hand_over(self, request_count: int, now_ns: int) -> None:
        """Run for a frame of requests, each of which adds the increment."""
        added_ns = request_count * self._increment_ns
        self._balance_ns += added_ns
        self._ceiling_ns = self._bank_ns + added_ns
        self._run(now_ns)

    def stop(self, now_ns: int) -> int:
        """End the open frame after its last answer; return the time it was charged."""
        taken_ns = self._charged_ns(now_ns)
        self._since_ns = None
        self._ceiling_ns = self._bank_ns
        self._balance_ns -= taken_ns
        self.least_left_ns = min(self.least_left_ns, self._balance_ns)
        self._balance_ns = min(self._bank_ns, self._balance_ns)
        self._recent_ns += taken_ns
        return taken_ns

    def overrun(self, now_ns: int) -> int:
        """End the open frame unanswered: restart at half of the bank; return the time it was charged."""
        taken_ns = self._charged_ns(now_ns)
        self._since_ns = None
        self._ceiling_ns = self._bank_ns
        self._balance_ns = self._bank_ns // 2
        self._recent_ns = self._refundable_ns = 0
        return taken_ns

    def lagged(self, lag_ns: int, now_ns: int) -> None:
        """Give back what the referee was late by."""
        self.lag_returned_ns += self._give_back(lag_ns, now_ns)

    def _give_back(self, amount_ns: int, now_ns: int) -> int:
        """Give back time that was charged and was not the bot's: to the open frame first, then to the balance.

        Returns how much of it was charged, and so is given back.
        """
        to_open_ns = min(amount_ns, self._charged_ns(now_ns))
        self._returned_ns += to_open_ns
        to_balance_ns = min(amount_ns - to_open_ns, self._refundable_ns + self._recent_ns)
        from_older_ns = min(to_balance_ns, self._refundable_ns)
        self._refundable_ns -= from_older_ns
        self._recent_ns -= to_balance_ns - from_older_ns
        self._balance_ns = min(self._ceiling_ns, self._balance_ns + to_balance_ns)
        return to_open_ns + to_balance_ns

    def cpu_waited(self, total_ns: int, now_ns: int) -> None:
        """Take in a report of how long the process has waited for a CPU since its start, and give it back."""
        self.wait_returned_ns += self._give_back(max(0, total_ns - self._waited_ns), now_ns)
        self._waited_ns = max(self._waited_ns, total_ns)
        self._refundable_ns, self._recent_ns = self._recent_ns, 0

    def _run(self, now_ns: int) -> None:
        self._since_ns = now_ns
        self._returned_ns = 0

    def _charged_ns(self, now_ns: int) -> int:
        if self._since_ns is None:
            return 0
        return max(0, now_ns - self._since_ns - self._returned_ns)


class LagMeter:
    """How late the referee itself is: it means to beat every `interval_ns`, and a late beat tells the lag."""

    __slots__ = ("_due_ns", "_interval_ns", "_tolerance_ns")

    def __init__(self, *, interval_ns: int, tolerance_ns: int, now_ns: int) -> None:
        self._interval_ns = interval_ns
        self._tolerance_ns = tolerance_ns
        self._due_ns = now_ns + interval_ns

    def overdue(self, now_ns: int) -> bool:
        """Whether a beat is so late that its lag counts; then beat before anything is charged."""
        return now_ns > self._due_ns + self._tolerance_ns

    def beat(self, now_ns: int) -> int:
        """Beat; return the lag since the last beat, 0 within the tolerance."""
        lag_ns = now_ns - self._due_ns
        self._due_ns = now_ns + self._interval_ns
        return lag_ns if lag_ns > self._tolerance_ns else 0
