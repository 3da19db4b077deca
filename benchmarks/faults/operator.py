"""Runs `king up` and starts it again when it has ended, as a service manager does on a machine of one's own.

Owns the environment of the platform, and keeps what it says. What dies below it, `king up` starts again by itself.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from benchmarks.faults.processes import Process, family, look_up
from king_cli.settings import Settings, read_settings

LEASE_S = 3
WORKERS = 2
_START_AGAIN_AFTER_S = 0.5
_LOOK_EVERY_S = 0.2
_END_WITHIN_S = 60.0


class Operator:
    """One platform, from its start to its end."""

    def __init__(self, folder: Path, output: Path, environment: Mapping[str, str]) -> None:
        """Its data goes into `folder`, what it says into `output`."""
        scratch = folder / "tmp"
        scratch.mkdir(exist_ok=True)
        self.scratch = scratch
        self.data_dir = folder / "king"
        self._output = output
        ours = {name: value for name, value in os.environ.items() if not name.startswith("KING_")}
        ours.pop("PYTHONDONTWRITEBYTECODE", None)  # a thousand processes are started: none must compile all anew
        self._environment = {
            **ours,
            **environment,
            "KING_DATA_DIR": str(self.data_dir),
            "KING_REFEREE": f"127.0.0.1:{free_port()}",
            "KING_HTTP": f"127.0.0.1:{free_port()}",
            "KING_LEASE_SECONDS": str(LEASE_S),
            "KING_WORKERS": str(WORKERS),
            "TMPDIR": str(scratch),
            "PATH": str(Path(sys.executable).parent),  # no compilers, which workers would ask for their versions
        }
        self.starts = 0
        self.ended_by_itself: list[int] = []
        """The exit statuses with which it ended though nobody had killed it."""
        self.seen: set[Process] = set()
        """All processes that were ever seen."""
        self._process: subprocess.Popen[bytes] | None = None
        self._ending = threading.Event()
        self._watching = threading.Thread(target=self._watch, name="operator")

    def settings(self) -> Settings:
        """The settings of the platform, to open its store with."""
        kept = dict(os.environ)
        os.environ.update({name: value for name, value in self._environment.items() if name.startswith("KING_")})
        try:
            return read_settings()
        finally:
            os.environ.clear()
            os.environ.update(kept)

    @property
    def top(self) -> int:
        """The pid of `king up` at the moment."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, and keep it running."""
        self._spawn()
        self._watching.start()

    def end(self) -> int:
        """End it as Ctrl-C does. Returns its exit status."""
        self._ending.set()
        self._watching.join()
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(_END_WITHIN_S)
        except subprocess.TimeoutExpired:
            self.abandon()
            raise

    def abandon(self) -> None:
        """Kill it; whatever it started goes with it."""
        self._ending.set()
        if self._watching.is_alive():
            self._watching.join()
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def left_running(self) -> list[Process]:
        """Which of all processes that were ever seen run still."""
        return sorted((process for process in self.seen if process.runs), key=lambda process: process.pid)

    def said(self) -> list[str]:
        """The lines that it has written."""
        return self._output.read_text(encoding="utf-8", errors="replace").splitlines()

    def _spawn(self) -> None:
        with self._output.open("a", encoding="utf-8") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "king_cli", "up", "--with-parent"],
                env=self._environment,
                stdout=output,
                stderr=output,
            )
        self.starts += 1

    def _watch(self) -> None:
        while not self._ending.wait(_LOOK_EVERY_S):
            assert self._process is not None
            status = self._process.poll()
            if status is None:
                if look_up(self._process.pid) is not None:
                    self.seen.update(family(self._process.pid))
                continue
            if status >= 0:
                self.ended_by_itself.append(status)
            if not self._ending.wait(_START_AGAIN_AFTER_S):
                self._spawn()


def free_port() -> int:
    """A port of this machine that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
