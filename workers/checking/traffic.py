"""What passed between the bot and the referee in one sitting: streams, frames and times.

It keeps the first frames of each stream and the last of all, and adds up the rest. Judges nothing.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Final

from referee.codec import Asked, Choice, FrameError, Hello, Ready, read_frame, requests_in

_KEPT: Final = 64


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: the time, in seconds of the monotonic clock, and the bytes."""

    at: float
    content: bytes


@dataclass(slots=True)
class StreamSeen:
    """One stream of the bot, as far as it went."""

    first: Frame
    hello: Hello | None
    welcome: Frame | None = None
    ready: Frame | None = None
    status: str = ""
    detail: str = ""
    closed_at: float | None = None


class Traffic:
    """The watch of one sitting. `on_asked` is told the number of each frame with requests, as it goes out."""

    def __init__(self, filler_tokens: Set[str], on_asked: Callable[[int], None] = lambda number: None) -> None:
        """Leave out the streams of fillers, whose tokens join `filler_tokens` as they are started."""
        self.streams: list[StreamSeen] = []
        self.asked_frames: deque[Frame] = deque(maxlen=_KEPT)
        self.heard_frames: deque[Frame] = deque(maxlen=_KEPT)
        self.tightest: Frame | None = None
        """The frame with requests that took most of the time that was left for it, or was furthest beyond it."""
        self.stray: Frame | None = None
        """The first frame with a choice that answers nothing."""
        self.request_count = 0
        self.most_at_once = 0
        self.slowest_s = 0.0
        self.least_left_ms: int | None = None
        self._filler_tokens = filler_tokens
        self._on_asked = on_asked
        self._by_number: dict[int, StreamSeen | None] = {}
        self._frame_count = 0
        self._answer_count = 0
        self._open_ids: set[int] = set()
        self._left_s = 0.0
        self._furthest_s = -math.inf

    def heard(self, stream: int, frame: bytes) -> None:
        """As in `referee.watching.StreamWatch`."""
        passed = Frame(time.monotonic(), frame)
        messages = _messages(frame)
        if stream not in self._by_number:
            self._open(stream, passed, next((each for each in messages if isinstance(each, Hello)), None))
        seen = self._by_number[stream]
        if seen is None:
            return
        self.heard_frames.append(passed)
        for message in messages:
            if isinstance(message, Ready) and seen.ready is None:
                seen.ready = passed
            elif isinstance(message, Choice):
                self._note_answer(message.request_id, passed)

    def sent(self, stream: int, frame: bytes) -> None:
        """As in `referee.watching.StreamWatch`."""
        seen = self._by_number.get(stream)
        if seen is None:
            return
        passed = Frame(time.monotonic(), frame)
        if seen.welcome is None:
            seen.welcome = passed
        asked = requests_in(frame)
        if asked:
            self._note_asked(asked, passed)

    def closed(self, stream: int, status: str, detail: str) -> None:
        """As in `referee.watching.StreamWatch`."""
        seen = self._by_number.get(stream)
        if seen is not None:
            seen.status, seen.detail, seen.closed_at = status, detail, time.monotonic()

    @property
    def has_answered(self) -> bool:
        """Whether any request was answered."""
        return self._answer_count > 0

    @property
    def last(self) -> StreamSeen | None:
        """The stream that came last."""
        return self.streams[-1] if self.streams else None

    def _open(self, number: int, first: Frame, hello: Hello | None) -> None:
        if hello is not None and hello.token in self._filler_tokens:
            self._by_number[number] = None
            return
        seen = self._by_number[number] = StreamSeen(first, hello)
        self.streams.append(seen)

    def _note_asked(self, asked: list[Asked], frame: Frame) -> None:
        if self._open_ids:
            self._note_end(frame.at)
        self.asked_frames.append(frame)
        self._open_ids = {each.request_id for each in asked}
        self._frame_count += 1
        self.request_count += len(asked)
        self.most_at_once = max(self.most_at_once, len(asked))
        left_ms = asked[0].left_ms
        self._left_s = left_ms / 1000
        self.least_left_ms = left_ms if self.least_left_ms is None else min(self.least_left_ms, left_ms)
        self._on_asked(self._frame_count)

    def _note_answer(self, request_id: int, frame: Frame) -> None:
        if request_id not in self._open_ids:
            self.stray = self.stray or frame
            return
        self._open_ids.discard(request_id)
        self._answer_count += 1
        if not self._open_ids:
            self.slowest_s = max(self.slowest_s, frame.at - self.asked_frames[-1].at)
            self._note_end(frame.at)

    def _note_end(self, at: float) -> None:
        """The last frame with requests is answered, or was given up."""
        asked = self.asked_frames[-1]
        beyond_s = at - asked.at - self._left_s
        if beyond_s > self._furthest_s:
            self._furthest_s, self.tightest = beyond_s, asked


def _messages(frame: bytes) -> Sequence[object]:
    try:
        return read_frame(frame).messages
    except FrameError:
        return ()
