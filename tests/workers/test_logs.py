"""Whatever a part logs is one line of one form, with the sitting that it is about."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from workers import logs
from workers.logs import LogStyle, log_to_stderr


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Logs go on as they did before the test."""
    root = logging.getLogger()
    handlers, level, configured = root.handlers[:], root.level, structlog.get_config()
    levels = {name: logging.getLogger(name).level for name in ("alembic", "asyncio", "rq.worker")}
    logging.getLogger("rq.worker").setLevel(logging.NOTSET)  # a worker of another test may have said otherwise
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)
    structlog.configure(**configured)
    structlog.contextvars.clear_contextvars()


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """What was written to standard error, each line an object."""
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_all_that_is_told_is_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Structlog and the standard library come out alike, with part, level, logger and time, exceptions inside."""
    log_to_stderr("worker", LogStyle.JSON)
    with structlog.contextvars.bound_contextvars(sitting="7", attempt=2):
        structlog.get_logger("king").info("fault", kind="exit", match_ids=("ab", "cd"))
        logging.getLogger("rq.worker").info("job %s\nis done – готово", "x")
    try:
        raise ValueError("no such card")
    except ValueError:
        structlog.get_logger("king").exception("failed")
    told = lines(capsys)
    assert [line.pop("at")[-1] for line in told] == ["Z", "Z", "Z"]
    traceback = told[2].pop("exception")
    assert traceback.endswith("ValueError: no such card")
    about = {"sitting": "7", "attempt": 2}
    assert told == [
        {"level": "info", "part": "worker", "logger": "king", "event": "fault", **about, "kind": "exit",
         "match_ids": ["ab", "cd"]},
        {"level": "info", "part": "worker", "logger": "rq.worker", "event": "job x\nis done – готово", **about},
        {"level": "error", "part": "worker", "logger": "king", "event": "failed"},
    ]  # fmt: skip


@pytest.mark.parametrize("style", LogStyle)
def test_what_a_bot_says_makes_no_line_and_steers_no_terminal(
    style: LogStyle, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names, reasons and what builders print are others' words: in whatever form, a line stays one line of text."""
    log_to_stderr("referee", style)
    said = "owl\r\n2026-12-01T00:00:00Z [error] no!\x1b[2J\x9b31m\u2028\u202e\x7f"
    structlog.get_logger("referee").info("a remote bot dials", name=said, version="\x1b[31m1")
    logging.getLogger("workers.building").info("given back: %s", said)
    told = capsys.readouterr().err
    assert told.count("\n") == 2
    assert told.replace("\n", "").isprintable()
    assert "owl" in told and "no!" in told


def test_text_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    """By default a line has time, level and words, then the fields; of an exception no variables are shown."""
    log_to_stderr("referee")
    key = "of-this-frame"
    try:
        raise ValueError("no such card")
    except ValueError:
        structlog.get_logger("king").exception("failed", sitting="7")
    told = capsys.readouterr().err
    assert "[error    ] failed" in told and "sitting=7" in told and "ValueError: no such card" in told
    assert key not in told


def test_levels_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """What is below the level is not told, and of talkative libraries only warnings are."""
    log_to_stderr("referee", LogStyle.JSON)
    structlog.get_logger("king").debug("table over")
    logging.getLogger("alembic.runtime.migration").info("Will assume transactional DDL.")
    logging.getLogger("king").debug("more")
    assert lines(capsys) == []


@pytest.mark.slow
def test_rq_adds_no_lines_of_its_own_form() -> None:
    """RQ, which sets up its own logs where nobody has, finds ours, and its lines are objects too."""
    code = (
        "import logging; from rq.logutils import setup_loghandlers; from workers.logs import *; "
        "log_to_stderr('worker', LogStyle.JSON); setup_loghandlers('INFO'); "
        "logging.getLogger('rq.worker').info('Worker %s: started', 'w')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stderr)["event"] == "Worker w: started"
    assert not done.stdout


def test_a_line_that_makes_no_sense_fails_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever logs with words that do not fit is not failed for it; that is told instead, and the next line comes."""
    log_to_stderr("worker", LogStyle.JSON)
    (handler,) = logs._ours()  # pytest's own handlers fail on purpose
    handler.handle(logging.LogRecord("rq.worker", logging.WARNING, "", 1, "%d jobs", ("many",), None))
    structlog.get_logger("king").info("goes on")
    told = capsys.readouterr().err
    assert "--- Logging error ---" in told
    assert json.loads(told.splitlines()[-1])["event"] == "goes on"
