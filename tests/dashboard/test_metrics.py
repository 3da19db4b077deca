"""What the dashboard tells a scrape: answers by area and status, how long they took, streams that are open."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client import CollectorRegistry
from starlette.types import Message, Receive, Scope, Send

from dashboard.metrics import Area, CountedApp, DashboardMetrics, RequestCounts, area_of


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("/", Area.PAGE),
        ("/seasons/1.json", Area.PAGE),
        ("/api/v1/seasons", Area.API),
        ("/static/tokens.css", Area.STATIC),
        ("/favicon.ico", Area.STATIC),
        ("/health", Area.HEALTH),
    ],
)
def test_paths_are_told_apart_by_area(path: str, area: Area) -> None:
    """However many pages there are, metrics have few labels."""
    assert area_of(path) is area


def test_answers_and_streams_are_counted() -> None:
    """An answer counts when it begins, with its status; a stream is open until it ends, also by an error."""
    counts = RequestCounts()
    registry = CollectorRegistry()
    registry.register(DashboardMetrics(counts))
    open_meanwhile: list[float | None] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        kind = b"text/event-stream; charset=utf-8" if scope["path"] == "/live" else b"text/html"
        status = 500 if scope["path"] == "/broken" else 200
        await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", kind)]})
        open_meanwhile.append(registry.get_sample_value("king_dashboard_streams"))
        if status == 500:
            raise RuntimeError("as Starlette does, after it has answered")
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        del message

    async def scene() -> None:
        counted = CountedApp(app, counts)
        for path in ("/", "/live", "/api/v1/seasons"):
            await counted({"type": "http", "path": path}, receive, send)
        with pytest.raises(RuntimeError):
            await counted({"type": "http", "path": "/broken"}, receive, send)

    asyncio.run(scene())
    value = registry.get_sample_value
    assert open_meanwhile == [0, 1, 0, 0]
    assert value("king_dashboard_requests_total", {"area": "page", "status": "200"}) == 2
    assert value("king_dashboard_requests_total", {"area": "page", "status": "500"}) == 1
    assert value("king_dashboard_requests_total", {"area": "api", "status": "200"}) == 1
    assert value("king_dashboard_request_seconds_count", {"area": "page"}) == 3
    assert (value("king_dashboard_streams"), value("king_dashboard_requests_open")) == (0, 0)
