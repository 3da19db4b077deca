"""An arena for tests of what is done with a token: a planned season of house bots, an owner, another, an organiser."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from dashboard.app import create_app
from league.accounts import Account
from league.audit_log import SHELL, AuditFilter, Via
from league.model import BotSource, NewBot, NewSeason, SourceKind
from league.store import Store
from league.submissions import SubmissionState, SubmittedBot
from tests.api.conftest import NO_LIMITS, Caller
from tests.dashboard.conftest import serving
from tests.league.leagues import open_store

HOUSE = ("one", "two", "three", "four")


@dataclass
class Arena:
    """A store with a planned season of house bots, and the API over it, for somebody and for an organiser."""

    store: Store
    season: int
    api: Caller
    ann: Account
    tokens: dict[str, str]
    site: str

    def ask(self, path: str, method: str = "GET", by: str = "Ann", **rest: Any) -> httpx.Response:
        """An answer for somebody."""
        headers = {"Authorization": f"Bearer {self.tokens[by]}", **rest.pop("headers", {})}
        return self.api.answer(path, method, headers=headers, **rest)

    def send(self, content: bytes, by: str = "Ann") -> httpx.Response:
        """Sends an archive."""
        return self.ask("submissions", "POST", by, content=content, headers={"Content-Type": "application/zip"})

    def active(self, content: bytes) -> dict[str, Any]:
        """A submission that has passed everything."""
        made = self.send(content).json()
        claim = self.store.submissions.claim(made["id"], "worker")
        assert claim is not None
        self.store.submissions.identify(claim, SubmittedBot(name="owl", version="1", variants=("*",)))
        self.store.submissions.advance(claim, SubmissionState.CHECKING)
        self.store.submissions.advance(claim, SubmissionState.QUALIFYING)
        self.store.submissions.qualify(claim)
        found: dict[str, Any] = self.ask(f"submissions/{made['id']}").json()
        return found

    def acts(self) -> list[tuple[str, str]]:
        """What the API did, by whom, the newest first."""
        entries = self.store.audit_log.entries(AuditFilter())
        return [(str(entry.act), entry.actor) for entry in entries if entry.via is Via.API]


@pytest.fixture
def arena(tmp_path: Path) -> Generator[Arena, None, None]:
    """The arena, new for each test."""
    store = open_store(tmp_path)
    season = store.seasons.create(NewSeason(name="Winter", variant="russian-14", boards=1))
    for number, name in enumerate(HOUSE):
        source = BotSource(kind=SourceKind.COMMAND, location="true")
        version = store.bots.register(NewBot(name=name, version="1", source=source, version_hash=f"{number:064x}"))
        store.seasons.enter(season.id, version.id)
    ann = store.accounts.create("Ann", by=SHELL)
    people = {"Ann": ann, "Bob": store.accounts.create("Bob", by=SHELL)}
    people["Olga"] = store.accounts.create("Olga", by=SHELL, organiser=True)
    tokens = {name: store.tokens.create(one.id, "laptop", by=SHELL).text for name, one in people.items()}
    with serving(create_app(store, limits=NO_LIMITS)) as address:
        caller = Caller(address)
        yield Arena(store, season.id, caller, ann, tokens, address)
        caller.close()
    store.close()


def told(answer: httpx.Response, status: int, kind: str) -> dict[str, Any]:
    """The members of a problem of that status and kind."""
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem["type"]) == (status, f"/api/problems/{kind}"), problem
    return problem
