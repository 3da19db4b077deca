"""What HTTPS adds to answers: browsers are to ask for nothing else from then on.

Whether a request came by HTTPS is what the server says, or a proxy on this machine that ends TLS (X-Forwarded-Proto).
"""

from __future__ import annotations

from typing import Final

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER: Final = "Strict-Transport-Security"
A_YEAR: Final = "max-age=31536000"
_OWN_MACHINE: Final = "localhost"


def is_encrypted(request: Request) -> bool:
    """Whether a request came by HTTPS: its cookies are then for HTTPS alone."""
    return request.url.scheme == "https"


class HttpsFromNowOn:
    """ASGI middleware: has browsers keep to HTTPS for this host, for a year. To be the outermost.

    Not for localhost, where other servers have other ports and speak plain HTTP.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope.get("scheme") != "https":
            await self._app(scope, receive, send)
            return
        named = Request(scope).url.hostname

        async def with_header(message: Message) -> None:
            if message["type"] == "http.response.start" and named != _OWN_MACHINE:
                MutableHeaders(scope=message)[HEADER] = A_YEAR
            await send(message)

        await self._app(scope, receive, with_header)
