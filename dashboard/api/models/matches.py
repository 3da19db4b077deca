"""Matches, their records and positions."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dashboard.api.models.common import Digest
from league import model
from league.model import FaultKind

Card = str


class Forfeit(BaseModel):
    """A bot failed: from this action on the stand-in played."""

    kind: FaultKind
    deal: int
    action: int
    detail: str


class Seated(BaseModel):
    """A bot at its seat, with its result."""

    seat: int
    entrant: int
    bot: str = Field(description="The entrant's label.")
    points: int
    place: int = Field(description="Shared by ties.")
    forfeit: Forfeit | None


class Match(BaseModel):
    """A match that is stored. Its cards are public when the set of its board is over."""

    id: str = Field(pattern=r"^[0-9a-f]{16}$")
    season: int
    board: int
    rotation: int = Field(description="From 0.")
    set_number: int
    number: int = Field(description="The how-manieth result of its season it was, from 1.")
    seats: list[Seated]
    public: bool = Field(description="Whether record, positions and secrets are given out.")
    ended_at: datetime

    @classmethod
    def of(cls, row: model.MatchRow) -> Match:
        """The model of a match."""
        forfeits = {one.seat: one for one in row.forfeits}
        return cls(
            id=row.match_id,
            season=row.season,
            board=row.board,
            rotation=row.rotation,
            set_number=row.set_number,
            number=row.number,
            seats=[_seated(row, seat, forfeits.get(seat)) for seat in range(len(row.players))],
            public=row.public,
            ended_at=row.ended_at,
        )


def _seated(row: model.MatchRow, seat: int, forfeit: model.MatchForfeit | None) -> Seated:
    return Seated(
        seat=seat,
        entrant=row.players[seat],
        bot=row.labels[seat],
        points=row.totals[seat],
        place=row.places[seat],
        forfeit=None
        if forfeit is None
        else Forfeit(kind=forfeit.kind, deal=forfeit.deal, action=forfeit.action, detail=forfeit.detail),
    )


class RecordPlayer(BaseModel):
    """Who sat where."""

    model_config = ConfigDict(extra="allow")

    seat: int
    bot: str
    version: str


class Record(BaseModel):
    """A record, `king-record/1`: everything that is needed to replay, check and rate a match. See docs/records.md."""

    model_config = ConfigDict(extra="allow")

    format: Literal["king-record/1"]
    variant: str
    rules_version: int
    options: dict[str, Any]
    match_id: str
    seats: int
    players: list[RecordPlayer]
    context: dict[str, Any]
    deal_secret: Digest
    deal_salt: Digest
    deal_seed: Digest
    deal_commitment: Digest
    deals: list[dict[str, Any]]
    totals: list[int] | None
    places: list[int] | None
    settlement: list[int] | None
    forfeits: list[dict[str, Any]]
    termination: dict[str, Any]


class Hand(BaseModel):
    """What is seen of a hand."""

    cards: list[Card] = Field(description="Cards that the view knows: all of an open hand, from high to low by suit.")
    hidden: int = Field(description="How many cards more it has, seen from the back.")


class Position(BaseModel):
    """A deal after some of its actions; lists are by seat."""

    number: int = Field(description="How many actions have been taken: `play=` of the replay's address.")
    action: dict[str, Any] | None = Field(description="The action that led here, as records have it.")
    seat_to_act: int | None = Field(description="Null when the deal is over.")
    legal: list[dict[str, Any]] | None = Field(description="Its legal actions, in their order; null: not seen.")
    hands: list[Hand]
    talon: list[Card] = Field(description="Face-up cards on the table.")
    leader: int | None
    trick: list[Card] = Field(description="The open trick, in the order played.")
    holder: int | None = Field(description="Whose card is winning it.")
    last_trick: dict[str, Any] | None = Field(description="The trick that this action completed.")
    tricks_taken: list[int]
    points: list[int] = Field(description="Of this deal so far.")
    totals: list[int] = Field(description="Of the match so far.")
    contract: str | None
    declarer: int | None
    trump: str | None
    misere: bool
    price: int | None
    bid: int | None
    exposed: Card | None


class DealPositions(BaseModel):
    """Every position of a deal, in one view."""

    match: str
    deal: int
    deals: int = Field(description="How many deals the match has.")
    view: str = Field(description="open, or a seat: then only what that seat knew.")
    seats: list[str] = Field(description="The bots by seat.")
    dealer: int | None
    positions: list[Position]
