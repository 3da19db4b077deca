"""Standings of a season beside its ladder: the crosstable, and points by contract."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import asking, links, responses
from dashboard.pages.contracts import ContractsPage, contracts_page
from dashboard.pages.crosstable import CrosstablePage, crosstable_page, crosstable_window

router = APIRouter(prefix="/seasons")


@router.get("/{season_id}/crosstable")
@router.get("/{season_id}/crosstable.json", response_model=CrosstablePage)
def crosstable(request: Request, season_id: str, first: str = "1") -> Response:
    """All against all; of many bots those around place `first` of the ladder."""
    store, season = asking.store(request), asking.season(request, season_id)
    ladder, place = store.standings.ladder(season.id), asking.whole(first, "first")
    _windows, rows = crosstable_window(ladder, place)
    model = crosstable_page(
        season,
        store.seasons.progress(season.id),
        ladder,
        store.standings.pairs(season.id, [row.entry.entrant for row in rows]),
        responses.words(request),
        first=place,
    )
    if responses.wants_json(request):
        return responses.json(model)
    here = partial(links.crosstable, season.id)
    return responses.page(request, "crosstable.html", area="ladders", page=model, links_here=here)


@router.get("/{season_id}/contracts")
@router.get("/{season_id}/contracts.json", response_model=ContractsPage)
def contracts(request: Request, season_id: str, first: str = "1") -> Response:
    """Where each bot loses; of many bots those around place `first` of the ladder."""
    store, season = asking.store(request), asking.season(request, season_id)
    model = contracts_page(
        season,
        store.seasons.progress(season.id),
        store.standings.ladder(season.id),
        store.standings.contracts(season.id),
        responses.words(request),
        first=asking.whole(first, "first"),
    )
    if responses.wants_json(request):
        return responses.json(model)
    here = partial(links.contracts, season.id)
    return responses.page(request, "contracts.html", area="ladders", page=model, links_here=here)
