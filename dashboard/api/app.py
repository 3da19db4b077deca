"""The application behind `/api/v1`: its operations, and how its errors are told.

Owns the putting together. What stands before it (tokens, limits, forms of answers) is `dashboard.api.front`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from dashboard.api.own import refusal
from dashboard.api.problems import ProblemError, ProblemKind, ProblemPart, answer_to, kind_of_status
from dashboard.api.routes import (
    account,
    accounts,
    bots,
    challenges,
    matches,
    orders,
    remote_bots,
    rules,
    search,
    seasons,
    standings,
    submissions,
)
from dashboard.api.validators import NotModified
from dashboard.errors import AddressError
from dashboard.web import COME_AGAIN_S, gone_away
from league.errors import LeagueError, NotPublicYetError, StoreUnusableError
from league.orders import OrderKind
from referee.rules import RulesError

VERSION = "1"
BODY_BYTES = 64 * 1024
"""How long a body may be, but for an archive."""
_PARTS = (
    seasons,
    standings,
    bots,
    matches,
    search,
    rules,
    account,
    submissions,
    challenges,
    remote_bots,
    orders,
    accounts,
)
_log = structlog.get_logger(__name__)


def create_api(**shared: Any) -> FastAPI:
    """The application, to be mounted; `shared` becomes its state (`store`, `shelf`)."""
    api = FastAPI(
        title="King Arena",
        version=VERSION,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        max_body_size=BODY_BYTES,
    )
    api.router.redirect_slashes = False
    for name, value in shared.items():
        setattr(api.state, name, value)
    for part in _PARTS:
        api.include_router(part.router)
    told = {
        ProblemError: _problem,
        NotModified: _not_modified,
        NotPublicYetError: _not_public_yet,
        StoreUnusableError: _our_fault,
        LeagueError: _refused,
        RulesError: _not_there,
        AddressError: _not_there,
        RequestValidationError: _invalid,
        HTTPException: _http_error,
        ClientDisconnect: gone_away,
        Exception: _our_fault,
    }
    for kind, handler in told.items():
        api.add_exception_handler(kind, handler)
    return api


def _problem(request: Request, error: Exception) -> Response:
    if not isinstance(error, ProblemError):
        raise error
    return answer_to(request, error)


def _not_modified(_request: Request, error: Exception) -> Response:
    if not isinstance(error, NotModified):
        raise error
    return Response(status_code=304, headers={"ETag": error.tag})


def _not_public_yet(request: Request, error: Exception) -> Response:
    return answer_to(request, ProblemError(ProblemKind.NOT_PUBLIC_YET, str(error)))


def _refused(request: Request, error: Exception) -> Response:
    """What the league refuses: who only reads asked for what is not there."""
    if not isinstance(error, LeagueError):
        raise error
    if request.method == "GET":
        return _not_there(request, error)
    return answer_to(request, refusal(error))


def _not_there(request: Request, error: Exception) -> Response:
    return answer_to(request, ProblemError(ProblemKind.NOT_FOUND, str(error)))


def _invalid(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    parts = [_part(one) for one in error.errors()]
    told = "; ".join(f"{one.parameter or one.header or one.pointer}: {one.detail}" for one in parts)
    return answer_to(request, ProblemError(ProblemKind.INVALID_REQUEST, told, parts))


def _part(one: dict[str, Any]) -> ProblemPart:
    """One part that is wrong: a parameter by its name, a place in the body by a JSON pointer."""
    where, *path = one["loc"]
    detail = str(one["msg"]).removeprefix("Value error, ")
    if where == "body":
        is_place = one["type"] != "json_invalid"
        return ProblemPart(detail=detail, pointer=_pointer(path if is_place else ()))
    if where == "header":
        return ProblemPart(detail=detail, header=str(path[0]))
    return ProblemPart(detail=detail, parameter=str(path[0]))


def _pointer(path: Sequence[object]) -> str:
    """The JSON pointer of a place; that a body is one of several kinds is no step of it."""
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in path if step not in set(OrderKind))
    return "#" + "".join(f"/{step}" for step in steps)


def _http_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code == 400:  # the body could not be decoded
        told = "the body is no JSON in UTF-8"
        return answer_to(
            request, ProblemError(ProblemKind.INVALID_REQUEST, told, (ProblemPart(detail=told, pointer="#"),))
        )
    kind = kind_of_status(error.status_code)
    detail = f"there is nothing at {request.url.path}" if error.status_code == 404 else str(error.detail)
    return answer_to(request, ProblemError(kind, detail, headers=error.headers or {}, status=error.status_code))


def _our_fault(request: Request, error: Exception) -> Response:
    _log.error("operation failed", path=request.url.path, error=repr(error))
    told = "the request failed for a reason of ours; the server's log says how"
    if isinstance(error, StoreUnusableError):
        again = {"Retry-After": str(COME_AGAIN_S)}
        return answer_to(request, ProblemError(ProblemKind.OUR_FAULT, told, headers=again, status=503))
    return answer_to(request, ProblemError(ProblemKind.OUR_FAULT, told))
