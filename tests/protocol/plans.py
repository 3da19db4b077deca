"""Plans of sittings for tests."""

from __future__ import annotations

from king.control.v1 import control_pb2

from referee.dealing import LOCAL_SALT, local_secret
from referee.plans import PlayerPlan, SittingPlan, TablePlan

CONTROL = "start=30s,inc=100ms,bank=10s"


def table_plan(
    board: int = 1, players: tuple[int, ...] = (0, 1, 2, 3), *, season: str | None = None, seed: int = 7
) -> TablePlan:
    """One table of a board, with the deals of `--seed 7`."""
    return TablePlan(
        match_id=f"match-{seed}-{board}",
        season=season,
        board=board,
        rotation=0,
        deal_secret=local_secret(seed, board),
        deal_salt=LOCAL_SALT,
        players=players,
    )


def sitting_plan(
    *,
    tables: int = 1,
    variant: str = "russian-14",
    control: str = CONTROL,
    attempt: int = 1,
    seats: int = 4,
    process_limit: int = 1,
    season: str | None = None,
) -> SittingPlan:
    """A sitting of the same players at so many tables."""
    return SittingPlan(
        sitting="sitting-1",
        attempt=attempt,
        variant=variant,
        time_control=control,
        players=tuple(PlayerPlan(f"bot{place}", "1", process_limit) for place in range(seats)),
        tables=tuple(table_plan(board, tuple(range(seats)), season=season) for board in range(1, tables + 1)),
    )


def sitting_start(*, tables: int = 1, variant: str = "russian-14", control: str = CONTROL, seats: int = 4) -> bytes:
    """The plan as the first message of a worker, for tests that send bytes by hand."""
    plan = sitting_plan(tables=tables, variant=variant, control=control, seats=seats)
    start = control_pb2.SittingStart(
        sitting=plan.sitting,
        attempt=plan.attempt,
        variant=plan.variant,
        time_control=plan.time_control,
        players=[control_pb2.Player(bot=player.bot, version=player.version) for player in plan.players],
        tables=[
            control_pb2.TablePlan(
                match_id=table.match_id,
                board=table.board,
                rotation=table.rotation,
                deal_secret=table.deal_secret,
                deal_salt=table.deal_salt,
                players=table.players,
            )
            for table in plan.tables
        ],
        live=True,
    )
    return control_pb2.RunSittingRequest(start=start).SerializeToString()
