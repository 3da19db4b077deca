"""The last steps: it exits by itself and leaves nothing running, and it writes only where it may."""

from __future__ import annotations

import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from workers.checking.findings import Finding
from workers.checking.frames import shortened
from workers.checking.processes import EXIT_PATIENCE_S, WatchedProcess
from workers.checking.sittings import Run
from workers.shim import LEFT_RUNNING

_SHOWN: Final = 5


def check_exit(runs: Sequence[Run]) -> Finding:
    """Once its stream was closed with OK, each process exited with status 0 by itself; none of its tree is left."""
    processes = [(run, process) for run in runs for process in run.processes]
    left = [pid for _, process in processes for pid in process.tree.survivors()]
    if left:
        return Finding(passed=False, message=f"processes that it started are left: {left}", received=f"pids {left}")
    slowest = 0.0
    for run, process in processes:
        seconds = _seconds_to_end(run, process)
        slowest = max(slowest, seconds)
        if process.was_stopped or process.exit_status != 0:
            words = f"{run.variant}: {_how_it_ended(process)}"
            return Finding(
                passed=False, message=words, seconds=seconds, sent="the stream's end: OK", received=_last_words(process)
            )
    deserted = [words for _, process in processes if (words := _left_running(process))]
    message = f"{len(processes)} processes exited with status 0 within {slowest:.2f} s and {_aftermath(deserted)}"
    return Finding(passed=True, message=message, seconds=slowest, sent="the stream's end: OK", received="exit status 0")


def _aftermath(deserted: Sequence[str]) -> str:
    """What became of what was left: a league ends it too, so it is told and no failure."""
    return f"left running what was then ended: {'; '.join(deserted[:_SHOWN])}" if deserted else "left nothing running"


def _left_running(process: WatchedProcess) -> str:
    """What a process had left running when it ended, as its keeper says."""
    lines = process.stderr().splitlines()
    return next((line.removeprefix(LEFT_RUNNING) for line in lines if line.startswith(LEFT_RUNNING)), "")


def check_writes(runs: Sequence[Run], changed: Sequence[str], *, looked_beside: bool) -> Finding:
    """No file outside of its folder and its scratch folder was seen open for writing, nor changed beside its folder."""
    written = {path: pid for run in runs for process in run.processes for path, pid in process.tree.written.items()}
    seconds = max(run.began_at + run.seconds for run in runs) - runs[0].began_at
    if written or changed:
        held = [f"process {pid} had {path} open for writing" for path, pid in written.items()]
        beside = [f"{path} has changed while it played" for path in changed]
        message = "it may write in its folder, HOME and TMPDIR only: " + "; ".join([*held, *beside][:_SHOWN])
        received = shortened(", ".join([*written, *changed]))
        return Finding(passed=False, message=message, seconds=seconds, received=received)
    beside_words = ", none has changed beside its folder" if looked_beside else ""
    message = f"no file outside was seen open for writing{beside_words}"
    return Finding(passed=True, message=message, seconds=seconds)


class Surroundings:
    """The files beside a bot's folder, before and after.

    Hidden files are left out, since other programs write them all the time, and so are folders that everybody uses.
    """

    def __init__(self, folder: Path) -> None:
        """Remember what is beside `folder`."""
        self._place = folder.parent
        self.is_looked_at = not _is_shared(self._place)
        self._before = self._files()

    def changed(self) -> list[str]:
        """The files that are new, or not as they were."""
        after = self._files()
        return sorted(str(self._place / name) for name in after if after[name] != self._before.get(name))

    def _files(self) -> Mapping[str, tuple[int, int]]:
        if not self.is_looked_at:
            return {}
        found = {}
        for path in self._place.iterdir():
            if not path.name.startswith(".") and path.is_file():
                status = path.stat()
                found[path.name] = status.st_mtime_ns, status.st_size
        return found


def _is_shared(folder: Path) -> bool:
    return bool(folder.stat().st_mode & stat.S_ISVTX)


def _seconds_to_end(run: Run, process: WatchedProcess) -> float:
    closed = [stream.closed_at for stream in run.traffic.streams if stream.status == "OK" and stream.closed_at]
    if not closed or process.ended_at is None:
        return 0.0
    return max(0.0, process.ended_at - closed[-1])


def _how_it_ended(process: WatchedProcess) -> str:
    if process.was_stopped:
        return f"it did not exit within {EXIT_PATIENCE_S:g} s after its stream was closed with OK, and was stopped"
    return f"it exited with status {process.exit_status} after its stream was closed with OK; 0 would be right"


def _last_words(process: WatchedProcess) -> str:
    if process.was_stopped:
        return "the process did not end"
    return f"exit status {process.exit_status}; standard error ends: {shortened(process.stderr()[-300:])}"
