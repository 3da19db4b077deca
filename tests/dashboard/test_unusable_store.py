"""While the database cannot be used, nobody is told where it is, or that what they asked for is not there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from dashboard.app import create_app
from league.audit_log import SHELL, Actor
from league.store import Store
from tests.dashboard.conftest import serving
from tests.dashboard.seasons import Clock, open_store
from tests.dashboard.signing import CHEAP, PASSWORD
from tests.stores import database_url, spoil

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A dashboard whose database has become useless after it was opened; and the token of an account."""
    folder: Path = tmp_path_factory.mktemp("league")
    clock = Clock()
    open_store(folder, clock).close()
    store = Store.open(database_url(folder), clock=clock, passwords=CHEAP)
    olga = store.accounts.create("olga", by=SHELL, password=PASSWORD)
    token = store.tokens.create(olga.id, "laptop", by=Actor.of(olga)).text
    with serving(create_app(store, clock=clock)) as address:
        store.close()
        spoil(folder)
        yield address, token


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/matches",
        "/seasons/1/ladder",
        "/bots/owl.json",
        "/api/v1/seasons/1",
        "/api/v1/bots/owl",
        "/seasons/1/results.csv",
    ],
)
@pytest.mark.parametrize("signed", [False, True])
def test_it_is_our_fault_and_passes(site: tuple[str, str], path: str, *, signed: bool) -> None:
    """The answer is 503 with a time to come again, and says nothing of files or hosts."""
    address, token = site
    headers = {"Authorization": f"Bearer {token}"} if signed else {}
    answer = httpx.get(address + path, headers=headers, timeout=60)
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert "sqlite" not in answer.text
    assert "postgresql" not in answer.text
    assert "not a database" not in answer.text


def test_signing_in_says_so_too(site: tuple[str, str]) -> None:
    """A session that cannot be looked up is nobody's yet."""
    answer = httpx.get(f"{site[0]}/mine", cookies={"king_session": "x"}, timeout=60)
    assert (answer.status_code, "sqlite" in answer.text) == (503, False)
