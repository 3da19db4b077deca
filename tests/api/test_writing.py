"""What is done with a token: submissions, seasons entered, challenges, remote bots, orders; and what is refused."""

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
from league.submissions import SubmissionState, SubmittedBot, size_told
from tests.api.conftest import NO_LIMITS, Caller
from tests.dashboard.conftest import serving
from tests.league.leagues import open_store

pytestmark = pytest.mark.slow

HOUSE = ("one", "two", "three", "four")


@dataclass
class Arena:
    """A store with a planned season of house bots, and the API over it, for somebody and for an organiser."""

    store: Store
    season: int
    api: Caller
    ann: Account
    tokens: dict[str, str]

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
        yield Arena(store, season.id, caller, ann, tokens)
        caller.close()
    store.close()


def told(answer: httpx.Response, status: int, kind: str) -> dict[str, Any]:
    """The members of a problem of that status and kind."""
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem["type"]) == (status, f"/api/problems/{kind}"), problem
    return problem


PRIVATE = ["account", "account/tokens", "submissions", "challenges", "remote-bots", "orders", "audit-log"]


@pytest.mark.parametrize("path", PRIVATE)
def test_what_is_somebodys_needs_a_token(arena: Arena, path: str) -> None:
    """Without a token, or with one that is nobody's, the answer is 401 and says how to send one; no cookie helps."""
    answers = [
        arena.api.answer(path),
        arena.api.answer(path, headers={"Authorization": "Bearer king_" + "x" * 40}),
        arena.api.answer(path, headers={"Authorization": f"Basic {arena.tokens['Ann']}"}),
        arena.api.answer(path, headers={"Cookie": f"king_session={arena.tokens['Ann']}"}),
    ]
    for answer in answers:
        told(answer, 401, "unauthenticated")
        assert answer.headers["www-authenticate"].startswith("Bearer")
    good = arena.ask(path, by="Olga")
    assert good.status_code == 200
    assert good.headers["cache-control"] == "private, no-store"
    assert "etag" not in good.headers


def test_a_session_is_no_token(arena: Arena) -> None:
    """Who is signed in on the pages is nobody to the API: no other site can have a browser act for its reader."""
    session = arena.store.sessions.begin(arena.ann.id)
    cookie = {"Cookie": f"king_session={session.token}"}
    assert arena.api.answer("/account.json", headers=cookie).status_code == 200
    told(arena.api.answer("account", headers=cookie), 401, "unauthenticated")
    asked = arena.api.answer("orders", "POST", headers=cookie, json={"kind": "season.start", "season": arena.season})
    told(asked, 401, "unauthenticated")


def test_a_token_is_revoked_by_its_own_account(arena: Arena) -> None:
    """The account sees its tokens, never whole; another's is not there; a revoked one opens nothing."""
    (token,) = arena.ask("account/tokens").json()["items"]
    assert arena.tokens["Ann"].startswith(token["shown"])
    assert arena.tokens["Ann"] not in str(token)
    told(arena.ask(f"account/tokens/{token['id']}", "DELETE", by="Bob"), 404, "not-found")
    assert arena.ask(f"account/tokens/{token['id']}", "DELETE").status_code == 204
    told(arena.ask("account"), 401, "unauthenticated")
    assert arena.acts() == [("token.revoked", "Ann")]


def test_an_archive_becomes_a_submission_once(arena: Arena) -> None:
    """The first time it is made, with its address; again it is the same one. Nobody else sees it."""
    first, again = arena.send(b"zip"), arena.send(b"zip")
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.headers["location"] == f"/api/v1/submissions/{first.json()['id']}"
    assert first.json() == again.json() == arena.ask(first.headers["location"]).json()
    assert [step["state"] for step in first.json()["steps"]] == ["received"]
    assert arena.ask("submissions").json()["items"][0]["steps"] == []
    told(arena.ask(first.headers["location"], by="Bob"), 404, "not-found")
    assert arena.ask("submissions", by="Bob").json()["items"] == []
    assert arena.acts() == [("bot.submitted", "Ann")]


def test_archives_that_are_refused(arena: Arena) -> None:
    """Another type, an empty one, one that is too large, and one too many at a time: each by its own problem."""
    wrong = arena.ask("submissions", "POST", content=b"x", headers={"Content-Type": "text/plain"})
    told(wrong, 415, "unsupported-media-type")
    assert told(arena.send(b""), 422, "invalid-request")["errors"][0]["pointer"] == "#"
    at_most = arena.store.submissions.limits.archive_bytes
    large = arena.send(b"x" * (at_most + 1))
    assert size_told(at_most) in told(large, 413, "too-large")["detail"]
    for number in range(arena.store.submissions.limits.waiting):
        assert arena.send(f"zip {number}".encode()).status_code == 201
    late = arena.send(b"one more")
    told(late, 429, "quota-exceeded")
    assert int(late.headers["retry-after"]) > 0


def test_a_submission_is_followed_and_moved_by_its_owner(arena: Arena) -> None:
    """Logs and report are there; it is withdrawn, activated and deleted, and what does not fit is a conflict."""
    early = arena.send(b"early").json()
    told(arena.ask(f"submissions/{early['id']}/withdraw", "POST"), 409, "conflict")
    assert arena.ask(f"submissions/{early['id']}/report").json() == {"report": None}
    assert arena.ask(f"submissions/{early['id']}/logs/build").json() == {"text": ""}
    mine = arena.active(b"good")
    assert (mine["state"], mine["bot"], mine["version_id"] is not None) == ("active", "owl", True)
    at = f"submissions/{mine['id']}"
    assert arena.ask(f"{at}/withdraw", "POST").json()["state"] == "withdrawn"
    assert arena.ask(f"{at}/activate", "POST").json()["state"] == "active"
    for path in (f"{at}/withdraw", f"{at}/activate", f"{at}/seasons"):
        body = {"json": {"season": arena.season}} if path.endswith("seasons") else {}
        told(arena.ask(path, "POST", by="Bob", **body), 404, "not-found")
    told(arena.ask(at, "DELETE", by="Bob"), 404, "not-found")
    assert arena.ask(at, "DELETE").status_code == 204
    assert arena.ask(at).json()["state"] == "deleted"


def test_an_active_bot_enters_a_season(arena: Arena) -> None:
    """The season is listed, entered, and then listed as entered; what is not active is a conflict."""
    mine = arena.active(b"good")
    at = f"submissions/{mine['id']}/seasons"
    assert [(one["season"], one["entered"]) for one in arena.ask(at).json()["items"]] == [(arena.season, False)]
    entrant = arena.ask(at, "POST", json={"season": arena.season}).json()
    assert (entrant["label"], entrant["owner"], entrant["version_hash"]) == ("owl", "Ann", None)
    assert arena.ask(at).json()["items"][0]["entered"] is True
    told(arena.ask(at, "POST", json={"season": 999}), 404, "not-found")
    arena.ask(f"submissions/{mine['id']}/withdraw", "POST")
    told(arena.ask(at, "POST", json={"season": arena.season}), 409, "conflict")
    wrong = told(arena.ask(at, "POST", json={"season": 0, "x": 1}), 422, "invalid-request")
    assert {one["pointer"] for one in wrong["errors"]} == {"#/season", "#/x"}


def test_a_challenge_is_asked_for(arena: Arena) -> None:
    """Against bots of the house, once at a time; results are its owner's alone."""
    mine = arena.active(b"good")
    house = [one["id"] for one in arena.ask("challenges/opponents").json()["items"] if one["house"]]
    asked = {"version": mine["version_id"], "opponents": house[:3], "variant": "russian-14"}
    told(arena.ask("challenges", "POST", json={**asked, "version": 999}), 409, "conflict")
    made = arena.ask("challenges", "POST", json=asked)
    assert made.status_code == 201
    assert arena.ask(made.headers["location"]).json() == made.json()
    assert [player["own"] for player in made.json()["players"]] == [True, False, False, False]
    assert arena.ask("challenges", "POST", json=asked).status_code in {409, 429}
    told(arena.ask(made.headers["location"], by="Bob"), 404, "not-found")
    told(arena.ask(f"{made.headers['location']}/matches/{'0' * 16}/record"), 404, "not-found")
    assert arena.ask(f"{made.headers['location']}/logs").json()["items"] == []


def test_a_remote_bot_has_a_token_that_is_told_once(arena: Arena) -> None:
    """Registering and renewing tell it; reading never does; another owner finds no such bot."""
    made = arena.ask("remote-bots", "POST", json={"name": "far", "version": "1"})
    assert made.status_code == 201
    at, token = made.headers["location"], made.json()["token"]
    assert token not in arena.ask(at).text
    assert arena.ask(at).json()["bot"]["owner"] == "Ann"
    told(arena.ask("remote-bots", "POST", json={"name": "far", "version": "1"}), 409, "conflict")
    told(arena.ask("remote-bots", "POST", by="Bob", json={"name": "far", "version": "2"}), 409, "conflict")
    told(arena.ask(f"{at}/token", "POST", by="Bob"), 404, "not-found")
    assert arena.ask(f"{at}/token", "POST").json()["token"] != token
    assert arena.ask(f"{at}/token", "DELETE").status_code == 204
    assert arena.ask(at).json()["revoked_at"] is not None
    assert arena.acts() == [("bot.token_revoked", "Ann"), ("bot.token_renewed", "Ann"), ("bot.registered", "Ann")]


def test_an_organiser_runs_a_season_by_orders(arena: Arena) -> None:
    """An order is accepted, has an address, and says what became of it; the log has who asked, and by what way."""
    new = {"name": "Spring", "variant": "russian-14", "boards": 1}
    versions = [entrant.bot.id for entrant in arena.store.seasons.entrants(arena.season)]
    body = {"kind": "season.create", "new": new, "versions": versions, "start": True}
    made = arena.ask("orders", "POST", by="Olga", json=body)
    assert made.status_code == 202
    assert made.json()["state"] == "waiting"
    for number in arena.store.orders.waiting():
        arena.store.orders.carry_out(number, lambda one: arena.store.organising.perform(one.arguments, by=one.by))
    done = arena.ask(made.headers["location"], by="Olga").json()
    assert done["state"] == "done"
    assert arena.api.json(f"seasons/{done['season']}")["state"] == "running"
    assert arena.ask(f"orders?season={done['season']}", by="Olga").json()["items"] == [done]
    log = arena.ask("audit-log?actor=Olga&act=season.", by="Olga").json()["items"]
    assert {entry["act"] for entry in log} >= {"season.created", "season.started"}
    assert {entry["via"] for entry in log} == {"api"}


def test_only_organisers_ask_for_seasons(arena: Arena) -> None:
    """Others get 403, an unknown season is 404, and a body that does not fit is told by its places."""
    body = {"kind": "season.start", "season": arena.season}
    told(arena.ask("orders", "POST", json=body), 403, "forbidden")
    told(arena.ask("audit-log"), 403, "forbidden")
    told(arena.ask("orders", "POST", by="Olga", json={**body, "season": 999}), 404, "not-found")
    wrong = told(arena.ask("orders", "POST", by="Olga", json={**body, "season": "x"}), 422, "invalid-request")
    assert wrong["errors"][0]["pointer"] == "#/season"
    told(arena.ask("orders", "POST", by="Olga", json={"kind": "season.burn"}), 422, "invalid-request")
    broken = arena.ask("orders", "POST", by="Olga", content=b"{", headers={"Content-Type": "application/json"})
    assert told(broken, 422, "invalid-request")["errors"][0]["pointer"] == "#"
    latin = arena.ask("orders", "POST", by="Olga", content=b"\xff", headers={"Content-Type": "application/json"})
    assert told(latin, 422, "invalid-request")["errors"][0]["pointer"] == "#"


def test_a_body_that_is_too_long_is_not_read(arena: Arena) -> None:
    """Beyond 64 KiB the answer is a problem, and nothing is done."""
    body = {"kind": "season.start", "season": arena.season, "x": "y" * 70_000}
    told(arena.ask("orders", "POST", by="Olga", json=body), 413, "too-large")
