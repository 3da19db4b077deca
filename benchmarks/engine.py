"""How fast the rules engine is, pure and compiled, beside OpenSpiel's `hearts` in the same run.

Run as `python -m benchmarks.engine [VARIANT…]`, or by `make bench`. The pure and the compiled engine work in a process
each, by turns, and OpenSpiel (the package `open_spiel`) between them; figures are for each second of CPU time of their
process, the median of several rounds, so that the ratios hold on a noisy machine. Where the engine cannot be compiled,
or OpenSpiel is not installed, that is said and left out. What one piece of each work is says `engine_works.py`. Owns
the measurement only.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import compile_engine
from benchmarks.engine_works import PEER, WORKS, has_peer

DEFAULT_VARIANTS = ("russian-14", "turkish-20", "classic", "chooser-12")
ROOT = Path(__file__).resolve().parent.parent
SAYS = {
    "playouts": "random playouts, plays",
    "legal": "legal actions, positions",
    "apply": "actions taken",
    "match": "whole matches, actions",
    "record": "records written",
    "verify": "records read and verified",
}
BESIDE_PEER = ("playouts", "match")
"""Works of which a unit is a play, as the peer's is: what a searching bot does, and what a user does step by step."""


class Worker:
    """A process that measures on one engine."""

    def __init__(self, process: subprocess.Popen[str], engine: str) -> None:
        self._process = process
        said = self._answer()
        if said != engine:
            raise RuntimeError(f"the process that measures has the engine {said!r}, not the {engine!r} one")

    def rate(self, work: str, seed: int, seconds: float) -> float:
        """How many a second of CPU time it does."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"work": work, "seed": seed, "seconds": seconds}) + "\n")
        self._process.stdin.flush()
        return float(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process that measures ended with {self._process.wait()}")
        return line.strip()


@contextmanager
def working(engine: str, variants: Sequence[str], folder: Path | None) -> Iterator[Worker]:
    """A worker, with the engine that is found first in a folder; it ends with its input, and so with this process."""
    paths = [str(path) for path in (folder, ROOT) if path is not None]
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "benchmarks.engine_works", *variants],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
    ) as process:
        yield Worker(process, engine)


def measure(variants: Sequence[str], *, rounds: int, seconds: float) -> dict[str, float]:
    """The median rate of each work on each engine, all taken in turn.

    The compiled engine's names begin with "compiled "; those of the pure one have no mark.
    """
    lack = compile_engine.obstacle()
    if lack is not None:
        sys.stdout.write(f"the compiled engine is not measured: {lack}\n")
    names = [f"{name} {variant}" for variant in variants for name in WORKS]
    rates: dict[str, list[float]] = {}
    with ExitStack() as stack:
        workers = {"": stack.enter_context(working("pure Python", variants, None))}
        if lack is None:
            workers["compiled "] = stack.enter_context(working("compiled", variants, compile_engine.compiled()))
        turns = [(mark + name, worker, name) for name in names for mark, worker in workers.items()]
        if has_peer():
            turns.append((PEER, workers[""], PEER))
        for number in range(rounds):
            for key, worker, name in turns:
                rates.setdefault(key, []).append(worker.rate(name, number, seconds))
    return {key: median(values) for key, values in rates.items()}


def ratios(rates: dict[str, float]) -> dict[str, float]:
    """What is compared: with the peer where a unit is a play, and the compiled engine with the pure one."""
    found = {}
    for name, value in rates.items():
        plain = name.removeprefix("compiled ")
        if PEER in rates and plain.partition(" ")[0] in BESIDE_PEER:
            found[f"{name} / {PEER}"] = value / rates[PEER]
        if plain != name:
            found[f"{name} / pure"] = value / rates[plain]
    return found


def main(arguments: Sequence[str]) -> dict[str, float]:
    """Measure and print a table; returns how many a second, and the ratios."""
    parser = argparse.ArgumentParser(description="How fast the rules engine is, pure and compiled.")
    parser.add_argument("variants", nargs="*", default=DEFAULT_VARIANTS, metavar="VARIANT")
    parser.add_argument("--rounds", type=int, default=5, help="default %(default)s")
    parser.add_argument("--seconds", type=float, default=0.25, help="of CPU time for each work, default %(default)s")
    options = parser.parse_args(arguments)
    rates = measure(options.variants, rounds=options.rounds, seconds=options.seconds)
    compared = ratios(rates)
    for name, value in rates.items():
        sys.stdout.write(f"{_words(name):58} {value:12,.0f} a second{_beside(name, compared)}\n")
    if PEER not in rates:
        sys.stdout.write(f"{PEER} is not measured: install the package open_spiel\n")
    return rates | compared


def _words(name: str) -> str:
    work, _, variant = name.removeprefix("compiled ").partition(" ")
    engine = "compiled" if name.startswith("compiled ") else "pure"
    return f"{SAYS[work]}, {variant}, {engine}" if work in SAYS else f"{name}, plays"


def _beside(name: str, compared: dict[str, float]) -> str:
    by_peer, by_pure = compared.get(f"{name} / {PEER}"), compared.get(f"{name} / pure")
    beside = [
        *([] if by_peer is None else [f"{by_peer:.2f} × {PEER}"]),
        *([] if by_pure is None else [f"{by_pure:.2f} × pure"]),
    ]
    return f"  {', '.join(beside)}" if beside else ""


if __name__ == "__main__":
    main(sys.argv[1:])
