"""Orders: what an organiser asks for on the web and the sweep carries out, since it needs the vault or the queue.

Owns their kinds, states and arguments, and the reading of arguments from JSON. Stores and carries out nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeAlias

from league.audit_log import Actor
from league.errors import LeagueError
from league.model import NewSeason, SeasonKind
from league.names import seen_only

REASON_LENGTH_AT_MOST = 500
BOTS_AT_MOST = 1000


class OrderKind(StrEnum):
    """What can be asked for."""

    CREATE = "season.create"
    ENTER = "season.enter"
    START = "season.start"
    PAUSE = "season.pause"
    RESUME = "season.resume"
    END = "season.end"
    REQUEUE = "sitting.requeue"
    SUSPEND = "bot.suspend"
    LIFT = "bot.lift"


class OrderState(StrEnum):
    """Waiting for the sweep; done; refused, and why; or failed through our fault, after several tries."""

    WAITING = "waiting"
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class CreateSeason:
    """Make a season and enter bot versions (ids); `start`: and start it."""

    new: NewSeason
    versions: tuple[int, ...] = ()
    start: bool = False


@dataclass(frozen=True, kw_only=True)
class EnterBots:
    """Enter bot versions (ids) in a season."""

    season: int
    versions: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class StartSeason:
    """Start a season."""

    season: int


@dataclass(frozen=True, kw_only=True)
class PauseSeason:
    """Hand out no more sittings of a season."""

    season: int


@dataclass(frozen=True, kw_only=True)
class ResumeSeason:
    """Hand out sittings again."""

    season: int


@dataclass(frozen=True, kw_only=True)
class EndSeason:
    """End a season; `void`: at once, also a rolling one."""

    season: int
    void: bool = False


@dataclass(frozen=True, kw_only=True)
class Requeue:
    """Have what is not done of a season played in new attempts: one sitting (its id), one set of boards, or all."""

    season: int
    sitting: int | None = None
    set_number: int | None = None


@dataclass(frozen=True, kw_only=True)
class SuspendBot:
    """Suspend an entrant of a season, by its label, and say why."""

    season: int
    bot: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class LiftSuspension:
    """Have a suspended entrant of a season play again."""

    season: int
    bot: str


Arguments: TypeAlias = (
    CreateSeason
    | EnterBots
    | StartSeason
    | PauseSeason
    | ResumeSeason
    | EndSeason
    | Requeue
    | SuspendBot
    | LiftSuspension
)

_KINDS: Mapping[OrderKind, type[Arguments]] = {
    OrderKind.CREATE: CreateSeason,
    OrderKind.ENTER: EnterBots,
    OrderKind.START: StartSeason,
    OrderKind.PAUSE: PauseSeason,
    OrderKind.RESUME: ResumeSeason,
    OrderKind.END: EndSeason,
    OrderKind.REQUEUE: Requeue,
    OrderKind.SUSPEND: SuspendBot,
    OrderKind.LIFT: LiftSuspension,
}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of an order: the season it was about, and the sittings (ids) that are due again by it."""

    season: int
    requeued: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Order:
    """An order as stored. `told`: why it was refused or failed, in English; `season`: once it is about one."""

    id: int
    arguments: Arguments
    by: Actor
    state: OrderState
    told: str
    season: int | None
    requeued: int
    asked_at: datetime
    done_at: datetime | None

    @property
    def kind(self) -> OrderKind:
        """What is asked for."""
        return kind_of(self.arguments)


def kind_of(arguments: Arguments) -> OrderKind:
    """The kind of order that has these arguments."""
    return next(kind for kind, of in _KINDS.items() if isinstance(arguments, of))


def arguments_json(arguments: Arguments) -> dict[str, Any]:
    """Arguments as JSON."""
    return asdict(arguments)


def arguments_from(kind: OrderKind, value: Mapping[str, Any]) -> Arguments:
    """Arguments from what `arguments_json` made of them."""
    kept: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in value.items()}
    if kind is OrderKind.CREATE:
        kept["new"] = NewSeason(**{**kept["new"], "kind": SeasonKind(kept["new"]["kind"])})
    return _KINDS[kind](**kept)


def checked_reason(text: str) -> str:
    """Why a bot is suspended, as its owner reads it; LeagueError when that is empty or too long."""
    reason = seen_only(" ".join(text.split()))
    if not reason:
        raise LeagueError("say why the bot is suspended: its owner reads it")
    if len(reason) > REASON_LENGTH_AT_MOST:
        raise LeagueError(f"the reason has {len(reason)} characters: at most {REASON_LENGTH_AT_MOST} are taken")
    return reason
