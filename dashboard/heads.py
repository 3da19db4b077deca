"""HEAD: whatever can be read by GET can be asked for its headers alone.

Owns the one layer that makes it so, outside of all that makes answers. Must not know any address.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadersAlone:
    """ASGI middleware: HEAD is answered as GET would be, without a body; streams end with their headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; of the answer to HEAD, its headers."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        is_over = False

        async def without_body(message: Message) -> None:
            nonlocal is_over
            if message["type"] == "http.response.start":
                await send(message)
            elif not is_over:
                is_over = True
                await send({"type": "http.response.body", "body": b""})

        await self._app({**scope, "method": "GET"}, receive, without_body)
