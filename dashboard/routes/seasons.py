"""One season: progress, entrants, boards, and how its deals can be checked."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import asking, links, responses
from dashboard.pages.commitments import BOARDS_SHOWN, SETS_SHOWN, DealsPage, PublicBoard, deals_page
from dashboard.pages.season import SeasonPage, season_page
from dashboard.twins import ELSEWHERE
from league.model import Season

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
def season(request: Request, season_id: str, first: str = "1") -> Response:
    """A season, given by its id; its boards from number `first` on."""
    store = asking.store(request)
    found = asking.season(request, season_id)
    counts = store.seasons.counts(found.id)
    start = min(max(1, asking.whole(first, "first")), max(1, counts.last_board))
    model = season_page(
        found,
        store.seasons.progress(found.id),
        store.standings.ladder(found.id),
        store.seasons.entrants(found.id),
        counts,
        store.seasons.board_set(found.id, counts.sets) if counts.sets else None,
        store.seasons.boards(found.id, first=start, limit=BOARDS_SHOWN),
        store.seasons.suspensions(found.id),
        store.histories.audit(found.id),
    )
    return responses.page_or_twin(request, "season.html", model, area="ladders", twin=lambda: model)


@router.get("/{season_id}/deals")
@router.get("/{season_id}/deals.json", response_model=DealsPage)
def deals(request: Request, season_id: str, first: str = "1", sets: str = "1") -> Response:
    """How the deals of a season can be checked; boards from number `first` on, sets of boards from number `sets` on."""
    store, found = asking.store(request), asking.season(request, season_id)
    counts = store.seasons.counts(found.id)
    board = min(max(1, asking.whole(first, "first")), max(1, counts.last_board))
    of_set = min(max(1, asking.whole(sets, "sets")), max(1, counts.sets))
    model = deals_page(
        found,
        store.seasons.entrants(found.id),
        counts,
        store.seasons.boards(found.id, first=board, limit=BOARDS_SHOWN),
        store.seasons.sets(found.id, first=of_set, limit=SETS_SHOWN),
        _example(request, found),
    )
    return responses.page_or_twin(request, "deals.html", model, area="ladders", twin=lambda: model)


def _example(request: Request, found: Season) -> PublicBoard | None:
    """A board that is public with its set and matches; None where there is none among the latest results."""
    store = asking.store(request)
    latest = store.results.matches(found.id, limit=_MATCHES_FOR_EXAMPLE)
    public = next((row for row in reversed(latest) if row.public), None)
    if public is None:
        return None
    return PublicBoard(
        board=store.seasons.board(found.id, public.board),
        board_set=store.seasons.board_set(found.id, public.set_number),
        matches=store.results.board_matches(found.id, public.board),
    )
