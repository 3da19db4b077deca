"""Serves an ASGI application on a free port of the loopback."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any


async def serve_on_free_port(app: Any, *, say: Callable[[str], None]) -> None:
    """Serve `app` until a signal comes; `say` is told the address before the first request can come."""
    import uvicorn

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        say(f"http://127.0.0.1:{listener.getsockname()[1]}/")
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        await server.serve(sockets=[listener])
