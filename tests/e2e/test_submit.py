"""`king submit`: from a folder to an active bot, or to the reason why not; and wrong use."""

from __future__ import annotations

import http.server
import io
import json
import os
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from king_cli.errors import UsageError
from king_cli.packing import archive_of
from league.audit_log import SHELL
from league.submissions import Refusal, SubmissionState
from tests.e2e.arena import DEADLINE_S, Arena, Platform, kill
from tests.workers.waiting import wait_until
from tests.workers.zips import GOOD_BOT, MANIFEST, zipped
from workers.sandbox import SandboxError, detect_sandbox

OWNER = "Ann"


@pytest.fixture(scope="module")
def sandbox_here() -> None:
    """A sandbox can be made on this machine."""
    try:
        detect_sandbox()
    except SandboxError as error:
        pytest.skip(str(error))


def bot_folder(place: Path, program: str = GOOD_BOT, *, version: str = "1", build: str = "[]") -> Path:
    """The folder of a bot that plays one variant."""
    folder = place / "owl"
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text(MANIFEST.format(name="owl", version=version, build=build))
    (folder / "bot.py").write_text(program)
    return folder


def names_in(archive: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        return packed.namelist()


def test_a_folder_is_packed_the_same_each_time(tmp_path: Path) -> None:
    """Times do not matter; what builds leave behind stays away, unless all is wanted; who may be executed is kept."""
    folder = bot_folder(tmp_path)
    for name in (
        ".git/config",
        ".cargo/config.toml",
        "build/made",
        "node_modules/it.js",
        "data/x.txt",
        "__pycache__/a",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    first = archive_of(folder)
    os.utime(folder / "bot.py", (1, 1))
    assert archive_of(folder) == first
    assert names_in(first) == [".cargo/config.toml", "bot.py", "bot.toml", "data/x.txt", "run.sh"]
    whole = names_in(archive_of(folder, whole=True))
    assert set(whole) - set(names_in(first)) == {"build/made", "node_modules/it.js"}
    with zipfile.ZipFile(io.BytesIO(first)) as packed:
        assert packed.getinfo("run.sh").external_attr >> 16 & 0o111
        assert not packed.getinfo("bot.py").external_attr >> 16 & 0o111


def test_what_cannot_be_packed_is_named(tmp_path: Path) -> None:
    """No folder, a folder without a manifest, a file that is no zip."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.zip").write_text("no zip")
    for name, words in (
        ("none", "there is no folder"),
        ("empty", "has no bot.toml"),
        ("text.zip", "is no zip archive"),
    ):
        with pytest.raises(UsageError, match=words):
            archive_of(tmp_path / name)
    archive = zipped({"bot.toml": ""})
    (tmp_path / "a.zip").write_bytes(archive)
    assert archive_of(tmp_path / "a.zip") == archive


@pytest.mark.slow
def test_wrong_use_is_one_clear_line(arena: Arena) -> None:
    """No token, no server, a wrong address: exit status 2."""
    folder = str(bot_folder(arena.folder))
    arena.environment.pop("KING_API_TOKEN", None)
    assert "there is no token: put one into KING_API_TOKEN" in arena.king_error("submit", folder)
    arena.environment["KING_API_TOKEN"] = "king_x"
    assert "no arena answers at http://127.0.0.1:9" in arena.king_error(
        "submit", folder, "--server", "http://127.0.0.1:9"
    )
    assert "is no address" in arena.king_error("submit", folder, "--server", "arena")
    (arena.folder / "token").write_text("two words")
    assert "the token is no token" in arena.king_error("submit", folder, "--token-file", str(arena.folder / "token"))


@contextmanager
def leading_away(target: str) -> Iterator[tuple[str, list[str]]]:
    """A server that sends everybody elsewhere, and what tokens came there."""
    seen: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(302)
            self.send_header("Location", f"{target}/elsewhere")
            self.end_headers()

        def do_GET(self) -> None:
            seen.append(self.headers.get("Authorization", ""))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *_arguments: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.slow
def test_the_token_goes_to_nobody_else(arena: Arena) -> None:
    """A server that leads elsewhere is no arena, and is not followed."""
    folder = str(bot_folder(arena.folder))
    arena.environment["KING_API_TOKEN"] = "king_x"
    with leading_away("") as (server, seen):
        assert "answers with status 302" in arena.king_error("submit", folder, "--server", server)
    assert seen == []


def with_token(arena: Arena) -> None:
    """An account, its token in the environment, and all that bots are built with."""
    arena.has_tools = True
    with arena.store() as store:
        store.migrate()
        account = store.accounts.create(OWNER, by=SHELL)
        account_id = getattr(account, "account", account).id
        arena.environment["KING_API_TOKEN"] = store.tokens.create(account_id, "test", by=SHELL).text
    arena.environment["KING_SERVER"] = f"http://{arena.http}"


def wait_for_arena(arena: Arena, platform: Platform) -> None:
    wait_until(lambda: "the referee listens" in arena.output(), seconds=DEADLINE_S, what="the arena")
    assert platform.process.poll() is None


@pytest.mark.slow
@pytest.mark.usefixtures("sandbox_here")
def test_a_bot_is_sent_until_it_is_active_or_refused(arena: Arena) -> None:
    """A good bot: its states, exit status 0, twice the same; a broken one: its log and the reason, exit status 1."""
    (arena.folder / "king").mkdir()
    with_token(arena)
    good = bot_folder(arena.folder)
    with arena.running("up", "--workers", "2") as platform:
        wait_for_arena(arena, platform)
        said = arena.king("submit", str(good))
        assert [line for line in said.splitlines() if ":" not in line] == [
            "received",
            "building",
            "checking",
            "qualifying",
            "active",
        ]
        assert "owl 1: active; http://" in said
        again = arena.king_json("submit", str(good), "--json")
        assert (again["state"], again["bot"]) == ("active", "owl")
        broken = bot_folder(arena.folder, "raise FileNotFoundError('weights.bin')", version="2")
        refused = arena.king_no("submit", str(broken))
        assert "  | FileNotFoundError: weights.bin" in refused
        assert "owl 2 was refused: step 1 of the check" in refused
        arena.environment["KING_API_TOKEN"] = "king_" + "x" * 40
        assert "the token is not good" in arena.king_error("submit", str(good))


@pytest.mark.slow
@pytest.mark.usefixtures("sandbox_here")
def test_a_killed_worker_and_a_wiped_queue_lose_nothing(arena: Arena) -> None:
    """The submission begins anew, and comes to its answer all the same."""
    (arena.folder / "king").mkdir()
    with_token(arena)
    slow_build = '["python", "-c", "import time; time.sleep(3)"]'
    bot = bot_folder(arena.folder, "raise FileNotFoundError('weights.bin')", build=slow_build)
    with arena.running("up", "--workers", "1") as platform:
        wait_for_arena(arena, platform)
        sent = json.loads(arena.king("submit", str(bot), "--no-wait", "--json"))

        def state() -> SubmissionState:
            with arena.store() as store:
                return store.submissions.get(sent["id"]).state

        wait_until(lambda: state() is SubmissionState.BUILDING, seconds=DEADLINE_S, what="the build")
        kill(platform.wait_for(platform.horses, "a horse"))
        kill(platform.wait_for(lambda: platform.parts("valkey"), "valkey"))
        wait_until(lambda: state() is SubmissionState.REFUSED, seconds=DEADLINE_S, what="the end of the second attempt")
    with arena.store() as store:
        found = store.submissions.get(sent["id"])
        states = [step.state.value for step in store.submissions.steps(sent["id"])]
    assert (found.cause, found.attempt >= 2) == (Refusal.CHECK, True)
    assert states.count("received") >= 2
    assert "weights.bin" in found.reason
