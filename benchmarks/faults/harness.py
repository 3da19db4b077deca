"""Strikes a league that is played until there were enough faults, and waits for its end; remembers what it did.

Owns the choice of victims, and who is to blame: a bot that was struck itself, in the attempt it then played.
"""

from __future__ import annotations

import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sqlalchemy.exc import DatabaseError

from benchmarks.faults import strikers
from benchmarks.faults.clocks import Clocks
from benchmarks.faults.league import League, SeatOfBlame, Standing
from benchmarks.faults.operator import Operator
from benchmarks.faults.players import Players
from benchmarks.faults.processes import BotAtWork, Process, bots, parts
from benchmarks.faults.room import Room
from benchmarks.faults.schedule import Kind, Part, Strike, Way
from benchmarks.faults.strikers import GoneError, Undo
from king_cli.places import redis_url
from league.errors import LeagueError

_AT_ONCE = 4
"""How many faults may last at the same time."""
_SEEK_S = 20.0
_POLL_S = 0.1
_STANDSTILL_S = 300.0
_TELL_EVERY_S = 30.0
_THOUGHTFUL_LOT = 0.7
"""Up to this lot, a bot that is to be killed is killed at a moment in which it thinks, if there is one."""
_THOUGHT_TRIES = 100

Report = Callable[[str], None]
_Thing = TypeVar("_Thing")


class StandstillError(Exception):
    """The league does not go on; the text says how far it is."""


@dataclass(frozen=True, kw_only=True)
class Made:
    """A fault that was made.

    Attributes:
        strike: what was planned.
        at_s: when, in seconds from the first moment of play.
        victim: the process, if it was one.
        blame: whose fault it is, if a bot was struck while it played under a claim.
        sure: the bot was killed while it thought, so if that attempt was played to its end, it forfeits.
    """

    strike: Strike
    at_s: float
    victim: Process | None = None
    blame: SeatOfBlame | None = None
    sure: bool = False


@dataclass(kw_only=True)
class Harness:
    """All that a run needs; `report` takes lines for people."""

    operator: Operator
    league: League
    players: Players
    room: Room
    clocks: Clocks | None
    report: Report
    few: int
    """With fewer matches left than that, as many are added."""
    made: list[Made] = field(default_factory=list)
    missed: int = 0
    """Faults for which no victim came."""
    broken: list[str] = field(default_factory=list)
    """What went wrong in the harness itself."""
    _began_s: float = field(default_factory=time.monotonic)
    _lasting: list[threading.Thread] = field(default_factory=list)
    _frozen: list[Undo] = field(default_factory=list)

    def can_make(self, kind: Kind) -> bool:
        """Whether this machine lets such faults be made."""
        if kind.way is Way.JUMP:
            return self.clocks is not None
        return self.room.limited or (kind.part, kind.way) != (Part.DATABASE, Way.FULL)

    def run(self, strikes: Iterable[Strike], *, faults: int, seed: int) -> Standing:
        """Make so many faults, then wait until all seasons have ended.

        Raises:
            StandstillError: they do not.
        """
        self._await_play()
        self._began_s = time.monotonic()
        for strike in strikes:
            if len(self.made) >= faults:
                break
            time.sleep(strike.pause_s)
            self._keep_busy(seed)
            self._await_turn()
            self._make(strike)
        for thread in self._lasting:
            thread.join()
        self.report(f"{len(self.made)} faults are made; now the league is played to its end")
        try:
            return self._await_end()
        finally:
            for let_go in self._frozen:
                let_go()

    def _await_play(self) -> None:
        """Wait until there is somebody to strike: a platform may take half a minute to start on a busy machine."""
        deadline = time.monotonic() + _STANDSTILL_S
        while not bots(self.operator.top):
            if time.monotonic() > deadline:
                raise StandstillError(f"no bot played within {_STANDSTILL_S:g} s of the start")
            time.sleep(_POLL_S)

    def _await_turn(self) -> None:
        while len([thread for thread in self._lasting if thread.is_alive()]) >= _AT_ONCE:
            time.sleep(_POLL_S)

    def _keep_busy(self, seed: int) -> None:
        """Add seasons when all is nearly played, or there would be nobody to strike."""
        try:
            standing = self.league.standing()
            if standing.planned - standing.stored < self.few:
                self.league.add_seasons(self.few, seed)
        except (LeagueError, DatabaseError, sqlite3.OperationalError) as error:
            self.report(f"no season could be added: {error}")

    def _make(self, strike: Strike) -> None:
        deadline = time.monotonic() + _SEEK_S
        while time.monotonic() < deadline:
            try:
                made = self._try(strike)
            except GoneError:
                made = None
            if made is not None:
                self.made.append(made)
                kind = strike.kind
                told = f"pid {made.victim.pid}" if made.victim else ""
                self.report(f"fault {len(self.made)}: {kind.way} {kind.part} {told} {_duration(strike)}".rstrip())
                return
            time.sleep(_POLL_S)
        self.missed += 1

    def _try(self, strike: Strike) -> Made | None:
        """Make the fault; None if there is nobody to strike now."""
        at_s = time.monotonic() - self._began_s
        part = strike.kind.part
        if part is Part.BOT:
            at_work = _one_of(bots(self.operator.top), strike.lot)
            return self._strike_bot(strike, at_work, at_s) if at_work else None
        if part in {Part.DATABASE, Part.MACHINE} or strike.kind.way in {Way.WIPE, Way.FULL}:
            self._last(strike, self._strike_store(strike))
            return Made(strike=strike, at_s=at_s)
        victim = _one_of(parts(self.operator.top, part), strike.lot)
        if victim is None:
            return None
        self._last(strike, self._strike_process(strike, victim))
        return Made(strike=strike, at_s=at_s, victim=victim)

    def _strike_bot(self, strike: Strike, bot: BotAtWork, at_s: float) -> Made:
        blame = self.league.at_work(f"{socket.gethostname()}:{bot.horse.pid}", bot.label)
        sure = False
        if strike.kind.way is Way.KILL:
            thinks = self._catch(bot.process, _THOUGHT_TRIES if strike.lot < _THOUGHTFUL_LOT else 1)
            sure = thinks and blame is not None and all(made.victim != bot.process for made in self.made)
        self._last(strike, self._strike_process(strike, bot.process))
        return Made(strike=strike, at_s=at_s, victim=bot.process, blame=blame, sure=sure)

    def _catch(self, bot: Process, tries: int) -> bool:
        """Stop a bot, and say whether it thinks just then; if it does not, try again at other moments."""
        for left in reversed(range(tries)):
            go_on = strikers.stop(bot)
            if self.players.thinks(bot.pid):
                return True
            if left:
                go_on()
                time.sleep(0.003)
        return False

    def _strike_store(self, strike: Strike) -> Undo | None:
        """Strike the database, Valkey's memory, or the whole machine."""
        match strike.kind.part, strike.kind.way:
            case Part.DATABASE, Way.FULL:
                self.room.fill()
                return self.room.free
            case Part.DATABASE, _:
                return strikers.lock(self.league.file if strike.lot < 0.8 else self.league.vault_file)
            case Part.MACHINE, _:
                return strikers.occupy()
            case _, Way.WIPE:
                strikers.wipe(redis_url(self.league.settings))
                return None
        return strikers.exhaust(redis_url(self.league.settings))

    def _strike_process(self, strike: Strike, victim: Process) -> Undo | None:
        match strike.kind.way:
            case Way.KILL:
                strikers.kill(victim)
            case Way.STOP:
                return strikers.stop(victim)
            case Way.FREEZE:
                self._frozen.append(strikers.stop(victim))
            case Way.SLOW:
                return strikers.slow(victim)
            case Way.CUT:
                strikers.cut(victim, strike.lot, every=strike.kind.part in {Part.REFEREE, Part.VALKEY})
            case Way.JUMP:
                return self._jump(victim, strike.jump_s)
            case Way.NO_WRITES:
                return strikers.refuse_writes(victim)
        return None

    def _jump(self, victim: Process, seconds: int) -> Undo:
        clocks = self.clocks
        assert clocks is not None
        clocks.jump(victim.pid, seconds)
        return lambda: clocks.jump(victim.pid, 0)

    def _last(self, strike: Strike, undo: Undo | None) -> None:
        """Have a fault end when its time is up."""
        if undo is None:
            return

        def end() -> None:
            time.sleep(strike.lasting_s)
            try:
                undo()
            except Exception as error:  # told at the end: a fault that was not ended spoils the run
                self.broken.append(f"fault {strike.number} ({strike.kind.way} {strike.kind.part}): {error!r}")

        thread = threading.Thread(target=end, name=f"fault {strike.number}")
        thread.start()
        self._lasting.append(thread)

    def _await_end(self) -> Standing:
        last, since, tell_at = None, time.monotonic(), 0.0
        while True:
            try:
                standing = self.league.standing()
            except sqlite3.OperationalError as error:
                self.report(f"the store cannot be read: {error}")
                standing = None
            if standing is not None and standing.seasons_open == 0:
                return standing
            if standing != last:
                last, since = standing, time.monotonic()
            if standing is not None and time.monotonic() > tell_at:
                tell_at = time.monotonic() + _TELL_EVERY_S
                self.report(f"{standing.stored} of {standing.planned} matches, {standing.seasons_open} seasons to end")
            if time.monotonic() - since > _STANDSTILL_S:
                raise StandstillError(f"nothing happened for {_STANDSTILL_S:g} s: {standing}")
            time.sleep(2)


def _one_of(things: Sequence[_Thing], lot: float) -> _Thing | None:
    return things[int(lot * len(things))] if things else None


def _duration(strike: Strike) -> str:
    jump = f"by {strike.jump_s} s " if strike.kind.way is Way.JUMP else ""
    return f"{jump}for {strike.lasting_s:.1f} s" if strike.lasting_s else ""
