"""Every surface that takes strangers' input, tried with a fixed number of inputs; `python -m tests.fuzz` tries more."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.fuzz.engine import Find, count_reached, fuzz
from tests.fuzz.quiet import drop_logs
from tests.fuzz.surfaces import SURFACES

pytestmark = pytest.mark.slow

INPUTS: Mapping[str, int] = {
    "frames": 40,
    "streams": 14,
    "control": 60,
    "records": 60,
    "uploads": 130,
    "manifests": 300,
    "results": 150,
    "web": 260,
    "lines": 300,
    "words": 1200,
}
"""How many inputs each is given, its seeds included: what takes a second or two."""

KINDS_AT_LEAST = 4
"""How many kinds of answers show that inputs differ; what a busy machine is late for, it answers alike."""


@pytest.fixture(autouse=True)
def _without_logs() -> Iterator[None]:
    drop_logs()
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("name", list(SURFACES))
def test_strangers_input_is_answered_and_never_breaks_us(name: str, tmp_path: Path) -> None:
    """Good, changed and made-up inputs are each answered as the surface's module says: nothing else is raised."""
    told: list[Find] = []
    with SURFACES[name](tmp_path) as surface:
        report = fuzz(surface, seed=f"{name} 1", until=count_reached(INPUTS[name]), told=told.append)
    assert not told, f"{told[0].signature}\n{told[0].told}\n{told[0].given[:2000]!r}"
    assert report.executions >= INPUTS[name]
    assert len(report.answers) >= KINDS_AT_LEAST, "the inputs are all alike"
