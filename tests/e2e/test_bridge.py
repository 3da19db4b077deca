"""`king bridge`: commands that speak JSON lines at a real referee, and what becomes of those that do it badly."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from king.v1 import arena_pb2 as pb

from referee.rules import check_record, parse_variant
from referee.server import RefereeServer
from tests.conformance.kits import Heard, request, table_start
from tests.conformance.referee_script import Script, ScriptedReferee, Talk, serving
from tests.conformance.sittings import Outcome, plan_of, play
from tests.e2e.cutting import CuttingProxy
from tests.protocol.certificates import ArenaFiles
from workers.bots import SAMPLES, BotProgram, find_bot, read_manifest
from workers.last_words import telling_line
from workers.launcher import LocalLauncher
from workers.sitting import Stage, play_sitting

pytestmark = pytest.mark.slow  # real processes at a real referee

STDIO = SAMPLES / "stdio"
FIRST_ACTION = r"""
import json, sys
def say(*messages): print(json.dumps({"messages": messages}), flush=True)
say({"hello": {}})
for line in sys.stdin:
    messages = json.loads(line)["messages"]
    if "welcome" in messages[0]: say({"ready": {}})
    asked = [message["request"]["request_id"] for message in messages if "request" in message]
    if asked: say(*({"choice": {"request_id": number, "index": 0}} for number in asked))
"""
"""A bot that takes the first action, and ends with its input."""

HELLO_LINE = """{"messages":[{"hello":{}},{"ready":{}}]}"""
HELLO = f"echo '{HELLO_LINE}'; "


def sample(name: str) -> BotProgram:
    """A sample of JSON lines; skips if its language is not here."""
    program = read_manifest(STDIO / name)
    if shutil.which(program.run[3]) is None:
        pytest.skip(f"no {program.run[3]} on the PATH")
    return program


def bridged(*command: str) -> BotProgram:
    """A bot that is a command behind the bridge."""
    return replace(sample("awk"), name="bridged", run=("king", "bridge", "--", *command))


def play_with(folder: Path, program: BotProgram) -> Outcome:
    """One match of a bot among three that play well."""
    return play(folder, [program, *[find_bot("lowest")] * 3], "russian-14")


def run_bridge(
    *command: str, address: str, token: str = "token", python: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Run the bridge to its end, as `python -m king_cli`, so that this checkout is what runs."""
    environment = {**os.environ, "KING_REFEREE": address, "KING_TOKEN": token}
    words = [sys.executable, *python, "-m", "king_cli", "bridge", "--", *command]
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, check=False)


def at(script: Script, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command behind the bridge at a referee that follows a script."""
    with serving(ScriptedReferee(script), folder) as address:
        return run_bridge(*command, address=address)


@pytest.mark.parametrize(
    "variant",
    [
        "russian-14",
        "turkish-20[must_beat=always]",
        "ordered-56",
        "auction-11",
        "trump-11",
        "classic[redemption=praise]",
        "classic[redemption=talon,seats=3]",
        "chooser-12[bonus_trump=chooser]",
    ],
)
def test_samples_play_every_kind_of_decision(tmp_path: Path, variant: str) -> None:
    """The bots in languages without gRPC play whole matches, two at once, without a fault or a word of complaint."""
    programs = [sample("awk"), sample("tcl"), find_bot("greedy"), find_bot("random")]
    programs = programs[: parse_variant(variant).seats]
    outcome = play(tmp_path, programs, variant, tables=2)
    assert outcome.faults == []
    assert [record["termination"]["kind"] for record in outcome.records] == ["normal"] * 2
    assert [check_record(record) for record in outcome.records] == [[]] * 2
    assert {(status, text) for _, status, text in outcome.exits} == {(0, "")}


def test_first_bot_of_the_readme_plays(tmp_path: Path) -> None:
    """The bot that the README shows, copied from it, plays a match."""
    text = (STDIO / "README.md").read_text(encoding="utf-8")
    for name, language in (("bot.sh", "sh"), ("bot.toml", "toml")):
        (tmp_path / name).write_text(text.split(f"```{language}\n", 1)[1].split("```", 1)[0], encoding="utf-8")
    outcome = play_with(tmp_path, read_manifest(tmp_path))
    assert (outcome.faults, outcome.stderr_of(0)) == ([], "")


def test_command_plays_on_after_its_stream_was_cut(tmp_path: Path) -> None:
    """When connections are cut in the middle of a match, the bridge comes back and the command plays on faultlessly."""
    outcome = asyncio.run(_play_cut(tmp_path, [sample("awk"), *[find_bot("lowest")] * 3]))
    assert outcome.faults == []
    assert [check_record(record) for record in outcome.records] == [[]] * 3
    assert [status for _, status, _ in outcome.exits] == [0] * 4
    assert "king bridge: stream broken (UNAVAILABLE: " in outcome.stderr_of(0)


async def _play_cut(folder: Path, programs: list[BotProgram]) -> Outcome:
    address = f"unix:{folder}/referee.sock"
    server, outcome = RefereeServer(address, control_key="key"), Outcome()
    await server.start()
    try:
        async with CuttingProxy(folder / "referee.sock", after_bytes=40_000) as proxy:
            stage = Stage(referee=address, control_key="key", launcher=LocalLauncher(proxy.address))
            await play_sitting(plan_of(4, "russian-14", tables=3), programs, stage=stage, sink=outcome)
    finally:
        await server.stop()
    return outcome


BAD_LINES = {
    "echo nonsense": "line 2 of the command's output: no JSON",
    """echo '{"messages":[{}]}'""": "line 2 of the command's output: messages[0] is empty",
    """echo; echo '{"mesages":[]}'""": "line 3 of the command's output: mesages is unknown",
}


@pytest.mark.parametrize("says", BAD_LINES)
def test_bad_line_is_a_protocol_fault(tmp_path: Path, says: str) -> None:
    """A line that is no frame is told with its number and what is right, and costs what a broken frame costs."""
    outcome = play_with(tmp_path, bridged("sh", "-c", f"{HELLO}{says}; cat >/dev/null"))
    assert {fault.kind for fault in outcome.faults} == {"protocol"}
    assert BAD_LINES[says] in outcome.stderr_of(0)
    assert "Traceback" not in outcome.stderr_of(0)


def test_bad_first_line_is_a_protocol_fault(tmp_path: Path) -> None:
    """A command whose first line is no hello is known by its token all the same, and told what a hello looks like."""
    outcome = play_with(tmp_path, bridged("sh", "-c", "echo Hello; cat >/dev/null"))
    assert {fault.kind for fault in outcome.faults} == {"protocol"}
    assert "line 1 of the command's output: no JSON" in outcome.stderr_of(0)


def test_huge_line_is_a_flood(tmp_path: Path) -> None:
    """A line longer than any frame is not gathered up, and costs what a huge frame costs."""
    outcome = play_with(
        tmp_path, bridged("sh", "-c", f"{HELLO}head -c 40000000 /dev/zero | tr '\\0' x; cat >/dev/null")
    )
    assert {fault.kind for fault in outcome.faults} == {"flood"}
    assert "line 2 of the command's output is longer than 16 MiB" in outcome.stderr_of(0)


def test_command_that_ends_early_is_an_exit(tmp_path: Path) -> None:
    """A command that ends while it is needed takes the bridge with it, under its own status."""
    outcome = play_with(tmp_path, bridged("sh", "-c", f"{HELLO}read frame; echo 'no idea' >&2; exit 7"))
    assert {(fault.kind, fault.detail) for fault in outcome.faults} == {
        ("exit", "the process ended with exit status 7")
    }
    said = outcome.stderr_of(0)
    assert "no idea\nking bridge: the command ended with status 7 after 1 lines, before the" in said
    assert said.endswith(" the referee closed the stream: no idea\n")


CRASHES = ("-c", f"print('{HELLO_LINE}', flush=True); 1 / 0")
BABBLES = ("-c", f"print('{HELLO_LINE}', 'hm', sep=chr(10), flush=True); import sys; sys.stdin.read(); [][5]")


@pytest.mark.parametrize(
    ("command", "cause"),
    [(CRASHES, ": ZeroDivisionError: division by zero"), (BABBLES, "line 2 of the command's output: no JSON")],
)
def test_line_that_faults_quote_has_the_cause(tmp_path: Path, command: tuple[str, str], cause: str) -> None:
    """Whatever the command writes besides, a line of the bridge says why: its last words, or what was no frame."""
    line = telling_line(play_with(tmp_path, bridged("python", *command)).stderr_of(0))
    assert line.startswith("king bridge: ")
    assert cause in line


def test_end_of_a_command_is_seen_though_a_child_keeps_its_output(tmp_path: Path) -> None:
    """What a command has started may hold its standard output open; that does not hide the command's end."""
    outcome = play_with(tmp_path, bridged("sh", "-c", f"{HELLO}read frame; sleep 600 & exit 7"))
    assert {fault.detail for fault in outcome.faults} == {"the process ended with exit status 7"}
    assert "the command ended with status 7 after 1 lines" in outcome.stderr_of(0)


def test_line_without_an_end_is_told(tmp_path: Path) -> None:
    """A command that ends within a line learns why that line was not heard."""
    outcome = play_with(tmp_path, bridged("sh", "-c", f"{HELLO}read frame; printf '{{}}'; exit 7"))
    assert "after 1 lines, before the referee closed the stream; what it wrote last has no end" in outcome.stderr_of(0)


def frame(*messages: pb.RefereeMessage) -> pb.PlayResponse:
    """A frame of the referee."""
    return pb.PlayResponse(messages=messages)


def plays(talk: Talk) -> Iterator[pb.PlayResponse]:
    """One request, and the end."""
    heard = Heard()
    yield from heard.meet(talk)
    yield frame(*table_start(5), request(5, 71))
    heard.answers(talk, 1)
    assert heard.answered == [(71, 0)]


def test_well_played_ends_with_0(tmp_path: Path) -> None:
    """When the referee is done the command's input ends, and its end is the bridge's."""
    done = at(plays, tmp_path, sys.executable, "-c", FIRST_ACTION)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_hello_of_a_command_is_filled_in(tmp_path: Path) -> None:
    """The referee hears the token of the environment and the protocol version from a command that says neither."""
    heard = Heard()

    def script(talk: Talk) -> Iterator[pb.PlayResponse]:
        yield from heard.meet(talk)

    done = at(script, tmp_path, sys.executable, "-c", FIRST_ACTION)
    assert done.returncode == 0
    assert [(hello.token, hello.protocol_version) for hello in heard.hellos] == [("token", 1)]


def test_command_resumes_under_the_old_ids(tmp_path: Path) -> None:
    """After a break the command is told its tables anew, without a second welcome, and answers under the old ids."""
    heard = Heard()

    def breaks(talk: Talk) -> Iterator[pb.PlayResponse]:
        yield from heard.meet(talk)
        yield frame(*table_start(5), request(5, 71))
        heard.answers(talk, 1)
        talk.context.abort(grpc.StatusCode.UNAVAILABLE, "going away")

    def resumes(talk: Talk) -> Iterator[pb.PlayResponse]:
        hello, ready = talk.hear()
        assert (hello.hello.token, ready.HasField("ready")) == ("token", True)
        yield frame(pb.RefereeMessage(welcome=pb.Welcome(protocol_version=1)))
        yield frame(*table_start(5), request(5, 71))
        heard.answers(talk, 1)

    with serving(ScriptedReferee(breaks, resumes), tmp_path) as address:
        done = run_bridge(sys.executable, "-c", FIRST_ACTION, address=address)
    assert (done.returncode, heard.answered) == (0, [(71, 0), (71, 0)])
    assert done.stderr == "king bridge: stream broken (UNAVAILABLE: going away), dialling again\n"


@pytest.mark.parametrize("status", [grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.INVALID_ARGUMENT])
def test_refusal_is_told_and_final(tmp_path: Path, status: grpc.StatusCode) -> None:
    """A status after which there is no use in dialling again ends bridge and command, with one line and status 1."""

    def refuses(talk: Talk) -> Iterator[pb.PlayResponse]:
        talk.hear()
        talk.context.abort(status, "not you")
        yield frame()

    done = at(refuses, tmp_path, sys.executable, "-c", FIRST_ACTION)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("king bridge: ")
    assert line.endswith(": not you")


def test_command_that_does_not_end_is_stopped(tmp_path: Path) -> None:
    """A command that goes on when its input has ended is stopped, with a word about it."""
    done = at(plays, tmp_path, sys.executable, "-c", FIRST_ACTION + "\nimport time; time.sleep(600)")
    assert done.returncode == 1
    assert done.stderr == "king bridge: the command did not end when its standard input did; it was stopped\n"


def test_command_that_ends_badly_at_last_is_told(tmp_path: Path) -> None:
    """The status of the command is the bridge's, after a well-played sitting too."""
    done = at(plays, tmp_path, sys.executable, "-c", FIRST_ACTION + "\nsys.exit(5)")
    assert done.returncode == 5
    assert "the command ended with status 5 when its standard input did; status 0 is right" in done.stderr


def test_command_that_reads_nothing_is_given_up_with_its_stream(tmp_path: Path) -> None:
    """A command that stops reading holds the bridge no longer than the referee has patience with it."""

    def gives_up(talk: Talk) -> Iterator[pb.PlayResponse]:
        (_, ready) = talk.hear()
        assert ready.HasField("ready")
        yield frame(*table_start(5) * 20_000)
        talk.context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, "third overrun")

    done = at(gives_up, tmp_path, "sh", "-c", f"{HELLO}sleep 600")
    assert done.returncode == 1
    assert done.stderr.endswith(": third overrun\n")


@pytest.mark.parametrize("believed", [True, False])
def test_referee_is_dialled_with_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, believed: bool) -> None:
    """At tls:// a command plays where the authority in KING_TLS_ROOTS is the referee's; else its token is not said."""
    files = ArenaFiles(tmp_path)
    heard = Heard()

    def script(talk: Talk) -> Iterator[pb.PlayResponse]:
        yield from heard.meet(talk)
        yield pb.PlayResponse(messages=[*table_start(5), request(5, 71)])
        heard.answers(talk, 1)

    monkeypatch.setenv("KING_TLS_ROOTS", str((files.authority if believed else files.stranger).path))
    with serving(ScriptedReferee(script), tmp_path, pair=files.referee) as address:
        done = run_bridge(sys.executable, "-c", FIRST_ACTION, address=address)
    assert [hello.token for hello in heard.hellos] == (["token"] if believed else [])
    assert (done.returncode == 0) is believed
    assert believed or f"the certificate of the referee at {address} is not believed" in done.stderr


def test_token_is_not_printed(tmp_path: Path) -> None:
    """A bad line that has the token in it is shown without it."""

    def script(talk: Talk) -> Iterator[pb.PlayResponse]:
        (hello,) = talk.hear()
        assert hello.hello.token == "sesame"
        talk.hear()
        talk.context.abort(grpc.StatusCode.INVALID_ARGUMENT, "a message is nothing")
        yield frame()

    with serving(ScriptedReferee(script), tmp_path) as address:
        done = run_bridge("sh", "-c", "echo hello $KING_TOKEN; cat >/dev/null", address=address, token="sesame")
    assert "no JSON" in done.stderr
    assert "sesame" not in done.stderr


Complaint = tuple[tuple[str, ...], str, str]
WRONG_USES: list[Complaint] = [
    (("cat",), "", "KING_REFEREE is not set"),
    ((), "unix:/nowhere", "no command is given"),
    (("./nonesuch", "-x"), "unix:/nowhere", "cannot run './nonesuch': No such file or directory"),
]


@pytest.mark.parametrize(("command", "address", "words"), WRONG_USES)
def test_wrong_use_is_told_in_one_line(command: tuple[str, ...], address: str, words: str) -> None:
    """What is missing is named on standard error; the status is 2."""
    done = run_bridge(*command, address=address)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert words in line


def test_bridge_loads_little(tmp_path: Path) -> None:
    """The bridge is started with every bot, so it loads neither the command line's parts nor the platform's."""
    with serving(ScriptedReferee(plays), tmp_path) as address:
        done = run_bridge(sys.executable, "-c", FIRST_ACTION, address=address, python=("-X", "importtime"))
    modules = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    loaded = {module.partition(".")[0] for module in modules - {"workers", "workers.last_words"}}
    assert {"king_cli", "grpc", "king"} <= loaded
    heavy = {"typer", "rich", "numpy", "sqlalchemy", "league", "referee", "workers", "pydantic", "structlog"}
    assert heavy.isdisjoint(loaded)
