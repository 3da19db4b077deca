"""One seat of one table as its bot process sees it: what it was told, what it is asked.

Owns what a table told its seats, how much of it each was sent, and a seat's request. Must not know streams, the clock,
the game, or what a fault costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from referee.codec import TableCodec
from referee.decisions import FrameTiming


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


@dataclass(slots=True, eq=False)
class OpenRequest:
    """A request that waits to be handed over, or for its answer; `timing` comes with the hand-over."""

    request_id: int
    seat: TableSeat
    actions: bytes
    action_count: int
    timing: FrameTiming | None = None


class TableLog:
    """All that the seats of one table were ever told, requests excepted, piece by piece.

    Nearly all of it every seat is told alike, so it is kept once.
    """

    __slots__ = ("_apart", "_pieces")

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._apart: list[tuple[int, Sequence[bytes]]] = []

    def __len__(self) -> int:
        return len(self._pieces)

    def tell(self, piece: bytes) -> None:
        """Tell all seats a piece."""
        self._pieces.append(piece)

    def tell_apart(self, by_seat: Sequence[bytes]) -> None:
        """Tell each seat its own piece; an empty one says nothing."""
        self._apart.append((len(self._pieces), by_seat))
        self._pieces.append(b"")

    def told(self, seat: int, place: int = 0) -> bytes:
        """Return what a seat was told from a place on."""
        told = self._pieces[place:]
        for at, by_seat in reversed(self._apart):
            if at < place:
                break
            told[at - place] = by_seat[seat]
        return b"".join(told)


class TableSeat:
    """A seat, and who holds it; a seat whose bot failed is held by nobody and is sent nothing.

    `log` is what the seats of the table are told, requests excepted; the first `sent` pieces of it went out on the
    present stream.
    """

    __slots__ = ("_holder", "codec", "log", "over", "request", "seat", "sent", "table")

    def __init__(self, holder: SeatHolder | None, *, table: int, seat: int, log: TableLog) -> None:
        self._holder = holder
        self.table = table
        self.seat = seat
        self.codec = TableCodec(table)
        self.log = log
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

    def send_soon(self) -> None:
        """Send what the seat was told with the process's next frame, with or without a request."""
        if self._holder is not None:
            self._holder.queue(self)

    def end(self) -> None:
        """The table is over: what it told last is sent soon."""
        self.over = True
        if self._holder is not None:
            self._holder.queue(self)
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
        """Return what the seat was told and not sent, which then counts as sent."""
        held = self.log.told(self.seat, self.sent)
        self.sent = len(self.log)
        return held

    def take_from_bot(self) -> None:
        """Part the seat from its process for good."""
        self._holder = None
        self.request = None
