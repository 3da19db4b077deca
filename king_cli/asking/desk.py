"""A referee for one question: it greets a bot, tells it a position, waits for its choice and lets it go."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
import grpc.aio

from king_cli.asking.positions import REQUEST_ID, AskedPosition
from king_cli.ending import run_clearing_up
from referee.clock import TimeControl
from referee.codec import (
    PROTOCOL_VERSION,
    SERVICE_NAME,
    Choice,
    FrameError,
    Hello,
    Ready,
    TableCodec,
    frames,
    read_frame,
    welcome_piece,
)
from workers.bots import BotProgram
from workers.last_words import telling_excerpt, telling_line
from workers.launcher import BotProcess, Limits, LocalLauncher
from workers.socket_folder import socket_folder

_TABLE = 1
_STREAM_ENDED = "the bot ended its stream before it answered"
_NO_MORE = "king ask has its answer"
_EXIT_WAIT_S = 2.0
_STDERR_LINES = 5

Context = grpc.aio.ServicerContext[bytes, bytes]
Said = TypeVar("Said", Hello, Ready, Choice)


class AnswerError(Exception):
    """The bot gave no answer that counts: the text says why.

    `stderr` is the end of what its process wrote, with the line that tells the cause, once that is known.
    """

    stderr: Sequence[str] = ()


class _StreamEndedError(AnswerError):
    """The bot's stream ended first; most often its process has, too."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a bot would do: the place among the legal actions from 0, and after how many milliseconds."""

    index: int
    milliseconds: int


def ask(bot: BotProgram, position: AskedPosition, control: TimeControl) -> Answer:
    """Start the bot, put it before the position, and end it.

    Raises:
        AnswerError: it did not answer as the protocol wants, or not within its clock.
        LaunchError: we could not start it.
    """
    return run_clearing_up(_ask(bot, position, control))


async def _ask(bot: BotProgram, position: AskedPosition, control: TimeControl) -> Answer:
    with socket_folder("king-ask-") as place:
        address = f"unix:{place}/referee.sock"
        desk = _Desk(position, control)
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((desk.handler(),))
        server.add_insecure_port(address)
        await server.start()
        process = await LocalLauncher(address).start(bot, desk.token, Limits())
        try:
            return await _first_word(desk, process, control)
        except AnswerError as error:
            await process.stop()
            error.stderr = telling_excerpt(process.stderr(), _STDERR_LINES)
            raise
        finally:
            await process.stop()
            await server.stop(None)


async def _first_word(desk: _Desk, process: BotProcess, control: TimeControl) -> Answer:
    """The bot's answer, or how it ended before there was one."""
    ended = asyncio.create_task(process.wait())
    try:
        waited: set[asyncio.Future[Any]] = {desk.answer, ended}
        await asyncio.wait(waited, timeout=control.start_ms / 1000, return_when=asyncio.FIRST_COMPLETED)
        if not desk.was_dialled and not ended.done():
            raise AnswerError(f"the bot did not dial within {control.start_ms / 1000:g} s of its start")
        # The desk counts the time of each word; this is for a bot that breaks its stream and lives on without another.
        most_s = (control.start_ms + control.bank_ms) / 1000 + _EXIT_WAIT_S
        await asyncio.wait(waited, timeout=most_s, return_when=asyncio.FIRST_COMPLETED)
        if desk.answer.done():
            return desk.answer.result()
        if not ended.done():
            raise AnswerError(f"the bot gave no answer within {most_s:g} s after its time to start")
    except _StreamEndedError:
        await asyncio.wait({ended}, timeout=_EXIT_WAIT_S)
        if not ended.done():
            raise
    finally:
        if not ended.done():
            ended.cancel()
    last = telling_line(process.stderr())
    raise AnswerError(f"the bot ended with exit status {ended.result()} before it answered{': ' if last else ''}{last}")


class _Desk:
    """The service. `answer` is the bot's, once it is there."""

    def __init__(self, position: AskedPosition, control: TimeControl) -> None:
        self.token = secrets.token_urlsafe(16)
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.was_dialled = False
        self._position = position
        self._control = control

    def handler(self) -> grpc.GenericRpcHandler:
        """The handler of `Play`, over raw frames."""
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        return grpc.method_handlers_generic_handler(SERVICE_NAME, {"Play": play})

    async def _play(self, requests: object, context: Context) -> None:
        del requests
        self.was_dialled = True
        try:
            answer = await self._dialogue(_Reader(context), context)
        except (AnswerError, FrameError) as error:
            self._fail(error if isinstance(error, AnswerError) else AnswerError(str(error)))
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        except asyncio.CancelledError:  # by gRPC, where a stream breaks while nobody reads: it reads no end of it then
            self._fail(_StreamEndedError(_STREAM_ENDED))
            raise
        if not self.answer.done():
            self.answer.set_result(answer)

    def _fail(self, error: AnswerError) -> None:
        """There is no answer, and why; whoever has given up before does not ask."""
        if not self.answer.done():
            self.answer.set_exception(error)
            self.answer.exception()

    async def _dialogue(self, bot: _Reader, context: Context) -> Answer:
        start_s, bank_s = self._control.start_ms / 1000, self._control.bank_ms / 1000
        hello = await bot.next(Hello, within_s=start_s)
        if hello.token != self.token:
            raise AnswerError("the bot said a token that is not in KING_TOKEN")
        if hello.protocol_version != PROTOCOL_VERSION:
            raise AnswerError(f"the bot speaks protocol version {hello.protocol_version}, not {PROTOCOL_VERSION}")
        await context.write(welcome_piece(self._control, 1))
        await bot.next(Ready, within_s=start_s)
        for frame in frames(self._position.told):
            await context.write(frame)
        asked_at = time.monotonic()
        choice = await bot.next(Choice, within_s=bank_s)
        taken = round((time.monotonic() - asked_at) * 1000)
        self._check(choice)
        await context.write(TableCodec(_TABLE).table_aborted(_NO_MORE))
        return Answer(index=choice.action_index, milliseconds=taken)

    def _check(self, choice: Choice) -> None:
        if choice.request_id != REQUEST_ID:
            raise AnswerError(f"the bot answered request {choice.request_id}, but was asked {REQUEST_ID}")
        most = len(self._position.legal) - 1
        if not 0 <= choice.action_index <= most:
            raise AnswerError(f"the bot chose the index {choice.action_index}, which is not within 0 to {most}")


class _Reader:
    """What a bot says, message by message."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._heard: list[Hello | Ready | Choice] = []

    async def next(self, kind: type[Said], *, within_s: float) -> Said:
        """The next message, which has to be of a kind."""
        try:
            async with asyncio.timeout(within_s):
                while not self._heard:
                    await self._read()
        except TimeoutError:
            raise AnswerError(f"the bot said no {kind.__name__} within {within_s:g} s") from None
        message = self._heard.pop(0)
        if not isinstance(message, kind):
            raise AnswerError(f"the bot said {type(message).__name__} where {kind.__name__} was due")
        return message

    async def _read(self) -> None:
        frame = await self._context.read()
        if not isinstance(frame, bytes):
            raise _StreamEndedError(_STREAM_ENDED)
        self._heard += read_frame(frame).messages
