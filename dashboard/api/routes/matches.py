"""Matches, their records, and every position of them. Cards are given out when the set of boards is over."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from dashboard import asking
from dashboard.api.asked import NOT_FOUND, NOT_PUBLIC, Listed, Stored, not_found
from dashboard.api.models.common import LARGEST_ID, MatchId, Moment
from dashboard.api.models.matches import DealPositions, Match, Record
from dashboard.api.paging import Part
from dashboard.api.positions import OPEN, deal_positions
from league.errors import NotPublicYetError
from league.model import FaultKind
from league.store.match_lists import MatchFilter

router = APIRouter(prefix="/matches", tags=["Matches"])

A_DAY = "public, max-age=86400"
"""What is public of a match stays as it is."""


@router.get("", operation_id="listMatches", summary="List matches")
def matches(
    store: Stored,
    response: Response,
    asked: Listed,
    season: Annotated[int | None, Query(ge=1, le=LARGEST_ID, description="Only those of this season.")] = None,
    board: Annotated[
        int | None, Query(ge=1, le=LARGEST_ID, description="Only those of boards with this number.")
    ] = None,
    bot: Annotated[
        str | None, Query(min_length=1, max_length=64, description="Only those with this bot, by its name.")
    ] = None,
    opponent: Annotated[
        str | None, Query(min_length=1, max_length=64, description="Only those with this bot too, by its name.")
    ] = None,
    fault: Annotated[FaultKind | None, Query(description="Only those that somebody forfeited so.")] = None,
    variant: Annotated[
        str | None, Query(min_length=1, max_length=256, description="Only those of this variant, with its options.")
    ] = None,
    public: Annotated[bool | None, Query(description="Only those whose cards are public, or are not.")] = None,
    since: Annotated[Moment | None, Query(description="Only those that ended then or later.")] = None,
    until: Annotated[Moment | None, Query(description="Only those that ended before.")] = None,
) -> Part[Match]:
    """The one stored last comes first. All filters that are given hold."""
    which = MatchFilter(
        season=season,
        board=board,
        bot=bot,
        opponent=opponent,
        faults=() if fault is None else (fault,),
        variant=variant,
        public=public,
        since=since,
        until=until,
    )
    rows = store.listing.matches(which, limit=asked.limit + 1, before=asked.number())
    return asked.part(response, rows, lambda one: (one.key,), lambda one: Match.of(one.match))


@router.get("/{match}", operation_id="getMatch", summary="Get a match", responses=NOT_FOUND)
def match(store: Stored, match: MatchId) -> Match:
    """Who sat where, and the result."""
    return Match.of(store.results.match(match))


@router.get(
    "/{match}/record",
    operation_id="getRecord",
    summary="Get a match's record",
    responses=NOT_PUBLIC,
    response_model=Record,
)
def record(request: Request, store: Stored, match: MatchId) -> Response:
    """The whole record, secrets included, once the set of boards is over."""
    row = store.results.match(match)
    if not row.public:
        store.results.record(match)  # says what it waits for
    found: dict[str, Any] = asking.shelf(request).record(match)
    return JSONResponse(found, headers={"Cache-Control": A_DAY})


@router.get(
    "/{match}/deals/{deal}/positions",
    operation_id="listPositions",
    summary="Get every position of a deal",
    responses=NOT_PUBLIC,
)
def positions(
    request: Request,
    response: Response,
    store: Stored,
    match: MatchId,
    deal: Annotated[int, Path(ge=1, le=200, description="The deal, from 1.")],
    view: Annotated[str, Query(pattern=r"^(open|[0-3])$", description="open, or a seat: what that seat knew.")] = OPEN,
) -> DealPositions:
    """The deal as dealt and after each action, with the legal actions; in the view of a seat, what it knew."""
    row = store.results.match(match)
    if not row.public:
        told = f"match {match} is of set {row.set_number}, which is still being played: cards are shown when it is over"
        raise NotPublicYetError(told)
    found = asking.shelf(request).match(match, row.season)
    if deal > len(found.replayed.deals):
        raise not_found(f"match {match} has deals 1 to {len(found.replayed.deals)}")
    if view != OPEN and int(view) >= len(found.seats):
        raise not_found(f"match {match} has seats 0 to {len(found.seats) - 1}")
    response.headers["Cache-Control"] = A_DAY
    return deal_positions(match, found, deal, view)
