"""Whether an answer may go out compressed: what `Accept-Encoding` says, for pages and the API alike."""

from __future__ import annotations

from typing import Final

from fastapi.middleware.gzip import GZipMiddleware
from starlette.datastructures import MutableHeaders
from starlette.types import Receive, Scope, Send

_ASKED: Final = "accept-encoding"


def takes_gzip(wishes: str) -> bool:
    """Whether `Accept-Encoding` names gzip, and not only to refuse it."""
    for part in wishes.split(","):
        name, _, quality = part.partition(";")
        if name.strip().lower() == "gzip":
            return quality.replace(" ", "").lower().rstrip("0").rstrip(".") not in {"q=0", "q="}
    return False


class GZipWhereWanted(GZipMiddleware):
    """Compresses what is asked for compressed; Starlette's own looks for the word alone, also where it is refused."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":
            headers = MutableHeaders(raw=list(scope["headers"]))
            headers[_ASKED] = "gzip" if takes_gzip(", ".join(headers.getlist(_ASKED))) else "identity"
            scope = {**scope, "headers": headers.raw}
        await super().__call__(scope, receive, send)
