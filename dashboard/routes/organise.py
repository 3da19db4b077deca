"""For organisers: an overview, what was asked for and what became of it, the audit log."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import asking, responses
from dashboard.pages.organise import LogPage, OrderLine, OrderList, Overview, acts, log_line, order_line
from dashboard.twins import ORGANISERS
from dashboard.words import Words
from league.audit_log import AuditFilter
from league.orders import Order
from league.store import Store
from league.store.audit_log import PAGE as ENTRIES_ON_PAGE
from league.store.orders import PAGE as ORDERS_ON_PAGE

router = APIRouter(prefix="/organise")

AREA = "organise"
_LATEST = 10
_SEASONS = 50


@router.get("")
@router.get(".json", response_model=Overview, responses=ORGANISERS)
def overview(request: Request) -> Response:
    """The seasons, newest first, and what was asked for last."""
    asking.require_organiser(request)
    store, words = asking.store(request), responses.words(request)
    latest = store.orders.latest(limit=_LATEST)
    model = Overview(
        seasons=store.listing.seasons(limit=_SEASONS),
        orders=_lines(store, latest, words),
    )
    return responses.page_or_twin(request, "organise.html", model, area=AREA, twin=lambda: model)


@router.get("/orders")
@router.get("/orders.json", response_model=OrderList, responses=ORGANISERS)
def orders(request: Request, before: str = "") -> Response:
    """What organisers asked for, newest first."""
    asking.require_organiser(request)
    store, words = asking.store(request), responses.words(request)
    found = store.orders.latest(before=asking.whole(before, "before") if before else None)
    older = found[-1].id if len(found) == ORDERS_ON_PAGE else None
    model = OrderList(orders=_lines(store, found, words), older=older)
    return responses.page_or_twin(request, "orders.html", model, area=AREA, twin=lambda: model)


@router.get("/orders/{order_id}")
@router.get("/orders/{order_id}.json", response_model=OrderLine, responses=ORGANISERS)
def order(request: Request, order_id: str) -> Response:
    """One order. While it waits, the page follows it by itself, with a script or without."""
    asking.require_organiser(request)
    store = asking.store(request)
    found = store.orders.get(asking.whole(order_id, "order"))
    (model,) = _lines(store, [found], responses.words(request))
    return responses.page_or_twin(request, "order.html", model, area=AREA, twin=lambda: model)


@router.get("/log")
@router.get("/log.json", response_model=LogPage, responses=ORGANISERS)
def log(request: Request, actor: str = "", act: str = "", subject: str = "", before: str = "") -> Response:
    """Who did what, newest first; filters are in the address."""
    asking.require_organiser(request)
    words = responses.words(request)
    wanted = AuditFilter(actor=actor.strip(), act=act.strip(), subject=subject.strip())
    last = asking.whole(before, "before") if before else None
    found = asking.store(request).audit_log.entries(wanted, before=last)
    model = LogPage(
        wanted=wanted,
        acts=acts(words),
        entries=tuple(log_line(entry, words) for entry in found),
        older=found[-1].id if len(found) == ENTRIES_ON_PAGE else None,
    )
    return responses.page_or_twin(request, "log.html", model, area=AREA, twin=lambda: model)


def _lines(store: Store, orders: Sequence[Order], words: Words) -> tuple[OrderLine, ...]:
    seasons = store.seasons.some({order.season for order in orders if order.season is not None})
    names = {season.id: season.name for season in seasons.values()}
    return tuple(order_line(order, names, words) for order in orders)
