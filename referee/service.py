"""The gRPC services: bots' streams, and sittings for workers.

A thin shell: it reads, writes and closes streams, and hands everything to `runs`. Owns statuses; `control_messages`
translates what workers say and are told. Must not decide anything about play, clocks or faults.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import itertools
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, NoReturn

import grpc
import grpc.aio
import structlog
from google.protobuf.message import DecodeError
from king.control.v1 import control_pb2 as pb

from referee.codec import PROTOCOL_VERSION, SERVICE_NAME, BotFrame, FrameError, Hello, read_frame
from referee.control_messages import describing, read_plan, telling
from referee.faults import FRAME_LIMIT_BYTES
from referee.leaving import LeftReaders
from referee.plans import PlanError, ReportError, SittingEnd, check_plan
from referee.processes import BotProcess, Ending
from referee.remotes import TOKEN_MARK, RemoteBot
from referee.runs import GOING_AWAY, GoingAwayError, NoRoomError, Referee, SittingRun, StaleAttemptError
from referee.strangers import HELLO_WAIT_S, Strangers
from referee.streams import BotStream
from referee.watching import BotContext, StreamWatch, WatchedContext

CONTROL_KEY_METADATA: Final = "king-control-key"
GOING_AWAY_METADATA: Final = "king-going-away"
"""Goes with a refusal: it tells a referee that goes away from a connection that broke."""
_TRANSPORT: Final = "transport_security_type"
_ENCRYPTED: Final = b"ssl"
_CERTIFICATE: Final = "x509_"
"""How gRPC calls what it knows of a connection, and of a certificate that was shown on it."""
NEWS_WAIT_S: Final = 3.0
"""How long a token of a remote bot that is not known yet waits for the next word of which tokens are good."""
DRAIN_S: Final = 5.0
"""How long a stream that is to be closed may take to send what was handed over."""
DETAIL_LETTERS: Final = 600

STATUSES: Final[Mapping[Ending, grpc.StatusCode]] = {
    Ending.FAULT: grpc.StatusCode.INVALID_ARGUMENT,
    Ending.FLOOD: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Ending.LATE: grpc.StatusCode.DEADLINE_EXCEEDED,
    Ending.REPLACED: grpc.StatusCode.ABORTED,
    Ending.DROPPED: grpc.StatusCode.ABORTED,
    Ending.REVOKED: grpc.StatusCode.UNAUTHENTICATED,
    Ending.GOING_AWAY: grpc.StatusCode.UNAVAILABLE,
}

ControlContext = grpc.aio.ServicerContext[bytes, pb.RunSittingResponse]


RemotesContext = grpc.aio.ServicerContext[bytes, pb.SetRemoteBotsResponse]
DescribedContext = grpc.aio.ServicerContext[bytes, pb.DescribeRefereeResponse]
AnyControlContext = ControlContext | RemotesContext | DescribedContext

CONTROL_SERVICE_NAME: Final = pb.DESCRIPTOR.services_by_name["ControlService"].full_name


def add_services(
    server: grpc.aio.Server, referee: Referee, *, control_key: str, watch: StreamWatch | None = None
) -> tuple[str, ...]:
    """Add both services to a server; return their names."""
    server.add_generic_rpc_handlers((ArenaService(referee, watch).handler(SERVICE_NAME),))
    control = ControlService(referee, control_key=control_key)
    server.add_generic_rpc_handlers((control.handler(CONTROL_SERVICE_NAME),))
    return SERVICE_NAME, CONTROL_SERVICE_NAME


class RefusedError(Exception):
    """A stream that is refused before it is anybody's; nobody is to blame."""

    def __init__(self, status: grpc.StatusCode, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class ArenaService:
    """`king.v1.ArenaService` over raw frames: sizes are judged before anything is parsed."""

    def __init__(self, referee: Referee, watch: StreamWatch | None = None) -> None:
        self._referee = referee
        self._watch = watch
        self._left = LeftReaders()
        self._strangers = Strangers()
        self._stream_numbers = itertools.count(1)
        self._log = structlog.get_logger("referee")

    def handler(self, service: str) -> grpc.GenericRpcHandler:
        """Return the handler of the service of this name."""
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        return grpc.method_handlers_generic_handler(service, {"Play": play})

    async def _play(self, requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        del requests  # read through the context, where a broken stream and a long frame can be told apart
        if self._watch is None:
            await self._serve(context)
            return
        with WatchedContext(context, self._watch, next(self._stream_numbers)) as watched:
            await self._serve(watched)

    async def _serve(self, context: BotContext) -> None:
        stream = BotStream(context)
        reader = asyncio.create_task(self._read(stream, context))
        writer = asyncio.create_task(stream.write_all())
        closed = asyncio.create_task(stream.closed.wait())
        try:
            await asyncio.wait({reader, writer, closed}, return_when=asyncio.FIRST_COMPLETED)
            if stream.closing is not None:
                await asyncio.wait({writer}, timeout=DRAIN_S)
        finally:
            self._left.add(reader)
            await _end_tasks(writer, closed)
        await self._close(stream, reader, context)

    async def _close(self, stream: BotStream, reader: asyncio.Task[None], context: BotContext) -> None:
        if stream.closing is None:
            failure = _failure(reader)
            if isinstance(failure, RefusedError):
                await context.abort(failure.status, failure.detail)
            if failure is not None:
                raise failure
            await context.abort(grpc.StatusCode.CANCELLED, "the bot's side of the stream has ended")
        elif stream.closing.ending is not Ending.DONE:
            await context.abort(STATUSES[stream.closing.ending], _fitting(stream.closing.detail))

    async def _read(self, stream: BotStream, context: BotContext) -> None:
        frame, hello = await self._hello(context)
        remote = await self._remote(hello)
        if remote is not None:
            await self._read_remote(remote, stream, context, frame, hello)
            return
        run, process = self._owner(hello)
        run.greet(process, stream, frame, hello)
        try:
            while True:
                data = await context.read()
                if not isinstance(data, bytes):
                    return
                run.receive(process, stream, data)
        finally:
            process.detach(stream)

    async def _read_remote(
        self, remote: RemoteBot, stream: BotStream, context: BotContext, frame: BotFrame, hello: Hello
    ) -> None:
        self._log.info("a remote bot dials", bot=remote.bot, name=hello.name, version=hello.version)
        remote.attach(stream, frame, hello)
        try:
            while True:
                data = await context.read()
                if not isinstance(data, bytes):
                    return
                remote.receive(stream, data)
        finally:
            remote.detach(stream)

    async def _remote(self, hello: Hello) -> RemoteBot | None:
        """Whose token it is among remote bots; None if it has not the form of theirs."""
        remotes = self._referee.remotes
        if not hello.token.startswith(TOKEN_MARK):
            return None
        if remotes.find(hello.token) is None:  # it may have been drawn after we were last told
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(remotes.news(), NEWS_WAIT_S)
        found = remotes.find(hello.token)
        if found is None:
            self._log.info("a stream with an unknown token of a remote bot", name=hello.name)
            if not remotes.told:
                detail = "the referee has just started and does not know its remote bots yet; dial again"
                raise RefusedError(grpc.StatusCode.UNAVAILABLE, detail)
            detail = "no remote bot has this token: it is wrong, or was revoked or renewed; its owner gets a new one"
            raise RefusedError(grpc.StatusCode.UNAUTHENTICATED, detail)
        if hello.protocol_version != PROTOCOL_VERSION:
            raise RefusedError(grpc.StatusCode.FAILED_PRECONDITION, _not_spoken(hello))
        if self._referee.draining and not found.busy:
            raise RefusedError(grpc.StatusCode.UNAVAILABLE, f"{GOING_AWAY}; dial another one, or again")
        return found

    async def _hello(self, context: BotContext) -> tuple[BotFrame, Hello]:
        with self._strangers.waiting() as wait_s:
            try:
                data = await asyncio.wait_for(context.read(), wait_s)
            except TimeoutError:
                detail = f"no Hello came within {wait_s:g} s"
                if wait_s == HELLO_WAIT_S:
                    raise RefusedError(grpc.StatusCode.DEADLINE_EXCEEDED, detail) from None
                detail += ", which is all there is while many dial at once; dial again"
                raise RefusedError(grpc.StatusCode.UNAVAILABLE, detail) from None
        if not isinstance(data, bytes):
            raise RefusedError(grpc.StatusCode.CANCELLED, "the stream ended before Hello")
        if len(data) > FRAME_LIMIT_BYTES:
            detail = f"a first frame of {len(data)} bytes; the limit is {FRAME_LIMIT_BYTES}"
            raise RefusedError(grpc.StatusCode.RESOURCE_EXHAUSTED, detail)
        try:
            frame = read_frame(data)
        except FrameError as error:
            raise RefusedError(grpc.StatusCode.INVALID_ARGUMENT, f"first frame: {error}") from None
        hello = frame.messages[0] if frame.messages else None
        if not isinstance(hello, Hello):
            raise RefusedError(grpc.StatusCode.INVALID_ARGUMENT, "the first message on a stream is Hello")
        return frame, hello

    def _owner(self, hello: Hello) -> tuple[SittingRun, BotProcess]:
        found = self._referee.find(hello.token)
        if found is None:
            self._log.info("a stream with an unknown token", name=hello.name)
            detail = (
                "the token is unknown or spent; it is what KING_TOKEN holds: of a remote bot until it is renewed or "
                "revoked, else for one process of one sitting"
            )
            raise RefusedError(grpc.StatusCode.UNAUTHENTICATED, detail)
        if hello.protocol_version != PROTOCOL_VERSION:
            detail = _not_spoken(hello)
            found[1].last_refusal = detail
            raise RefusedError(grpc.StatusCode.FAILED_PRECONDITION, detail)
        return found


def _not_spoken(hello: Hello) -> str:
    return f"protocol version {hello.protocol_version} is not spoken; this referee speaks {PROTOCOL_VERSION}"


class ControlService:
    """`king.control.v1.ControlService`, over raw messages: who has no right is not even parsed. One call of
    `RunSitting` is one sitting.
    """

    def __init__(self, referee: Referee, *, control_key: str) -> None:
        """Serve workers that know `control_key`; an empty one lets everybody in."""
        self._referee = referee
        self._control_key = control_key.encode()
        self._left = LeftReaders()

    def handler(self, service: str) -> grpc.GenericRpcHandler:
        """Return the handler of the service of this name."""
        run_sitting: grpc.RpcMethodHandler[bytes, pb.RunSittingResponse] = grpc.stream_stream_rpc_method_handler(
            self._run_sitting, response_serializer=pb.RunSittingResponse.SerializeToString
        )
        set_bots: grpc.RpcMethodHandler[bytes, pb.SetRemoteBotsResponse] = grpc.unary_unary_rpc_method_handler(
            self._set_remote_bots, response_serializer=pb.SetRemoteBotsResponse.SerializeToString
        )
        describe: grpc.RpcMethodHandler[bytes, pb.DescribeRefereeResponse] = grpc.unary_unary_rpc_method_handler(
            self._describe, response_serializer=pb.DescribeRefereeResponse.SerializeToString
        )
        methods: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "RunSitting": run_sitting,
            "SetRemoteBots": set_bots,
            "DescribeReferee": describe,
        }
        return grpc.method_handlers_generic_handler(service, methods)

    async def _run_sitting(self, messages: AsyncIterator[bytes], context: ControlContext) -> None:
        """Play one sitting."""
        await self._check_right(context)
        requests = _requests(messages)
        run = await self._take_up(requests, context)
        reports = asyncio.create_task(_hear_reports(requests, run))
        reports.add_done_callback(lambda _: run.woken.set())
        try:
            run.begin()
            await _tell_events(run, reports, context)
        finally:
            run.leave()
            self._referee.let_go(run)
            self._left.add(reports)
        await _refuse_reports(reports, context)

    async def _set_remote_bots(self, message: bytes, context: RemotesContext) -> pb.SetRemoteBotsResponse:
        """Take in which tokens of remote bots are good; tell who is connected."""
        await self._check_right(context)
        try:
            request = pb.SetRemoteBotsRequest.FromString(message)
        except DecodeError as error:
            detail = f"the bytes are no SetRemoteBotsRequest: {error}"
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, detail)
        hashes = {bot.bot: bot.token_hash for bot in request.bots}
        return pb.SetRemoteBotsResponse(connected=self._referee.remotes.tell(hashes))

    async def _describe(self, message: bytes, context: DescribedContext) -> pb.DescribeRefereeResponse:
        """Tell how busy the referee is, and which remote bots it has."""
        await self._check_right(context)
        try:
            request = pb.DescribeRefereeRequest.FromString(message)
        except DecodeError as error:
            detail = f"the bytes are no DescribeRefereeRequest: {error}"
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, detail)
        return describing(self._referee.describe(request.bots))

    async def _check_right(self, context: AnyControlContext) -> None:
        if _is_bots_door(context):
            detail = "no orders are taken at tls://, which is for bots: workers dial mtls:// with KING_WORKER_CERT"
            await context.abort(grpc.StatusCode.PERMISSION_DENIED, detail)
        given = dict(context.invocation_metadata() or ()).get(CONTROL_KEY_METADATA, "")
        given_bytes = given if isinstance(given, bytes) else given.encode()
        if self._control_key and not hmac.compare_digest(given_bytes, self._control_key):
            detail = f"the metadata {CONTROL_KEY_METADATA} is not this referee's key (KING_CONTROL_KEY)"
            await context.abort(grpc.StatusCode.PERMISSION_DENIED, detail)

    async def _take_up(self, requests: AsyncIterator[pb.RunSittingRequest], context: ControlContext) -> SittingRun:
        try:
            first = await anext(requests, None)
            if first is None or not first.HasField("start"):
                raise ReportError("the first message is SittingStart")
            return self._referee.take_up(check_plan(read_plan(first.start)))
        except (PlanError, ReportError) as error:
            await _abort(context, grpc.StatusCode.INVALID_ARGUMENT, str(error))
        except StaleAttemptError as error:
            await _abort(context, grpc.StatusCode.ABORTED, str(error))
        except NoRoomError as error:
            await _abort(context, grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
        except GoingAwayError as error:
            context.set_trailing_metadata(((GOING_AWAY_METADATA, "1"),))
            await _abort(context, grpc.StatusCode.UNAVAILABLE, str(error))


def _is_bots_door(context: AnyControlContext) -> bool:
    """Whether a call came encrypted, but without a certificate of who calls."""
    told = context.auth_context()
    return _ENCRYPTED in told.get(_TRANSPORT, ()) and not any(name.startswith(_CERTIFICATE) for name in told)


async def _tell_events(run: SittingRun, reports: asyncio.Task[None], context: ControlContext) -> None:
    while True:
        for event in run.take_events():
            if isinstance(event, SittingEnd) and run.superseded_by is not None:
                await _abort(context, grpc.StatusCode.ABORTED, event.void_reason)
            await context.write(telling(event))
            if isinstance(event, SittingEnd):
                return
        if reports.done():
            return
        await run.woken.wait()


async def _requests(messages: AsyncIterator[bytes]) -> AsyncIterator[pb.RunSittingRequest]:
    """What a worker says; ReportError for bytes that are no message."""
    try:
        async for message in messages:
            yield pb.RunSittingRequest.FromString(message)
    except DecodeError as error:
        raise ReportError(f"the bytes are no RunSittingRequest: {error}") from None


async def _hear_reports(requests: AsyncIterator[pb.RunSittingRequest], run: SittingRun) -> None:
    async for request in requests:
        kind = request.WhichOneof("message")
        if kind == "cpu_wait":
            run.cpu_waited(request.cpu_wait.process, request.cpu_wait.waited_us, wanted=request.cpu_wait.wanted)
        elif kind == "process_started":
            run.process_started(request.process_started.process)
        elif kind == "process_exited":
            said = request.process_exited
            run.process_exited(
                said.process, exit_status=said.exit_status, detail=said.detail, launch_failed=said.launch_failed
            )
        elif kind == "watch_tables":
            run.watch(tuple(request.watch_tables.match_ids))
        else:
            raise ReportError(f"{kind or 'an empty message'} is no report of a worker at this point")


async def _refuse_reports(reports: asyncio.Task[None], context: ControlContext) -> None:
    failure = _failure(reports)
    if isinstance(failure, ReportError):
        await _abort(context, grpc.StatusCode.INVALID_ARGUMENT, str(failure))
    if failure is not None:
        raise failure


async def _abort(context: ControlContext, status: grpc.StatusCode, detail: str) -> NoReturn:
    await context.abort(status, _fitting(detail))
    raise AssertionError("abort does not return")


def _fitting(detail: str) -> str:
    """The start of a detail that may quote what was sent: it travels as a header, and long ones break the call."""
    if len(detail) <= DETAIL_LETTERS:
        return detail
    return f"{detail[:DETAIL_LETTERS]}…"


def _failure(reader: asyncio.Task[None]) -> BaseException | None:
    """What a reader has ended with; None if it goes on, or has ended well."""
    return reader.exception() if reader.done() and not reader.cancelled() else None


async def _end_tasks(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
