"""Orders: what organisers ask for and the sweep carries out; and the log of who did what."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from dashboard.api.asked import Listed, Stored, problems
from dashboard.api.models.common import LARGEST_ID
from dashboard.api.models.orders import Asked, AuditEntry, Order
from dashboard.api.own import ORGANISERS, Organiser, actor, there
from dashboard.api.paging import Part
from dashboard.api.problems import ProblemKind
from league.audit_log import AuditFilter
from league.orders import CreateSeason

router = APIRouter(tags=["Organising"])

_FORBIDDEN = problems(ProblemKind.FORBIDDEN)
_Filter = Annotated[str, Query(max_length=160, pattern=r"^[^\x00-\x1f\x7f]*$")]


@router.get("/orders", operation_id="listOrders", summary="List orders", responses=ORGANISERS)
def orders(
    who: Organiser,
    store: Stored,
    response: Response,
    asked: Listed,
    season: Annotated[int | None, Query(ge=1, le=LARGEST_ID, description="Only those about this season.")] = None,
) -> Part[Order]:
    """What was asked for, the newest first."""
    del who
    rows = store.orders.latest(season=season, before=asked.number(), limit=asked.limit + 1)
    return asked.part(response, rows, lambda one: (one.id,), Order.of)


@router.post(
    "/orders",
    operation_id="createOrder",
    summary="Ask for something to be done",
    status_code=202,
    responses={**ORGANISERS, **problems(ProblemKind.CONFLICT)},
)
def ask(who: Organiser, store: Stored, request: Request, response: Response, asked: Asked) -> Order:
    """Makes, starts, pauses, ends a season and the like. The sweep does it within a second or two; see the order."""
    arguments = asked.arguments()
    if not isinstance(arguments, CreateSeason):
        season = arguments.season
        there(lambda: store.seasons.get(season))
    order = store.orders.ask(arguments, by=actor(who))
    response.headers["Location"] = f"{request.url.path}/{order.id}"
    return Order.of(order)


@router.get("/orders/{order}", operation_id="getOrder", summary="Get an order", responses=ORGANISERS)
def order(
    who: Organiser, store: Stored, order: Annotated[int, Path(ge=1, le=LARGEST_ID, description="The order's id.")]
) -> Order:
    """What became of it."""
    del who
    return Order.of(there(lambda: store.orders.get(order)))


@router.get("/audit-log", operation_id="listAuditLog", summary="List who did what", responses=_FORBIDDEN)
def audit_log(
    who: Organiser,
    store: Stored,
    response: Response,
    asked: Listed,
    actor_name: Annotated[_Filter, Query(alias="actor", description="Only what this account did.")] = "",
    act: Annotated[_Filter, Query(description="Only this act, or all that begin so: season.")] = "",
    subject: Annotated[_Filter, Query(description="Only what was done to this.")] = "",
) -> Part[AuditEntry]:
    """The newest first."""
    del who
    wanted = AuditFilter(actor=actor_name, act=act, subject=subject)
    rows = store.audit_log.entries(wanted, before=asked.number(), limit=asked.limit + 1)
    return asked.part(response, rows, lambda one: (one.id,), AuditEntry.of)
