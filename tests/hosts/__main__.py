"""`python -m tests.hosts --strikes 40 --seed 1`: a league on many hosts, whose wires are cut and power is taken.

The hosts are network namespaces of this machine. All is made in a network and among processes of this command's own,
and is gone with it, however it ends. The exit status is 1 if anything came of the faults.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from tests.hosts.network import inside_command, why_impossible
from tests.hosts.run import Run
from tests.hosts.schedule import ALL, Way, strikes
from workers import shim


def main(arguments: Sequence[str]) -> int:
    """Run, tell, return the exit status."""
    options = _options(arguments)
    return _enter(arguments) if options.inside is None else _play(options)


def _enter(arguments: Sequence[str]) -> int:
    """Run the same command in a network of its own, which goes with this process. Returns its exit status."""
    why_not = why_impossible()
    if why_not:
        print(why_not, file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # `unshare` would not hear of it
    tied = [sys.executable, "-I", "-S", shim.__file__, "exec", str(os.getpid()), *inside_command()]
    with tempfile.TemporaryDirectory(prefix="king-hosts-") as place:
        Path(place).chmod(0o711)  # the database has a user of its own
        words = [*tied, sys.executable, "-m", "tests.hosts", *arguments, "--inside", place]
        return subprocess.run(words, check=False).returncode


def _play(options: argparse.Namespace) -> int:
    run = Run(options.inside, options.boards, report=_report)
    ways, hosts = options.way or tuple(Way), options.host or ALL
    drawn = strikes(options.seed, mean_pause_s=options.pause, ways=ways, hosts=hosts)
    try:
        wrong = run.play(islice(drawn, options.strikes))
    finally:
        _keep_logs(run.arena.said, options.logs)
    if wrong:
        print(run.arena.services.last_said(), file=sys.stderr)
    for sentence in (*(f"BREACH: {each}" for each in wrong), *run.told):
        print(sentence)
    return int(bool(wrong))


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.hosts", description=__doc__)
    parser.add_argument("--strikes", type=int, default=40, help="how many faults to make")
    parser.add_argument("--seed", type=int, default=1, help="draws the faults")
    parser.add_argument("--pause", type=float, default=5.0, help="seconds between two faults, on average")
    parser.add_argument("--boards", type=int, default=16, help="boards of each of two seasons")
    parser.add_argument("--way", type=Way, action="append", help="make only faults of this kind, or these")
    parser.add_argument("--host", choices=ALL, action="append", help="strike only this host, or these")
    parser.add_argument("--logs", type=Path, default=None, help="where to put what the parts said")
    parser.add_argument("--inside", type=Path, default=None, metavar="FOLDER", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _report(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")


def _keep_logs(said: Path, logs: Path | None) -> None:
    if logs is None:
        return
    logs.mkdir(parents=True, exist_ok=True)
    for file in said.iterdir():
        (logs / file.name).write_bytes(file.read_bytes())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
