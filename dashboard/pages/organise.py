"""What organisers see: orders and what became of them, the audit log, a season to be run. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from dashboard.translate import SOURCE_LANGUAGE
from dashboard.words import Words
from league.audit_log import ARENA, SHELL, Act, AuditEntry, AuditFilter, Via
from league.model import Entrant, Progress, Season, SeasonKind, SeasonState, Sitting, Suspension
from league.orders import (
    CreateSeason,
    EnterBots,
    LiftSuspension,
    Order,
    OrderKind,
    OrderState,
    Requeue,
    SuspendBot,
)


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


_STATES: Final[Mapping[OrderState, str]] = {
    OrderState.WAITING: _("being carried out"),
    OrderState.DONE: _("done"),
    OrderState.REFUSED: _("refused"),
    OrderState.FAILED: _("failed"),
}

_ACTS: Final[Mapping[str, str]] = {
    Act.ACCOUNT_CREATED: _("account made"),
    Act.ACCOUNT_DISABLED: _("account disabled"),
    Act.ACCOUNT_ENABLED: _("account opened again"),
    Act.ACCOUNT_MADE_ORGANISER: _("made organiser"),
    Act.ACCOUNT_MADE_OWNER: _("organiser no more"),
    Act.ACCOUNT_SIGNED_OUT: _("signed out everywhere"),
    Act.LINK_MADE: _("link for a password made"),
    Act.PASSWORD_SET: _("password set by a link"),
    Act.PASSWORD_CHANGED: _("password changed"),
    Act.TOKEN_CREATED: _("token made"),
    Act.TOKEN_REVOKED: _("token revoked"),
    Act.SEASON_CREATED: _("season created"),
    Act.SEASON_STARTED: _("season started"),
    Act.SEASON_PAUSED: _("season paused"),
    Act.SEASON_RESUMED: _("season resumed"),
    Act.SEASON_ENDED: _("season ended"),
    Act.SEASON_ENTERED: _("bots entered"),
    Act.SITTING_REQUEUED: _("sittings queued again"),
    Act.BOT_SUSPENDED: _("bot suspended"),
    Act.SUSPENSION_LIFTED: _("suspension lifted"),
    Act.ORDER_REFUSED: _("order refused"),
    Act.BOT_SUBMITTED: _("bot submitted"),
    Act.BOT_REGISTERED: _("bot registered"),
    Act.BOT_ACTIVATED: _("bot activated"),
    Act.BOT_WITHDRAWN: _("bot withdrawn"),
    Act.BOT_DELETED: _("bot deleted"),
    Act.REMOTE_TOKEN_RENEWED: _("token of a remote bot renewed"),
    Act.REMOTE_TOKEN_REVOKED: _("token of a remote bot revoked"),
    Act.QUALIFYING_ASKED: _("another qualifying board asked for"),
    Act.CHALLENGE_ASKED: _("challenge asked for"),
    Act.LEAGUE_RESTORED: _("league restored from a backup"),
}

_WAYS: Final[Mapping[Via, str]] = {
    Via.WEB: _("web"),
    Via.API: _("API"),
    Via.SHELL: _("shell"),
    Via.ARENA: _("arena"),
}

_NOBODY: Final[Mapping[str, str]] = {SHELL.name: _("the shell"), ARENA.name: _("the arena")}

_KINDS: Final[Mapping[str, str]] = {SeasonKind.MANAGED.value: _("managed"), SeasonKind.OPEN.value: _("open")}

_DETAILS: Final[Mapping[str, str]] = {
    "before": _("before"),
    "board": _("board"),
    "bot": _("bot"),
    "bots": _("bots"),
    "dealt_anew": _("boards dealt anew"),
    "kind": _("kind"),
    "name": _("name"),
    "order": _("order"),
    "organiser": _("organiser"),
    "reason": _("reason"),
    "remote": _("remote"),
    "season": _("season"),
    "set": _("set of boards"),
    "sha256": _("SHA-256"),
    "shown": _("begins with"),
    "sittings": _("sittings"),
    "submission": _("submission"),
    "suspension": _("suspension"),
    "token": _("token"),
    "told": _("why"),
    "variant": _("variant"),
    "void": _("void"),
}
"""What details are called; their values are names, numbers, or sentences as they were told."""

_SIMPLE: Final[Mapping[OrderKind, str]] = {
    OrderKind.START: _("Start it"),
    OrderKind.PAUSE: _("Pause it"),
    OrderKind.RESUME: _("Go on with it"),
    OrderKind.END: _("End it"),
}


def act_text(act: str, words: Words) -> str:
    """What was done, in the reader's language; an act that has no words yet as it is."""
    return words.say(_ACTS[act]) if act in _ACTS else act


def acts(words: Words) -> tuple[tuple[str, str], ...]:
    """All acts with their words, for a filter."""
    return tuple((str(act), act_text(act, words)) for act in Act)


def order_text(order: Order, words: Words) -> str:
    """What was asked for, as one sentence about its season."""
    match order.arguments:
        case CreateSeason(new=new, start=start):
            told = words.say(_("Create and start “%(name)s”") if start else _("Create “%(name)s”"), name=new.name)
        case EnterBots(versions=versions):
            told = words.count("Enter %(num)s bot", "Enter %(num)s bots", len(versions))
        case Requeue():
            told = _requeue_text(order.arguments, words)
        case SuspendBot(bot=bot):
            told = words.say(_("Suspend “%(bot)s”"), bot=bot)
        case LiftSuspension(bot=bot):
            told = words.say(_("Lift the suspension of “%(bot)s”"), bot=bot)
        case _:
            told = words.say(_SIMPLE[order.kind])
    return told


def _requeue_text(asked: Requeue, words: Words) -> str:
    if asked.sitting is not None:
        return words.say(_("Queue sitting %(number)s again"), number=asked.sitting)
    if asked.set_number is not None:
        return words.say(_("Queue set %(number)s again"), number=asked.set_number)
    return words.say(_("Queue again what is not done"))


@dataclass(frozen=True, kw_only=True)
class OrderLine:
    """An order: `text` and `state_text` are for people, `told` says in English why it was not done."""

    id: int
    kind: OrderKind
    text: str
    by: str
    season: int | None
    season_name: str
    state: OrderState
    state_text: str
    told: str
    requeued: int
    asked_at: datetime
    done_at: datetime | None


def order_line(order: Order, names: Mapping[int, str], words: Words) -> OrderLine:
    """A line of the list of orders; `names` are those of seasons by id."""
    return OrderLine(
        id=order.id,
        kind=order.kind,
        text=order_text(order, words),
        by=order.by.name,
        season=order.season,
        season_name="" if order.season is None else names.get(order.season, str(order.season)),
        state=order.state,
        state_text=words.say(_STATES[order.state]),
        told=order.told,
        requeued=order.requeued,
        asked_at=order.asked_at,
        done_at=order.done_at,
    )


@dataclass(frozen=True, kw_only=True)
class Detail:
    """A part of what is told of an act; `language`: that of the value, where it is not the reader's."""

    name: str
    value: str
    language: str


@dataclass(frozen=True, kw_only=True)
class LogLine:
    """An entry of the audit log; `actor` and `subject` as it has them, and as a reader reads them."""

    id: int
    at: datetime
    actor: str
    actor_text: str
    way: str
    act: str
    text: str
    subject: str
    subject_text: str
    season: int | None
    details: tuple[Detail, ...]


def log_line(entry: AuditEntry, words: Words) -> LogLine:
    """A line of the audit log."""
    details = {name: value for name, value in entry.details.items() if value not in (None, [], "", False)}
    kind, _space, number = entry.subject.partition(" ")
    is_season = entry.act.startswith(("season.", "sitting.")) and kind == "season" and number.isdecimal()
    return LogLine(
        id=entry.id,
        at=entry.at,
        actor=entry.actor,
        actor_text=words.say(_NOBODY[entry.actor]) if entry.account is None and entry.actor in _NOBODY else entry.actor,
        way=words.say(_WAYS[entry.via]),
        act=entry.act,
        text=act_text(entry.act, words),
        subject=entry.subject,
        subject_text=words.say(_("season %(number)s"), number=number) if is_season else entry.subject,
        season=int(number) if is_season else None,
        details=tuple(
            Detail(
                name=words.say(_DETAILS[name]) if name in _DETAILS else name,
                value=_shown(name, value, words),
                language=SOURCE_LANGUAGE if name == "told" else "",
            )
            for name, value in details.items()
        ),
    )


def _shown(name: str, value: Any, words: Words) -> str:
    if value is True:
        return words.say(_("yes"))
    if name == "before":
        return words.state(value)
    if name == "kind" and value in _KINDS:
        return words.say(_KINDS[value])
    if isinstance(value, list):
        return ", ".join(map(str, value[:20])) + (", …" if len(value) > 20 else "")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, kw_only=True)
class Overview:
    """Seasons, the newest first, and what was asked for last."""

    seasons: tuple[Season, ...]
    orders: tuple[OrderLine, ...]


@dataclass(frozen=True, kw_only=True)
class OrderList:
    """Orders, the newest first; `older`: the id before which there are more."""

    orders: tuple[OrderLine, ...]
    older: int | None


@dataclass(frozen=True, kw_only=True)
class LogPage:
    """Entries of the audit log, the newest first, with the filter; `acts`: all there can be, with their words."""

    wanted: AuditFilter
    acts: tuple[tuple[str, str], ...]
    entries: tuple[LogLine, ...]
    older: int | None


@dataclass(frozen=True, kw_only=True)
class EntrantLine:
    """An entrant; `suspended`: why it is, in English, or empty."""

    label: str
    owner: str
    version: str
    suspended: str


@dataclass(frozen=True, kw_only=True)
class RunPage:
    """A season to be run. `can`: what may be asked for in its state; `unfinished`: the first of `unfinished_count`."""

    season: Season
    progress: Progress
    can: tuple[OrderKind, ...]
    entrants: tuple[EntrantLine, ...]
    unfinished: tuple[Sitting, ...]
    unfinished_count: int
    orders: tuple[OrderLine, ...]

    @property
    def may_end_later(self) -> bool:
        """Whether it can end after what has begun, or only at once."""
        return self.season.rolling and self.season.state is not SeasonState.PLANNED and not self.season.ending


def run_page(
    season: Season,
    progress: Progress,
    entrants: Sequence[Entrant],
    suspensions: Sequence[Suspension],
    unfinished: tuple[tuple[Sitting, ...], int],
    orders: Sequence[Order],
    words: Words,
) -> RunPage:
    """The page where a season is run."""
    suspended = {one.entrant: one.detail for one in suspensions}
    return RunPage(
        season=season,
        progress=progress,
        can=allowed(season),
        entrants=tuple(
            EntrantLine(
                label=one.label,
                owner=one.bot.owner,
                version=one.bot.version,
                suspended=suspended.get(one.number, ""),
            )
            for one in entrants
        ),
        unfinished=unfinished[0],
        unfinished_count=unfinished[1],
        orders=tuple(order_line(order, {season.id: season.name}, words) for order in orders),
    )


def allowed(season: Season) -> tuple[OrderKind, ...]:
    """What may be asked for a season now."""
    entering = (OrderKind.ENTER,) if season.rolling and not season.ending else ()
    mending = (OrderKind.REQUEUE, OrderKind.SUSPEND, OrderKind.LIFT)
    by_state = {
        SeasonState.PLANNED: (OrderKind.START, OrderKind.ENTER, OrderKind.SUSPEND, OrderKind.LIFT, OrderKind.END),
        SeasonState.RUNNING: (OrderKind.PAUSE, *entering, *mending, OrderKind.END),
        SeasonState.PAUSED: (OrderKind.RESUME, *entering, *mending, OrderKind.END),
        SeasonState.ENDED: (),
    }
    return by_state[season.state]
