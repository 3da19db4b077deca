"""`king doctor` says what this machine can do for submitted bots, and what to do about the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from king_cli.main import run
from tests.protocol.certificates import ArenaFiles
from tests.sandbox.conftest import sandbox as sandbox  # noqa: PLC0414 (a fixture)
from workers import doctor
from workers.control_groups import ControlGroups
from workers.doctor import State, examine
from workers.sandbox import Sandbox


def report(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    status = run(["doctor", "--json"])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_a_machine_with_sandboxes(sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
    """Where a sandbox can be made, nothing that is needed is missing, and every language is listed with its version."""
    status, told = report(capsys)
    assert (status, told["ok"]) == (0, True)
    checks = {check["name"]: check for check in told["checks"]}
    assert checks["sandbox"]["state"] == "ok"
    assert checks["rules engine"]["detail"] in {"pure Python", "compiled"}
    assert checks["Python"]["detail"].startswith("Python 3.")
    assert {"memory limit", "process limit", "CPU shares", "users", "Go", "Rust", "Java", "Node.js", "C++"} <= set(
        checks
    )
    assert (checks["memory limit"]["state"] == "ok") == sandbox.groups.limits_memory
    assert (checks["users"]["state"] == "ok") == sandbox.own_users


@pytest.mark.slow
def test_a_machine_without_bubblewrap(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without bubblewrap the answer is no, with the package to install; the other checks are made all the same."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "missing  bubblewrap: not installed – install the package bubblewrap" in lines
    assert lines[-1] == "submitted bots cannot be played here; bots of your own can"
    assert any(line.startswith("ok       memory") or line.startswith("warning  memory") for line in lines)


@pytest.mark.slow
def test_what_cannot_be_limited_is_said(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no control group can be made, each limit that is weaker for it is a warning with what to do."""
    bare = Sandbox(
        program=sandbox.program,
        groups=ControlGroups(obstacle="no group can be made in /sys"),
        bot_filter=sandbox.bot_filter,
        build_filter=sandbox.build_filter,
        own_users=sandbox.own_users,
        user_namespaces=sandbox.user_namespaces,
    )
    monkeypatch.setattr(doctor, "detect_sandbox", lambda hidden: bare)
    monkeypatch.setattr(doctor, "find_toolchains", lambda: ())
    monkeypatch.setattr("workers.doctor.resource.getrlimit", lambda kind: (256, 512))
    found = {finding.name: finding for finding in examine(("127.0.0.1:7700",), tmp_path)}
    for name in ("memory limit", "process limit", "CPU shares"):
        assert found[name].state is State.WARNING
        assert "no group can be made in /sys; let this user make groups" in found[name].advice
    assert found["open files"].state is State.WARNING
    assert found["open files"].detail.startswith("up to 512")
    assert found["way to the referee"].detail.startswith("sandboxes get relays to 127.0.0.1:7700")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("referee", "way", "encryption"),
    [
        ("unix:/r.sock", State.OK, State.OK),
        ("0.0.0.0:7700", State.OK, State.WARNING),
        ("tls://0.0.0.0:7700,mtls://0.0.0.0:7701", State.OK, State.OK),
        ("mtls://arena.example:7701", State.MISSING, State.OK),
    ],
)
def test_how_the_referee_is_reached(
    referee: str, way: State, encryption: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether bots have a way to the referee, and whether others can read along, follows from its addresses."""
    monkeypatch.setattr(doctor, "find_toolchains", lambda: ())
    found = {finding.name: finding.state for finding in examine((referee,), tmp_path)}
    assert (found["way to the referee"], found["encryption"]) == (way, encryption)


@pytest.mark.slow
def test_each_of_several_referees_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said of the way is of those that workers dial, one after the other."""
    monkeypatch.setattr(doctor, "find_toolchains", lambda: ())
    found = examine(("10.0.0.7:7700", "unix:/r.sock"), tmp_path, listening=("0.0.0.0:7700",))
    told = [finding.detail for finding in found if finding.name in {"way to the referee", "encryption"}]
    assert told == [
        "sandboxes get relays to 10.0.0.7:7700; `king up` adds a socket by itself, which is faster",
        "sandboxes get its socket, /r.sock",
        "none at 0.0.0.0:7700, 10.0.0.7:7700",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("http", "state"), [("", State.OK), ("127.0.0.1:8000", State.OK), ("0.0.0.0:80", State.WARNING)]
)
def test_pages_that_others_can_read_along(
    http: str, state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dashboard that others than this machine reach by plain HTTP is a warning too."""
    monkeypatch.setattr(doctor, "find_toolchains", lambda: ())
    found = {
        finding.name: finding.state
        for finding in examine(("unix:/r.sock",), tmp_path, listening=(http,) if http else ())
    }
    assert found["encryption"] is state


@pytest.mark.slow
@pytest.mark.parametrize(("key", "state"), [("referee.key", "ok"), ("worker.key", "missing")])
def test_certificates_are_looked_at(
    key: str, state: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A certificate that is set and will not do is told before a part does not start for it."""
    files = ArenaFiles(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("KING_TLS_CERT", str(files.referee.certificate))
    monkeypatch.setenv("KING_TLS_KEY", str(tmp_path / key))
    _, told = report(capsys)
    (found,) = (check for check in told["checks"] if check["name"] == "certificates")
    assert found["state"] == state
    assert state == "ok" or "key values mismatch" in found["detail"]
