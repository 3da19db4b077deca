"""What a submitted bot finds: runtimes and limits as workers have found them, one table for all machines. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from league.submissions import SubmissionLimits
from league.surroundings import Library, RoomLimits, Surroundings


@dataclass(frozen=True, slots=True)
class RuntimeLine:
    """A program for bots, and the versions of it on the machines; `everywhere`: each machine has it."""

    name: str
    versions: tuple[str, ...]
    runs: bool
    everywhere: bool


@dataclass(frozen=True, slots=True)
class SubmittedBotsPage:
    """The model. `limits` is None until a worker was there; `obstacles`: why machines can run none."""

    runtimes: tuple[RuntimeLine, ...]
    libraries: tuple[Library, ...]
    limits: RoomLimits | None
    obstacles: tuple[str, ...]
    machines: int
    found_at: datetime | None
    archive_mib: int
    total_mib: int
    versions_a_day: int


def submitted_bots_page(machines: Sequence[Surroundings], limits: SubmissionLimits) -> SubmittedBotsPage:
    """The page; of limits those of the machine that was looked at last."""
    able = [machine for machine in machines if not machine.obstacle]
    last = max(able, key=lambda machine: machine.found_at, default=None)
    return SubmittedBotsPage(
        runtimes=_runtimes(able),
        libraries=() if last is None else last.libraries,
        limits=None if last is None else last.limits,
        obstacles=tuple(machine.obstacle for machine in machines if machine.obstacle),
        machines=len(able),
        found_at=None if last is None else last.found_at,
        archive_mib=limits.archive_bytes >> 20,
        total_mib=limits.total_bytes >> 20,
        versions_a_day=limits.versions_a_day,
    )


def _runtimes(machines: Sequence[Surroundings]) -> tuple[RuntimeLine, ...]:
    names = list(dict.fromkeys(runtime.name for machine in machines for runtime in machine.runtimes))
    lines = []
    for name in names:
        found = [one for machine in machines for one in machine.runtimes if one.name == name]
        versions = tuple(dict.fromkeys(one.version for one in found))
        everywhere = len(found) == len(machines)
        lines.append(RuntimeLine(name, versions, all(one.runs for one in found), everywhere))
    return tuple(lines)
