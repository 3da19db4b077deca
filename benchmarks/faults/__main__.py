"""A real league under random faults, and whether anything came of them: a table, and exit status 1 on any breach.

Run as `python -m benchmarks.faults --faults 500 --matches 2000 --seed 1 [--folder FOLDER]`; `docs/faults.md` tells what
is done and what is checked. Owns the run from folder to table.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.faults.checks import Finding, check_all, check_nothing_left, outcomes
from benchmarks.faults.clocks import make_clocks
from benchmarks.faults.harness import Harness, StandstillError
from benchmarks.faults.league import VARIANTS, League
from benchmarks.faults.operator import Operator
from benchmarks.faults.players import Players
from benchmarks.faults.processes import with_words_in_environment
from benchmarks.faults.room import make_room
from benchmarks.faults.schedule import KINDS, strikes

_ROOM_MIB = 96


def main(arguments: Sequence[str]) -> int:
    """Run, print, return the exit status."""
    options = _options(arguments)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that nothing is left running
    with tempfile.TemporaryDirectory(prefix="king-faults-", dir=options.folder) as place:
        return _run(Path(place), options)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--faults", type=int, default=500, help="how many to make")
    parser.add_argument("--matches", type=int, default=2000, help="how many are played at least")
    parser.add_argument("--seed", type=int, default=1, help="draws the faults and the players of seasons")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between two faults, on average")
    parser.add_argument("--boards", type=int, default=24, help="boards of each season")
    parser.add_argument("--variant", action="append", help="play this one alone, or these")
    parser.add_argument("--folder", type=Path, default=None, help="where to put the league; it is deleted at the end")
    parser.add_argument("--logs", type=Path, default=None, help="where to put what the platform said")
    return parser.parse_args(arguments)


def _run(folder: Path, options: argparse.Namespace) -> int:
    began = time.monotonic()
    harness = _harness(folder, options)
    findings = []
    try:
        harness.league.add_seasons(options.matches, options.seed)
        harness.operator.start()
        drawn = strikes(
            options.seed, mean_pause_s=options.pause, kinds=[kind for kind in KINDS if harness.can_make(kind)]
        )
        try:
            harness.run(drawn, faults=options.faults, seed=options.seed)
        except StandstillError as error:
            findings.append(Finding(check="the league goes on", looked_at="", wrong=(str(error),)))
        status = harness.operator.end()
        ended = () if status == 0 else (f"`king up` ended with status {status}",)
        findings.append(Finding(check="the platform ends when it is told to", looked_at="", wrong=ended))
        findings.append(check_nothing_left(harness, lambda: with_words_in_environment(str(folder))))
        findings += check_all(harness, options.seed)
    finally:
        harness.operator.abandon()
        _keep_logs(harness, options.logs)
        if sys.exc_info()[0] is not None:
            harness.room.close()
    findings.append(Finding(check="the harness did what it meant to", looked_at="", wrong=tuple(harness.broken)))
    _print(harness, findings, time.monotonic() - began)
    harness.room.close()
    return int(any(finding.wrong for finding in findings))


def _harness(folder: Path, options: argparse.Namespace) -> Harness:
    room = make_room(folder / "room", _ROOM_MIB)
    clocks = make_clocks(folder)
    players = Players(folder / "bots")
    operator = Operator(room.folder, folder / "said.txt", clocks.environment if clocks else {})
    league = League(operator.settings(), players.folders, options.boards, options.variant or VARIANTS)
    return Harness(
        operator=operator,
        league=league,
        players=players,
        room=room,
        clocks=clocks,
        report=_report,
        few=options.matches // 12,
    )


def _report(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")


def _keep_logs(harness: Harness, logs: Path | None) -> None:
    if logs is None:
        return
    logs.mkdir(parents=True, exist_ok=True)
    (logs / "said.txt").write_text("\n".join(harness.operator.said()), encoding="utf-8")
    for file in [*sorted((harness.operator.data_dir / "logs").glob("*")), harness.league.file]:
        (logs / file.name).write_bytes(file.read_bytes())


def _print(harness: Harness, findings: Sequence[Finding], seconds: float) -> None:
    console = Console(width=140, file=sys.stdout)
    made = Counter((each.strike.kind.part.value, each.strike.kind.way.value) for each in harness.made)
    faults = Table("part", "faults", title=f"{len(harness.made)} faults")
    for part in dict.fromkeys(part for part, _ in sorted(made)):
        ways = ", ".join(f"{way} {count}" for (of, way), count in sorted(made.items()) if of == part)
        faults.add_row(part, ways)
    console.print(faults)
    become = Table("bots that were struck", "", title="what became of them")
    for told, count in outcomes(harness).items():
        become.add_row(told, str(count))
    console.print(become)
    checks = Table("check", "looked at", "breaches", title="checks")
    for finding in findings:
        checks.add_row(finding.check, finding.looked_at, str(len(finding.wrong)))
    console.print(checks)
    for finding in findings:
        for wrong in finding.wrong[:20]:
            console.print(f"BREACH: {finding.check}: {wrong}", markup=False, soft_wrap=True)
    for reason, count in list(harness.league.reasons_given_back().items())[:12]:
        console.print(f"given back last: {count} × {reason}", markup=False, soft_wrap=True)
    console.print(
        f"{harness.operator.starts} starts of `king up`, which ended by itself {len(harness.operator.ended_by_itself)} "
        f"times; {harness.missed} faults found nobody; {seconds:.0f} s on {os.cpu_count()} CPUs",
        markup=False,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
