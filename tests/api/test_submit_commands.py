"""`king submit …` beside sending: what an owner does in a shell with what was sent, against the served API."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from king_cli.main import run
from league.submissions import LogKind
from tests.api.arena import HOUSE, Arena, arena

__all__ = ["arena"]

pytestmark = pytest.mark.slow

King = Callable[..., str]


@pytest.fixture
def king(arena: Arena, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> King:
    """Runs `king submit …` as Ann; returns what it printed. `status`: how it ends."""
    monkeypatch.setenv("KING_SERVER", arena.site)
    monkeypatch.setenv("KING_API_TOKEN", arena.tokens["Ann"])

    def king_submit(*arguments: object, status: int = 0) -> str:
        ended = run(["submit", *map(str, arguments)])
        printed = capsys.readouterr()
        assert ended == status, printed.err
        return printed.out if status < 2 else printed.err

    return king_submit


def told(king: King, *arguments: object) -> dict[str, Any]:
    """The JSON that a command prints."""
    found = json.loads(king(*arguments, "--json"))
    assert isinstance(found, dict)
    return found


def test_what_was_sent_is_listed_with_its_way_and_logs(arena: Arena, king: King) -> None:
    """The list has state and reason, the status each step, the log what was kept; JSON is that of the API."""
    mine, waiting = arena.active(b"good"), arena.send(b"early").json()
    assert king("list").splitlines() == [f"{waiting['id']} bot.zip: received", f"{mine['id']} owl 1: active"]
    assert told(king, "list")["submissions"] == arena.ask("submissions").json()["items"]
    lines = king("status", mine["id"]).splitlines()
    assert [line.split()[1] for line in lines[:5]] == ["received", "building", "checking", "qualifying", "active"]
    assert lines[5] == f"{mine['id']} owl 1: active; {arena.site}/mine/submissions/{mine['id']}"
    assert told(king, "status", mine["id"]) == mine
    claim = arena.store.submissions.claim(waiting["id"], "worker")
    assert claim is not None
    arena.store.submissions.keep_log(claim, LogKind.BUILD, "cc1: no such file\n")
    assert king("log", waiting["id"]) == "cc1: no such file\n"
    assert told(king, "log", waiting["id"], "stderr") == {"text": ""}
    assert "there is no report" in king("log", waiting["id"], "report")
    assert "Ann has no submission 999" in king("status", 999, status=2)


def test_a_version_is_entered_withdrawn_activated_and_deleted(arena: Arena, king: King) -> None:
    """Each by one command that says what is so now; what cannot be done ends with status 2 and the arena's words."""
    number = arena.active(b"good")["id"]
    assert king("seasons", number) == f"{arena.season} Winter (russian-14)\n"
    assert king("enter", number, arena.season) == f"owl is entered in season {arena.season}\n"
    assert king("seasons", number).endswith("; entered\n")
    assert king("withdraw", number) == f"{number} owl 1: withdrawn\n"
    assert told(king, "activate", number)["state"] == "active"
    other = arena.send(b"other").json()["id"]
    assert "received" in king("withdraw", other, status=2)
    assert king("delete", other) == f"{other} bot.zip: deleted\n"
    assert [act for act, _by in arena.acts()][:4] == ["bot.deleted", "bot.submitted", "bot.activated", "bot.withdrawn"]


def test_others_are_challenged(arena: Arena, king: King) -> None:
    """Opponents are named as they are listed; the challenge is asked for, listed, and told with its page."""
    number = arena.active(b"good")["id"]
    assert [line.split("@")[0] for line in king("opponents").splitlines()] == sorted([*HOUSE, "owl"])
    assert "no bot 'nobody' can be challenged: there are four@1, " in king("challenge", number, "nobody", status=2)
    said = king("challenge", number, "one", "two@1", "three", "--no-wait")
    (asked,) = told(king, "challenges")["challenges"]
    assert said.splitlines()[0] == f"challenge {asked['id']}, russian-14, is planned"
    assert said.splitlines()[-1] == f"{arena.site}/mine/boards/{asked['id']}"
    assert [player["bot"] for player in asked["players"]] == ["owl", "one", "two", "three"]
    early = arena.send(b"early").json()["id"]
    assert "only active versions play challenges" in king("challenge", early, "one", "two", "three", status=2)
