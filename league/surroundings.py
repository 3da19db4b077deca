"""What a submitted bot finds on the machines that play it, as workers have found it there. Pure words.

Owns the shape. Who looks is `workers.surroundings`; pages and documents show it and add nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """A program for bots. `version`: what it says of itself. `runs`: bots run with it; else it only builds them."""

    name: str
    version: str
    runs: bool


@dataclass(frozen=True, kw_only=True)
class Library:
    """A library that the machine's Python has for bots."""

    name: str
    version: str


@dataclass(frozen=True, kw_only=True)
class RoomLimits:
    """What a submitted bot may use: of the archive, of its build, and of one process while it plays; sizes in MiB."""

    archive_mib: int
    unpacked_mib: int
    files: int
    build_minutes: int
    build_memory_mib: int
    build_disk_mib: int
    result_mib: int
    memory_mib: int
    processes: int
    open_files: int
    file_mib: int
    scratch_mib: int
    log_kib: int


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What one machine has for submitted bots. `obstacle`: why it can run none, or empty."""

    host: str
    obstacle: str
    runtimes: tuple[Runtime, ...]
    libraries: tuple[Library, ...]
    limits: RoomLimits
    found_at: datetime


def surroundings_json(found: Surroundings) -> dict[str, Any]:
    """The JSON in which they are kept, without host and time."""
    kept = asdict(found)
    return {name: kept[name] for name in ("obstacle", "runtimes", "libraries", "limits")}


def surroundings_from(host: str, found_at: datetime, kept: Mapping[str, Any]) -> Surroundings:
    """The surroundings from their JSON."""
    return Surroundings(
        host=host,
        obstacle=kept["obstacle"],
        runtimes=tuple(Runtime(**one) for one in kept["runtimes"]),
        libraries=tuple(Library(**one) for one in kept["libraries"]),
        limits=RoomLimits(**kept["limits"]),
        found_at=found_at,
    )
