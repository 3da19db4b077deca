"""Pages of one's own bots: sending, following, the page of a broken bot, entering, withdrawing, challenges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from dashboard.app import create_app
from league.audit_log import SHELL, Via
from league.model import BotSource, NewBot, NewSeason, SourceKind
from league.store import Store, Vault, vault_url_beside
from league.submissions import LogKind, Refusal, Submission, SubmissionClaim, SubmissionLimits, SubmissionState
from league.submissions import SubmittedBot as Bot
from league.unrated import UnratedBoard
from league.versions import command_hash
from tests.dashboard.conftest import serving
from tests.dashboard.reports import failed_report
from tests.dashboard.signing import CHEAP, Browser, Visit
from tests.league.leagues import Clock, database_url
from tests.league.test_unrated import VARIANT, rotations

OWL = Bot(name="owl", version="1", language="python", variants=("*",))
REPORT = failed_report(version="1", received='{"hello": <b>}', stderr="Traceback: <b>")


@dataclass
class Scene:
    """A store with two people at the dashboard over it."""

    store: Store
    clock: Clock
    ann: Browser
    bob: Browser

    def upload(self, content: bytes = b"a zip", name: str = "owl.zip", browser: Browser | None = None) -> Visit:
        """What a browser sends from the form."""
        browser = browser or self.ann
        form = browser.get("/mine/submit")
        token = form.page.select_one("form[enctype] input[name=form_token]")
        assert token is not None
        return Visit(
            browser.client.post(
                "/mine/submit",
                data={"form_token": str(token["value"])},
                files={"archive": (name, content, "application/zip")},
                headers={"Origin": browser.site},
            )
        )

    def newest(self, owner: str = "Ann") -> Submission:
        return self.store.submissions.of_owner(owner)[0]

    def claim(self) -> SubmissionClaim:
        """A worker takes up the newest submission, and has read its manifest."""
        claim = self.store.submissions.claim(self.newest().id, "worker")
        assert claim is not None
        return claim

    def active(self, bot: Bot = OWL, content: bytes = b"a zip") -> Submission:
        """The newest submission passes everything."""
        self.upload(content)
        claim = self.claim()
        self.store.submissions.identify(claim, bot)
        self.store.submissions.advance(claim, SubmissionState.CHECKING)
        self.store.submissions.advance(claim, SubmissionState.QUALIFYING)
        self.store.submissions.qualify(claim)
        return self.newest()

    def house(self) -> None:
        for name in ("greedy", "lowest", "random"):
            source = BotSource(kind=SourceKind.COMMAND, location=name)
            self.store.bots.register(
                NewBot(name=name, version="1", source=source, version_hash=command_hash("", name, "1"))
            )

    def challenge_played(self, submission: Submission) -> UnratedBoard:
        """A challenge that was asked for by the form, and played."""
        visit = self.ann.get(f"/mine/challenges?bot={submission.version_id}")
        asked = self.ann.send(visit, "/mine/challenges")
        assert asked.path.startswith("/mine/boards/")
        board = self.store.unrated.challenges_of("Ann")[0]
        claim = self.store.unrated.claim(board.id, "worker")
        assert claim is not None
        self.store.unrated.finish(claim, rotations(board))
        return board


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    url = database_url(tmp_path)
    clock = Clock()
    store = Store.open(url, clock=clock, passwords=CHEAP)
    store.migrate()
    with serving(create_app(store, clock=clock)) as site:
        ann, bob = Browser(site), Browser(site)
        ann.sign_up("Ann")
        bob.sign_up("Bob")
        yield Scene(store, clock, ann, bob)
        ann.close()
        bob.close()
    store.close()


@pytest.mark.slow
def test_who_is_not_signed_in_is_led_to_signing_in(scene: Scene) -> None:
    """Every page of one's own bots; a twin says so with a status."""
    stranger = Browser(scene.ann.site)
    for path in (
        "/mine",
        "/mine/submit",
        "/mine/submissions/1",
        "/mine/challenges",
        "/mine/boards/1",
        "/mine/remote/new",
    ):
        assert stranger.get(path).path.startswith("/sign-in?back=")
    assert stranger.get("/mine.json").status == 401
    stranger.close()


@pytest.mark.slow
def test_a_sent_bot_is_followed_to_active(scene: Scene) -> None:
    """The form leads to the page of the submission, whose steps grow; its twin says the same."""
    sent = scene.upload()
    assert sent.status == 200
    submission = scene.newest()
    assert sent.path == f"/mine/submissions/{submission.id}"
    assert sent.page.select_one("[data-waiting] a[href]") is not None
    assert sent.text(".way li:not(.ahead) b") == "received"
    assert sent.text(".way li.ahead b") == "building checking qualifying active"
    again = scene.upload()
    assert again.path == f"{sent.path}?before=1"
    assert "had been sent before" in again.text(".notice")
    assert scene.ann.get(sent.path).page.select_one(".notice") is None
    claim = scene.claim()
    scene.store.submissions.identify(claim, OWL)
    building = scene.ann.get(sent.path)
    assert building.heading.startswith("owl 1")
    assert building.text(".way li[aria-current] b") == "building"
    scene.store.submissions.keep_log(claim, LogKind.BUILD, "compiling <owl>")
    scene.store.submissions.advance(claim, SubmissionState.CHECKING)
    scene.store.submissions.advance(claim, SubmissionState.QUALIFYING)
    scene.store.submissions.qualify(claim)
    done = scene.ann.get(sent.path)
    assert done.page.select_one("[data-waiting]") is None
    assert "It is active" in done.text(".lead")
    assert done.text("pre") == "compiling <owl>"
    twin = scene.ann.get(f"{sent.path}.json").answer.json()
    assert (twin["state"], twin["bot"], twin["waiting"]) == ("active", "owl", False)
    assert scene.ann.get(f"{sent.path}/build.txt").answer.text == "compiling <owl>"
    listed = scene.ann.get("/mine")
    assert listed.text("h2") == "owl"
    assert listed.text(".versions .tag") == "active"
    bots = scene.ann.get("/mine.json").answer.json()["bots"]
    assert bots[0]["versions"][0]["title"] == "1"


@pytest.mark.slow
def test_the_page_of_a_broken_bot_helps(scene: Scene) -> None:
    """Title, the exact reason, what to do, the step that failed with what was sent and came back, standard error."""
    scene.upload()
    claim = scene.claim()
    scene.store.submissions.identify(claim, OWL)
    scene.store.submissions.advance(claim, SubmissionState.CHECKING)
    scene.store.submissions.keep_report(claim, REPORT)
    scene.store.submissions.refuse(claim, Refusal.CHECK, "step 2 of the check, “hello”: the stream was refused")
    broken = scene.ann.get(f"/mine/submissions/{scene.newest().id}")
    assert broken.text(".why h2") == "It does not pass the check"
    assert "step 2 of the check, “hello”: the stream was refused" in broken.text(".why .said")
    assert "king check" in broken.text(".why")
    assert broken.text(".check-steps .tag.warn") == "no"
    assert broken.text(".exchange dd") == 'the stream\'s end {"hello": <b>}'
    assert broken.text("pre.stderr") == "Traceback: <b>"
    assert "refused" in scene.ann.get("/mine").text(".versions .tag")


@pytest.mark.slow
@pytest.mark.parametrize("cause", Refusal)
def test_every_cause_has_a_title_and_advice(scene: Scene, cause: Refusal) -> None:
    """In both languages, and not the same text."""
    scene.upload()
    scene.store.submissions.refuse(scene.claim(), cause, "the reason")
    path = f"/mine/submissions/{scene.newest().id}"
    english, russian = scene.ann.get(f"{path}?lang=en"), scene.ann.get(f"{path}?lang=ru")
    for visit in (english, russian):
        assert "the reason" in visit.text(".why .said")
        assert len(visit.text(".why")) > 100
    assert english.text(".why h2") != russian.text(".why h2")


@pytest.mark.slow
def test_nobody_sees_the_bots_of_another(scene: Scene) -> None:
    """Pages, twins, logs and acts are as if they were not there."""
    submission = scene.active()
    path = f"/mine/submissions/{submission.id}"
    for address in (path, f"{path}.json", f"{path}/build.txt"):
        assert scene.bob.get(address).status == 404
    mine = scene.ann.get(path)
    token = mine.page.select_one("input[name=form_token]")
    assert token is not None
    assert scene.bob.post(f"{path}/withdraw", {"form_token": str(token["value"])}).status == 403
    assert scene.newest().state is SubmissionState.ACTIVE


@pytest.mark.slow
def test_withdrawing_activating_and_deleting(scene: Scene) -> None:
    """By the buttons of its page; deleting leads back to the list."""
    path = f"/mine/submissions/{scene.active().id}"
    withdrawn = scene.ann.send(scene.ann.get(path), f"{path}/withdraw")
    assert withdrawn.text("h1 .tag") == "withdrawn"
    active = scene.ann.send(withdrawn, f"{path}/activate")
    assert active.text("h1 .tag") == "active"
    gone = scene.ann.send(active, f"{path}/delete")
    assert gone.path == "/mine"
    assert "no bots here yet" in gone.text(".empty")
    assert scene.ann.get(path).text("h1 .tag") == "deleted"
    assert scene.ann.get(path).page.select_one(f"form[action='{path}/delete']") is None


@pytest.mark.slow
def test_entering_a_season(scene: Scene, tmp_path: Path) -> None:
    """Seasons that take entries have a button; one that is entered says so; what is played is not deleted."""
    submission = scene.active()
    organiser = Store.open(database_url(tmp_path), vault=Vault.open(vault_url_beside(database_url(tmp_path), tmp_path)))
    season = organiser.seasons.create(NewSeason(name="Winter", variant="russian-14", boards=1))
    organiser.close()
    path = f"/mine/submissions/{submission.id}"
    entered = scene.ann.send(scene.ann.get(path), f"{path}/enter")
    assert entered.path == path
    assert entered.text("td .tag.lively") == "entered"
    assert [entrant.label for entrant in scene.store.seasons.entrants(season.id)] == ["owl"]
    scene.store.organising.suspend(season.id, "owl", "it is too slow", by=SHELL)
    assert "Suspended in Winter" in scene.ann.get(path).text(".notice")
    assert "it is too slow" in scene.ann.get(path).text(".notice")
    refused = scene.ann.send(entered, f"{path}/delete")
    assert refused.status == 409
    assert "has entered Winter, where it has to play" in refused.text(".problems")
    assert scene.newest().state is SubmissionState.ACTIVE


@pytest.mark.slow
def test_an_archive_that_is_too_large_is_refused_as_it_comes(scene: Scene) -> None:
    """With the limit, on the form; nothing is stored."""
    scene.store.submissions.limits = SubmissionLimits(archive_bytes=1 << 20)
    refused = scene.upload(bytes(5 << 20))
    assert refused.status == 413
    assert "at most 1 MiB" in refused.text(".problems")
    empty = scene.upload(b"")
    assert (empty.status, "Choose a zip file" in empty.text(".problems")) == (422, True)
    assert scene.store.submissions.of_owner("Ann") == ()


@pytest.mark.slow
def test_too_many_are_refused_in_words(scene: Scene) -> None:
    """The limit is told, in the reader's language."""
    scene.store.submissions.limits = SubmissionLimits(waiting=1)
    scene.upload(b"first")
    second = scene.upload(b"second")
    assert (second.status, second.path) == (429, "/mine/submit")
    assert "1 of your versions are being worked on" in second.text(".problems")


@pytest.mark.slow
def test_a_form_of_another_site_sends_nothing(scene: Scene) -> None:
    """Neither with a wrong origin nor without the form's token."""
    files = {"archive": ("owl.zip", b"zip", "application/zip")}
    elsewhere = scene.ann.client.post("/mine/submit", files=files, headers={"Origin": "https://elsewhere.example"})
    assert elsewhere.status_code == 403
    tokenless = scene.ann.client.post("/mine/submit", files=files, headers={"Origin": scene.ann.site})
    assert tokenless.status_code == 403
    plain = scene.ann.client.post("/mine/submit", content=b"zip", headers={"Origin": scene.ann.site})
    assert plain.status_code == 415
    assert scene.store.submissions.of_owner("Ann") == ()


@pytest.mark.slow
def test_a_challenge_from_the_form_to_the_replay(scene: Scene) -> None:
    """House bots sit opposite unless others are chosen; the board's page has totals, replays and standard error."""
    scene.house()
    board = scene.challenge_played(scene.active())
    page = scene.ann.get(f"/mine/boards/{board.id}")
    assert page.heading.startswith("owl against greedy, lowest, random")
    assert len(page.page.select(".play-table tbody tr")) == 4
    assert page.text(".play-table .own .tag") == "yours"
    assert page.text("pre").count("log of 0") == 4
    replay = page.page.select_one(".play-table thead a")
    assert replay is not None
    shown = scene.ann.get(str(replay["href"]))
    assert shown.status == 200
    assert "rotation 0" in shown.heading
    record = scene.ann.get(f"{replay['href']}/record.json").answer.json()
    assert record["variant"] == VARIANT.base_id
    assert scene.ann.get(f"{replay['href']}/deals/1.json").status == 200
    assert scene.ann.get(f"{replay['href']}.json").status == 200
    for address in (f"/mine/boards/{board.id}", str(replay["href"]), f"{replay['href']}/record.json"):
        assert scene.bob.get(address).status == 404
    assert "over" in scene.ann.get("/mine/challenges").text(".versions .tag")


@pytest.mark.slow
def test_a_second_challenge_waits(scene: Scene) -> None:
    """The form says so and keeps what was chosen."""
    scene.house()
    submission = scene.active()
    visit = scene.ann.get(f"/mine/challenges?bot={submission.version_id}")
    waiting = scene.ann.send(visit, "/mine/challenges")
    assert waiting.page.select_one("[data-waiting]") is not None
    again = scene.ann.send(scene.ann.get("/mine/challenges"), "/mine/challenges", variant="base-14")
    assert again.status == 429
    assert "One challenge is played at a time" in again.text(".problems")
    chosen = again.page.select_one("select#variant option[selected]")
    assert chosen is not None
    assert chosen["value"] == "base-14"


@pytest.mark.slow
def test_a_challenge_with_three_seats_leaves_one_out(scene: Scene) -> None:
    """The last opponent does not play where there is no seat for it."""
    scene.house()
    scene.active()
    asked = scene.ann.send(scene.ann.get("/mine/challenges"), "/mine/challenges", variant="classic[seats=3]")
    assert asked.heading.startswith("owl against greedy, lowest")
    assert "random" not in asked.heading


@pytest.mark.slow
def test_what_is_due_to_a_lack_of_sandbox_is_told(scene: Scene) -> None:
    """A submission that nobody can take up says why."""
    scene.upload()
    scene.store.submissions.put_off(scene.newest().id, "there is no bubblewrap here")
    page = scene.ann.get(f"/mine/submissions/{scene.newest().id}")
    assert "there is no bubblewrap here" in page.text(".notice")


@pytest.mark.slow
def test_actor_of_a_sent_bot(scene: Scene) -> None:
    """The audit log says who sent it, on the web."""
    scene.upload()
    entry = scene.store.audit_log.entries()[0]
    assert (entry.act, entry.actor, entry.via) == ("bot.submitted", "Ann", Via.WEB)
