"""What organisers ask for, and what became of it; the audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from dashboard.api.models.common import LARGEST_ID
from dashboard.api.models.own import WHOLE, Body, Text
from league import audit_log, orders
from league.audit_log import Via
from league.model import NewSeason, SeasonKind
from league.orders import REASON_LENGTH_AT_MOST, OrderKind, OrderState

Id = Annotated[int, Field(ge=1, le=LARGEST_ID), WHOLE]
Flag = Annotated[bool, Field(strict=True)]
Count = Annotated[int, Field(ge=1, le=1_000_000), WHOLE]
Label = Annotated[Text, Field(min_length=1, max_length=160)]


class SeasonSettings(Body):
    """Settings of a season, as `king season create` has them."""

    name: Annotated[Text, Field(min_length=1, max_length=128)]
    variant: Annotated[Text, Field(min_length=1, max_length=256, examples=["russian-14"])]
    boards: Count = Field(description="What each set of players that meets plays; of a rolling season, what a set has.")
    time_control: Annotated[Text, Field(max_length=128)] = "start=30s,inc=100ms,bank=10s"
    set_count: Count | None = None
    player_sets: Count | None = None
    rolling: Flag = False
    kind: SeasonKind = SeasonKind.MANAGED
    absent_after_ms: Annotated[
        int,
        Field(ge=1000, le=24 * 3_600_000, description="How long a sitting of an open season waits for a remote bot."),
        WHOLE,
    ] = NewSeason.absent_after_ms

    def settings(self) -> NewSeason:
        """The league's own."""
        return NewSeason(**self.model_dump())


class AskCreate(Body):
    """Make a season and enter bot versions; with `start`, start it."""

    kind: Literal[OrderKind.CREATE]
    new: SeasonSettings
    versions: Annotated[list[Id], Field(max_length=1000, default_factory=list)]
    start: Flag = False

    def arguments(self) -> orders.Arguments:
        """The league's own."""
        return orders.CreateSeason(new=self.new.settings(), versions=tuple(self.versions), start=self.start)


class AskEnter(Body):
    """Enter bot versions in a season."""

    kind: Literal[OrderKind.ENTER]
    season: Id
    versions: Annotated[list[Id], Field(min_length=1, max_length=1000)]

    def arguments(self) -> orders.Arguments:
        """The league's own."""
        return orders.EnterBots(season=self.season, versions=tuple(self.versions))


class AskStart(Body):
    """Start a season."""

    kind: Literal[OrderKind.START]
    season: Id

    def arguments(self) -> orders.Arguments:
        """The league's own."""
        return orders.StartSeason(season=self.season)


class AskPause(Body):
    """Hand out no more sittings of a season."""

    kind: Literal[OrderKind.PAUSE]
    season: Id

    def arguments(self) -> orders.Arguments:
        """The league's own."""
        return orders.PauseSeason(season=self.season)


class AskResume(Body):
    """Hand out sittings again."""

    kind: Literal[OrderKind.RESUME]
    season: Id

    def arguments(self) -> orders.Arguments:
        """The league's own."""
        return orders.ResumeSeason(season=self.season)


class AskEnd(Body):
    """End a season; `void`: at once, also a rolling one."""

    kind: Literal[OrderKind.END]
    season: Id
    void: Flag = False

    def arguments(self) -> orders.Arguments:
        """The league's own."""
        return orders.EndSeason(season=self.season, void=self.void)


class AskRequeue(Body):
    """Have what is not done of a season played in new attempts: one sitting, one set of boards, or all."""

    kind: Literal[OrderKind.REQUEUE]
    season: Id
    sitting: Id | None = None
    set_number: Id | None = None

    def arguments(self) -> orders.Arguments:
        """The league's own."""
        return orders.Requeue(season=self.season, sitting=self.sitting, set_number=self.set_number)


class AskSuspend(Body):
    """Suspend an entrant of a season, by its label, and say why: its owner reads it."""

    kind: Literal[OrderKind.SUSPEND]
    season: Id
    bot: Label
    reason: Annotated[Text, Field(min_length=1, max_length=REASON_LENGTH_AT_MOST)]

    def arguments(self) -> orders.Arguments:
        """The league's own.

        Raises:
            LeagueError: if the reason is empty.
        """
        return orders.SuspendBot(season=self.season, bot=self.bot, reason=orders.checked_reason(self.reason))


class AskLift(Body):
    """Have a suspended entrant of a season play again."""

    kind: Literal[OrderKind.LIFT]
    season: Id
    bot: Label

    def arguments(self) -> orders.Arguments:
        """The league's own."""
        return orders.LiftSuspension(season=self.season, bot=self.bot)


Asked = Annotated[
    AskCreate | AskEnter | AskStart | AskPause | AskResume | AskEnd | AskRequeue | AskSuspend | AskLift,
    Field(discriminator="kind"),
]
"""What an organiser asks for, by its `kind`."""


class Order(BaseModel):
    """An order: the sweep carries it out within a second or two."""

    id: int
    kind: OrderKind
    arguments: dict[str, Any]
    state: OrderState
    told: str | None = Field(description="Why it was refused or failed.")
    season: int | None = Field(description="The season it is about, once there is one.")
    requeued: int = Field(description="How many sittings are due again by it.")
    by: str
    via: Via
    asked_at: datetime
    done_at: datetime | None

    @classmethod
    def of(cls, one: orders.Order) -> Order:
        """The model of an order."""
        return cls(
            id=one.id,
            kind=one.kind,
            arguments=orders.arguments_json(one.arguments),
            state=one.state,
            told=one.told or None,
            season=one.season,
            requeued=one.requeued,
            by=one.by.name,
            via=one.by.via,
            asked_at=one.asked_at,
            done_at=one.done_at,
        )


class AuditEntry(BaseModel):
    """One act: who did what to what, when."""

    id: int
    at: datetime
    actor: str
    via: Via
    act: str
    subject: str
    details: dict[str, Any]

    @classmethod
    def of(cls, one: audit_log.AuditEntry) -> AuditEntry:
        """The model of an entry."""
        return cls(
            id=one.id,
            at=one.at,
            actor=one.actor,
            via=one.via,
            act=one.act,
            subject=one.subject,
            details=dict(one.details),
        )
