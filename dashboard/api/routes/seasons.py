"""Seasons as they were planned: entrants, boards, and how their deals can be checked."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from dashboard.api.asked import NOT_FOUND, Listed, Stored
from dashboard.api.models.common import LARGEST_ID, SeasonId
from dashboard.api.models.matches import Match
from dashboard.api.models.seasons import Board, BoardSet, Entrant, Season, SeasonInFull
from dashboard.api.paging import Part
from league.model import SeasonState

router = APIRouter(prefix="/seasons", tags=["Seasons"])

BoardNumber = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The board's number, from 1.")]


@router.get("", operation_id="listSeasons", summary="List seasons")
def seasons(
    store: Stored,
    response: Response,
    asked: Listed,
    state: Annotated[SeasonState | None, Query(description="Only those in this state.")] = None,
    variant: Annotated[
        str | None, Query(min_length=1, max_length=256, description="Only those of this variant, with its options.")
    ] = None,
) -> Part[Season]:
    """The newest first."""
    rows = store.listing.seasons(limit=asked.limit + 1, before=asked.number(), state=state, variant=variant)
    return asked.part(response, rows, lambda one: (one.id,), Season.of)


@router.get("/{season}", operation_id="getSeason", summary="Get a season", responses=NOT_FOUND)
def season(store: Stored, season: SeasonId) -> SeasonInFull:
    """The season as it was planned, and how far it is."""
    return SeasonInFull.with_progress(store.seasons.get(season), store.seasons.progress(season))


@router.get("/{season}/entrants", operation_id="listEntrants", summary="List entrants", responses=NOT_FOUND)
def entrants(store: Stored, response: Response, asked: Listed, season: SeasonId) -> Part[Entrant]:
    """The bot versions that take part, by number. Version hashes, which salts are made of, wait until entries close."""
    found, suspended = store.seasons.get(season), store.seasons.suspensions(season)
    after = asked.number()
    rows = store.listing.entrants(season, limit=asked.limit + 1, after=-1 if after is None else after)
    return asked.part(response, rows, lambda one: (one.number,), lambda one: Entrant.of(one, found, suspended))


@router.get("/{season}/boards", operation_id="listBoards", summary="List boards", responses=NOT_FOUND)
def boards(store: Stored, response: Response, asked: Listed, season: SeasonId) -> Part[Board]:
    """Boards by number: commitments, and secrets once the set is over. None while the season is planned."""
    rows = store.listing.boards(season, limit=asked.limit + 1, after=asked.number() or 0)
    return asked.part(response, rows, lambda one: (one.number,), Board.of)


@router.get("/{season}/boards/{board}", operation_id="getBoard", summary="Get a board", responses=NOT_FOUND)
def board(store: Stored, season: SeasonId, board: BoardNumber) -> Board:
    """One board."""
    return Board.of(store.seasons.board(season, board))


@router.get(
    "/{season}/boards/{board}/matches",
    operation_id="listBoardMatches",
    summary="List the matches of a board",
    responses=NOT_FOUND,
)
def board_matches(
    store: Stored, response: Response, asked: Listed, season: SeasonId, board: BoardNumber
) -> Part[Match]:
    """The same cards in every rotation, as far as they are played."""
    found = store.seasons.board(season, board)
    return asked.slice(response, store.results.board_matches(season, found.number), Match.of)


@router.get("/{season}/sets", operation_id="listSets", summary="List sets of boards", responses=NOT_FOUND)
def sets(store: Stored, response: Response, asked: Listed, season: SeasonId) -> Part[BoardSet]:
    """What becomes public together, with the salts of its deals. None while the season is planned."""
    return asked.slice(response, store.seasons.sets(season), BoardSet.of)
