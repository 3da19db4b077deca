"""What is done to whom and when: drawn from a seed, so that a run can be made again. Pure; does nothing itself.

Owns the table of kinds of faults. A run is not repeated to the moment, since the machine's pace is another one each
time: the same parts are struck in the same ways and order, after the same pauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Final


class Part(StrEnum):
    """What is struck."""

    SWEEP = "sweep"
    """`king up` itself: the sweep, and the supervisor of all that follows."""
    WORKER = "worker"
    HORSE = "horse"
    """The process of a worker that plays one sitting."""
    KEEPER = "keeper"
    """The process that holds one bot."""
    REFEREE = "referee"
    VALKEY = "valkey"
    DASHBOARD = "dashboard"
    DATABASE = "database"
    MACHINE = "machine"
    BOT = "bot"


class Way(StrEnum):
    """How it is struck."""

    KILL = "kill"
    """SIGKILL."""
    STOP = "stop"
    """SIGSTOP, and SIGCONT later."""
    FREEZE = "freeze"
    """SIGSTOP for good."""
    SLOW = "slow"
    """Stopped four fifths of the time."""
    CUT = "cut"
    """A connection is shut in both directions; of referee and Valkey all are."""
    JUMP = "jump"
    """Its wall clock jumps, and later back."""
    NO_WRITES = "no writes"
    """Whatever it writes to a file fails."""
    WIPE = "wipe"
    """All that it holds is gone."""
    FULL = "full"
    """It takes nothing more in: Valkey's memory is used up, or the disk of the database."""
    LOCK = "lock"
    """Somebody else writes to it and does not come to an end."""
    BUSY = "busy"
    """Other programs want the CPUs."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of fault. `weight`: how often it comes; `seconds`: from how long to how long it lasts."""

    part: Part
    way: Way
    weight: int
    seconds: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class Strike:
    """A fault to be made.

    Attributes:
        number: from 1.
        kind: what is done to what.
        pause_s: how long after the one before.
        lasting_s: how long it lasts; 0 for what is over at once.
        lot: from 0 up to but not 1: chooses among several victims.
        jump_s: how far a clock jumps.
    """

    number: int
    kind: Kind
    pause_s: float
    lasting_s: float
    lot: float
    jump_s: int


_BRIEF: Final = (0.2, 1.5)
_PAST_LEASE: Final = (4.0, 9.0)
_WHILE: Final = (1.0, 5.0)
_JUMPED: Final = (2.0, 10.0)

KINDS: Final = (
    Kind(part=Part.SWEEP, way=Way.KILL, weight=4),
    Kind(part=Part.SWEEP, way=Way.STOP, weight=2, seconds=_BRIEF),
    Kind(part=Part.SWEEP, way=Way.STOP, weight=2, seconds=_PAST_LEASE),
    Kind(part=Part.SWEEP, way=Way.SLOW, weight=2, seconds=_WHILE),
    Kind(part=Part.SWEEP, way=Way.CUT, weight=3),
    Kind(part=Part.SWEEP, way=Way.JUMP, weight=4, seconds=_JUMPED),
    Kind(part=Part.SWEEP, way=Way.NO_WRITES, weight=3, seconds=_WHILE),
    Kind(part=Part.WORKER, way=Way.KILL, weight=6),
    Kind(part=Part.WORKER, way=Way.STOP, weight=2, seconds=_BRIEF),
    Kind(part=Part.WORKER, way=Way.STOP, weight=3, seconds=_PAST_LEASE),
    Kind(part=Part.WORKER, way=Way.SLOW, weight=2, seconds=_WHILE),
    Kind(part=Part.WORKER, way=Way.CUT, weight=4),
    Kind(part=Part.WORKER, way=Way.JUMP, weight=3, seconds=_JUMPED),
    Kind(part=Part.WORKER, way=Way.NO_WRITES, weight=2, seconds=_WHILE),
    Kind(part=Part.HORSE, way=Way.KILL, weight=8),
    Kind(part=Part.HORSE, way=Way.STOP, weight=5, seconds=_BRIEF),
    Kind(part=Part.HORSE, way=Way.STOP, weight=5, seconds=_PAST_LEASE),
    Kind(part=Part.HORSE, way=Way.SLOW, weight=4, seconds=_WHILE),
    Kind(part=Part.HORSE, way=Way.CUT, weight=7),
    Kind(part=Part.HORSE, way=Way.JUMP, weight=5, seconds=_JUMPED),
    Kind(part=Part.HORSE, way=Way.NO_WRITES, weight=5, seconds=_WHILE),
    Kind(part=Part.KEEPER, way=Way.KILL, weight=6),
    Kind(part=Part.KEEPER, way=Way.STOP, weight=3, seconds=_BRIEF),
    Kind(part=Part.KEEPER, way=Way.STOP, weight=3, seconds=_PAST_LEASE),
    Kind(part=Part.REFEREE, way=Way.KILL, weight=6),
    Kind(part=Part.REFEREE, way=Way.STOP, weight=4, seconds=_BRIEF),
    Kind(part=Part.REFEREE, way=Way.STOP, weight=3, seconds=_PAST_LEASE),
    Kind(part=Part.REFEREE, way=Way.FREEZE, weight=1),
    Kind(part=Part.REFEREE, way=Way.SLOW, weight=4, seconds=_WHILE),
    Kind(part=Part.REFEREE, way=Way.CUT, weight=4),
    Kind(part=Part.REFEREE, way=Way.JUMP, weight=4, seconds=_JUMPED),
    Kind(part=Part.VALKEY, way=Way.KILL, weight=5),
    Kind(part=Part.VALKEY, way=Way.STOP, weight=3, seconds=_BRIEF),
    Kind(part=Part.VALKEY, way=Way.STOP, weight=2, seconds=_PAST_LEASE),
    Kind(part=Part.VALKEY, way=Way.FREEZE, weight=1),
    Kind(part=Part.VALKEY, way=Way.SLOW, weight=2, seconds=_WHILE),
    Kind(part=Part.VALKEY, way=Way.CUT, weight=4),
    Kind(part=Part.VALKEY, way=Way.JUMP, weight=3, seconds=_JUMPED),
    Kind(part=Part.VALKEY, way=Way.WIPE, weight=4),
    Kind(part=Part.VALKEY, way=Way.FULL, weight=3, seconds=_WHILE),
    Kind(part=Part.DASHBOARD, way=Way.KILL, weight=2),
    Kind(part=Part.DASHBOARD, way=Way.STOP, weight=1, seconds=_WHILE),
    Kind(part=Part.DATABASE, way=Way.LOCK, weight=6, seconds=_BRIEF),
    Kind(part=Part.DATABASE, way=Way.LOCK, weight=4, seconds=_PAST_LEASE),
    Kind(part=Part.DATABASE, way=Way.LOCK, weight=1, seconds=(31.0, 36.0)),
    Kind(part=Part.DATABASE, way=Way.FULL, weight=5, seconds=_WHILE),
    Kind(part=Part.DATABASE, way=Way.FULL, weight=2, seconds=_PAST_LEASE),
    Kind(part=Part.MACHINE, way=Way.BUSY, weight=6, seconds=_WHILE),
    Kind(part=Part.BOT, way=Way.KILL, weight=18),
    Kind(part=Part.BOT, way=Way.STOP, weight=5, seconds=_BRIEF),
    Kind(part=Part.BOT, way=Way.STOP, weight=6, seconds=_PAST_LEASE),
    Kind(part=Part.BOT, way=Way.SLOW, weight=4, seconds=_WHILE),
    Kind(part=Part.BOT, way=Way.CUT, weight=8),
)
"""All kinds. The lease of the league is three seconds, a database waits half a minute for a lock."""

_JUMPS_S: Final = (-86_400, -3600, -60, -5, 5, 60, 3600, 86_400)


def strikes(seed: int, *, mean_pause_s: float, kinds: Sequence[Kind] = KINDS) -> Iterator[Strike]:
    """Faults without end, each kind as often as its weight says, after pauses of `mean_pause_s` on average."""
    lots = Random(seed)
    number = 0
    while True:
        number += 1
        (kind,) = lots.choices(kinds, [each.weight for each in kinds])
        yield Strike(
            number=number,
            kind=kind,
            pause_s=lots.expovariate(1 / mean_pause_s),
            lasting_s=lots.uniform(*kind.seconds),
            lot=lots.random(),
            jump_s=lots.choice(_JUMPS_S),
        )
