"""`python -m tests.fuzz SURFACE --minutes 10 --seed 1`: tries inputs at one surface, and tells what it does not stand.

An input that is a find is kept in `build/fuzz/SURFACE`; `--input FILE` tries one again.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.engine import Find, Report, count_reached, fuzz, time_passed
from tests.fuzz.quiet import drop_logs
from tests.fuzz.surfaces import SURFACES

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Run one surface; the exit status is 1 if something was found."""
    asked = _asked()
    drop_logs()
    finds = ROOT / "build" / "fuzz" / asked.surface
    finds.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, SURFACES[asked.surface](Path(folder)) as surface:
        if asked.input is not None:
            print(surface.attempt(asked.input.read_bytes()))
            return 0
        until = time_passed(asked.minutes) if asked.count is None else count_reached(asked.count)
        began = time.monotonic()
        report = fuzz(surface, seed=f"{asked.surface} {asked.seed}", until=until, told=lambda find: _keep(find, finds))
    _tell(report, asked.surface, time.monotonic() - began)
    return 1 if report.finds else 0


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("surface", choices=list(SURFACES))
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (10)")
    parser.add_argument("--count", type=int, default=None, help="how many inputs, instead of a time")
    parser.add_argument("--seed", type=int, default=1, help="what decides all inputs (1)")
    parser.add_argument("--input", type=Path, default=None, metavar="FILE", help="try this one alone")
    return parser.parse_args()


def _keep(find: Find, folder: Path) -> None:
    path = folder / hashlib.sha256(find.signature.encode()).hexdigest()[:12]
    path.write_bytes(find.given)
    told = "\n".join(line[:300] for line in find.told.splitlines()[-40:])
    print(f"find: {find.signature}\n{told}\nkept in {path.relative_to(ROOT)}", file=sys.stderr, flush=True)


def _tell(report: Report, surface: str, seconds: float) -> None:
    print(
        f"{surface}: {report.executions} inputs in {seconds:.0f} s, {len(report.answers)} different answers, "
        f"{len(report.finds)} finds, at most {report.peak_mib} MiB"
    )


if __name__ == "__main__":
    sys.exit(main())
