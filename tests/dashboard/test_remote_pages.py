"""Pages of one's own remote bots: registering one, its token, whether it is there, how it qualifies, what it may."""

from __future__ import annotations

import pytest

from dashboard.pages.remote_bots import dialled_address
from league.audit_log import SHELL, AuditFilter
from league.qualifying import Qualifying
from league.remote_tokens import TOKEN_MARK
from league.unrated import UnratedBoard
from tests.dashboard.signing import Visit
from tests.dashboard.test_mine import Scene, scene
from tests.league.test_unrated import claimed, rotations

__all__ = ["scene"]

NEW = "/mine/remote/new"


def register(scene: Scene, name: str = "far", version: str = "1", variant: str = "russian-14") -> Visit:
    """What is sent from the form."""
    return scene.ann.send(scene.ann.get(NEW), NEW, name=name, version=version, language="go", variant=variant)


def token_of(visit: Visit) -> str:
    field = visit.page.select_one(".drawn input.secret")
    assert field is not None
    return str(field["value"])


def play(scene: Scene, outcome: str = "") -> UnratedBoard:
    """The newest remote bot of Ann connects, and plays its qualifying board."""
    own = scene.store.own_remotes.of_owner("Ann")[0]
    scene.store.presence.note([own.remote.bot.id])
    assert own.board is not None
    claim = claimed(scene.store, own.board)
    scene.store.unrated.finish(claim, rotations(claim.board), outcome)
    return claim.board


@pytest.mark.slow
def test_a_remote_bot_is_registered_and_qualifies(scene: Scene) -> None:
    """Its token is shown once, with the lines to run it; its page follows it until it has qualified."""
    scene.house()
    made = register(scene)
    token = token_of(made)
    assert token.startswith(TOKEN_MARK)
    assert f"KING_TOKEN={token}" in made.text(".drawn pre")
    assert made.page.select_one("[data-waiting]") is None
    (own,) = scene.store.own_remotes.of_owner("Ann")
    at = f"/mine/remote/{own.remote.bot.id}"
    page = scene.ann.get(at)
    assert page.heading == "far 1was never connectedqualifies once it is connected"
    assert page.page.select_one("[data-waiting]") is not None
    assert token not in str(page.page) + scene.ann.get(f"{at}.json").answer.text
    assert scene.bob.get(at).status == 404
    scene.store.presence.note([own.remote.bot.id])
    assert own.board is not None
    claim = claimed(scene.store, own.board)
    hidden = scene.ann.get(f"/mine/boards/{own.board.id}")
    assert "greedy" not in str(hidden.page)
    assert "told when the board is over" in hidden.text("main")
    scene.store.unrated.finish(claim, rotations(claim.board))
    assert scene.ann.get(at).heading == "far 1connectedhas qualified"
    board = scene.ann.get(f"/mine/boards/{own.board.id}")
    assert "greedy" in board.text(".play-table")
    assert "with other cards each time" in board.text("main")
    assert scene.ann.get("/mine").text("#remotes ~ div tbody") == "far 1 go connected has qualified Last seen now"


@pytest.mark.slow
def test_a_remote_bot_that_fails_reads_why(scene: Scene) -> None:
    """The fault and its detail, with a way to the board; and it can try again."""
    scene.house()
    register(scene)
    board = play(scene, "it forfeited russian-14: illegal: choice 9 of <3>")
    (own,) = scene.store.own_remotes.of_owner("Ann")
    at = f"/mine/remote/{own.remote.bot.id}"
    page = scene.ann.get(at)
    assert page.text(".why .said") == "it forfeited russian-14: illegal: choice 9 of <3>"
    assert page.page.select_one(f".why a[href='/mine/boards/{board.id}']") is not None
    assert scene.ann.get(f"/mine/boards/{board.id}").text(".why h2") == "Your bot failed"
    again = scene.ann.send(page, f"{at}/qualify", variant="base-14")
    assert "qualifies once it is connected" in scene.ann.get(at).heading or "about to play" in again.text(".lead")
    assert scene.store.own_remotes.of_owner("Ann")[0].qualifying is Qualifying.WAITING


@pytest.mark.slow
def test_what_its_owner_does_with_a_remote_bot(scene: Scene) -> None:
    """Challenges with it, renews its token, and takes it back; all of it is logged."""
    scene.house()
    register(scene)
    play(scene)
    (own,) = scene.store.own_remotes.of_owner("Ann")
    at = f"/mine/remote/{own.remote.bot.id}"
    challenges = scene.ann.get(f"/mine/challenges?bot={own.remote.bot.id}")
    asked = scene.ann.send(challenges, "/mine/challenges")
    assert asked.heading == "farwaiting"
    renewed = scene.ann.send(scene.ann.get(at), f"{at}/renew")
    assert token_of(renewed).startswith(TOKEN_MARK)
    scene.ann.send(scene.ann.get(at), f"{at}/revoke")
    revoked = scene.ann.get(at)
    assert revoked.heading == "far 1revokedhas qualified"
    assert revoked.page.select_one(f"form[action='{at}/revoke']") is None
    acts = [(entry.act, entry.actor) for entry in scene.store.audit_log.entries(AuditFilter(act="bot."))]
    assert acts == [("bot.token_revoked", "Ann"), ("bot.token_renewed", "Ann"), ("bot.registered", "Ann")]


@pytest.mark.slow
def test_an_organiser_sees_who_has_qualified(scene: Scene) -> None:
    """Beside each remote bot that can be entered."""
    scene.house()
    register(scene)
    play(scene)
    scene.store.bots.register_remote(owner="Bob", name="by shell", version="1")
    organiser = scene.store.accounts.find("Ann")
    scene.store.accounts.set_organiser(organiser.id, organiser=True, by=SHELL)
    ticks = scene.ann.get("/organise/seasons/new").page.select(".ticks li")
    told = {tick.text.split()[0]: tick.text for tick in ticks}
    assert "has qualified" in told["far"]
    assert "did not have to qualify" in told["by"]
    assert "qualif" not in told["greedy"]


@pytest.mark.slow
def test_what_cannot_be_registered_is_told_beside_the_form(scene: Scene) -> None:
    """A name of somebody else's, a version that is there; what was written is kept."""
    scene.house()
    register(scene)
    for name, told in (("greedy", "belongs to the house"), ("far", "far 1 is there already")):
        refused = register(scene, name=name)
        assert refused.status == 409
        assert told in refused.text(".problems")
        field = refused.page.select_one("input[name=name]")
        assert field is not None
        assert field["value"] == name


@pytest.mark.parametrize(
    ("referee", "address"),
    [
        ("127.0.0.1:7700", "127.0.0.1:7700"),
        ("0.0.0.0:7700", "arena.example:7700"),
        ("[::]:7700", "arena.example:7700"),
        ("unix:/run/r.sock,arena.example:7701", "arena.example:7701"),
        ("127.0.0.1:7700,tls://0.0.0.0:7701,mtls://0.0.0.0:7702", "tls://arena.example:7701"),
        ("mtls://0.0.0.0:7702,tls://[::]:7701", "tls://arena.example:7701"),
        ("tls://play.example:7701", "tls://play.example:7701"),
        ("a:1,tls://a:2;tls://0.0.0.0:7701,mtls://b:3;unix:/run/r.sock", "tls://a:2,tls://arena.example:7701"),
        ("mtls://0.0.0.0:7702", ""),
        ("unix:/run/r.sock", ""),
        ("", ""),
    ],
)
def test_what_a_remote_bot_dials(referee: str, address: str) -> None:
    """An encrypted address, else the first over the network; where the referee listens everywhere, the pages' host.

    Of several referees that of each.
    """
    assert dialled_address(referee, "arena.example") == address
