"""What belongs to an account: itself, its tokens, its submissions, remote bots and challenges."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from dashboard.api.models.bots import Version
from dashboard.api.models.common import LARGEST_ID, Digest
from league import accounts, model
from league.qualifying import OwnRemote, Presence, Qualifying
from league.submissions import Refusal, SubmissionState
from league.unrated import QUALIFYING_VARIANT, Purpose, UnratedState

Text = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]+$")]
"""A text without control characters."""


def _is_number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("write a whole number")
    return value


WHOLE = BeforeValidator(_is_number)
"""Makes a whole number one as JSON Schema has it: 5 and 5.0 are, a text is none."""


class Body(BaseModel):
    """What is sent. Members that are not known are refused."""

    model_config = ConfigDict(extra="forbid")


class Account(BaseModel):
    """The account whose token was sent."""

    name: str = Field(description="The name that its bots have as their owner.")
    organiser: bool = Field(description="It may run leagues.")
    created_at: datetime

    @classmethod
    def of(cls, account: accounts.Account) -> Account:
        """The model of an account."""
        return cls(name=account.name, organiser=account.organiser, created_at=account.created_at)


class Token(BaseModel):
    """A personal API token, as it can be shown."""

    id: int
    name: str
    shown: str = Field(description="How it begins; the whole was shown once.")
    created_at: datetime
    last_used_at: datetime | None

    @classmethod
    def of(cls, token: accounts.ApiToken) -> Token:
        """The model of a token."""
        return cls(
            id=token.id,
            name=token.name,
            shown=token.shown,
            created_at=token.created_at,
            last_used_at=token.last_used_at,
        )


class SubmissionStep(BaseModel):
    """A state that a submission came into."""

    number: int
    state: SubmissionState
    at: datetime
    detail: str | None


class Submission(BaseModel):
    """A bot on its way from upload to active."""

    id: int
    bot: str | None = Field(description="Null until its manifest was read.")
    version: str | None
    language: str | None
    variants: list[str]
    state: SubmissionState
    cause: Refusal | None = Field(description="At which step it was refused.")
    reason: str | None = Field(description="Why it was refused, and what would be right.")
    file_name: str
    sha256: Digest
    size: int = Field(description="Of the archive, in bytes.")
    attempt: int
    given_back: str | None
    version_id: int | None = Field(description="The bot version that it has become.")
    qualifying: int | None = Field(description="Its qualifying board: an id of /challenges.")
    received_at: datetime
    changed_at: datetime
    steps: list[SubmissionStep] = Field(description="The states it has been in; in lists left out.")


class SubmissionLog(BaseModel):
    """What is kept of the work on a submission."""

    text: str = Field(description="Its end, up to 256 KiB; empty if there is nothing.")


class CheckReport(BaseModel):
    """The report of its check, as `king check --json` has it; null before there is one."""

    report: dict[str, Any] | None


class SeasonToEnter(BaseModel):
    """A season that takes entries of this bot."""

    season: int
    name: str
    variant: str
    entered: bool

    @classmethod
    def of(cls, found: tuple[model.Season, bool]) -> SeasonToEnter:
        """The model of a season, and whether it is entered."""
        season, entered = found
        return cls(season=season.id, name=season.name, variant=season.variant, entered=entered)


class Enter(Body):
    """Enter a season."""

    season: Annotated[int, Field(ge=1, le=LARGEST_ID), WHOLE]


QualifyingVariant = Annotated[
    Text, Field(min_length=1, max_length=256, description="What its qualifying board is of.", examples=["classic"])
]


class NewRemoteBot(Body):
    """A version of a bot that runs at its owner's."""

    name: Annotated[Text, Field(min_length=1, max_length=64)]
    version: Annotated[Text, Field(min_length=1, max_length=64)]
    language: Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]*$", max_length=32)] = ""
    variant: QualifyingVariant = QUALIFYING_VARIANT


class Qualify(Body):
    """Another qualifying board of a remote bot."""

    variant: QualifyingVariant = QUALIFYING_VARIANT


class RemoteBot(BaseModel):
    """How it stands with a remote bot."""

    bot: Version
    issued_at: datetime
    revoked_at: datetime | None
    connected: bool
    absent_since: datetime | None
    seen_at: datetime | None = Field(description="When it was last connected; null if it never was.")
    presence: Presence
    qualifying: Qualifying = Field(description="How far it is with its latest qualifying board.")
    failure: str | None = Field(description="The fault by which it failed on that board, or why it is void.")
    board: int | None = Field(description="That board: an id of /challenges.")

    @classmethod
    def of(cls, own: OwnRemote) -> RemoteBot:
        """The model of a remote bot."""
        one = own.remote
        return cls(
            bot=Version.of(one.bot),
            issued_at=one.issued_at,
            revoked_at=one.revoked_at,
            connected=one.connected,
            absent_since=one.absent_since,
            seen_at=one.seen_at,
            presence=own.presence,
            qualifying=own.qualifying,
            failure=(own.board.outcome or None) if own.board else None,
            board=own.board.id if own.board else None,
        )


class RemoteRegistration(BaseModel):
    """A remote bot with its token, which is told this once."""

    bot: Version
    token: str = Field(description="What it says when it dials (`KING_TOKEN`).")


class NewChallenge(Body):
    """A board outside of any season, in all rotations."""

    version: Annotated[int, Field(ge=1, le=LARGEST_ID, description="The owner's bot version."), WHOLE]
    opponents: Annotated[
        list[Annotated[int, Field(ge=1, le=LARGEST_ID), WHOLE]],
        Field(min_length=2, max_length=3, description="Bot versions, one for each other seat."),
    ]
    variant: Annotated[Text, Field(min_length=1, max_length=256, examples=["russian-14"])]


class ChallengePlayer(BaseModel):
    """Who plays."""

    bot: str
    version: str
    version_id: int | None
    own: bool
    remote: bool = Field(description="Its owner runs it: each rotation then has cards of its own.")


class ChallengeSeat(BaseModel):
    """A result at a seat."""

    bot: str
    total: int
    place: int
    forfeited: str | None


class ChallengeMatch(BaseModel):
    """A rotation that was played."""

    match_id: str
    rotation: int
    seats: list[ChallengeSeat]


class Challenge(BaseModel):
    """An unrated board. Its owner alone sees it."""

    id: int
    purpose: Purpose
    submission: int | None
    variant: str
    time_control: str
    state: UnratedState
    outcome: str | None = Field(description="Why it is void, or by which fault the owner's remote bot failed.")
    players: list[ChallengePlayer] = Field(
        description="While a remote bot is to play or plays, that bot alone: whom it meets is told when it is over."
    )
    mean_totals: list[float]
    matches: list[ChallengeMatch]
    created_at: datetime
    ended_at: datetime | None


class ChallengeLog(BaseModel):
    """Standard error of a process of one of the owner's bots."""

    rotation: int
    process: int
    player: int
    exit_status: int
    text: str
