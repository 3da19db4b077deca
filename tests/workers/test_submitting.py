"""A submission from its claim to its answer, with a real sandbox, a real check and a real referee."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from league.audit_log import Actor, Via
from league.errors import LeagueError
from league.store import Store
from league.submissions import LogKind, Refusal, Submission, SubmissionState
from league.unrated import Purpose, UnratedState
from referee.server import RefereeServer
from tests.league.leagues import open_store
from tests.workers.zips import GOOD_BOT, ROOT, bot_archive, zipped
from workers.challenging import play_challenge_from_store
from workers.gate import Gate
from workers.launchers import launcher_for
from workers.sandbox import Sandbox, SandboxError, SandboxLauncher, detect_sandbox
from workers.sitting import Stage
from workers.socket_folder import socket_folder
from workers.submitted import SubmittedBots, without_place
from workers.submitting import work_from_store

pytestmark = pytest.mark.slow

ANN = "Ann"
BY_ANN = Actor(name=ANN, via=Via.WEB)
LEASE = timedelta(seconds=10)
KEY = "key"


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    """What there is for sandboxes on this machine."""
    try:
        return detect_sandbox()
    except SandboxError as error:
        pytest.skip(str(error))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path, lease=LEASE)
    yield opened
    opened.close()


@dataclass(frozen=True)
class Arena:
    """A store and what works on its submissions."""

    store: Store
    gate: Gate

    def send(self, content: bytes) -> Submission:
        return self.store.submissions.receive(owner=ANN, file_name="bot.zip", content=content, by=BY_ANN)[0]

    async def work_on(self, submission: Submission) -> Submission:
        assert await work_from_store(self.store, submission.id, gate=self.gate, lease=LEASE)
        return self.store.submissions.get(submission.id)

    async def answer_to(self, content: bytes) -> Submission:
        return await self.work_on(self.send(content))


@asynccontextmanager
async def arena_of(store: Store, sandbox: Sandbox, folder: Path) -> AsyncIterator[Arena]:
    """An arena with a referee of its own."""
    with socket_folder("king-test-") as place:
        address = f"unix:{place}/referee.sock"
        server = RefereeServer(address, control_key=KEY)
        await server.start()
        gate = Gate(
            workshop=SubmittedBots(folder / "submitted", sandbox, store.archives.read),
            launching=lambda dialled: SandboxLauncher(sandbox, Path(dialled.removeprefix("unix:"))),
            sealed=True,
            time_control="start=10s,inc=100ms,bank=5s",
            stage=Stage(referee=address, control_key=KEY, launcher=launcher_for(address, sandbox)),
        )
        try:
            yield Arena(store, gate)
        finally:
            await server.stop()


def answer(store: Store, sandbox: Sandbox, folder: Path, content: bytes) -> Submission:
    """What comes of an archive."""

    async def scene() -> Submission:
        async with arena_of(store, sandbox, folder) as arena:
            return await arena.answer_to(content)

    return asyncio.run(scene())


@pytest.mark.slow
def test_a_good_bot_becomes_active(tmp_path: Path, store: Store, sandbox: Sandbox) -> None:
    """It is built, checked, and plays a board against three house bots, whose records its owner can read; then it can
    be challenged with, and a second job has nothing to do.
    """
    built = "[\"python\", \"-c\", \"print('compiling'); open('made.txt', 'w').close()\"]"

    async def scene() -> Submission:
        async with arena_of(store, sandbox, tmp_path) as arena:
            submission = await arena.answer_to(bot_archive(build=built))
            assert not await work_from_store(store, submission.id, gate=arena.gate, lease=LEASE)
            assert submission.version_id is not None
            await challenge(arena, submission.version_id)
            return submission

    submission = asyncio.run(scene())
    assert submission.state is SubmissionState.ACTIVE, submission.reason
    states = [step.state.value for step in store.submissions.steps(submission.id)]
    assert states == ["received", "building", "checking", "qualifying", "active"]
    assert "compiling" in store.submissions.log(submission.id, LogKind.BUILD)
    report = store.submissions.report(submission.id)
    assert report is not None
    assert report["passed"]
    assert len(report["steps"]) == 9
    assert str(tmp_path) not in str(report)
    board = store.unrated.mine(submission.qualifying or 0, ANN)
    assert board.purpose is Purpose.QUALIFYING
    assert [player.own for player in board.players] == [True, False, False, False]
    assert [match.rotation for match in board.matches] == [0, 1, 2, 3]
    record = store.unrated.record(board.matches[0].match_id, ANN)
    assert record["players"][0]["bot"] == "owl"
    assert record["context"]["season"] is None
    with pytest.raises(LeagueError, match="Bob has no unrated board"):
        store.unrated.record(board.matches[0].match_id, "Bob")


async def challenge(arena: Arena, version_id: int) -> None:
    """A challenge with a bot that is active, against itself and others."""
    store = arena.store
    asked = store.unrated.ask(
        owner=ANN, version_id=version_id, opponents=[version_id] * 3, variant="russian-14", by=BY_ANN
    )
    assert await play_challenge_from_store(
        store, asked.id, submitted=arena.gate.workshop, stage=arena.gate.stage, lease=LEASE
    )
    assert not await play_challenge_from_store(
        store, asked.id, submitted=arena.gate.workshop, stage=arena.gate.stage, lease=LEASE
    )
    board = store.unrated.mine(asked.id, ANN)
    assert board.state is UnratedState.DONE
    assert [player.label for player in board.players] == ["owl", "owl#2", "owl#3", "owl#4"]
    assert {log.player for log in store.unrated.logs(asked.id, ANN)} == {0, 1, 2, 3}


def program(text: str) -> str:
    return f"import time\n{text}\n"


BROKEN_BOTS = ROOT / "tests" / "conformance" / "broken_bots"
ILLEGAL = (BROKEN_BOTS / "illegal" / "bot.py").read_text(encoding="utf-8").replace("tests.conformance.broken_bots.", "")
HANDMADE = (BROKEN_BOTS / "handmade.py").read_text(encoding="utf-8")
SLOW = GOOD_BOT.replace("        trick = table", "        import time; time.sleep(6)\n        trick = table")
TRAVERSAL = zipped({"bot.toml": "", "../../escape.py": "x"})


@dataclass(frozen=True, kw_only=True)
class Broken:
    """A broken bot: its archive, why it is refused, and words of the reason."""

    content: bytes
    cause: Refusal
    words: tuple[str, ...]
    log: str = ""


QUICKLY_BROKEN = {
    "no zip": Broken(content=b"#!/bin/sh", cause=Refusal.ARCHIVE, words=("is no zip archive", "zip -r")),
    "no manifest": Broken(content=zipped({"bot.py": "x"}), cause=Refusal.ARCHIVE, words=("no bot.toml at its top",)),
    "a traversal": Broken(content=TRAVERSAL, cause=Refusal.ARCHIVE, words=("../../escape.py",)),
    "a bad manifest": Broken(
        content=zipped({"bot.toml": 'name = "owl\n'}), cause=Refusal.MANIFEST, words=("bot.toml:", "line 1")
    ),
    "a misspelt key": Broken(
        content=zipped({"bot.toml": 'nme = "owl"\n'}),
        cause=Refusal.MANIFEST,
        words=("bot.toml: unknown key 'nme': did you mean name?",),
    ),
    "a house bot's name": Broken(
        content=bot_archive(name="greedy"), cause=Refusal.NAME, words=("belongs to a bot of the house",)
    ),
    "an empty manifest": Broken(
        content=zipped({"bot.toml": ""}), cause=Refusal.MANIFEST, words=("bot.toml: name is missing; write name =",)
    ),
}
"""Refused before anything of them runs."""

BROKEN = {
    "build fails": Broken(
        content=bot_archive(build='["python", "-c", "raise SystemExit(\'no such weights\')"]'),
        cause=Refusal.BUILD,
        words=("cannot be built",),
        log="no such weights",
    ),
    "crashes at start": Broken(
        content=bot_archive(program("raise FileNotFoundError('weights.bin is not there')")),
        cause=Refusal.CHECK,
        words=("step 1", "FileNotFoundError: weights.bin is not there"),
        log="weights.bin is not there",
    ),
    "illegal move": Broken(
        content=bot_archive(ILLEGAL, handmade_py=HANDMADE), cause=Refusal.CHECK, words=("step 4", "illegal: request")
    ),
    "times out": Broken(content=bot_archive(SLOW), cause=Refusal.CHECK, words=("step 5", "timeout")),
    "dials never": Broken(
        content=bot_archive(program("time.sleep(600)")), cause=Refusal.CHECK, words=("step 2", "no stream with a Hello")
    ),
}


@pytest.mark.parametrize("name", QUICKLY_BROKEN)
def test_a_bad_archive_is_refused_with_its_reason(tmp_path: Path, store: Store, sandbox: Sandbox, name: str) -> None:
    """The reason names the file, line or key and what would be right, and no folder of the arena."""
    check_broken(store, answer(store, sandbox, tmp_path, QUICKLY_BROKEN[name].content), QUICKLY_BROKEN[name], tmp_path)


def test_a_bomb_is_refused_with_its_reason(tmp_path: Path, store: Store, sandbox: Sandbox) -> None:
    """A file that would grow beyond all bounds is named."""
    bomb = zipped({"bot.toml": "", "zeros": bytes(130 << 20)})
    broken = Broken(content=bomb, cause=Refusal.ARCHIVE, words=("zeros",))
    check_broken(store, answer(store, sandbox, tmp_path, bomb), broken, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_bot_is_refused_with_its_reason(tmp_path: Path, store: Store, sandbox: Sandbox, name: str) -> None:
    """Told exactly why not, with what it wrote; nothing was registered, and its name is free."""
    check_broken(store, answer(store, sandbox, tmp_path, BROKEN[name].content), BROKEN[name], tmp_path)


def check_broken(store: Store, submission: Submission, broken: Broken, folder: Path) -> None:
    assert (submission.state, submission.cause) == (SubmissionState.REFUSED, broken.cause), submission.reason
    for words in broken.words:
        assert words in submission.reason
    assert str(folder) not in submission.reason
    logs = "".join(store.submissions.log(submission.id, kind) for kind in LogKind)
    assert broken.log in logs
    assert store.bots.all() == ()
    assert [step.state.value for step in store.submissions.steps(submission.id)][-1] == "refused"


class OurFailure:
    """A workshop whose roof has come down."""

    async def manifest(self, sha256: str) -> object:
        raise OSError("no space left on device")


def test_our_failure_gives_it_back_and_blames_nobody(tmp_path: Path, store: Store, sandbox: Sandbox) -> None:
    """The submission waits for the next attempt, and its owner can read why."""

    async def scene() -> Submission:
        async with arena_of(store, sandbox, tmp_path) as arena:
            submission = arena.send(bot_archive())
            broken = replace(arena.gate, workshop=OurFailure())  # type: ignore[arg-type]
            with pytest.raises(OSError, match="no space left"):
                await work_from_store(store, submission.id, gate=broken, lease=LEASE)
            return store.submissions.get(submission.id)

    submission = asyncio.run(scene())
    assert submission.state is SubmissionState.RECEIVED
    assert submission.given_back == "OSError: no space left on device"


def test_a_claim_that_is_lost_is_dropped(tmp_path: Path, store: Store, sandbox: Sandbox) -> None:
    """Its owner deletes a submission whose check is under way: the work ends, quietly, and nothing is left running."""

    async def scene() -> None:
        async with arena_of(store, sandbox, tmp_path) as arena:
            submission = arena.send(bot_archive(program("time.sleep(600)")))
            lease = timedelta(milliseconds=400)
            working = asyncio.create_task(work_from_store(store, submission.id, gate=arena.gate, lease=lease))
            while store.submissions.get(submission.id).state is not SubmissionState.CHECKING:  # noqa: ASYNC110 (the store tells nobody)
                await asyncio.sleep(0.02)
            store.submissions.delete(submission.id, ANN, by=BY_ANN)
            assert not await working
            assert store.submissions.get(submission.id).state is SubmissionState.DELETED

    asyncio.run(scene())


def test_paths_of_the_arena_are_not_told() -> None:
    """What an owner reads names his files, not where they lie here."""
    sha256 = "a" * 64
    assert without_place(f"/srv/.{sha256}.12ab/source/bot.toml: name is missing", sha256) == "bot.toml: name is missing"
    told = f"python bot.py in /srv/submitted/{sha256}/bot, with KING_REFEREE"
    assert without_place(told, sha256) == "python bot.py in its folder, with KING_REFEREE"
