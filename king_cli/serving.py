"""Serves an ASGI application on a free port of the loopback."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any


def serve_on_free_port(app: Any, *, say: Callable[[str], None]) -> None:
    """Serve `app` until Ctrl-C; `say` is told the address, where requests are taken from then on."""
    import uvicorn

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        say(f"http://127.0.0.1:{listener.getsockname()[1]}/")
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn has shut down by then, and says it once more
            asyncio.run(server.serve(sockets=[listener]))
