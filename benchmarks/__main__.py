"""All the benchmarks that `make bench` runs, one after another: a table, and `build/bench.json`.

Run as `python -m benchmarks`; `python -m benchmarks PART…` runs some, `--quick` small forms of them. Owns what the
parts are and the file; each part can be run by itself, with options of its own, as its module says. A part that fails
says so, is in the file with its error, and keeps no other from running.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from benchmarks.machine import machine
from benchmarks.results_table import markdown, table_text, write_docs
from workers.logs import log_to_stderr

TARGET: Final = Path("build/bench.json")
DOCS: Final = Path("docs/performance.md")

Measure = Callable[[Sequence[str]], dict[str, float]]


@dataclass(frozen=True)
class Part:
    """One benchmark: a module whose `main` takes a command line and returns its figures by name.

    `options` are its command line in `make bench`, `quick` those of `--quick`.
    """

    module: str
    options: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()

    def measure(self, *, quick: bool) -> dict[str, float]:
        """Runs it."""
        main: Measure = import_module(f"benchmarks.{self.module}").main
        return main(self.quick if quick else self.options)


PARTS: Final[Mapping[str, Part]] = MappingProxyType(
    {
        "engine": Part("engine", quick=("russian-14",)),
        "decisions": Part("decisions", quick=("--rounds", "1", "--kits", "")),
        "two_referees": Part("two_referees", quick=("--rounds", "1", "--tables", "32")),
        "table_cost": Part("table_cost", quick=("--sittings", "1,5", "--tables", "100")),
        "league_overhead": Part(
            "league_overhead", options=("--boards", "48"), quick=("--boards", "8", "--rounds", "1")
        ),
        "start_up": Part("start_up", quick=("--rounds", "1")),
        "stored_size": Part("stored_size", options=("--matches", "560"), quick=("--matches", "280")),
        "memory": Part("memory", quick=("--many", "96", "--sittings", "60")),
        "ratings": Part(
            "ratings_scale",
            options=("--matches", "1000", "10000", "100000", "1000000"),
            quick=("--matches", "1000", "10000"),
        ),
        "pages": Part(
            "pages",
            options=("--matches", "1000", "10000", "100000", "--seconds", "2"),
            quick=("--matches", "1000", "--seconds", "0.5"),
        ),
    }
)


def main(arguments: Sequence[str]) -> None:
    """Run the parts named, all by default, and write what they measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="All benchmarks, or some")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; default: all")
    parser.add_argument("--quick", action="store_true", help="small forms, for a look: minutes less, and less exact")
    parser.add_argument("--write-docs", action="store_true", help=f"write the table into {DOCS} too")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.parts if name not in PARTS]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}: there are {', '.join(PARTS)}")
    log_to_stderr("bench", level=logging.WARNING)  # parts play in this process too, and would tell of each match
    found: dict[str, Any] = {"machine": machine(), "quick": options.quick, "failed": {}}
    for name in options.parts or PARTS:
        run_part(name, found, quick=options.quick)
        TARGET.parent.mkdir(exist_ok=True)
        TARGET.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(f"\n{table_text(found)}\n")
    if options.write_docs:
        write_docs(DOCS, markdown(found))
    if found["failed"]:
        raise SystemExit(f"failed: {', '.join(found['failed'])}")


def run_part(name: str, found: dict[str, Any], *, quick: bool) -> None:
    """Runs a part and puts what it measured, or its error, into `found`."""
    sys.stdout.write(f"--- {name}\n")
    sys.stdout.flush()
    began = time.monotonic()
    try:
        found[name] = PARTS[name].measure(quick=quick)
    except (Exception, SystemExit) as error:  # whatever it is, the other parts are worth having
        traceback.print_exc()
        found["failed"][name] = f"{type(error).__name__}: {error}"
    sys.stdout.write(f"--- {name}: {time.monotonic() - began:.0f} s\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
