"""One season: progress, crosstable, entrants, boards."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import asking, links, responses
from dashboard.pages.season import season_page

router = APIRouter(prefix="/seasons")


@router.get("")
@router.get(".json")
def seasons(request: Request) -> Response:
    """Seasons are listed with their ladders."""
    address = links.ladders()
    return RedirectResponse(links.json_twin(address) if responses.wants_json(request) else address, 303)


@router.get("/{season_id}")
@router.get("/{season_id}.json")
def season(request: Request, season_id: str) -> Response:
    """A season, given by its id."""
    store = asking.store(request)
    found = asking.season(request, season_id)
    model = season_page(
        found,
        store.seasons.progress(found.id),
        store.standings.ladder(found.id),
        store.standings.crosstable(found.id),
        store.seasons.entrants(found.id),
        store.seasons.boards(found.id),
    )
    return responses.page_or_twin(request, "season.html", model, area="ladders", twin=lambda: model)
