"""How an action came about: who took it, and how long it took.

Owns what a record says of that beside the action itself. Must not know processes, streams or the game.
"""

from __future__ import annotations

from typing import Final

from referee.clock import NS_PER_MS
from referee.rules import By, Taken


class Decision:
    """How an action came about; `timing` is that of a request which the bot did not answer, or None."""

    __slots__ = ("_timing", "by")

    def __init__(self, by: By, timing: FrameTiming | None = None) -> None:
        self.by = by
        self._timing = timing

    @property
    def text(self) -> str:
        """What a record says of it, as `Taken.text`.

        Raises:
            ValueError: while the frame of its request is open.
        """
        if self._timing is None:
            return _UNTIMED[self.by]
        return Taken(by=self.by, ms=self._timing.ms, asked_with=self._timing.asked_with).text


class FrameTiming(Decision):
    """How long a frame of requests took, known when its last request is settled.

    It is also how each action came about that a bot took by an answer to it: all of them share it, and its text.
    """

    __slots__ = ("_text", "asked_with", "taken_ns")

    def __init__(self, asked_with: int) -> None:
        super().__init__(By.BOT)
        self.asked_with = asked_with
        self.taken_ns: int | None = None
        self._text = ""

    @property
    def ms(self) -> int:
        """Milliseconds a request, rounded.

        Raises:
            ValueError: while the frame is open.
        """
        if self.taken_ns is None:
            raise ValueError("the frame is still open")
        return round(self.taken_ns / NS_PER_MS / self.asked_with)

    @property
    def text(self) -> str:
        """What a record says of an answer to it, as `Taken.text`.

        Raises:
            ValueError: while the frame is open.
        """
        if not self._text:
            self._text = Taken(by=By.BOT, ms=self.ms, asked_with=self.asked_with).text
        return self._text


_UNTIMED: Final = {by: Taken(by=by).text for by in By}
