"""Values, files and addresses that cannot be right are told in one line, with exit status 2 and no traceback."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from king_cli.main import run
from king_cli.record_files import SIZE_LIMIT_MIB
from tests.protocol.certificates import ArenaFiles

pytestmark = pytest.mark.slow

FOUR = ("lowest", "lowest", "lowest", "lowest")
TOO_MANY = "999999999999999999999"
SEASON = ("season", "create", "s", "--variant", "russian-14", "--bots", "lowest,highest,random,greedy")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in an empty folder, where `.king` is the test's own."""
    monkeypatch.chdir(tmp_path)


def error_of(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(list(arguments)) == 2
    error = capsys.readouterr().err
    assert len(error.strip().splitlines()) == 1, error
    return error


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("match", *FOUR, "--seed", "18446744073709551616"), ["--seed", "18446744073709551615"]),
        (("match", *FOUR, "--boards", TOO_MANY), ["--boards", "1000000"]),
        (("league", "--boards", TOO_MANY), ["--boards", "1000000"]),
        ((*SEASON, "--boards", TOO_MANY), ["--boards", "1000000"]),
        (("sweep", "--every", "inf"), ["--every", "86400"]),
        (("random", "russian-14", "--out", "/dev/full"), ["/dev/full: No space left on device"]),
    ],
    ids=" ".join,
)
def test_value_out_of_range(arguments: tuple[str, ...], parts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A number that is too large is refused with the highest one, and a full disk with the file."""
    error = error_of(arguments, capsys)
    for part in parts:
        assert part in error


@pytest.mark.parametrize("command", ["verify", "legal", "view"])
@pytest.mark.parametrize("kind", ["pipe", "folder", "device", "large"])
def test_file_that_can_be_no_record(
    command: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pipes, folders, devices and huge files are refused without being read."""
    path = Path("/dev/zero") if kind == "device" else tmp_path / kind
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "large":
        path.touch()
        os.truncate(path, (SIZE_LIMIT_MIB << 20) + 1)
    error = error_of((command, str(path)), capsys)
    assert str(path) in error
    assert (f"at most {SIZE_LIMIT_MIB} MiB" if kind == "large" else "no regular file") in error


def test_verify_tells_wrong_records_from_unreadable_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is no record is a wrong record, status 1; one that cannot be read is wrong use, status 2."""
    (tmp_path / "wrong.json").write_text("no JSON")
    assert run(["verify", "wrong.json"]) == 1
    assert "wrong.json: not a record" in capsys.readouterr().err
    assert "missing.json" in error_of(("verify", "wrong.json", "missing.json"), capsys)


@pytest.mark.parametrize(
    ("variable", "value", "part"),
    [
        ("KING_DATABASE_URL", "foo://x/y", "postgresql+psycopg://"),
        ("KING_DATABASE_URL", "nonsense", "is no database URL"),
        ("KING_DATABASE_URL", "mysql://host/name", "sqlite:////absolute/path"),
        ("KING_DATABASE_URL", "postgresql+nodriver://host/name", "needs the package psycopg"),
        ("KING_DATABASE_URL", "postgresql://me:s3cret@host:port/name", "is no database URL"),
        ("KING_REDIS_URL", "redis://127.0.0.1:abc", "a port from 1 to 65535"),
        ("KING_REDIS_URL", "redis://127.0.0.1:65536", "a port from 1 to 65535"),
        ("KING_REDIS_URL", "redis://", "must have a host"),
        ("KING_REDIS_URL", "redis://127.0.0.1/first", "the number of a database"),
        ("KING_REDIS_URL", "unix://", "must name a socket"),
        ("KING_REFEREE", "unix:", "must name a socket"),
        ("KING_REFEREE", "unix:/" + "x" * 107, "the system allows 107"),
        ("KING_REFEREE", "127.0.0.1:0", "must be host:port"),
        ("KING_REFEREE", "127.0.0.1:7700,", "must be host:port"),
        ("KING_REFEREE", "127.0.0.1:7700,unix:", "must name a socket"),
        ("KING_REFEREE", "tls://arena.example", "must be host:port"),
        ("KING_REFEREE", "https://arena.example:7700", "must be host:port, such as 127.0.0.1:7700, or tls://host:port"),
        ("KING_REFEREES", "127.0.0.1:7700;unix:", "must name a socket"),
        ("KING_REFEREES", "127.0.0.1:7700;127.0.0.1", "must be host:port"),
        ("KING_REFEREES", ";", "must name a referee, such as 127.0.0.1:7700, not ';'"),
        ("KING_REFEREES", "127.0.0.1:7700,127.0.0.1:7701", "must have semicolons between referees, as in one."),
        ("KING_PUBLIC_REFEREE", "mtls://:7700", "must be host:port"),
        ("KING_LOG", "xml", "must be 'text' or 'json', not 'xml'"),
        ("KING_DRAIN_SECONDS", "-3", "must be at least 0, not '-3'"),
        ("KING_DRAIN_SECONDS", "soon", "must be a number, not 'soon'"),
        ("KING_LEASE_SECONDS", "601", "must be at most 600, not '601'"),
        ("KING_WORKERS", "2.5", "must be a whole number, not '2.5'"),
        ("KING_METRICS", "9464", "must be host:port, such as 127.0.0.1:8000, not '9464'"),
    ],
)
def test_wrong_value_of_a_setting(
    variable: str, value: str, part: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A value that cannot be right is refused with its variable and what would be right, without any password."""
    monkeypatch.setenv(variable, value)
    error = error_of((*SEASON, "--boards", "1"), capsys)
    assert variable in error
    assert part in error
    assert "s3cret" not in error


LISTENING = "tls://127.0.0.1:7700,mtls://127.0.0.1:7701"
DIALLING = "mtls://arena.example:7701,tls://arena.example:7700"
OWN = {"KING_TLS_CERT": "referee.crt", "KING_TLS_KEY": "referee.key", "KING_TLS_CLIENT_CA": "arena.pem"}
WORKERS = {"KING_WORKER_CERT": "worker.crt", "KING_WORKER_KEY": "worker.key"}
SITE = {"KING_HTTP_CERT": "referee.crt", "KING_HTTP_KEY": "referee.key"}


@pytest.mark.parametrize(
    ("command", "values", "parts"),
    [
        ("referee", {}, ["set KING_TLS_CERT and KING_TLS_KEY, its certificate"]),
        ("referee", OWN | {"KING_TLS_KEY": ""}, ["KING_TLS_CERT and KING_TLS_KEY belong together: set both"]),
        ("referee", OWN | {"KING_TLS_CLIENT_CA": ""}, ["set KING_TLS_CLIENT_CA, the authorities that sign them"]),
        ("referee", OWN | {"KING_TLS_KEY": "worker.key"}, ["KING_TLS_KEY", "key values mismatch"]),
        ("referee", OWN | {"KING_TLS_CERT": "old.crt", "KING_TLS_KEY": "old.key"}, ["certificate has expired; renew"]),
        ("referee", OWN | {"KING_TLS_CLIENT_CA": "worker.key"}, ["KING_TLS_CLIENT_CA", "no PEM certificates of auth"]),
        ("up", {}, ["set KING_TLS_CERT and KING_TLS_KEY, its certificate"]),
        (
            "up",
            OWN | {"KING_HTTP_CERT": "no.crt", "KING_HTTP_KEY": "no.key"},
            ["KING_HTTP_CERT", "no.key cannot be read"],
        ),
        ("worker", {"KING_REFEREE": DIALLING}, ["a worker shows a certificate: set KING_WORKER_CERT"]),
        ("worker", {"KING_REFEREE": "tls://arena.example:7700"}, ["no orders are taken at tls://arena.example:7700"]),
        ("worker", {"KING_REFEREES": f"127.0.0.1:7700;{DIALLING}"}, ["a worker shows a certificate"]),
        ("worker", WORKERS | {"KING_REFEREE": DIALLING, "KING_WORKER_KEY": "old.key"}, ["KING_WORKER_KEY", "mismatch"]),
        (
            "worker",
            WORKERS | {"KING_REFEREE": DIALLING, "KING_TLS_ROOTS": "no.pem"},
            ["KING_TLS_ROOTS", "no.pem cannot"],
        ),
        ("sweep", {"KING_REFEREE": DIALLING}, ["a worker shows a certificate: set KING_WORKER_CERT"]),
        ("dashboard", SITE | {"KING_HTTP_KEY": ""}, ["KING_HTTP_CERT and KING_HTTP_KEY belong together"]),
        ("dashboard", {"KING_HTTP_CERT": "old.crt", "KING_HTTP_KEY": "old.key"}, ["KING_HTTP_CERT", "has expired"]),
        ("dashboard", SITE | {"KING_HTTP_KEY": "worker.key"}, ["KING_HTTP_KEY", "key values mismatch"]),
    ],
)
def test_certificates_that_will_not_do(
    command: str,
    values: dict[str, str],
    parts: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A part that has not the certificates that its addresses need does not start, and names the settings."""
    ArenaFiles(tmp_path).authority.sign("old", "127.0.0.1", expired=True)
    for name, value in ({"KING_REFEREE": LISTENING} | values).items():
        monkeypatch.setenv(name, value)
    error = error_of((command,), capsys)
    for part in parts:
        assert part in error


@pytest.mark.slow
def test_one_address_for_two(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The dashboard and the referee cannot have one address, not even when one of them is a default."""
    monkeypatch.setenv("KING_HTTP", "127.0.0.1:7700")
    assert "KING_HTTP and KING_REFEREE are both 127.0.0.1:7700" in error_of(("up",), capsys)
    monkeypatch.setenv("KING_REFEREE", "127.0.0.1:7700")
    assert "KING_HTTP and KING_REFEREE are both 127.0.0.1:7700" in error_of(("sweep",), capsys)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["worker", "sweep", "up"])
def test_no_redis(command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """When nobody answers at KING_REDIS_URL, that is said before anything is started."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # but nobody listens
        monkeypatch.setenv("KING_REDIS_URL", f"redis://127.0.0.1:{taken.getsockname()[1]}")
        error = error_of((command,), capsys)
    assert "KING_REDIS_URL: no Redis or Valkey can be used there" in error
    assert "Connection refused" in error


@pytest.mark.slow
def test_error_in_the_middle_of_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the system refuses while a match is played is one line that names the file."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "logs").touch()
    bot = "cmd:sh -c 'echo last words >&2'"
    assert "out/logs: File exists" in error_of(("match", *FOUR[1:], bot, "--out", "out"), capsys)
