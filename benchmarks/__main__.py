"""All the benchmarks that `make bench` runs, one after another: a table, and `build/bench.json`.

Run as `python -m benchmarks`; `python -m benchmarks PART…` runs some. Owns what the parts are and the file; each part
can be run by itself, with options of its own, as its module says.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

TARGET = Path("build/bench.json")


def _engine() -> dict[str, float]:
    from benchmarks.engine import main as engine

    return engine(())


def _decisions() -> dict[str, float]:
    from benchmarks.decisions import main as decisions

    return decisions(())


def _two_referees() -> dict[str, float]:
    from benchmarks.two_referees import main as two_referees

    return two_referees(())


def _table_cost() -> dict[str, float]:
    from benchmarks.table_cost import main as table_cost

    return table_cost(())


def _pages() -> dict[str, float]:
    from benchmarks.pages import main as pages

    return pages(())


PARTS: Mapping[str, Callable[[], dict[str, float]]] = MappingProxyType(
    {
        "engine": _engine,
        "decisions": _decisions,
        "table_cost": _table_cost,
        "two_referees": _two_referees,
        "pages": _pages,
    }
)


def machine() -> dict[str, Any]:
    """What the figures were taken on."""
    return {"cpus": os.cpu_count(), "machine": platform.machine(), "python": platform.python_version()}


def main(arguments: Sequence[str]) -> None:
    """Run the parts named, all by default, and write what they measured."""
    unknown = [name for name in arguments if name not in PARTS]
    if unknown:
        raise SystemExit(f"no benchmark {unknown[0]!r}: there are {', '.join(PARTS)}")
    measured = {name: PARTS[name]() for name in arguments or PARTS}
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps({"machine": machine(), **measured}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
