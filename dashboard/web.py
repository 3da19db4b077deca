"""What every app of the dashboard has: static files, headers, and errors in words.

Owns the middleware and exception handlers. Must not know any page.
"""

from __future__ import annotations

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import iter_route_contexts
from fastapi.staticfiles import StaticFiles
from fastapi.telemetry import TelemetryConfig
from starlette.datastructures import MutableHeaders, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard import art, links, responses
from dashboard.encodings import GZipWhereWanted
from dashboard.templating import STATIC, Renderer
from league.errors import StoreUnusableError

_CONTENT_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
_DECIDING = ("Accept-Language", "Cookie")
"""What a page depends on beside its address: the reader's language, theme and suits."""
COME_AGAIN_S = 30
"""After how long a store that cannot be used is worth another try."""
_NO_TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False}
"""Nobody has set any up here: to ask whether somebody has would cost each request an eighth of its time."""
_log = structlog.get_logger(__name__)


def bare_app(renderer: Renderer, title: str) -> FastAPI:
    """An app with static files, headers and error pages, and no pages yet."""
    app = FastAPI(title=title, docs_url=None, redoc_url=None, openapi_url=None, telemetry=_NO_TELEMETRY)
    app.state.renderer = renderer
    app.add_middleware(GZipWhereWanted, minimum_size=1000, compresslevel=5)
    app.add_middleware(_PageHeaders)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(ClientDisconnect, gone_away)
    app.add_exception_handler(StoreUnusableError, _our_fault)
    app.add_exception_handler(Exception, _our_fault)
    app.get("/static/cards.svg")(lambda: Response(art.sprite(), media_type="image/svg+xml"))
    app.get("/static/favicon.svg")(lambda: Response(art.favicon(), media_type="image/svg+xml"))
    app.get("/favicon.ico")(lambda: Response(art.favicon(), media_type="image/svg+xml"))
    app.mount("/static", StaticFiles(directory=STATIC))
    return app


class _PageHeaders:
    """ASGI middleware: what every answer says to browsers and caches beside its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        goes_on = False

        async def with_headers(message: Message) -> None:
            nonlocal goes_on
            if message["type"] == "http.response.start":
                _add_headers(MutableHeaders(scope=message), scope)
            goes_on = bool(message.get("more_body")) or message["type"] == "http.response.start"
            await send(message)

        await self._app(scope, receive, with_headers)
        if goes_on:  # a stream that ends with the process
            await send({"type": "http.response.body", "body": b"", "more_body": False})


def _add_headers(headers: MutableHeaders, scope: Scope) -> None:
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
    if not scope["path"].startswith("/static/"):
        for name in _DECIDING:
            headers.add_vary_header(name)
    elif "v" in QueryParams(scope["query_string"]):
        headers["Cache-Control"] = "public, max-age=31536000, immutable"


def _ways_out(request: Request) -> tuple[tuple[str, str], ...]:
    say = responses.words(request).say
    if not responses.renderer(request).has_store:
        return ((links.home(), say("The replay")),)
    return (
        (links.ladders(), say("All ladders")),
        (links.matches(), say("Matches")),
        (links.bots(), say("Bots")),
    )


def not_found(request: Request, detail: str, *, language: str = "") -> Response:
    """An error page for what is not there; `detail` says what would be right, in `language` if not the page's."""
    title = responses.words(request).say("Not found")
    return responses.trouble(request, responses.Trouble(404, title, detail, _ways_out(request), language))


def _http_error(request: Request, error: Exception) -> Response:
    say = responses.words(request).say
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code == 404:
        return not_found(request, say("There is no page at %(path)s.", path=request.url.path))
    if error.status_code == 405:
        only_read = say("%(path)s can only be read: use GET.", path=request.url.path)
        only_sent = say("%(path)s only takes the form of its page.", path=request.url.path)
        detail = only_sent if request.method in {"GET", "HEAD"} else only_read
        answer = responses.trouble(request, responses.Trouble(405, say("Cannot be done"), detail, _ways_out(request)))
        answer.headers["Allow"] = ", ".join(_methods_at(request) or ["GET", "HEAD"])
        return answer
    return responses.trouble(
        request,
        responses.Trouble(error.status_code, say("Cannot be done"), str(error.detail), _ways_out(request), "en"),
    )


def _methods_at(request: Request) -> list[str]:
    """The methods that fit an address of the app's own routes: several of them may have it."""
    fitting: set[str] = set()
    for route in iter_route_contexts(request.app.routes):
        if route.methods and compile_path(str(route.path))[0].match(request.scope["path"]):
            fitting |= route.methods
    return sorted(fitting | {"HEAD"} if "GET" in fitting else fitting)


def _invalid(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    say = responses.words(request).say
    first = error.errors()[0]
    name = str(first["loc"][-1])
    detail = say("%(name)s=%(value)s is not valid: %(why)s.", name=name, value=first.get("input"), why=first["msg"])
    return responses.trouble(request, responses.Trouble(422, say("Cannot be read"), detail, _ways_out(request)))


def gone_away(request: Request, error: Exception) -> Response:
    """Whoever sent something went away before its end. It is nobody's fault, and nobody reads the answer."""
    del request
    if not isinstance(error, ClientDisconnect):
        raise error
    return Response(status_code=400)


def _our_fault(request: Request, error: Exception) -> Response:
    _log.error("page failed", path=request.url.path, error=repr(error))
    say = responses.words(request).say
    detail = say("This page failed through our fault; the server’s log says how. Trying again may help.")
    status = 503 if isinstance(error, StoreUnusableError) else 500
    answer = responses.trouble(request, responses.Trouble(status, say("Our fault"), detail, _ways_out(request)))
    answer.headers.update({**_HEADERS, "Cache-Control": "no-store"})  # it goes out past all that adds headers
    if status == 503:
        answer.headers["Retry-After"] = str(COME_AGAIN_S)
    return answer
