"""The worker's end of `RunSitting`: asks the referee to play a sitting and hears what comes of it.

Owns the translation between the control protocol and plain values; no other module of `workers` touches generated
code. Must not start processes or store results.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import grpc
import grpc.aio
from king.control.v1 import control_pb2 as pb
from king.control.v1 import control_pb2_grpc

from referee.plans import (
    CpuWaitWanted,
    FaultSeen,
    PlayerPlan,
    ProcessReady,
    RefereeState,
    RemoteState,
    SittingEnd,
    SittingEvent,
    SittingPlan,
    StartProcess,
    StopProcess,
    TableBegun,
    TablePlan,
    TableResult,
    TableShown,
)
from workers.client_tls import PUBLIC_ROOTS, ClientTls
from workers.dialling import DoorError, obstacle, open_blocking_channel, open_channel

__all__ = [
    "CertificateRefusedError",
    "CpuWaitWanted",
    "FaultSeen",
    "HandedBackError",
    "PlanRefusedError",
    "PlayerPlan",
    "ProcessReady",
    "RefereeDrainingError",
    "RefereeFullError",
    "RefereeLostError",
    "RefereeUnreachableError",
    "SittingCall",
    "SittingDroppedError",
    "SittingEnd",
    "SittingError",
    "SittingEvent",
    "SittingPlan",
    "StartProcess",
    "StopProcess",
    "TableBegun",
    "TablePlan",
    "TableResult",
    "TableShown",
    "describe_referee",
    "run_sitting",
    "tell_remote_bots",
]

CONTROL_KEY_METADATA = "king-control-key"
GOING_AWAY_METADATA: Final = "king-going-away"
"""Goes with the refusal of a referee that goes away, and not with a connection that broke."""
_CONNECT_OPTIONS = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    # A referee whose machine is gone without a word is to be given up well before TCP does.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
)
_UNANSWERED: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})
FIRST_WORD_WITHIN_S: Final = 60.0
"""How long a referee that is connected may take until it says the first word to a plan: one that hangs never does."""
_WAIT_UNASKED_S: Final = 1.0
"""For how long nobody asks why there is no connection yet."""


class SittingError(Exception):
    """The sitting could not be played to its end by this referee; no bot is to blame."""


class PlanRefusedError(SittingError):
    """The plan makes no sense: the text says where. Trying again does not help."""


class RefereeFullError(SittingError):
    """The referee has as many sittings as it takes: try again later."""


class SittingDroppedError(SittingError):
    """A newer attempt of the same sitting has dropped this one."""


class RefereeLostError(SittingError):
    """The referee cannot be reached, is going away, or has failed: try again."""


class RefereeDrainingError(RefereeLostError):
    """The referee is going away and takes nothing up: it was asked for nothing; another one may play the sitting."""


class HandedBackError(SittingError):
    """The referee is going away; what it began is over and told of, no bot has seen a card of the rest."""


GOES_AWAY: Final = (RefereeDrainingError, HandedBackError)
"""What says that a referee goes away in good order: no failure of the sitting, nor of anybody."""


class RefereeUnreachableError(RefereeLostError):
    """Nobody answers where the referee should be: it was not asked anything, or has not begun."""


class CertificateRefusedError(SittingError):
    """Certificates keep us from the referee: the text says which. It was not asked anything."""


class SittingCall:
    """One `RunSitting` in progress: what the referee says, and the reports it wants.

    Reports are queued and written by a task of the call's own, so any task may report, and one that is cancelled
    meanwhile does not take the call with it. Reports after the end of the call are dropped: `events` says why it ended.
    """

    def __init__(self, call: grpc.aio.StreamStreamCall[pb.RunSittingRequest, pb.RunSittingResponse]) -> None:
        """Wrap a new call; made by `run_sitting`."""
        self._call = call
        self._reports: asyncio.Queue[pb.RunSittingRequest] = asyncio.Queue()
        self._plan: SittingPlan | None = None

    async def events(self) -> AsyncIterator[SittingEvent]:
        """Yield what the referee says, `SittingEnd` last.

        Raises:
            SittingError: one of its kinds, if the call ends without `SittingEnd`.
        """
        heard = False
        try:
            await self._wait_for_a_word()
            async for response in self._call:
                event, heard = read_event(response), True
                yield event
                if isinstance(event, SittingEnd):
                    return
        except grpc.aio.AioRpcError as error:
            broken = failure(error)
            if heard and isinstance(broken, RefereeFullError | RefereeDrainingError):
                broken = RefereeLostError(str(broken))  # it has taken the sitting: cards may have been seen
            raise broken from error
        raise RefereeLostError("the referee ended the call before the sitting was over")

    async def _wait_for_a_word(self) -> None:
        """Wait until the referee has taken the plan: if there are processes to start, it asks for them at once."""
        if self._plan is None or all(player.remote or player.sits_out for player in self._plan.players):
            return
        try:
            await asyncio.wait_for(self._call.initial_metadata(), FIRST_WORD_WITHIN_S)
        except TimeoutError:
            told = f"the referee has said nothing to the plan of a sitting within {FIRST_WORD_WITHIN_S:g} s"
            # Without tokens no bot of ours has seen a card; remote ones have theirs.
            remote = any(player.remote for player in self._plan.players)
            raise (RefereeLostError if remote else RefereeUnreachableError)(told) from None

    async def process_started(self, process: int) -> None:
        """Report that a process runs; its start-up allowance begins."""
        self._report(pb.RunSittingRequest(process_started=pb.ProcessStarted(process=process)))

    async def process_exited(
        self, process: int, *, exit_status: int, detail: str = "", launch_failed: bool = False
    ) -> None:
        """Report that a process ended; minus the signal's number if a signal ended it.

        `launch_failed` says that the worker itself could not start it: the sitting is then void.
        """
        exited = pb.ProcessExited(process=process, exit_status=exit_status, detail=detail, launch_failed=launch_failed)
        self._report(pb.RunSittingRequest(process_exited=exited))

    async def cpu_wait(self, process: int, waited_us: int, *, wanted: bool = False) -> None:
        """Report how long a process was held up for want of a CPU since its start, in microseconds.

        `wanted` says that it answers `CpuWaitWanted`: the referee waits for it before it declares an overrun.
        """
        report = pb.CpuWait(process=process, waited_us=waited_us, wanted=wanted)
        self._report(pb.RunSittingRequest(cpu_wait=report))

    async def watch(self, match_ids: Collection[str]) -> None:
        """Have these tables shown from now on, and no others; only in a live sitting."""
        self._report(pb.RunSittingRequest(watch_tables=pb.WatchTables(match_ids=match_ids)))

    def send_plan(self, plan: SittingPlan) -> None:
        """Send the plan; the first thing said, by `run_sitting`."""
        self._plan = plan
        self._report(pb.RunSittingRequest(start=plan_message(plan)))

    async def write_reports(self) -> None:
        """Write what is reported until the call ends; the one task that writes, run by `run_sitting`."""
        while True:
            report = await self._reports.get()
            try:
                await self._call.write(report)
            except (grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError):
                if not self._call.done():
                    raise
                return

    def _report(self, report: pb.RunSittingRequest) -> None:
        self._reports.put_nowait(report)


@asynccontextmanager
async def run_sitting(
    address: str,
    plan: SittingPlan,
    *,
    control_key: str = "",
    tls: ClientTls = PUBLIC_ROOTS,
    connect_timeout_s: float = 10.0,
) -> AsyncIterator[SittingCall]:
    """Have the referee at `address` (see `referee.addresses`) play a sitting; `tls` is for encrypted ones.

    Leaving the context before `SittingEnd` drops the sitting.

    Raises:
        RefereeUnreachableError: if nobody answers at the address within `connect_timeout_s` seconds.
        CertificateRefusedError: if ours or the referee's is not taken.
    """
    async with _channel(address, tls) as channel:
        await _connect(channel, address, tls, connect_timeout_s)
        metadata = _key_metadata(control_key)
        call = control_pb2_grpc.ControlServiceStub(channel).RunSitting(metadata=metadata)
        sitting = SittingCall(call)
        sitting.send_plan(plan)
        writer = asyncio.create_task(sitting.write_reports())
        try:
            yield sitting
        finally:
            call.cancel()
            writer.cancel()
            await asyncio.wait({writer})


def _channel(address: str, tls: ClientTls) -> grpc.aio.Channel:
    try:
        return open_channel(address, tls, options=_CONNECT_OPTIONS)
    except DoorError as error:
        raise CertificateRefusedError(str(error)) from error


async def _connect(channel: grpc.aio.Channel, address: str, tls: ClientTls, timeout_s: float) -> None:
    ready = asyncio.ensure_future(channel.channel_ready())
    try:
        await asyncio.wait({ready}, timeout=min(_WAIT_UNASKED_S, timeout_s))
        if not ready.done():
            reason = await asyncio.to_thread(obstacle, address, tls)
            if reason:
                raise CertificateRefusedError(reason)
            await asyncio.wait({ready}, timeout=max(0.0, timeout_s - _WAIT_UNASKED_S))
        if not ready.done():
            raise RefereeUnreachableError(f"no referee answers at {address} within {timeout_s:g} s")
        ready.result()
    finally:
        ready.cancel()


async def describe_referee(
    address: str,
    bots: Collection[str] = (),
    *,
    control_key: str = "",
    tls: ClientTls = PUBLIC_ROOTS,
    timeout_s: float = 5.0,
) -> RefereeState:
    """How busy the referee at `address` is, and which of some remote bots it has.

    One of an older version, which cannot say it, is taken for one that is behind and has none.

    Raises:
        RefereeUnreachableError: if it does not answer within `timeout_s` seconds.
        CertificateRefusedError: if files that it takes are missing.
        PlanRefusedError: if the control key is not the referee's, or it takes no orders at this address.
    """
    async with _channel(address, tls) as channel:
        stub = control_pb2_grpc.ControlServiceStub(channel)
        request = pb.DescribeRefereeRequest(bots=bots)
        try:
            return _read_state(
                await stub.DescribeReferee(request, timeout=timeout_s, metadata=_key_metadata(control_key))
            )
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.UNIMPLEMENTED:
                return RefereeState(referee=address, behind=True)
            if error.code() in _UNANSWERED:
                raise RefereeUnreachableError(f"no referee answers at {address}: {error.details()}") from error
            failed = failure(error)
            raise type(failed)(f"the referee at {address}: {failed}") from error


def _read_state(said: pb.DescribeRefereeResponse) -> RefereeState:
    return RefereeState(
        referee=said.referee,
        draining=said.draining,
        behind=said.behind,
        sitting_count=said.sitting_count,
        sitting_limit=said.sitting_limit,
        table_count=said.table_count,
        remotes={each.bot: RemoteState(each.connected, each.sitting) for each in said.bots},
    )


def _key_metadata(control_key: str) -> tuple[tuple[str, str], ...]:
    return ((CONTROL_KEY_METADATA, control_key),) if control_key else ()


def tell_remote_bots(
    address: str,
    hashes: Mapping[str, bytes],
    *,
    control_key: str = "",
    tls: ClientTls = PUBLIC_ROOTS,
    timeout_s: float = 5.0,
) -> tuple[str, ...]:
    """Tell the referee at `address` which remote bots may dial: the SHA-256 of the token of each, by its id.

    Returns the ids of those that are connected.

    Raises:
        RefereeLostError: if it does not answer within `timeout_s` seconds.
        CertificateRefusedError: if our certificate or the referee's is not taken.
        PlanRefusedError: if the control key is not the referee's, or it takes no orders at this address.
    """
    request = pb.SetRemoteBotsRequest(bots=[pb.RemoteBot(bot=bot, token_hash=known) for bot, known in hashes.items()])
    metadata = _key_metadata(control_key)
    try:
        with open_blocking_channel(address, tls, options=_CONNECT_OPTIONS) as channel:
            stub = control_pb2_grpc.ControlServiceStub(channel)
            told = stub.SetRemoteBots(request, timeout=timeout_s, metadata=metadata)
    except DoorError as error:
        raise CertificateRefusedError(str(error)) from error
    except grpc.RpcError as error:
        reason = obstacle(address, tls) if error.code() in _UNANSWERED else ""
        raise (CertificateRefusedError(reason) if reason else failure(error)) from error
    return tuple(told.connected)


def plan_message(plan: SittingPlan) -> pb.SittingStart:
    """Return the plan as the control protocol has it."""
    return pb.SittingStart(
        sitting=plan.sitting,
        attempt=plan.attempt,
        variant=plan.variant,
        time_control=plan.time_control,
        players=[
            pb.Player(
                bot=each.bot,
                version=each.version,
                process_limit=each.process_limit,
                sits_out=each.sits_out,
                remote=each.remote,
            )
            for each in plan.players
        ],
        tables=[_table_message(table) for table in plan.tables],
        live=plan.live,
    )


def _table_message(table: TablePlan) -> pb.TablePlan:
    return pb.TablePlan(
        match_id=table.match_id,
        season=table.season or "",
        board=table.board,
        rotation=table.rotation,
        deal_secret=table.deal_secret,
        deal_salt=table.deal_salt,
        players=table.players,
    )


def read_event(response: pb.RunSittingResponse) -> SittingEvent:
    """Return what the referee said as a plain value.

    Raises:
        RefereeLostError: if it says something that this client does not know.
    """
    kind = response.WhichOneof("message")
    if kind is None or kind not in _READERS:
        raise RefereeLostError(
            f"the referee said {kind!r}, which this worker does not know; are their versions the same?"
        )
    return _READERS[kind](getattr(response, kind))


_READERS: Mapping[str, Callable[[Any], SittingEvent]] = {
    "start_process": lambda said: StartProcess(said.process, said.player, said.token),
    "stop_process": lambda said: StopProcess(said.process),
    "process_ready": lambda said: ProcessReady(said.process, said.table_limit),
    "cpu_wait_wanted": lambda said: CpuWaitWanted(said.process),
    "fault_seen": lambda said: FaultSeen(
        said.process, said.player, said.kind, said.detail, said.forfeits, tuple(said.match_ids)
    ),
    "table_result": lambda said: TableResult(said.match_id, said.record),
    "table_begun": lambda said: TableBegun(said.match_id),
    "table_shown": lambda said: TableShown(said.match_id, said.shown),
    "sitting_end": lambda said: SittingEnd(said.void_reason, said.handed_back),
}


def failure(error: grpc.RpcError) -> SittingError:
    """Return what a broken call means for the sitting."""
    kinds: Mapping[grpc.StatusCode, type[SittingError]] = {
        grpc.StatusCode.INVALID_ARGUMENT: PlanRefusedError,
        grpc.StatusCode.PERMISSION_DENIED: PlanRefusedError,
        grpc.StatusCode.RESOURCE_EXHAUSTED: RefereeFullError,
        grpc.StatusCode.ABORTED: SittingDroppedError,
    }
    kind = kinds.get(error.code(), RefereeLostError)
    if isinstance(error, grpc.aio.AioRpcError) and GOING_AWAY_METADATA in dict(error.trailing_metadata()):
        kind = RefereeDrainingError
    return kind(error.details() or error.code().name)
