"""Who asks: finds the account of a session's cookie before any page is made, and keeps such answers out of caches.

Owns the two cookies: that of a session, and that of a visitor without one, to which forms are tied. Must not decide who
may do what. A JSON twin may also be read with a personal API token, whose account `dashboard.api.front` has found.
"""

from __future__ import annotations

from typing import Final

from anyio import to_thread
from fastapi import Request
from fastapi.responses import Response
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.api.front import CALLER, is_api
from dashboard.encrypted import is_encrypted
from league.accounts import Account, SignedIn
from league.store import Store

SESSION_COOKIE: Final = "king_session"
VISITOR_COOKIE: Final = "king_visitor"
PRIVATE: Final = "private, no-store"


class AccountFinder:
    """ASGI middleware: `request.state.account` is who asks from here on; what they get is for them alone.

    The API goes by tokens, and says itself what may be kept.
    """

    def __init__(self, app: ASGIApp, store: Store) -> None:
        self._app = app
        self._store = store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its account."""
        if scope["type"] != "http" or scope["path"].startswith("/static/") or is_api(scope["path"]):
            await self._app(scope, receive, send)
            return
        account = await self._account(Request(scope))
        scope.setdefault("state", {})["account"] = account
        await self._app(scope, receive, send if account is None else _privately(send))

    async def _account(self, request: Request) -> Account | None:
        session = session_of(request)
        if session:
            return await to_thread.run_sync(self._store.sessions.whose, session)
        caller: Account | None = request.scope.get(CALLER)
        return caller


def _privately(send: Send) -> Send:
    async def privately(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message)["Cache-Control"] = PRIVATE
        await send(message)

    return privately


def account_of(request: Request) -> Account | None:
    """Who asks; None for somebody without a session, and where there is no store."""
    found: Account | None = getattr(request.state, "account", None)
    return found


def session_of(request: Request) -> str:
    """The text of the session that a request names, good or not; empty without one."""
    return request.cookies.get(SESSION_COOKIE, "")


def tied_to(request: Request) -> str:
    """What the forms of a request are tied to: its session if that is good, else its visit; empty with neither."""
    return session_of(request) if account_of(request) is not None else request.cookies.get(VISITOR_COOKIE, "")


def keep_visit(request: Request, answer: Response, text: str) -> None:
    """Have the browser of a visitor without a session keep what forms are tied to: a secret, drawn for the visit."""
    answer.set_cookie(VISITOR_COOKIE, text, httponly=True, samesite="lax", secure=is_encrypted(request))


def keep_session(request: Request, answer: Response, signed_in: SignedIn) -> None:
    """Have the reader's browser keep a session that has begun."""
    answer.set_cookie(
        SESSION_COOKIE,
        signed_in.token,
        expires=signed_in.expires_at,
        httponly=True,
        samesite="lax",
        secure=is_encrypted(request),
    )


def forget_session(request: Request, answer: Response) -> None:
    """Have the reader's browser forget its session."""
    for name in (SESSION_COOKIE, VISITOR_COOKIE):
        answer.delete_cookie(name, httponly=True, samesite="lax", secure=is_encrypted(request))
