"""A sitting as plain values: its plan, what the referee tells the worker, and what is wrong with a bad plan.

Shared by the referee and the worker's client. Must not know gRPC, nor what happens during a sitting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from referee.clock import TimeControl
from referee.dealing import deal_seed
from referee.rules import Variant, parse_variant

T = TypeVar("T", bound=Hashable)

SECRET_BYTES = 32


class ReportError(ValueError):
    """The worker reported something that makes no sense: the text says what."""


class PlanError(ValueError):
    """A plan that cannot be played: its text says what is wrong, where, and what would be right."""


@dataclass(frozen=True, slots=True)
class PlayerPlan:
    """One bot of a sitting: its name and version in records, and how many processes it may have at once.

    `sits_out`: why it is not started and forfeits all its tables; empty if it plays. `remote`: the id of a remote bot,
    which is not started, but dials by itself; empty for a bot that the worker starts.
    """

    bot: str
    version: str
    process_limit: int = 1
    sits_out: str = ""
    remote: str = ""


@dataclass(frozen=True, slots=True)
class RemoteState:
    """A remote bot at one referee: whether it has a stream there and is ready, and the sitting that it plays there."""

    connected: bool
    sitting: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeState:
    """How busy a referee is.

    Attributes:
        referee: which one, by what it drew when it started.
        draining: whether it takes no more sittings.
        behind: whether it holds back tables that would begin.
        sitting_count: how many sittings it plays.
        sitting_limit: how many it takes.
        table_count: how many tables of its sittings are not over.
        remotes: those of the remote bots that were asked about which it has, by id.
    """

    referee: str
    draining: bool = False
    behind: bool = False
    sitting_count: int = 0
    sitting_limit: int = 1
    table_count: int = 0
    remotes: Mapping[str, RemoteState] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TablePlan:
    """One table: `players` holds by seat the place of its player in `SittingPlan.players`.

    `season` is None where there is none; secret and salt are 32 bytes each. Bots see `match_id`.
    """

    match_id: str
    season: str | None
    board: int
    rotation: int
    deal_secret: bytes = field(repr=False)
    deal_salt: bytes = field(repr=False)
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SittingPlan:
    """All tables of one sitting, in the order in which they should begin, under one attempt (from 1).

    `live`: whether its tables may be watched while they are played, which the league decides.
    """

    sitting: str
    attempt: int
    variant: str
    time_control: str
    players: tuple[PlayerPlan, ...]
    tables: tuple[TablePlan, ...]
    live: bool = False


@dataclass(frozen=True, slots=True)
class StartProcess:
    """Start a process of a player (its place in the plan) with this token; processes count from 1."""

    process: int
    player: int
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class StopProcess:
    """End a process: it is not needed any more."""

    process: int


@dataclass(frozen=True, slots=True)
class ProcessReady:
    """A process has said `Ready`; it plays so many tables at once."""

    process: int
    table_limit: int


@dataclass(frozen=True, slots=True)
class CpuWaitWanted:
    """The waiting time of a process is wanted now: its clock ran out."""

    process: int


@dataclass(frozen=True, slots=True)
class FaultSeen:
    """One failure of a bot; `process` is 0 if the bot had none. See `FaultSeen` of the control protocol."""

    process: int
    player: int
    kind: str
    detail: str
    forfeits: bool
    match_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table is over: its record, as JSON in UTF-8, secrets included."""

    match_id: str
    record: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class SittingEnd:
    """All tables are over; `void_reason` is empty when all went well, and a void sitting is nobody's fault.

    `handed_back`: every table that was begun is over and told of; nobody has seen a card of the others.
    """

    void_reason: str
    handed_back: bool = False


@dataclass(frozen=True, slots=True)
class TableBegun:
    """A table of a live sitting has begun."""

    match_id: str


@dataclass(frozen=True, slots=True)
class TableShown:
    """What everybody at a watched table can see of it now, as JSON in UTF-8; see `referee.showing`."""

    match_id: str
    shown: bytes


SittingEvent = (
    StartProcess
    | StopProcess
    | ProcessReady
    | CpuWaitWanted
    | FaultSeen
    | TableResult
    | TableBegun
    | TableShown
    | SittingEnd
)


@dataclass(frozen=True, slots=True)
class CheckedPlan:
    """A plan that can be played, with what its texts mean."""

    plan: SittingPlan
    variant: Variant
    control: TimeControl


def check_plan(plan: SittingPlan) -> CheckedPlan:
    """Return the plan with its variant and time control read.

    Raises:
        PlanError: if any part of it makes no sense.
    """
    try:
        variant = parse_variant(plan.variant)
        control = TimeControl.parse(plan.time_control)
    except ValueError as error:
        raise PlanError(str(error)) from error
    _check_numbers(plan)
    twice = _first_repeated(player.remote for player in plan.players if player.remote)
    if twice is not None:
        raise PlanError(f"players: remote bot {twice!r} is given twice; it is one process, which sees no deal twice")
    for place, table in enumerate(plan.tables):
        _check_table(table, f"tables[{place}]", plan, variant)
    _check_repeats(plan)
    return CheckedPlan(plan, variant, control)


def _check_numbers(plan: SittingPlan) -> None:
    if not plan.sitting:
        raise PlanError("sitting: empty; it names the sitting")
    if plan.attempt < 1:
        raise PlanError(f"attempt: {plan.attempt}; attempts count from 1")
    if not plan.tables:
        raise PlanError("tables: none; a sitting has at least one")
    for place, player in enumerate(plan.players):
        if not player.bot:
            raise PlanError(f"players[{place}].bot: empty; it names the bot")
        if player.process_limit < 1:
            raise PlanError(f"players[{place}].process_limit: {player.process_limit}; at least 1 process is needed")


def _check_table(table: TablePlan, where: str, plan: SittingPlan, variant: Variant) -> None:
    if not table.match_id:
        raise PlanError(f"{where}.match_id: empty; it names the match")
    if table.board < 1:
        raise PlanError(f"{where}.board: {table.board}; boards count from 1")
    if not 0 <= table.rotation < variant.seats:
        raise PlanError(f"{where}.rotation: {table.rotation}; rotations are 0 to {variant.seats - 1}")
    for name, value in (("deal_secret", table.deal_secret), ("deal_salt", table.deal_salt)):
        if len(value) != SECRET_BYTES:
            raise PlanError(f"{where}.{name}: {len(value)} bytes; it has {SECRET_BYTES}")
    if len(table.players) != variant.seats:
        raise PlanError(f"{where}.players: {len(table.players)} players; {variant.id} has {variant.seats} seats")
    for player in table.players:
        if not 0 <= player < len(plan.players):
            raise PlanError(f"{where}.players: {player} is no place in players, which has {len(plan.players)}")
    if len(set(table.players)) != len(table.players):
        raise PlanError(f"{where}.players: a player holds two seats; each holds one at most")


def _check_repeats(plan: SittingPlan) -> None:
    twice = _first_repeated(table.match_id for table in plan.tables)
    if twice is not None:
        raise PlanError(f"tables: match_id {twice!r} is given twice; each match is played once")
    seeds = [deal_seed(table.deal_secret, table.deal_salt) for table in plan.tables]
    met = [(player, seed) for table, seed in zip(plan.tables, seeds, strict=True) for player in table.players]
    again = _first_repeated(met)
    if again is not None:
        both = _places(seeds, again[1])
        raise PlanError(f"tables: {both} have the same deals; a player sees no deal twice in a sitting")


def _first_repeated(values: Iterable[T]) -> T | None:
    return next((value for value, count in Counter(values).items() if count > 1), None)


def _places(seeds: Sequence[bytes], seed: bytes) -> str:
    return " and ".join(f"tables[{place}]" for place, other in enumerate(seeds) if other == seed)
