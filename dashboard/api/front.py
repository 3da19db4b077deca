"""What stands before the API, the JSON twins, files and streams: who asks, how often, and what can be asked at all.

Owns, for these addresses alone: tokens, rate limits, methods and parameters that are not in the document, HEAD and
OPTIONS, reading from other sites. Must not know any resource. JSON is held whole until it is done; files and streams go
out as they are made, and streams are not counted: they belong to pages.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard import links
from dashboard.api.files import may_be_file
from dashboard.api.forms import Held, choose_form
from dashboard.api.operations import READING, Operations, Place
from dashboard.api.problems import (
    MEDIA_TYPE,
    ProblemError,
    ProblemKind,
    ProblemPart,
    answer,
    instance_of,
    kind_of_status,
)
from dashboard.api.rate_limits import Policy, RateLimiter, RateLimits, Standing, caller_of_address
from league.accounts import Account

CALLER = "king.caller"
"""Where the scope has the account whose token was sent; None without a token."""

_MAY_SEND = "Accept, Accept-Language, Authorization, Cache-Control, If-None-Match"
_MAY_SEE = "Allow, Content-Disposition, ETag, Link, RateLimit, RateLimit-Policy, Retry-After"


def is_api(path: str) -> bool:
    """Whether an address is of the API proper."""
    return path == links.api() or path.startswith(f"{links.api()}/")


def is_twin(path: str) -> bool:
    """Whether an address is that of a page's JSON twin."""
    return path.endswith(".json") and not path.startswith("/static/")


def unauthenticated(detail: str) -> ProblemError:
    """The problem of a caller who has to say who it is."""
    return ProblemError(ProblemKind.UNAUTHENTICATED, detail, headers={"WWW-Authenticate": 'Bearer realm="king"'})


def unescaped(text: str) -> str:
    """A segment of a path as the application sees it, as it was meant."""
    return text.replace("%2F", "/").replace("%25", "%")


@dataclass(frozen=True)
class ApiFront:
    """An ASGI application around the dashboard's. `whose`: whose a token is; `operations`: those of the document."""

    app: ASGIApp
    operations: Callable[[], Awaitable[Operations]]
    whose: Callable[[str], Account | None]
    limiter: RateLimiter
    limits: RateLimits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        path = scope["path"] if scope["type"] == "http" else ""
        is_held = is_api(path) or is_twin(path)
        if not is_held and not may_be_file(path):
            await self.app(scope, receive, send)
            return
        place = (await self.operations()).at(_path_of(scope))
        if is_held:
            await self._answer_whole(scope, place, receive, send)
        elif place is None:
            await self.app(scope, receive, send)
        else:
            await self._pass_on(scope, place, receive, send)

    async def _answer_whole(self, scope: Scope, place: Place | None, receive: Receive, send: Send) -> None:
        """Makes the answer, and sends it in the form that was asked for."""
        asked, held, failure = Headers(scope=scope), Held(), None
        try:
            await self._hold(scope, asked, place, receive, held)
        except Exception as error:
            if not held.has_begun:
                raise
            failure = error  # the application has answered already: that goes out first
        _finish(scope, held.headers)
        await choose_form(held, asked)
        await held.go(send, with_body=scope["method"] != "HEAD")
        if failure is not None:
            raise failure

    async def _pass_on(self, scope: Scope, place: Place, receive: Receive, send: Send) -> None:
        """Has a file or stream go out as it is made; what is refused before is a problem, as everywhere."""
        asked, held = Headers(scope=scope), Held()
        try:
            if scope["method"] == "OPTIONS":
                _tell_options(asked, place, held)
            else:
                account, standing = await self._admit(scope, asked, place)
                inner = {**scope, "method": "GET", CALLER: account}
                await self.app(inner, receive, _on_the_way(scope, {} if standing is None else standing.headers, send))
                return
        except ProblemError as problem:
            await answer(problem, instance_of(scope))(scope, receive, held.take)
        _finish(scope, held.headers)
        await held.go(send, with_body=scope["method"] != "HEAD")

    async def _admit(self, scope: Scope, asked: Headers, place: Place | None) -> tuple[Account | None, Standing | None]:
        """Who asks, and where they stand after this request.

        Raises:
            ProblemError: the method does not fit, the token is nobody's, or there were too many requests.
        """
        if place is not None:
            _check_method(scope, place)
        account = await self._account(scope, asked)
        is_counted = place is None or place.file is None or place.file.is_counted
        return account, self._count(scope, account) if is_counted else None

    async def _hold(self, scope: Scope, asked: Headers, place: Place | None, receive: Receive, held: Held) -> None:
        """Fills `held` with the answer."""
        standing = None
        try:
            if scope["method"] == "OPTIONS":
                _tell_options(asked, place, held)
                return
            account, standing = await self._admit(scope, asked, place)
            if place is not None and is_api(scope["path"]):
                _check_parameters(scope, place)
            await self.app(_inner_scope(scope, asked, account), receive, held.take)
            _require_problem(scope, held)
        except ProblemError as problem:
            await answer(problem, instance_of(scope))(scope, receive, held.take)
        if standing is not None:
            held.headers.update(standing.headers)

    async def _account(self, scope: Scope, asked: Headers) -> Account | None:
        """Who asks.

        Raises:
            ProblemError: if a token was sent that is nobody's; it counts for the address.
        """
        given = asked.get("authorization")
        if given is None:
            return None
        scheme, _, token = given.partition(" ")
        account = await to_thread.run_sync(self.whose, token.strip()) if scheme.lower() == "bearer" else None
        if account is None:
            self._count(scope, None)
            raise unauthenticated(
                "the token is nobody's: it may be mistyped or revoked, or its account disabled; "
                "send it as Authorization: Bearer king_…"
            )
        return account

    def _count(self, scope: Scope, account: Account | None) -> Standing | None:
        policy = self._policy(scope, account)
        client = scope.get("client")
        caller = f"account {account.id}" if account else caller_of_address(client[0] if client else "")
        standing = self.limiter.take(policy, caller)
        if standing is not None and not standing.is_within:
            again = standing.reset_seconds
            told = f"{policy.quota} requests in {policy.window_seconds} s are used up: try again in {again} s"
            raise ProblemError(
                ProblemKind.QUOTA_EXCEEDED,
                told,
                headers={**standing.headers, "Retry-After": str(again)},
                violated_policies=(policy.name,),
            )
        return standing

    def _policy(self, scope: Scope, account: Account | None) -> Policy:
        if scope["method"] not in READING:
            return self.limits.writing
        return self.limits.reading if account is None else self.limits.reading_with_token


def _path_of(scope: Scope) -> str:
    """The path as the application sees it. Segments of the API are told apart: what came as %2F or %25 stays so."""
    raw = scope.get("raw_path")
    if not raw or b"%" not in raw or not is_api(scope["path"]):
        return str(scope["path"])
    segments = str(raw, "ascii", "replace").partition("?")[0].split("/")
    return "/".join(unquote(one).replace("%", "%25").replace("/", "%2F") for one in segments)


def _inner_scope(scope: Scope, asked: Headers, account: Account | None) -> Scope:
    """The request as the application sees it: read with GET, not compressed, and of the API without cookies."""
    own = MutableHeaders(raw=list(asked.raw))
    del own["accept-encoding"]
    if is_api(scope["path"]):
        del own["cookie"]
    method = "GET" if scope["method"] == "HEAD" else scope["method"]
    return {**scope, "method": method, "path": _path_of(scope), "headers": own.raw, CALLER: account}


def _check_method(scope: Scope, place: Place) -> None:
    """Refuses a method that the document does not have."""
    if scope["method"] not in place.parameters:
        told = f"{scope['method']} does not fit this address: {place.allow} do"
        raise ProblemError(ProblemKind.METHOD_NOT_ALLOWED, told, headers={"Allow": place.allow})


def _check_parameters(scope: Scope, place: Place) -> None:
    """Refuses a parameter that the document does not have, and one that is given twice."""
    known = place.parameters[scope["method"]]
    names = [name for name, _value in parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)]
    there = ", ".join(sorted(known)) or "none"
    wrong = [(name, f"is not known here: the parameters are {there}") for name in set(names) - known]
    wrong += [(name, "is given more than once: give it once") for name in sorted(known) if names.count(name) > 1]
    if wrong:
        parts = [ProblemPart(detail=detail, parameter=name) for name, detail in sorted(wrong)]
        raise ProblemError(ProblemKind.UNKNOWN_PARAMETER, "; ".join(map(" ".join, sorted(wrong))), parts)


def _require_problem(scope: Scope, held: Held) -> None:
    """Tells an error of the API in its own form, also one that comes from below it, such as a body that is too long."""
    is_problem = held.headers.get("content-type", "").startswith(MEDIA_TYPE)
    if is_api(scope["path"]) and held.status >= 400 and not is_problem:
        raise ProblemError(kind_of_status(held.status), HTTPStatus(held.status).phrase.lower(), status=held.status)


def _tell_options(asked: Headers, place: Place | None, held: Held) -> None:
    """Answers OPTIONS: what can be done here, and whether other sites may."""
    if place is None:
        raise ProblemError(ProblemKind.NOT_FOUND, "there is nothing at this address")
    held.status, held.has_begun = 204, True
    held.headers["Allow"] = place.allow
    if "access-control-request-method" in asked:
        held.headers["Access-Control-Allow-Methods"] = ", ".join(sorted(READING & set(place.parameters)))
        held.headers["Access-Control-Allow-Headers"] = _MAY_SEND
        held.headers["Access-Control-Max-Age"] = "86400"


def _on_the_way(scope: Scope, added: Mapping[str, str], send: Send) -> Send:
    """A `send` that adds headers to what passes, and leaves out the body of what HEAD asks for."""

    async def passing(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message["headers"]))
            headers.update(added)
            _finish(scope, headers)
            message = {**message, "headers": headers.raw}
        elif scope["method"] == "HEAD" and message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return passing


def _finish(scope: Scope, headers: MutableHeaders) -> None:
    """Adds what every answer has. Other sites may read, not change; of the API no cookie and no language decides."""
    if scope["method"] in READING or scope["method"] == "OPTIONS":
        headers["Access-Control-Allow-Origin"] = "*"
        headers["Access-Control-Expose-Headers"] = _MAY_SEE
    if is_api(scope["path"]):
        headers["Vary"] = "Accept-Encoding"
    else:
        headers.add_vary_header("Accept-Encoding")
