"""What a bot can do wrong, what follows from it, and who plays on in its place.

Owns the kinds of fault, their wording and everything that they cost; no other module decides that. Must not know
streams, clocks or tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from referee.dealing import Stream, stand_in_stream
from referee.rules import Action

OVERRUNS_FORGIVEN: Final = 2
"""So many overruns of a process cost only the answers that were open; the next one forfeits."""

RESTARTS: Final = 1
"""How often a bot is started again in a sitting after a process of its failed."""

FRAME_LIMIT_BYTES: Final = 1 << 20
"""The longest single frame of a bot, and of the referee."""

EXIT_DETAIL_LETTERS: Final = 2000
"""How much of what a worker says of a process that ended is told in records; workers send a few hundred letters."""

MESSAGES_AT_MOST: Final = 4096
"""In frames that are heard together: several times what a bot can have to answer. Each costs the referee far more to
read than the few bytes that it has."""

UNSENT_LIMIT_BYTES: Final = 4 << 20
"""How much may wait for a bot that does not read its stream, beside what the transport takes."""

SPARE_FRAMES: Final = 16
FRAMES_PER_REQUEST: Final = 2

STAND_IN: Final = "random/1"
"""The policy that acts for a bot that failed: a legal action by lot, from the deal's own stream."""


class FaultKind(StrEnum):
    """Kinds of fault, as records name them."""

    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    EXIT = "exit"
    PROTOCOL = "protocol"
    FLOOD = "flood"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Fault:
    """One failure of a bot: its kind, and one sentence with figures."""

    kind: FaultKind
    detail: str


def forfeits(fault: Fault, *, overrun_count: int) -> bool:
    """Whether a fault costs a process its open tables and its life; `overrun_count` includes this one."""
    return fault.kind is not FaultKind.TIMEOUT or overrun_count > OVERRUNS_FORGIVEN


def may_restart(failure_count: int) -> bool:
    """Whether a bot is started once more, for tables not begun, after so many of its processes failed."""
    return failure_count <= RESTARTS


def frames_allowed(request_count: int) -> int:
    """How many frames a bot may send on a stream, or streams open in its life, when it was sent so many requests."""
    return SPARE_FRAMES + FRAMES_PER_REQUEST * request_count


def overrun(*, request_count: int, over_ms: int, overrun_count: int) -> Fault:
    """The clock ran out with requests open."""
    noun = "request" if request_count == 1 else "requests"
    detail = f"{request_count} {noun} unanswered {over_ms} ms after the clock ran out; overrun {overrun_count}"
    return Fault(FaultKind.TIMEOUT, detail)


def gone(*, request_count: int) -> Fault:
    """The clock ran out while no stream was open."""
    return Fault(FaultKind.EXIT, f"the clock ran out with {request_count} unanswered and no stream open")


def never_ready(*, allowance_ms: int, last_refusal: str) -> Fault:
    """`Ready` did not come within the start-up allowance."""
    because = f"; its last stream was refused: {last_refusal}" if last_refusal else ""
    return Fault(FaultKind.ABSENT, f"not ready within {allowance_ms} ms of its start{because}")


def absent_from_start(cause: Fault) -> Fault:
    """The bot had failed too often before this table began."""
    return Fault(FaultKind.ABSENT, f"failed twice in this sitting before the table began, last by {cause.kind}")


def sits_out(reason: str) -> Fault:
    """The bot does not take part in this sitting at all."""
    return Fault(FaultKind.ABSENT, f"sits out: {reason}")


def exited(*, exit_status: int, detail: str) -> Fault:
    """The process ended while it was needed; of `detail`, the worker's words, the beginning is kept."""
    how = f"by signal {-exit_status}" if exit_status < 0 else f"with exit status {exit_status}"
    return Fault(FaultKind.EXIT, f"the process ended {how}{': ' if detail else ''}{detail[:EXIT_DETAIL_LETTERS]}")


def illegal_index(*, request_id: int, index: int, action_count: int) -> Fault:
    """A choice pointed outside of the legal actions."""
    detail = f"request {request_id}: index {index} is not from 0 to {action_count - 1}"
    return Fault(FaultKind.ILLEGAL, detail)


def unknown_request(*, request_id: int, last_id: int) -> Fault:
    """A choice answered a request that was never sent, or was answered before."""
    known = 0 < request_id <= last_id
    return Fault(FaultKind.PROTOCOL, f"request {request_id} was {'answered before' if known else 'never sent'}")


def wrong_table_limit(table_limit: int, *, most: int) -> Fault:
    """`Hello` asked for tables that nobody may have."""
    return broken_protocol(f"Hello.table_limit is {table_limit}; it is 1 to {most}, or 0 for 64")


def broken_protocol(detail: str) -> Fault:
    """A frame that the protocol does not allow."""
    return Fault(FaultKind.PROTOCOL, detail)


def too_many_frames(*, frame_count: int, request_count: int) -> Fault:
    """More frames than requests can explain."""
    allowed = frames_allowed(request_count)
    detail = f"{frame_count} frames on a stream with {request_count} requests; {allowed} are allowed"
    return Fault(FaultKind.FLOOD, detail)


def too_many_streams(*, stream_count: int, request_count: int) -> Fault:
    """More streams than a process that was sent so many requests can need; each counts as a frame of its life."""
    allowed = frames_allowed(request_count)
    detail = f"{stream_count} streams of a process with {request_count} requests; {allowed} are allowed"
    return Fault(FaultKind.FLOOD, detail)


def frame_too_long(*, size_bytes: int) -> Fault:
    """A single frame over the limit."""
    return Fault(FaultKind.FLOOD, f"a frame of {size_bytes} bytes; the limit is {FRAME_LIMIT_BYTES} bytes")


def unread(*, unsent_bytes: int) -> Fault:
    """The bot does not read what it is sent."""
    detail = f"{unsent_bytes} bytes wait for a bot that does not read; the limit is {UNSENT_LIMIT_BYTES} bytes"
    return Fault(FaultKind.PROTOCOL, detail)


class StandIn:
    """Acts for the failed bots of one deal: one draw per action it takes, in the order of actions."""

    __slots__ = ("_stream",)

    def __init__(self, seed: bytes, deal: int) -> None:
        """Start on deal `deal` (from 1) of the match with this deal seed (32 bytes)."""
        self._stream: Stream = stand_in_stream(seed, deal)

    def choose(self, legal: Sequence[Action]) -> int:
        """Return the place of the drawn action among two or more legal ones."""
        return self._stream.below(len(legal))
