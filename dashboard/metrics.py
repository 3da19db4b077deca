"""The dashboard's metrics for Prometheus: requests, how long answers took to begin, and streams that are open.

Owns their names and the counting, around the whole app: what is counted is what left it. Counts in the loop that
serves; who scrapes only reads.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_BOUNDS_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_STREAM: Final = b"text/event-stream"


class Area(StrEnum):
    """What of the dashboard was asked: pages with their twins, the API, files, health. Paths would be too many."""

    PAGE = "page"
    API = "api"
    STATIC = "static"
    HEALTH = "health"


def area_of(path: str) -> Area:
    """Of which area a path is."""
    if path.startswith("/api/"):
        return Area.API
    if path.startswith("/static/") or path == "/favicon.ico":
        return Area.STATIC
    return Area.HEALTH if path == "/health" else Area.PAGE


@dataclass(slots=True)
class _Times:
    counts: list[int] = field(default_factory=lambda: [0] * (len(_BOUNDS_S) + 1))
    seconds: float = 0.0


class RequestCounts:
    """What was asked and answered since the dashboard began."""

    def __init__(self) -> None:
        self.answers: Counter[tuple[Area, int]] = Counter()
        """By area and status."""
        self.times = {area: _Times() for area in Area}
        self.under_way = 0
        """Requests, streams among them, whose answers have not ended."""
        self.streams = 0
        """Answers under way that tell what happens as it happens."""

    def note(self, area: Area, status: int, seconds: float) -> None:
        """An answer begins, so long after its request."""
        self.answers[area, status] += 1
        times = self.times[area]
        times.counts[bisect_left(_BOUNDS_S, seconds)] += 1
        times.seconds += seconds


class CountedApp:
    """ASGI: an app whose answers are counted."""

    def __init__(self, app: ASGIApp, counts: RequestCounts) -> None:
        self._app = app
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have it answer, and count."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        counts, asked_at, streams = self._counts, time.perf_counter(), 0

        async def counted(message: Message) -> None:
            nonlocal streams
            if message["type"] == "http.response.start":
                counts.note(area_of(scope["path"]), message["status"], time.perf_counter() - asked_at)
                streams = int(_is_stream(message))
                counts.streams += streams
            await send(message)

        counts.under_way += 1
        try:
            await self._app(scope, receive, counted)
        finally:
            counts.under_way -= 1
            counts.streams -= streams


class DashboardMetrics(Collector):
    """Tells what was asked and answered."""

    def __init__(self, counts: RequestCounts) -> None:
        self._counts = counts

    def describe(self) -> Iterator[Metric]:
        """Every metric, without its values."""
        return families(RequestCounts())

    def collect(self) -> Iterator[Metric]:
        """Every metric as it is now."""
        return families(self._counts)


def families(counts: RequestCounts) -> Iterator[Metric]:
    """The metrics of a dashboard that was asked so much."""
    answers = CounterMetricFamily("king_dashboard_requests", "Requests answered.", labels=["area", "status"])
    for (area, status), many in sorted(counts.answers.copy().items()):
        answers.add_metric([area, str(status)], many)
    yield answers
    took = HistogramMetricFamily(
        "king_dashboard_request_seconds", "How long it took until answers began.", labels=["area"]
    )
    for area, times in counts.times.items():
        up_to = list(accumulate(times.counts))
        buckets = [*zip(map(str, _BOUNDS_S), up_to, strict=False), ("+Inf", up_to[-1])]
        took.add_metric([area], buckets, times.seconds)
    yield took
    yield GaugeMetricFamily("king_dashboard_requests_open", "Requests whose answers go on.", counts.under_way)
    yield GaugeMetricFamily("king_dashboard_streams", "Streams that are open.", counts.streams)


def _is_stream(message: Message) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(_STREAM) for name, value in message["headers"])
