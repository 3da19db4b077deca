"""Commands that hosts run for as long as they have power, and who starts them again: what systemd is on real hosts.

Knows nothing of what the commands do.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.hosts.network import Host
from workers.shim import descendants

RESTART_AFTER_S = 1.0
"""As `RestartSec=1` of a systemd unit."""


@dataclass
class Service:
    """A command that its host runs; what it says goes into `log`, and `ending` tells it to end."""

    host: Host
    words: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    ending: signal.Signals = signal.SIGTERM
    starts: int = 0
    _process: subprocess.Popen[bytes] | None = None
    _not_before: float = 0.0

    def look(self) -> None:
        """Start it if its host has power and it does not run, a while after it has ended."""
        if self._process is not None and self._process.poll() is None:
            return
        if self._process is not None:
            self._process, self._not_before = None, time.monotonic() + RESTART_AFTER_S
        if self.host.runs and time.monotonic() >= self._not_before:
            self._process = self.host.start(self.words, self.environment, self.log)
            self.starts += 1

    def stop(self) -> None:
        """Tell it and all that it has started to end, as `systemctl stop` does, and do not start it again."""
        self._not_before = float("inf")
        for pid in descendants(self._process.pid) if self._process is not None else ():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, self.ending)

    def wait(self, seconds: float) -> int:
        """Wait for its end after `stop`. Returns its exit status.

        Raises:
            TimeoutExpired: it does not end.
        """
        return 0 if self._process is None else self._process.wait(seconds)


@dataclass
class Services:
    """All services of all hosts."""

    all: list[Service] = field(default_factory=list)

    def add(self, service: Service) -> Service:
        """Have a service run from now on."""
        self.all.append(service)
        return service

    def look(self) -> None:
        """Start again what has ended."""
        for service in self.all:
            service.look()

    def last_said(self) -> str:
        """The last lines of each, for people."""
        told = []
        for service in self.all:
            lines = service.log.read_text(encoding="utf-8", errors="replace").splitlines() if service.starts else []
            told.append("\n".join([f"--- {service.log.stem}, started {service.starts} times", *lines[-12:]]))
        return "\n".join(told)
