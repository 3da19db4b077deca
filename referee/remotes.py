"""Remote bots: who dials by itself, with a token of its own, and stays between sittings.

Owns which tokens are good, the stream of each remote bot, and what it says while it plays no sitting. While it plays,
it is a `BotProcess` of that sitting, one at a time. Must not know gRPC, or decide what a fault costs in a sitting.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from referee import faults
from referee.clock import TimeControl
from referee.codec import BotFrame, Choice, FrameError, Hello, Ready, read_frame, welcome_piece
from referee.faults import FRAME_LIMIT_BYTES, Fault, FaultKind
from referee.plans import RemoteState
from referee.processes import DEFAULT_TABLE_LIMIT, TABLE_LIMIT, BotProcess, Ending, Stream

if TYPE_CHECKING:
    from referee.runs import SittingRun

TOKEN_MARK: Final = "king-remote-"
"""How the tokens of remote bots begin. One that is not known yet may have been drawn a moment ago."""


class RemoteBot:
    """One remote bot, over all its streams and sittings. `run` is the sitting that it plays."""

    def __init__(self, bot: str) -> None:
        self.bot = bot
        self.run: SittingRun | None = None
        self._process: BotProcess | None = None
        self._last: BotProcess | None = None
        self._stream: Stream | None = None
        self._ready = self._said_ready = False
        self._table_limit = DEFAULT_TABLE_LIMIT
        self._last_id = 0
        self._unheard = 0
        self._frame_count = 0

    @property
    def connected(self) -> bool:
        """Whether it has a stream on which it has said `Ready`."""
        if self._stream is None:
            return False
        return self._process.warm if self._process is not None else self._ready

    @property
    def busy(self) -> bool:
        """Whether it plays a sitting."""
        return self.run is not None and not self.run.sitting.over

    @property
    def state(self) -> RemoteState:
        """How it is here, for who chooses among several referees."""
        sitting = self.run.sitting.plan.sitting if self.run is not None and self.busy else ""
        return RemoteState(self.connected, sitting)

    # What the sitting says

    def sit(self, *, process: int, player: int, control: TimeControl) -> BotProcess:
        """Be the process with this number of a sitting; ready at once if it waits for one."""
        taken = BotProcess(process=process, player=player, token="", control=control, home=self, first_id=self._last_id)
        if self._stream is not None and self._ready:
            taken.adopt(self._stream, self._table_limit, unheard=self._unheard)
        self._process = taken
        return taken

    def part(self, process: BotProcess, *, closed: bool) -> None:
        """A process of it is over; `closed`: and its stream with it."""
        self._last_id = process.last_id
        self._unheard = process.given_up_count
        self._frame_count = 0
        if self._process is not process:
            return
        self._ready, self._said_ready = process.warm, process.said_ready
        self._table_limit = process.table_limit or self._table_limit
        self._process, self._last = None, process
        if closed:
            self._stream = None

    # What the bot says

    def attach(self, stream: Stream, frame: BotFrame, hello: Hello) -> None:
        """A stream with its token has said `Hello`, the first message of `frame`; it replaces an older one."""
        if self._stream is not None:
            self._stream.close(Ending.REPLACED, "another stream with the same token replaced this one")
        self._stream = stream
        if self._process is not None and self.run is not None:
            self.run.greet(self._process, stream, frame, hello)
            return
        self._ready = self._said_ready = False
        self._frame_count = 1
        if not 0 <= hello.table_limit <= TABLE_LIMIT:
            self._refuse(faults.wrong_table_limit(hello.table_limit, most=TABLE_LIMIT))
            return
        self._table_limit = hello.table_limit or DEFAULT_TABLE_LIMIT
        stream.send(welcome_piece(TimeControl(), self._table_limit))
        if self._last is not None:
            self._last.tell_ends_anew(stream)
        self._hear(BotFrame(frame.messages[1:], frame.more))

    def receive(self, stream: Stream, data: bytes) -> None:
        """A frame has come; passed over if the stream is not its present one."""
        if self._stream is not stream:
            return
        if self._process is not None and self.run is not None:
            self.run.receive(self._process, stream, data)
            return
        self._frame_count += 1
        fault = None
        if len(data) > FRAME_LIMIT_BYTES:
            fault = faults.frame_too_long(size_bytes=len(data))
        elif self._frame_count > faults.frames_allowed(self._unheard):
            fault = faults.too_many_frames(frame_count=self._frame_count, request_count=self._unheard)
        if fault is not None:
            self._refuse(fault)
            return
        try:
            self._hear(read_frame(data))
        except FrameError as error:
            self._refuse(faults.broken_protocol(str(error)))

    def detach(self, stream: Stream) -> None:
        """A stream has ended; one that was replaced is passed over."""
        if self._stream is stream:
            self._stream = None
        if self._process is not None:
            self._process.detach(stream)

    def close(self, ending: Ending, detail: str) -> None:
        """Close its stream; a sitting that it plays goes on, on its clock."""
        if self._stream is not None:
            stream, self._stream = self._stream, None
            stream.close(ending, detail)
            if self._process is not None:
                self._process.detach(stream)

    def _hear(self, frame: BotFrame) -> None:
        for message in frame.messages:
            fault = self._fault_of(message)
            if fault is not None:
                self._refuse(fault)
                return

    def _fault_of(self, message: object) -> Fault | None:
        """What is wrong with a message while it plays no sitting: answers to what is over are late, and no fault."""
        if isinstance(message, Choice):
            if 0 < message.request_id <= self._last_id:
                return None
            return faults.unknown_request(request_id=message.request_id, last_id=self._last_id)
        if not isinstance(message, Ready):
            return faults.broken_protocol("Hello was said twice on one stream")
        if self._said_ready:
            return faults.broken_protocol("Ready was said twice on one stream")
        self._ready = self._said_ready = True
        return None

    def _refuse(self, fault: Fault) -> None:
        self.close(Ending.FLOOD if fault.kind is FaultKind.FLOOD else Ending.FAULT, fault.detail)


class RemoteBots:
    """All remote bots by id, and their tokens' hashes, as whoever has a store tells them."""

    def __init__(self) -> None:
        self.told = False
        """Whether it was said yet which tokens are good."""
        self._bots: dict[str, RemoteBot] = {}
        self._hashes: dict[str, bytes] = {}
        self._table_count = 0
        self._news = asyncio.Event()

    def tell(self, hashes: Mapping[str, bytes]) -> tuple[str, ...]:
        """These are all the good tokens: the SHA-256 of each by bot. Returns the bots that are connected.

        The streams of bots whose tokens are not good any more are closed.
        """
        for bot, known in self._hashes.items():
            if not hmac.compare_digest(known, hashes.get(bot, b"")) and bot in self._bots:
                self._bots[bot].close(Ending.REVOKED, "the token was revoked, or another one has taken its place")
        self._hashes = dict(hashes)
        self.told = True
        self._news.set()
        self._news = asyncio.Event()
        return tuple(bot for bot in hashes if bot in self._bots and self._bots[bot].connected)

    def seen(self, bots: Collection[str]) -> dict[str, RemoteState]:
        """Those of these bots that are here, by id: that are connected, or play a sitting."""
        there = {bot: self._bots[bot].state for bot in bots if bot in self._bots}
        return {bot: state for bot, state in there.items() if state.connected or state.sitting}

    def bot(self, bot: str) -> RemoteBot:
        """The remote bot with this id, also one whose token is not known."""
        return self._bots.setdefault(bot, RemoteBot(bot))

    @property
    def connected_count(self) -> int:
        """How many are connected."""
        return sum(bot.connected for bot in list(self._bots.values()))

    def take_tables(self, count: int) -> int:
        """Return the number after which so many tables of a sitting with remote bots are numbered.

        A number means one table in a stream, however long that lasts. They count through all sittings, so that they say
        nothing about who else is at a table.
        """
        before, self._table_count = self._table_count, self._table_count + count
        return before

    def find(self, token: str) -> RemoteBot | None:
        """Whose token this is; None if it is nobody's. Takes as long whichever it is."""
        said = hashlib.sha256(token.encode()).digest()
        found = None
        for bot, known in self._hashes.items():
            if hmac.compare_digest(said, known):
                found = bot
        return None if found is None else self.bot(found)

    async def news(self) -> None:
        """Wait until it is said again which tokens are good."""
        await self._news.wait()

    def close(self, ending: Ending, detail: str) -> None:
        """Close all streams."""
        for bot in self._bots.values():
            bot.close(ending, detail)

    def close_idle(self, ending: Ending, detail: str) -> None:
        """Close the streams of those that play no sitting."""
        for bot in self._bots.values():
            if not bot.busy:
                bot.close(ending, detail)
