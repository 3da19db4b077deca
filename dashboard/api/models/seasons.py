"""Seasons, their entrants, boards and sets of boards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, Field

from dashboard.api.models.common import Digest
from league import model
from league.model import SeasonKind, SeasonState, SuspensionCause


class Season(BaseModel):
    """A season as it was planned."""

    id: int
    name: str = Field(examples=["Autumn 2026"])
    kind: SeasonKind
    state: SeasonState
    variant: str = Field(description="The variant with its options.", examples=["russian-14"])
    seats: int
    deals_per_match: int
    boards: int = Field(description="What each set of players that meets plays; of a rolling season, what a set has.")
    rolling: bool = Field(description="More boards are planned while it is played.")
    ending: bool = Field(description="It grows no more and ends with what has begun.")
    time_control: str = Field(examples=["start=30s,inc=100ms,bank=10s"])
    balance: str = Field(description="What balance the plan has, in words; empty while planned.")
    commitment: Digest = Field(description="SHA-256 of the season's secret, published before the first entry.")
    deal_salt: Digest | None = Field(description="Made of the entrants' version hashes; null until entries close.")
    secret: Digest | None = Field(description="The season's secret; null until it is over.")
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None

    @classmethod
    def of(cls, season: model.Season) -> Season:
        """The model of a season."""
        return cls.model_validate(_season_fields(season))


def _season_fields(season: model.Season) -> dict[str, object]:
    same = (
        "id", "name", "kind", "state", "variant", "seats", "boards", "rolling", "ending", "time_control", "balance",
        "commitment", "deal_salt", "secret", "created_at", "started_at", "ended_at",
    )  # fmt: skip
    return {name: getattr(season, name) for name in same} | {"deals_per_match": season.deal_count}


class Progress(BaseModel):
    """How far a season is."""

    matches_planned: int
    matches_stored: int
    boards_planned: int
    boards_over: int
    sittings_planned: int
    sittings_done: int
    sittings_claimed: int
    results_version: int = Field(description="How many results are stored; standings are made of these.")
    expected_end: datetime | None = Field(description="Null before two results are in, while paused, after the end.")
    expected_end_error_seconds: float | None = Field(description="95 %: give or take so much.")

    @classmethod
    def of(cls, progress: model.Progress) -> Progress:
        """The model of a season's progress."""
        return cls(**{name: getattr(progress, name) for name in cls.model_fields})


class SeasonInFull(Season):
    """A season, and how far it is."""

    progress: Progress

    @classmethod
    def with_progress(cls, season: model.Season, progress: model.Progress) -> SeasonInFull:
        """The model of a season with its progress."""
        return cls.model_validate(_season_fields(season) | {"progress": Progress.of(progress)})


class Suspension(BaseModel):
    """Why a bot is suspended."""

    cause: SuspensionCause
    detail: str = Field(description="Why, with figures.")
    results_version: int = Field(description="How many results were stored then.")
    at: datetime

    @classmethod
    def of(cls, one: model.Suspension) -> Suspension:
        """The model of a suspension."""
        return cls(cause=one.cause, detail=one.detail, results_version=one.results_version, at=one.at)


class Entrant(BaseModel):
    """A bot version in a season."""

    number: int = Field(description="Its place in the plan, from 0.")
    label: str = Field(description="Its name in the season: that of the bot, with @version where it takes part twice.")
    bot: str
    version: str
    version_id: int
    version_hash: Digest | None = Field(description="What salts are made of; null until entries close.")
    language: str
    owner: str = Field(description="The account that owns it; empty: the house.")
    house: bool
    suspension: Suspension | None

    @classmethod
    def of(cls, one: model.Entrant, season: model.Season, suspended: Sequence[model.Suspension]) -> Entrant:
        """The model of an entrant; `suspended` are those of its season."""
        why = next((each for each in suspended if each.entrant == one.number), None)
        return cls(
            number=one.number,
            label=one.label,
            bot=one.bot.name,
            version=one.bot.version,
            version_id=one.bot.id,
            version_hash=None if season.deal_salt is None else one.bot.version_hash,
            language=one.bot.language,
            owner=one.bot.owner,
            house=one.bot.house,
            suspension=None if why is None else Suspension.of(why),
        )


class Board(BaseModel):
    """A board: one deal seed, played by the same players in every rotation; in an open season, once."""

    number: int = Field(description="From 1.")
    set_number: int = Field(description="The set of boards that it is of; its cards are public when that is over.")
    players: list[int] = Field(
        description="Entrants by number, in their cyclic order: player k sits at (k + rotation). "
        "Empty in an open season until the set is over: nobody is told who meets."
    )
    commitment: Digest = Field(description="SHA-256 of the deal secret, published with the plan.")
    deal_secret: Digest | None = Field(description="Null until the set is over.")
    void: bool = Field(description="Not played: cards were seen when something of ours failed, or its set was dropped.")
    replaces: int | None = Field(description="The void board whose place it takes.")

    @classmethod
    def of(cls, one: model.Board) -> Board:
        """The model of a board."""
        return cls(
            number=one.number,
            set_number=one.set_number,
            players=list(one.players),
            commitment=one.commitment,
            deal_secret=one.deal_secret,
            void=one.void,
            replaces=one.replaces,
        )


class BoardSet(BaseModel):
    """A set of boards: what becomes public together."""

    number: int
    boards: int = Field(description="How many boards are in it; sets of one plan may take turns in their numbers.")
    first_board: int
    last_board: int
    entrants: int = Field(description="Its salt is made of the version hashes of so many first entrants.")
    deal_salt: Digest
    over_at: datetime | None = Field(description="When its secrets were published; null: not yet.")

    @classmethod
    def of(cls, one: model.BoardSet) -> BoardSet:
        """The model of a set."""
        return cls(
            number=one.number,
            boards=one.board_count,
            first_board=one.first_board,
            last_board=one.last_board,
            entrants=one.entrant_count,
            deal_salt=one.deal_salt,
            over_at=one.over_at,
        )
