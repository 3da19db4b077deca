"""Serves metrics for Prometheus on an address of their own, KING_METRICS: never on one that readers or bots dial.

Owns the server, which is a thread of each part, and what every part tells of itself. What there is to tell of its work
is the parts' own: `referee.metrics`, `workers.metrics`, `dashboard.metrics`, `league.metrics`.
"""

from __future__ import annotations

import contextlib
import logging
import platform
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from typing import Any, Final

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from king_cli.serving import listen
from referee.rules.compiled import engine_text

PATH: Final = "/metrics"
_CLIENT_WAIT_S: Final = 5.0
"""A client that has not said what it wants by then, or takes nothing for so long, is let go."""
_CLIENTS_AT_MOST: Final = 16
"""Beyond so many at once, the oldest makes room: each costs the part a thread and a file, and bots need files too."""
_NOTICES_END_S: Final = 0.1
_LOG = logging.getLogger(__name__)


class BuildMetrics(Collector):
    """Which part this is, of which version."""

    def __init__(self, part: str) -> None:
        self._part = part

    def describe(self) -> Iterator[Metric]:
        """Every metric: it has one."""
        return self.collect()

    def collect(self) -> Iterator[Metric]:
        """As it is, for as long as the process lives."""
        labels = {
            "part": self._part,
            "version": version("king-arena"),
            "python": platform.python_version(),
            "engine": engine_text(),
        }
        built = GaugeMetricFamily("king_build_info", "1, with what this process is.", labels=list(labels))
        built.add_metric(list(labels.values()), 1)
        yield built


class MetricsServer:
    """Answers scrapes until it is closed. Use as a context."""

    def __init__(
        self,
        listener: socket.socket,
        registry: CollectorRegistry,
        guard: AbstractContextManager[object] | None = None,
    ) -> None:
        """Serve on a socket that listens; `guard` is held while what is told is put together."""
        self._server = _Server(listener, registry, guard or contextlib.nullcontext())
        serve = partial(self._server.serve_forever, poll_interval=_NOTICES_END_S)
        self._thread = threading.Thread(target=serve, name="metrics", daemon=True)

    def __enter__(self) -> MetricsServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def registry_of(part: str, *collectors: Collector) -> CollectorRegistry:
    """What a part tells: the process, the build, and what `collectors` have."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    for collector in (BuildMetrics(part), *collectors):
        registry.register(collector)
    return registry


@contextlib.contextmanager
def metrics(
    address: str, part: str, *collectors: Collector, guard: AbstractContextManager[object] | None = None
) -> Iterator[None]:
    """Serve the metrics of a part on `address` for the length of the block; with an empty address, serve none.

    Raises:
        UsageError: somebody else listens there, or nobody can.
    """
    if not address:
        yield
        return
    with MetricsServer(listen(address, "KING_METRICS"), registry_of(part, *collectors), guard):
        yield


class _Server(ThreadingHTTPServer):
    """HTTP on a socket that listens already."""

    daemon_threads = True

    def __init__(
        self, listener: socket.socket, registry: CollectorRegistry, guard: AbstractContextManager[object]
    ) -> None:
        super().__init__(listener.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.registry = registry
        self.guard = guard
        self._clients: dict[socket.socket, float] = {}
        """Those that are served, the oldest first, and until when they may ask."""

    def process_request(self, request: Any, client_address: Any) -> None:
        """Have a thread serve a client."""
        for former in list(self._clients)[: len(self._clients) - _CLIENTS_AT_MOST + 1]:
            self._let_go(former)
        self._clients[request] = time.monotonic() + _CLIENT_WAIT_S
        super().process_request(request, client_address)

    def service_actions(self) -> None:
        """Let go who takes too long; looked for several times a second."""
        now = time.monotonic()
        for client, until in list(self._clients.items()):
            if now > until:
                self._let_go(client)

    def shutdown_request(self, request: Any) -> None:
        """A client is served."""
        self._clients.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say in the log what failed; that a client has gone, or was let go, is nobody's failure."""
        del request, client_address
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            _LOG.exception("a scrape has failed")

    def _let_go(self, client: socket.socket) -> None:
        self._clients.pop(client, None)
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)  # its thread then hears that it has gone


class _Handler(BaseHTTPRequestHandler):
    """One request: only to read, and only one path."""

    timeout = _CLIENT_WAIT_S
    server: _Server

    def do_GET(self) -> None:  # the name that http.server looks for
        """Tell the metrics."""
        if self.path.partition("?")[0] != PATH:
            self.send_error(404, f"metrics are at {PATH}")
            return
        encode, content_type = choose_encoder(self.headers.get("Accept", ""))
        with self.server.guard:
            body = encode(self.server.registry)
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # the name of the method it replaces
        """Say nothing of a scrape: there is one every few seconds."""
