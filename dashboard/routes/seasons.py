"""One season: progress, entrants, boards, and how its deals can be checked."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import asking, links, responses
from dashboard.pages.commitments import DealsPage, deals_page
from dashboard.pages.season import SeasonPage, season_page
from dashboard.twins import ELSEWHERE
from league.model import MatchRow, Season

router = APIRouter(prefix="/seasons")

_MATCHES_FOR_EXAMPLE = 200


@router.get("")
@router.get(".json", response_model=None, responses=ELSEWHERE)
def seasons(request: Request) -> Response:
    """Seasons are listed with their ladders."""
    address = links.ladders()
    return RedirectResponse(links.json_twin(address) if responses.wants_json(request) else address, 303)


@router.get("/{season_id}")
@router.get("/{season_id}.json", response_model=SeasonPage)
def season(request: Request, season_id: str) -> Response:
    """A season, given by its id."""
    store = asking.store(request)
    found = asking.season(request, season_id)
    model = season_page(
        found,
        store.seasons.progress(found.id),
        store.standings.ladder(found.id),
        store.seasons.entrants(found.id),
        store.seasons.boards(found.id),
        store.seasons.suspensions(found.id),
        store.standings.audit(found.id),
    )
    return responses.page_or_twin(request, "season.html", model, area="ladders", twin=lambda: model)


@router.get("/{season_id}/deals")
@router.get("/{season_id}/deals.json", response_model=DealsPage)
def deals(request: Request, season_id: str, first: str = "1") -> Response:
    """How the deals of a season can be checked; boards from number `first` on."""
    store, found = asking.store(request), asking.season(request, season_id)
    model = deals_page(
        found,
        store.seasons.entrants(found.id),
        store.seasons.boards(found.id),
        store.seasons.sets(found.id),
        _example(request, found),
        first=asking.whole(first, "first"),
    )
    return responses.page_or_twin(request, "deals.html", model, area="ladders", twin=lambda: model)


def _example(request: Request, found: Season) -> tuple[MatchRow, ...]:
    """The matches of a board that is public; none where there is none among the latest results."""
    results = asking.store(request).results
    latest = results.matches(found.id, limit=_MATCHES_FOR_EXAMPLE)
    public = next((row for row in reversed(latest) if row.public), None)
    return () if public is None else results.board_matches(found.id, public.board)
