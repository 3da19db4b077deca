"""The stream to the referee: dialling, frames, answers, and coming back after a broken stream.

Owns the process's dialogue with the referee and its exit status. Takes no decision: the bot does.
"""

from __future__ import annotations

import os
import queue
import sys
import time
import traceback
from collections.abc import Iterator, Sequence

import grpc
from king.v1 import arena_pb2 as pb
from king.v1 import arena_pb2_grpc

from king_bot.actions import Action
from king_bot.bot import Bot, configure
from king_bot.contracts import UnknownVariantError
from king_bot.dialling import Place, is_name, is_not_believed, open_channel, read_roots
from king_bot.wire import Asked, Tables

PROTOCOL_VERSION = 1
REMOTE_TOKEN = "king-remote-"  # how tokens of remote bots begin
FLUSH_AFTER_S = 0.02
FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0
GIVE_UP_AFTER_S = 60.0
FATAL = {
    grpc.StatusCode.UNAUTHENTICATED: "the token was refused",
    grpc.StatusCode.FAILED_PRECONDITION: "the protocol version was refused",
    grpc.StatusCode.INVALID_ARGUMENT: "the referee reports an illegal choice or a protocol error",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "the referee reports a flood",
    grpc.StatusCode.DEADLINE_EXCEEDED: "the referee reports that time has run out",
    grpc.StatusCode.ABORTED: "the sitting was dropped, or another stream has replaced this one",
    grpc.StatusCode.UNIMPLEMENTED: "this address is not a King Arena referee",
}


class BotFailedError(Exception):
    """The bot's own code raised; the cause has its traceback."""


def play(bot: Bot) -> int:
    """Plays until the referee has no more tables for this process; returns the exit status.

    A remote bot, with a token of its own, stays and waits for more until the referee goes away for a minute.

    Reads `KING_REFEREE` ("127.0.0.1:7700", "tls://host:7700" or "unix:/path"), `KING_TOKEN` and, for tls, the file
    `KING_TLS_ROOTS` with the authorities to believe, if those are not the public ones. For a remote bot there may be
    several referees: with commas between them, or one at each address of a name.
    """
    token = os.environ.get("KING_TOKEN", "")
    referees = [part.strip() for part in os.environ.get("KING_REFEREE", "").split(",")]
    if not all(referees):
        return fail("KING_REFEREE is not set: it has the referee's address, such as 127.0.0.1:7700 or unix:/path")
    try:
        configure(bot)
        roots = read_roots(os.environ.get("KING_TLS_ROOTS", ""))
    except ValueError as error:
        return fail(str(error))
    try:
        return _play_everywhere(bot, referees, token, roots)
    except BotFailedError as failure:
        if isinstance(failure.__cause__, UnknownVariantError):
            return fail(str(failure.__cause__))
        traceback.print_exception(failure.__cause__)
        return 1
    except KeyboardInterrupt:
        return 130


def _play_everywhere(bot: Bot, referees: Sequence[str], token: str, roots: bytes | None) -> int:
    if token.startswith(REMOTE_TOKEN) and (len(referees) > 1 or is_name(referees[0])):
        from king_bot.referees import play_at_all  # here, for few bots have more than one

        return play_at_all(bot, referees, token, roots)
    return play_at(bot, referees[0], token, roots)


def fail(sentence: str) -> int:
    """Say what went wrong; the exit status."""
    print(f"king_bot: {sentence}", file=sys.stderr, flush=True)
    return 1


def play_at(bot: Bot, address: str, token: str, roots: bytes | None = None) -> int:
    """Plays for the referee at `address` until it has no more tables; returns the exit status.

    `roots`: the authorities to believe where it is encrypted; None: the public ones.

    Raises:
        BotFailedError: the bot's own code raised; the cause says what.
    """
    session = Session(bot, token)
    pause_s, lost_at = FIRST_PAUSE_S, time.monotonic()
    while True:
        try:
            session.play_stream(Place(address), roots)
            return 0
        except grpc.RpcError as error:
            code, details = error.code(), error.details()
            if code in FATAL:
                return fail(f"{FATAL[code]} ({address}): {details}")
            if is_not_believed(error):
                told = f"the certificate of the referee at {address} is not believed: {details}"
                return fail(f"{told}; KING_TLS_ROOTS names the authorities that are believed")
            if session.welcomed:
                pause_s, lost_at = FIRST_PAUSE_S, time.monotonic()
            if time.monotonic() - lost_at > GIVE_UP_AFTER_S:
                return fail(f"no referee at {address} for {GIVE_UP_AFTER_S:.0f} s, giving up: {code.name}: {details}")
            print(f"king_bot: stream broken ({code.name}: {details}), dialling again", file=sys.stderr, flush=True)
            time.sleep(pause_s)
            pause_s = min(LONGEST_PAUSE_S, 2 * pause_s)


class Session:
    """The tables of this process, across the streams that carry them."""

    def __init__(self, bot: Bot, token: str) -> None:
        self.welcomed = False  # whether the stream at hand got so far
        self._bot = bot
        self._token = token
        self._warm = False
        self._tables = Tables(started=bot.table_started, deal_ended=bot.deal_ended, ended=bot.table_ended)
        self._outbox: queue.SimpleQueue[pb.PlayRequest | None] = queue.SimpleQueue()
        self._call: grpc.Call | None = None

    def hang_up(self) -> None:
        """Break the stream at hand, if there is one."""
        if self._call is not None:
            self._call.cancel()

    def play_stream(self, place: Place, roots: bytes | None) -> None:
        """Plays on one stream until the referee closes it; raises `grpc.RpcError` if it breaks."""
        self.welcomed = False
        self._outbox = queue.SimpleQueue()
        with open_channel(place, roots) as channel:
            self._say(hello=self._hello())
            try:
                call = arena_pb2_grpc.ArenaServiceStub(channel).Play(iter(self._outbox.get, None))
                self._call = call
                for frame in _whole_frames(call):
                    self._on_frame(frame)
            finally:
                self._outbox.put(None)

    def _hello(self) -> pb.Hello:
        return pb.Hello(
            protocol_version=PROTOCOL_VERSION,
            token=self._token,
            name=self._bot.name[:64],
            version=self._bot.version[:64],
            table_limit=self._bot.table_limit,
        )

    def _say(self, *, hello: pb.Hello | None = None, ready: pb.Ready | None = None) -> None:
        self._outbox.put(pb.PlayRequest(messages=[pb.BotMessage(hello=hello, ready=ready)]))

    def _on_frame(self, messages: Sequence[pb.RefereeMessage]) -> None:
        try:
            if not self.welcomed and any(message.HasField("welcome") for message in messages):
                self._get_ready()
            asked = self._tables.take_in(messages)
            if asked:
                self._answer(asked)
        except Exception as error:
            raise BotFailedError from error

    def _get_ready(self) -> None:
        self.welcomed = True
        if not self._warm:
            self._bot.warm_up()
            self._warm = True
        self._say(ready=pb.Ready())

    def _answer(self, asked: Sequence[Asked]) -> None:
        """Answers all requests of a frame; what is ready goes out early if the rest takes long."""
        clock = self._bot.clock
        clock.on_frame(asked[-1].left_ms, asked[-1].taken_last_ms, len(asked))
        answers: list[pb.BotMessage] = []
        flushed_at = time.monotonic()
        for request in asked:
            choice = pb.Choice(request_id=request.request_id, index=self._choose(request))
            answers.append(pb.BotMessage(choice=choice))
            clock.unanswered -= 1
            if time.monotonic() - flushed_at > FLUSH_AFTER_S:
                self._outbox.put(pb.PlayRequest(messages=answers))
                answers, flushed_at = [], time.monotonic()
        if answers:
            self._outbox.put(pb.PlayRequest(messages=answers))

    def _choose(self, request: Asked) -> int:
        chosen = self._bot.choose(request.table, request.actions)
        if isinstance(chosen, Action):
            if chosen not in request.actions:
                raise ValueError(f"choose() returned {chosen}, which is not legal: the actions are {request.actions}")
            return request.actions.index(chosen)
        if not 0 <= chosen < len(request.actions):
            raise ValueError(f"choose() returned the index {chosen}: 0 to {len(request.actions) - 1} are right")
        return chosen


def _whole_frames(frames: Iterator[pb.PlayResponse]) -> Iterator[Sequence[pb.RefereeMessage]]:
    """Joins the frames that go on in the next one."""
    parts: list[pb.RefereeMessage] = []
    for frame in frames:
        if frame.more or parts:
            parts.extend(frame.messages)
            if frame.more:
                continue
            yield parts
            parts = []
        else:
            yield frame.messages
