"""What every starter kit must do: a suite of tests, run once for each kit by a file of its own (`test_kit_…`).

Kits of which the tools are not installed are skipped. Each file is one piece of work for one of the processes that run
tests, so that no kit is built twice at the same time.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import grpc
import pytest
from king.v1 import arena_pb2 as pb

from tests.conformance.referee_script import Script, ScriptedReferee, Talk, run_program, serving
from tests.conformance.scripted import run_scripted
from tests.protocol.certificates import ArenaFiles
from workers.bots import BotProgram, find_bot
from workers.building import build_bots, build_log
from workers.manifests import manifest_of

SAMPLES = Path(__file__).resolve().parents[2] / "sample_bots"
MINUTES = 60
FINAL = (
    "UNAUTHENTICATED",
    "FAILED_PRECONDITION",
    "INVALID_ARGUMENT",
    "RESOURCE_EXHAUSTED",
    "DEADLINE_EXCEEDED",
    "ABORTED",
)
"""Statuses after which there is no use in dialling again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """A starter kit: the programs that building it needs, and how its own tests are run once it is built."""

    language: str
    folder: Path
    tools: tuple[str, ...]
    own_tests: tuple[tuple[str, ...], ...]

    def bots(self) -> tuple[BotProgram, BotProgram]:
        """The simple bot and the greedy one, built; skips the test where the tools for it are missing."""
        missing = [tool for tool in self.tools if shutil.which(tool) is None]
        if missing:
            pytest.skip(f"the kit in {self.language} needs {', '.join(missing)}, not found on the PATH")
        bots = find_bot(str(self.folder)), find_bot(str(self.folder / "greedy.bot.toml"))
        build_bots(bots, print)
        return bots


KITS = {
    "cpp": Kit(
        language="C++",
        folder=SAMPLES / "cpp",
        tools=("cmake", "c++", "pkg-config", "protoc", "grpc_cpp_plugin"),
        own_tests=(
            ("cmake", "-S", ".", "-B", "build", "-DKING_TESTS=ON"),
            ("cmake", "--build", "build", "--parallel", "2"),
            ("ctest", "--test-dir", "build", "--output-on-failure"),
        ),
    ),
    "go": Kit(
        language="Go",
        folder=SAMPLES / "go",
        tools=("go",),
        own_tests=(("go", "test", "./..."),),
    ),
    "rust": Kit(
        language="Rust",
        folder=SAMPLES / "rust",
        tools=("cargo", "rustfmt"),
        own_tests=(("cargo", "fmt", "--check"), ("cargo", "test", "--release", "--quiet")),
    ),
    "java": Kit(
        language="Java",
        folder=SAMPLES / "java",
        tools=("java", "mvn"),
        own_tests=(("mvn", "--batch-mode", "--quiet", "test"),),
    ),
    "node": Kit(
        language="TypeScript",
        folder=SAMPLES / "node",
        tools=("node", "npm"),
        own_tests=(("npm", "test"), ("npm", "run", "lint")),
    ),
    "python": Kit(
        language="Python",
        folder=SAMPLES / "python" / "kit",
        tools=(),
        own_tests=((sys.executable, "-m", "unittest"),),
    ),
}


@pytest.mark.slow
@pytest.mark.timeout(10 * MINUTES)  # the first build may have to download
class KitSuite:
    """The tests; a subclass names its kit."""

    name: ClassVar[str]
    checked: ClassVar[tuple[str, ...]] = ()
    """The variants in which the simple bot is checked: all, unless its processes take long to start."""

    @pytest.fixture
    def bots(self) -> tuple[BotProgram, BotProgram]:
        """The simple bot and the greedy one."""
        return KITS[self.name].bots()

    def test_builds_without_a_warning(self, bots: tuple[BotProgram, BotProgram]) -> None:
        """The build has nothing to say against the code."""
        log = build_log(bots[0])
        assert not log.exists() or "warning:" not in log.read_text(encoding="utf-8").lower()

    def test_own_tests(self, bots: tuple[BotProgram, BotProgram]) -> None:
        """The kit's own tests pass, run as its README says."""
        for command in KITS[self.name].own_tests:
            run_in(bots[0].folder, command)

    def test_simple_passes_the_check(self, bots: tuple[BotProgram, BotProgram], tmp_path: Path) -> None:
        """`king check` passes every step, in every variant where none are chosen."""
        self._check(bots[0], tmp_path, *(word for variant in self.checked for word in ("--variant", variant)))

    def test_greedy_passes_the_check(self, bots: tuple[BotProgram, BotProgram], tmp_path: Path) -> None:
        """`king check` passes every step; the scripted tables have the greedy in the other variants."""
        self._check(bots[1], tmp_path, "--variant", "classic[redemption=talon]")

    def test_greedy_decides_as_the_python_one(self, bots: tuple[BotProgram, BotProgram]) -> None:
        """At every scripted table, the greedy takes the same decision as the Python greedy, at all tables at once."""
        report = run_scripted(bots[1].run, bots[1].folder)
        assert report.passed, str(report)

    def test_frames_in_parts_are_answered(self, bots: tuple[BotProgram, BotProgram], tmp_path: Path) -> None:
        """A frame in parts is answered once it is whole; when the referee closes with OK, the bot ends with 0."""
        heard = Heard()

        def script(talk: Talk) -> Iterator[pb.PlayResponse]:
            yield from heard.meet(talk)
            yield pb.PlayResponse(messages=[*table_start(5), request(5, 71)], more=True)
            yield pb.PlayResponse(messages=[*table_start(9), request(9, 72)])
            heard.answers(talk, 2)

        done = self._run(bots[0], tmp_path, script)
        assert (done.returncode, done.stderr) == (0, "")
        assert heard.answered == [(71, 1), (72, 1)]
        (hello,) = heard.hellos
        assert (hello.protocol_version, hello.token, hello.table_limit or 64) == (1, "token", 64)

    def test_broken_stream_is_taken_up_again(self, bots: tuple[BotProgram, BotProgram], tmp_path: Path) -> None:
        """After UNAVAILABLE the same process dials again, takes its tables anew, and answers under the old ids."""
        heard = Heard()

        def breaks(talk: Talk) -> Iterator[pb.PlayResponse]:
            yield from heard.meet(talk)
            yield pb.PlayResponse(messages=[*table_start(5), request(5, 71)])
            heard.answers(talk, 1)
            talk.context.abort(grpc.StatusCode.UNAVAILABLE, "going away")

        def resumes(talk: Talk) -> Iterator[pb.PlayResponse]:
            yield from heard.meet(talk)
            yield pb.PlayResponse(messages=[*table_start(5), request(5, 71)])
            heard.answers(talk, 1)

        done = self._run(bots[0], tmp_path, breaks, resumes)
        assert done.returncode == 0, done.stderr
        assert "going away" in done.stderr
        assert heard.answered == [(71, 1), (71, 1)]
        assert [hello.token for hello in heard.hellos] == ["token", "token"]

    def test_referee_is_dialled_with_tls(self, bots: tuple[BotProgram, BotProgram], tmp_path: Path) -> None:
        """At tls:// a bot plays where it believes the authority in KING_TLS_ROOTS, and is silent where it does not."""
        files = ArenaFiles(tmp_path)
        heard = Heard()

        def script(talk: Talk) -> Iterator[pb.PlayResponse]:
            yield from heard.meet(talk)
            yield pb.PlayResponse(messages=[*table_start(5), request(5, 71)])
            heard.answers(talk, 1)

        with serving(ScriptedReferee(script), tmp_path, pair=files.referee) as address:
            refused = run_program(bots[0].run, bots[0].folder, address, roots=files.stranger.path)
            assert heard.hellos == []
            played = run_program(bots[0].run, bots[0].folder, address, roots=files.authority.path)
        assert refused.returncode == 1, refused
        assert f"the certificate of the referee at {address} is not believed" in refused.stderr
        assert (played.returncode, heard.answered) == (0, [(71, 1)]), played

    def test_refusals_are_final(self, bots: tuple[BotProgram, BotProgram], tmp_path: Path) -> None:
        """A status after which there is no use in dialling again ends the bot with 1 and one line that says why."""
        for code in FINAL:
            done = self._run(bots[0], tmp_path, functools.partial(_refuse, grpc.StatusCode[code]))
            assert done.returncode == 1, (code, done)
            (line,) = done.stderr.splitlines()
            assert "speak version 1" in line

    def test_missing_address_is_told(self, bots: tuple[BotProgram, BotProgram]) -> None:
        """Without a referee's address the bot says in one line what is missing."""
        done = run_program(bots[0].run, bots[0].folder, "")
        assert done.returncode == 1
        (line,) = done.stderr.splitlines()
        assert "KING_REFEREE is not set" in line

    def test_unknown_variant_is_told(self, bots: tuple[BotProgram, BotProgram], tmp_path: Path) -> None:
        """A variant that the kit does not have ends the bot with 1 and one line that names it."""
        start = pb.TableStart(variant="bridge-52[seats=3]", seat_count=3, seat=1)

        def script(talk: Talk) -> Iterator[pb.PlayResponse]:
            yield from Heard().meet(talk)
            yield pb.PlayResponse(messages=[pb.RefereeMessage(table=5, table_start=start)])
            talk.hear()

        done = self._run(bots[0], tmp_path, script)
        assert done.returncode == 1, done
        (line,) = done.stderr.splitlines()
        assert 'this kit does not know the variant "bridge-52"' in line

    @staticmethod
    def _check(bot: BotProgram, folder: Path, *options: str) -> None:
        command = [sys.executable, "-m", "king_cli", "check", str(manifest_of(bot)), "--json", *options]
        report = json.loads(run_in(folder, command))
        assert report["passed"], report

    @staticmethod
    def _run(bot: BotProgram, folder: Path, *scripts: Script) -> subprocess.CompletedProcess[str]:
        with serving(ScriptedReferee(*scripts), folder) as address:
            return run_program(bot.run, bot.folder, address)


def _refuse(code: grpc.StatusCode, talk: Talk) -> Iterator[pb.PlayResponse]:
    talk.hear()
    talk.context.abort(code, "speak version 1")
    yield pb.PlayResponse()


def run_in(folder: Path, command: Sequence[str]) -> str:
    """Run a command that ends well; return what it printed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        command, cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def table_start(table: int, deal: int = 1) -> list[pb.RefereeMessage]:
    """A match of which `deal` has begun, with two cards in hand."""
    return [
        pb.RefereeMessage(table=table, table_start=pb.TableStart(variant="russian-14", seat_count=4, seat=1)),
        pb.RefereeMessage(table=table, deal_start=pb.DealStart(number=deal, has_dealer=True, dealer=0)),
        pb.RefereeMessage(table=table, cards_dealt=pb.CardsDealt(cards=["9S", "7S"])),
        pb.RefereeMessage(table=table, contract_set=pb.ContractSet(contract="no_tricks")),
    ]


def request(table: int, number: int) -> pb.RefereeMessage:
    """A request to play 9S or 7S, in this order: a simple bot answers 1."""
    legal = [pb.Action(kind=pb.ACTION_KIND_PLAY, card=card) for card in ("9S", "7S")]
    asked = pb.Request(request_id=number, legal_actions=legal, time_left_ms=10_000)
    return pb.RefereeMessage(table=table, request=asked)


class Heard:
    """What scripts hear from a bot."""

    def __init__(self) -> None:
        self.hellos: list[pb.Hello] = []
        self.answered: list[tuple[int, int]] = []

    def meet(self, talk: Talk) -> Iterator[pb.PlayResponse]:
        """Hello, welcome, ready."""
        (hello,) = talk.hear()
        self.hellos.append(hello.hello)
        yield pb.PlayResponse(messages=[pb.RefereeMessage(welcome=pb.Welcome(protocol_version=1))])
        (ready,) = talk.hear()
        assert ready.HasField("ready")

    def answers(self, talk: Talk, count: int) -> None:
        """The next `count` choices, in however many frames."""
        wanted = len(self.answered) + count
        while len(self.answered) < wanted:
            self.answered += [(message.choice.request_id, message.choice.index) for message in talk.hear()]
