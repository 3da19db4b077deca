"""Ladders: the list of all, and the ladder of a season."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import asking, choices, links, responses
from dashboard.api.models.standings import Ladder as LadderTwin
from dashboard.errors import AddressError
from dashboard.pages.ladder import LadderPage, ladder_page
from dashboard.pages.season import SEASONS_SHOWN, SeasonCards, season_cards
from dashboard.twins import ELSEWHERE
from league.ladder import ALL_PAIRS_UP_TO, Ladder, Order, ladder_json
from league.model import Season

router = APIRouter()


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@router.get("/")
@router.get("/ladders.json", response_model=SeasonCards, responses=ELSEWHERE)
@router.get("/index.json", response_model=SeasonCards, responses=ELSEWHERE)
@router.get("/ladders")
def ladders(
    request: Request, variant: str = "", season: str = "", order: str = "", flagged: str = "", before: str = ""
) -> Response:
    """All ladders, the newest first, before a season's id; with a variant or season, as the form asks, that ladder."""
    store = asking.store(request)
    if variant or season:
        chosen = _chosen(request, variant, season)
        address = links.ladder(chosen.id, order=order if order != Order.ELO else "", flagged=flagged)
        return RedirectResponse(links.json_twin(address) if responses.wants_json(request) else address, 303)
    older_than = asking.whole(before, "before") if before else None
    found = store.listing.seasons(limit=SEASONS_SHOWN + 1, before=older_than)
    page = season_cards(found, lambda ids: (store.seasons.progress_of(ids), store.standings.ladders(ids)))
    return responses.page_or_twin(request, "ladders.html", page, area="ladders", twin=lambda: page)


def _chosen(request: Request, variant: str, season: str) -> Season:
    """The season asked for, if it is one of the variant asked for; else the variant's newest."""
    store = asking.store(request)
    asked = asking.season(request, season) if season else None
    if asked is not None and (not variant or asked.variant == variant):
        return asked
    newest = store.listing.seasons(limit=1, variant=variant)
    if newest:
        return newest[0]
    played = ", ".join(choices.variants_offered(store, "")) or "–"
    raise AddressError(
        _("there is no season of %(variant)s; seasons are of %(played)s"), variant=variant, played=played
    )


@router.get("/seasons/{season_id}/ladder")
@router.get("/seasons/{season_id}/ladder.json", response_model=LadderTwin)
def ladder(request: Request, season_id: str, order: str = "elo", flagged: str = "") -> Response:
    """The ladder of a season, in an order, with or without flagged boards."""
    season = asking.season(request, season_id)
    by = _order(order)
    computed = asking.store(request).standings.ladder(season.id, by)
    return responses.page_or_twin(
        request,
        "ladder.html",
        _page(request, season, computed, by, without_flagged=flagged == "without"),
        area="ladders",
        twin=lambda: ladder_json(computed, all_pairs_up_to=ALL_PAIRS_UP_TO),
    )


def _order(text: str) -> Order:
    if text in set(Order):
        return Order(text)
    raise AddressError(
        _("order=%(text)s is no order of a ladder; orders are %(orders)s"), text=text, orders=", ".join(Order)
    )


def _page(request: Request, season: Season, computed: Ladder, order: Order, *, without_flagged: bool) -> LadderPage:
    store = asking.store(request)
    return ladder_page(
        season,
        computed,
        store.seasons.progress(season.id),
        choices.seasons_offered(store, season, variant=season.variant),
        choices.variants_offered(store, season.variant),
        responses.words(request),
        order=order,
        without_flagged=without_flagged and computed.flagged_boards > 0,
    )
