"""What is found for some words."""

from __future__ import annotations

from pydantic import BaseModel, Field

from dashboard.api.models.bots import Bot, Version
from dashboard.api.models.matches import Match
from dashboard.api.models.seasons import Board, Season
from league import model
from league.store.searching import Found


class FoundBoard(BaseModel):
    """A board that was found, with its season's id."""

    season: int
    board: Board

    @classmethod
    def of(cls, found: tuple[model.Season, model.Board]) -> FoundBoard:
        """The model of a board with its season."""
        season, board = found
        return cls(season=season.id, board=Board.of(board))


class SearchResult(BaseModel):
    """What is called so, a few of each kind, the best known first."""

    bots: list[Bot] = Field(description="By any part of their name.")
    versions: list[Version] = Field(description="By their whole name, or the beginning of their hash.")
    seasons: list[Season] = Field(description="By any part of their name, by id or variant.")
    matches: list[Match] = Field(description="By the beginning of their id.")
    boards: list[FoundBoard] = Field(description="By their number.")

    @classmethod
    def of(cls, found: Found) -> SearchResult:
        """The model of what was found."""
        return cls(
            bots=[Bot.of(one) for one in found.bots],
            versions=[Version.of(one) for one in found.versions],
            seasons=[Season.of(one) for one in found.seasons],
            matches=[Match.of(one) for one in found.matches],
            boards=[FoundBoard.of(one) for one in found.boards],
        )
