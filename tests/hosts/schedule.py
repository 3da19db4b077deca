"""Which faults there are on many hosts, and when each comes: drawn from a seed, so that a run can be made again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Final

from tests.hosts.arena import DASHBOARDS, DATABASE, QUEUE, REFEREES, SWEEP, WORKERS


class Way(StrEnum):
    """What is done to a host."""

    UNPLUG = "unplug"
    """Its wire is cut: nothing goes to it or comes from it."""
    DEAFEN = "deafen"
    """What it sends to another host is lost; what that host sends arrives."""
    POWER_OFF = "power off"
    """All that runs on it ends at once, and nobody hears of it."""
    CRASH = "crash"
    """All its processes are killed; its system stays, closes their connections and starts them again."""


@dataclass(frozen=True, kw_only=True)
class Strike:
    """A fault that is to be made.

    Attributes:
        way: what is done.
        host: to which host.
        towards: the other host, where only what goes to that is lost; else empty.
        pause_s: how long after the one before.
        lasting_s: how long it lasts; a crash is over at once.
    """

    way: Way
    host: str
    towards: str
    pause_s: float
    lasting_s: float

    def __str__(self) -> str:
        """In words."""
        towards = f" towards {self.towards}" if self.towards else ""
        lasting = f" for {self.lasting_s:.1f} s" if self.lasting_s else ""
        return f"{self.way} {self.host}{towards}{lasting}"


BUSY: Final = (*REFEREES, *WORKERS, QUEUE, DATABASE)
ALL: Final = (*BUSY, *DASHBOARDS, SWEEP)
_TALKS: Final = tuple(
    pair for worker in WORKERS for other in (*REFEREES, DATABASE, QUEUE) for pair in ((worker, other), (other, worker))
)
_LASTING_S: Final = (1.0, 8.0)
"""From less than a lease to more than two."""


def strikes(
    seed: int, *, mean_pause_s: float, ways: Sequence[Way] = tuple(Way), hosts: Sequence[str] = ALL
) -> Iterator[Strike]:
    """Faults without end, of these hosts in these ways.

    Each comes once before one comes again; who works is struck more often than who only shows.
    """
    lots = Random(seed)
    victims = [host for host in (*BUSY, *ALL) if host in hosts]
    talks = [pair for pair in _TALKS if pair[0] in hosts]
    while True:
        for way in lots.sample(ways, len(ways)):
            host, towards = lots.choice(talks) if way is Way.DEAFEN else (lots.choice(victims), "")
            lasting_s = 0.0 if way is Way.CRASH else lots.uniform(*_LASTING_S)
            pause_s = lots.uniform(0.5, 1.5) * mean_pause_s
            yield Strike(way=way, host=host, towards=towards, pause_s=pause_s, lasting_s=lasting_s)
