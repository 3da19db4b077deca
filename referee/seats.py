"""One seat of one table as its bot process sees it: what it was told, what it is asked.

Owns the events held for a seat, and its request. Must not know streams, the clock, the game, or what a fault costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from referee.clock import NS_PER_MS
from referee.codec import TableCodec


class SeatHolder(Protocol):
    """The bot process that holds a seat."""

    @property
    def remote(self) -> bool:
        """Whether the bot is run by its owner."""

    def queue(self, seat: TableSeat) -> None:
        """Send what a seat holds, its request included, with the next frame."""

    def next_request_id(self) -> int:
        """Return an id not used before."""

    def note_end(self, seat: TableSeat) -> None:
        """A table is over: its seat counts no more as open."""


class FrameTiming:
    """How long a frame of requests took, known when its last request is settled; its decisions share it."""

    __slots__ = ("asked_with", "taken_ns")

    def __init__(self, asked_with: int) -> None:
        self.asked_with = asked_with
        self.taken_ns: int | None = None

    @property
    def ms(self) -> int:
        """Milliseconds a request, rounded.

        Raises:
            ValueError: while the frame is open.
        """
        if self.taken_ns is None:
            raise ValueError("the frame is still open")
        return round(self.taken_ns / NS_PER_MS / self.asked_with)


@dataclass(slots=True, eq=False)
class OpenRequest:
    """A request that waits to be handed over, or for its answer; `timing` comes with the hand-over."""

    request_id: int
    seat: TableSeat
    actions: bytes
    action_count: int
    timing: FrameTiming | None = None


class TableSeat:
    """A seat, and who holds it; a seat whose bot failed is held by nobody and is told nothing.

    `log` is all that the seat was ever told, requests excepted; the first `sent` bytes of it went out on the present
    stream.
    """

    __slots__ = ("_holder", "codec", "log", "over", "request", "seat", "sent", "table")

    def __init__(self, holder: SeatHolder | None, *, table: int, seat: int) -> None:
        self._holder = holder
        self.table = table
        self.seat = seat
        self.codec = TableCodec(table)
        self.log = bytearray()
        self.sent = 0
        self.over = False
        self.request: OpenRequest | None = None

    @property
    def held(self) -> bool:
        """Whether a bot process answers for the seat."""
        return self._holder is not None

    @property
    def remote(self) -> bool:
        """Whether a remote bot holds the seat."""
        return self._holder is not None and self._holder.remote

    def tell(self, piece: bytes) -> None:
        """Hold a piece until the seat is next sent something."""
        if self._holder is not None:
            self.log += piece

    def tell_soon(self, piece: bytes) -> None:
        """Tell a piece with the process's next frame, with or without a request."""
        if self._holder is not None:
            self.log += piece
            self._holder.queue(self)

    def tell_end(self, piece: bytes) -> None:
        """Tell the last piece of the table."""
        self.over = True
        self.tell_soon(piece)
        if self._holder is not None:
            self._holder.note_end(self)

    def ask(self, actions: bytes, action_count: int) -> None:
        """Ask for a choice with the process's next frame.

        Raises:
            ValueError: if nobody holds the seat.
        """
        if self._holder is None:
            raise ValueError(f"seat {self.seat} of table {self.table} has no bot to ask")
        self.request = OpenRequest(self._holder.next_request_id(), self, actions, action_count)
        self._holder.queue(self)

    def unsent(self) -> bytes:
        """Return what is held, which is then sent."""
        held = bytes(self.log[self.sent :])
        self.sent = len(self.log)
        return held

    def take_from_bot(self) -> None:
        """Part the seat from its process for good."""
        self._holder = None
        self.request = None
