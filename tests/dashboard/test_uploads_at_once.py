"""Files that come slowly: an account has few of them on their way at a time, since each is held in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from dashboard.app import create_app
from dashboard.uploads import AT_ONCE
from league.audit_log import SHELL, Actor
from league.store import Store
from tests.dashboard.conftest import serving
from tests.dashboard.seasons import Clock, open_store
from tests.dashboard.signing import CHEAP, PASSWORD, Browser
from tests.stores import database_url
from tests.workers.waiting import wait_until

pytestmark = pytest.mark.slow


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Store]:
    """A store with two accounts."""
    clock = Clock()
    open_store(tmp_path, clock).close()
    store = Store.open(database_url(tmp_path), clock=clock, passwords=CHEAP)
    for name in ("olga", "boris"):
        store.accounts.create(name, by=SHELL, password=PASSWORD)
    yield store
    store.close()


def test_an_account_sends_few_files_at_a_time(arena: Store) -> None:
    """One more is refused on the page and by the API, others send theirs, and room is made when one is here."""
    app = create_app(arena)
    tokens = {}
    for name in ("olga", "boris"):
        account = arena.accounts.find(name)
        tokens[name] = arena.tokens.create(account.id, "laptop", by=Actor.of(account)).text
    go_on = threading.Event()

    def slowly(number: int) -> Iterator[bytes]:
        yield b"PK%d" % number
        go_on.wait(60)
        yield b"the rest"

    with serving(app) as site, ThreadPoolExecutor(AT_ONCE) as pool:

        def send(name: str, body: Iterator[bytes] | bytes) -> httpx.Response:
            headers = {"Authorization": f"Bearer {tokens[name]}", "Content-Type": "application/zip"}
            return httpx.post(f"{site}/api/v1/submissions", content=body, headers=headers, timeout=60)

        slow = [pool.submit(send, "olga", slowly(number)) for number in range(AT_ONCE)]
        wait_until(lambda: sum(app.state.senders._sending.values()) == AT_ONCE)
        refused = send("olga", b"PK one more")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
        browser = Browser(site)
        browser.sign_in("olga")
        form = browser.get("/mine/submit").page.select_one("input[name=form_token]")
        assert form is not None
        page = browser.client.post(
            "/mine/submit",
            data={"form_token": str(form["value"])},
            files={"archive": ("b.zip", b"PK" * 100_000)},
            headers={"Origin": site},
        )
        assert page.status_code == 429
        assert "wait until one is here" in page.text
        browser.close()
        assert send("boris", b"PK of another").status_code == 201
        go_on.set()
        assert [one.result().status_code for one in slow] == [201] * AT_ONCE
        assert send("olga", b"PK after all").status_code == 201
        assert not app.state.senders._sending
