"""What is done with a token: submissions, seasons entered, challenges, remote bots; and what is refused."""

from __future__ import annotations

import pytest

from league.submissions import size_told
from tests.api.arena import Arena, arena, told

__all__ = ["arena"]

pytestmark = pytest.mark.slow

PRIVATE = ["account", "account/tokens", "submissions", "challenges", "remote-bots", "orders", "audit-log", "accounts"]


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
    now = arena.ask(at).json()
    assert (now["presence"], now["qualifying"], now["failure"]) == ("new", "waiting", None)
    assert arena.ask(f"challenges/{now['board']}").json()["purpose"] == "qualifying"
    told(arena.ask(f"{at}/qualifying", "POST", json={}), 409, "conflict")
    told(arena.ask(f"{at}/qualifying", "POST", by="Bob", json={}), 404, "not-found")
    assert arena.ask(f"{at}/seasons").json()["items"] == []
    told(arena.ask(f"{at}/seasons", "POST", json={"season": arena.season}), 409, "conflict")
    told(arena.ask(f"{at}/seasons", "POST", by="Bob", json={"season": arena.season}), 404, "not-found")
    assert arena.ask(f"{at}/token", "POST").json()["token"] != token
    assert arena.ask(f"{at}/token", "DELETE").status_code == 204
    assert arena.ask(at).json()["revoked_at"] is not None
    assert arena.acts() == [("bot.token_revoked", "Ann"), ("bot.token_renewed", "Ann"), ("bot.registered", "Ann")]


def test_a_body_that_is_too_long_is_not_read(arena: Arena) -> None:
    """Beyond 64 KiB the answer is a problem, and nothing is done."""
    body = {"kind": "season.start", "season": arena.season, "x": "y" * 70_000}
    told(arena.ask("orders", "POST", by="Olga", json=body), 413, "too-large")
