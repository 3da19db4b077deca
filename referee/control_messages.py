"""The messages of the control protocol, from and to plain values.

Owns this translation on the referee's side. Must not know streams or statuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from king.control.v1 import control_pb2 as pb

from referee.plans import (
    CpuWaitWanted,
    FaultSeen,
    PlayerPlan,
    ProcessReady,
    RefereeState,
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


def read_plan(start: pb.SittingStart) -> SittingPlan:
    """The plan that a worker has sent, unchecked."""
    return SittingPlan(
        sitting=start.sitting,
        attempt=start.attempt,
        variant=start.variant,
        time_control=start.time_control,
        players=tuple(_player_plan(each) for each in start.players),
        tables=tuple(_table_plan(table) for table in start.tables),
        live=start.live,
    )


def _player_plan(player: pb.Player) -> PlayerPlan:
    return PlayerPlan(player.bot, player.version, player.process_limit or 1, player.sits_out, player.remote)


def _table_plan(table: pb.TablePlan) -> TablePlan:
    return TablePlan(
        match_id=table.match_id,
        season=table.season or None,
        board=table.board,
        rotation=table.rotation,
        deal_secret=table.deal_secret,
        deal_salt=table.deal_salt,
        players=tuple(table.players),
    )


def describing(state: RefereeState) -> pb.DescribeRefereeResponse:
    """What a worker is told of how busy the referee is."""
    return pb.DescribeRefereeResponse(
        referee=state.referee,
        draining=state.draining,
        behind=state.behind,
        sitting_count=state.sitting_count,
        sitting_limit=state.sitting_limit,
        table_count=state.table_count,
        bots=[
            pb.RemoteBotState(bot=bot, connected=there.connected, sitting=there.sitting)
            for bot, there in state.remotes.items()
        ],
    )


def telling(event: SittingEvent) -> pb.RunSittingResponse:
    """An event of a sitting, as the worker is told of it."""
    return _WRITERS[type(event)](event)


def _start_process(event: StartProcess) -> pb.RunSittingResponse:
    start = pb.StartProcess(process=event.process, player=event.player, token=event.token)
    return pb.RunSittingResponse(start_process=start)


def _process_ready(event: ProcessReady) -> pb.RunSittingResponse:
    ready = pb.ProcessReady(process=event.process, table_limit=event.table_limit)
    return pb.RunSittingResponse(process_ready=ready)


def _fault_seen(event: FaultSeen) -> pb.RunSittingResponse:
    fault = pb.FaultSeen(
        process=event.process,
        player=event.player,
        kind=event.kind,
        detail=event.detail,
        forfeits=event.forfeits,
        match_ids=event.match_ids,
    )
    return pb.RunSittingResponse(fault_seen=fault)


def _table_result(event: TableResult) -> pb.RunSittingResponse:
    return pb.RunSittingResponse(table_result=pb.TableResult(match_id=event.match_id, record=event.record))


def _table_shown(event: TableShown) -> pb.RunSittingResponse:
    return pb.RunSittingResponse(table_shown=pb.TableShown(match_id=event.match_id, shown=event.shown))


_WRITERS: Final[Mapping[type, Callable[[Any], pb.RunSittingResponse]]] = {
    StartProcess: _start_process,
    StopProcess: lambda event: pb.RunSittingResponse(stop_process=pb.StopProcess(process=event.process)),
    ProcessReady: _process_ready,
    CpuWaitWanted: lambda event: pb.RunSittingResponse(cpu_wait_wanted=pb.CpuWaitWanted(process=event.process)),
    FaultSeen: _fault_seen,
    TableResult: _table_result,
    TableBegun: lambda event: pb.RunSittingResponse(table_begun=pb.TableBegun(match_id=event.match_id)),
    TableShown: _table_shown,
    SittingEnd: lambda event: pb.RunSittingResponse(
        sitting_end=pb.SittingEnd(void_reason=event.void_reason, handed_back=event.handed_back)
    ),
}
