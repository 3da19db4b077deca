"""Who goes away in the middle of sending something is no fault of ours, and fills no log."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import Message

from dashboard.app import create_app
from dashboard.visitors import SESSION_COOKIE
from league.audit_log import SHELL, Actor
from league.store import Store
from tests.dashboard.seasons import Clock, open_store
from tests.dashboard.signing import CHEAP, PASSWORD
from tests.stores import database_url

pytestmark = pytest.mark.slow


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Store]:
    """A store with one account."""
    clock = Clock()
    open_store(tmp_path, clock).close()
    opened = Store.open(database_url(tmp_path), clock=clock, passwords=CHEAP)
    opened.accounts.create("olga", by=SHELL, password=PASSWORD)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/sign-in", "application/x-www-form-urlencoded"),
        ("/mine/submit", "multipart/form-data; boundary=x"),
        ("/api/v1/submissions", "application/zip"),
        ("/api/v1/orders", "application/json"),
    ],
)
def test_an_upload_that_is_broken_off_is_no_error(arena: Store, path: str, kind: str) -> None:
    """A form, an archive or a body of which only the beginning comes raises nothing, so nothing is logged as ours."""
    olga = arena.accounts.find("olga")
    session = arena.sessions.begin(olga.id).token
    token = arena.tokens.create(olga.id, "laptop", by=Actor.of(olga)).text
    headers = {
        "content-type": kind,
        "content-length": "1000",
        "cookie": f"{SESSION_COOKIE}={session}",
        "authorization": f"Bearer {token}",
    }
    coming: list[Message] = [
        {"type": "http.request", "body": b"--x\r\n", "more_body": True},
        {"type": "http.disconnect"},
    ]
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("192.0.2.7", 5000),
        "server": ("king.example", 80),
        "scheme": "http",
        "http_version": "1.1",
    }
    told: list[Message] = []

    async def receive() -> Message:
        return coming.pop(0) if len(coming) > 1 else coming[0]

    async def send(message: Message) -> None:
        told.append(message)

    asyncio.run(create_app(arena)(scope, receive, send))
    assert told[0]["status"] < 500
