"""What the pages of who is signed in cost the database: a number of queries that does not grow with what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from dashboard import links
from dashboard.app import create_app
from league.audit_log import SHELL, Actor
from league.orders import PauseSeason
from tests.dashboard.conftest import serving
from tests.dashboard.signed_in import LONG, SignedInLeague, signed_in_league
from tests.dashboard.signing import Browser
from tests.league.leagues import BOTS, planned

pytestmark = pytest.mark.slow

QUERIES_AT_MOST = 18
MORE = 4
WITHOUT_TWIN = {"/mine/submit", "/mine/remote/new", "/set-password"}
"""Forms alone; the last one says that its link is no longer good."""


def grow(league: SignedInLeague) -> None:
    """More of everything that these pages list."""
    by = Actor.of(league.account)
    for number in range(MORE):
        league.store.tokens.create(league.account.id, f"token {number}", by=by)
        league.store.accounts.create(f"account {number}", by=SHELL)
        league.store.orders.ask(PauseSeason(season=1), by=by)
        archive = f"archive {number}".encode()
        league.store.submissions.receive(owner=LONG, file_name="more.zip", content=archive, by=by)
        planned(league.sweeping, BOTS, name=f"Season {number}")


def costs(league: SignedInLeague, browser: Browser, statements: list[str]) -> dict[str, int]:
    """How many queries each page costs, and its twin."""
    found = {}
    for page in league.pages:
        for address in (page, links.json_twin(page)):
            statements.clear()
            status = browser.get(address).status
            assert status == 200 or page in WITHOUT_TWIN, address
            found[address] = len(statements)
    return found


def test_pages_cost_as_much_when_there_is_more(tmp_path: Path) -> None:
    """With more tokens, accounts, orders, submissions and seasons every page and twin asks as often as before."""
    league = signed_in_league(tmp_path)
    statements: list[str] = []

    @event.listens_for(league.store._database.engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if statement.startswith("SELECT"):
            statements.append(statement)

    with serving(create_app(league.store)) as site:
        browser = Browser(site)
        browser.sign_in(LONG)
        before = costs(league, browser, statements)
        grow(league)
        after = costs(league, browser, statements)
        browser.close()
    league.close()
    assert after == before
    assert before["/organise"] > 2
    assert {page: count for page, count in before.items() if count > QUERIES_AT_MOST} == {}
