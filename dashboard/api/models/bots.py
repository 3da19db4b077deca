"""Bots, their versions, the seasons they have entered, their faults and standard error."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field

from dashboard.api.models.common import Digest
from league import model
from league.model import FaultKind, SeasonState


class Version(BaseModel):
    """A version of a bot. Where its program lies is not told."""

    id: int
    bot: str
    version: str
    version_hash: Digest = Field(description="SHA-256 of what it is made of.")
    language: str
    owner: str = Field(description="The account that owns it; empty: the house.")
    house: bool
    registered_at: datetime

    @classmethod
    def of(cls, one: model.BotVersion) -> Version:
        """The model of a version."""
        return cls(
            id=one.id,
            bot=one.name,
            version=one.version,
            version_hash=one.version_hash,
            language=one.language,
            owner=one.owner,
            house=one.house,
            registered_at=one.registered_at,
        )


class Bot(BaseModel):
    """A bot, with its newest version."""

    name: str
    owner: str = Field(description="The account that owns it; empty: the house.")
    house: bool
    newest: Version

    @classmethod
    def of(cls, one: model.BotVersion) -> Bot:
        """The model of a bot, by its newest version."""
        return cls(name=one.name, owner=one.owner, house=one.house, newest=Version.of(one))


class Entry(BaseModel):
    """A season that a bot has entered, and as what."""

    season: int
    season_name: str
    season_state: SeasonState
    variant: str
    number: int
    label: str
    version: str

    @classmethod
    def of(cls, season: model.Season, entrant: model.Entrant) -> Entry:
        """The model of an entry."""
        return cls(
            season=season.id,
            season_name=season.name,
            season_state=season.state,
            variant=season.variant,
            number=entrant.number,
            label=entrant.label,
            version=entrant.bot.version,
        )


class Fault(BaseModel):
    """A failure of a bot."""

    id: int
    bot: str = Field(description="The entrant's label.")
    kind: FaultKind
    detail: str
    forfeits: bool
    process: int = Field(description="Which of the bot's processes of that sitting; 0: it had none.")
    match_ids: list[str]
    at: datetime

    @classmethod
    def of(cls, one: model.Fault) -> Fault:
        """The model of a fault."""
        return cls(
            id=one.id,
            bot=one.label,
            kind=one.kind,
            detail=one.detail,
            forfeits=one.forfeits,
            process=one.process,
            match_ids=list(one.match_ids),
            at=one.at,
        )


class ProcessLog(BaseModel):
    """What a process of a bot wrote to standard error."""

    sitting: int
    attempt: int
    process: int
    exit_status: int | None
    truncated: bool = Field(description="Only the end is kept.")
    text: str

    @classmethod
    def of(cls, one: model.ProcessLog) -> ProcessLog:
        """The model of a process's standard error."""
        return cls(
            sitting=one.sitting,
            attempt=one.attempt,
            process=one.process,
            exit_status=one.exit_status,
            truncated=one.truncated,
            text=one.text,
        )
