"""Tries inputs at one surface: seeds first, then changes of them; what behaves in a new way is changed further.

Owns the loop, its limits of time and memory for one input, and what a find is. Knows no surface.
"""

from __future__ import annotations

import re
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final, Protocol

HANG_S: Final = 60
"""An input that takes longer hangs; the machine may be busy, so it is far more than any input takes."""

MEMORY_MIB: Final = 600
"""An input that has the process grow by so much at once is a find."""

CORPUS_AT_MOST: Final = 4000
CORPUS_BYTES: Final = 64 << 20
_ROOT: Final = Path(__file__).parents[2]
_CHANGEABLE: Final = re.compile(r"0x[0-9a-f]+|\d+|'[^']*'|\"[^\"]*\"")


class HangError(BaseException):
    """An input has not come to an end; no handler of errors is to take it for one."""


class WrongAnswerError(AssertionError):
    """A surface answered an input as it must not: the text says how."""


def check_sentence(sentence: str, *, most: int) -> str:
    """A sentence that people are told, as it is; WrongAnswerError if it has controls, or more letters than `most`."""
    if not sentence.isprintable():
        raise WrongAnswerError(f"a sentence has what cannot be seen: {sentence[:300]!a}")
    if len(sentence) > most:
        raise WrongAnswerError(f"a sentence of {len(sentence)} letters")
    return sentence


class Surface(Protocol):
    """Something that takes strangers' input."""

    def seeds(self) -> Sequence[bytes]:
        """Inputs to begin with: good ones, and those that were trouble earlier."""

    def change(self, source: bytes, chance: Random) -> bytes:
        """An input made of another."""

    def attempt(self, given: bytes) -> str:
        """Hand over an input, and check what follows; whatever is raised is a find. Returns how it was answered."""


Opener = Callable[[Path], AbstractContextManager[Surface]]
"""Opens a surface, with a folder of its own."""


@dataclass(frozen=True)
class Find:
    """An input that a surface does not stand, and what came of it."""

    given: bytes
    signature: str
    told: str


@dataclass
class Report:
    """What a run came to: finds are told apart by where they were raised."""

    executions: int = 0
    answers: dict[str, int] = field(default_factory=dict)
    finds: dict[str, Find] = field(default_factory=dict)
    peak_mib: int = 0


def fuzz(surface: Surface, *, seed: str, until: Callable[[Report], bool], told: Callable[[Find], None]) -> Report:
    """Try inputs until it is enough; `told` hears of each new find at once."""
    report, chance = Report(), Random(seed)
    corpus = list(surface.seeds())
    left_bytes = CORPUS_BYTES
    for given in tuple(corpus):
        _try(surface, given, report, told)
    while not until(report):
        source = corpus[chance.randrange(len(corpus))]
        if chance.random() < 0.3:
            source = corpus[-1 - chance.randrange(min(len(corpus), 50))]
        given = surface.change(source, chance)
        is_new = _try(surface, given, report, told)
        if is_new and len(corpus) < CORPUS_AT_MOST and len(given) <= left_bytes:
            corpus.append(given)
            left_bytes -= len(given)
    return report


def count_reached(most: int) -> Callable[[Report], bool]:
    """Enough after so many inputs."""
    return lambda report: report.executions >= most


def time_passed(minutes: float) -> Callable[[Report], bool]:
    """Enough after so long."""
    end = time.monotonic() + minutes * 60
    return lambda report: time.monotonic() >= end


def _try(surface: Surface, given: bytes, report: Report, told: Callable[[Find], None]) -> bool:
    """Try one input; return whether it was answered in a way that no other was."""
    report.executions += 1
    before = _peak_mib()
    try:
        with _ending():
            answer = surface.attempt(given)
        report.peak_mib = _peak_mib()
        if report.peak_mib - before > MEMORY_MIB:
            raise WrongAnswerError(f"the process grew from {before} to {report.peak_mib} MiB")
    except (Exception, HangError) as error:
        find = Find(given, _signature(error), "".join(traceback.format_exception(error)))
        if find.signature not in report.finds:
            report.finds[find.signature] = find
            told(find)
        return False
    kind = _CHANGEABLE.sub("…", answer)[:300]
    report.answers[kind] = report.answers.get(kind, 0) + 1
    return report.answers[kind] == 1


@contextmanager
def _ending() -> Iterator[None]:
    def on_alarm(_number: int, _frame: object) -> None:
        raise HangError(f"not at an end after {HANG_S} s")

    before = signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, HANG_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _peak_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _signature(error: BaseException) -> str:
    """The kind of error, its words without what changes, and the innermost place of it in this repository."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(f"{_ROOT}/") and "/.venv/" not in frame.filename]
    place = ours[-1] if ours else None
    where = f"{Path(place.filename).relative_to(_ROOT)}:{place.name}" if place else "?"
    words = _CHANGEABLE.sub("…", str(error))[:120] if isinstance(error, WrongAnswerError) else ""
    return f"{type(error).__name__} at {where} {words}".strip()
