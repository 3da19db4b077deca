"""What docs/submitted-bots.md says that a bot may use is what the code allows."""

from __future__ import annotations

import re
from pathlib import Path

from workers.archives import ArchiveLimits
from workers.launcher import Limits
from workers.sandbox_building import BuildLimits

DOCS = Path(__file__).resolve().parents[2] / "docs"
MEBIBYTE = 1 << 20


def numbers_under(heading: str) -> list[str]:
    """The second column of the first table under a heading."""
    text = (DOCS / "submitted-bots.md").read_text(encoding="utf-8").partition(f"## {heading}\n")[2]
    table = re.search(r"\| at most \|\n\|---\|---\|\n((?:\|.*\n)+)", text)
    assert table is not None
    return [line.split("|")[2].strip() for line in table[1].splitlines()]


def size(count: int) -> str:
    return f"{count >> 30} GiB" if count % (1 << 30) == 0 else f"{count // MEBIBYTE} MiB"


def test_archives() -> None:
    """The limits of an archive are those of the code."""
    limits = ArchiveLimits()
    sizes = [size(limits.archive_bytes), size(limits.unpacked_bytes), size(limits.file_bytes), str(limits.files)]
    assert numbers_under("The archive") == [*sizes, f"{limits.path_bytes} bytes, {limits.depth} levels"]


def test_builds() -> None:
    """The limits of a build are those of the code."""
    limits = BuildLimits()
    assert numbers_under("The build") == [
        f"{limits.time.total_seconds() / 60:g} minutes",
        size(limits.memory_bytes),
        size(limits.disk_bytes),
        f"{size(limits.result_bytes)}, {limits.result_files} files",
        str(limits.processes),
    ]


def test_bots() -> None:
    """The limits of a bot that plays are those of the code."""
    limits = Limits()
    found = numbers_under("What a bot may use")
    assert found[:5] == [
        size(limits.memory_bytes),
        size(limits.scratch_bytes),
        size(limits.file_bytes),
        str(limits.processes),
        str(limits.open_files),
    ]
    assert found[-1] == f"the last {limits.stderr_bytes >> 10} KiB"
