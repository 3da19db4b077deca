"""What organisers do, from the web or the shell: each act with its entry in the audit log, in one transaction.

Owns the pairing of act and entry; the acts themselves are those of `seasons`, `sittings` and `suspending`. Needs the
vault for creating, starting and ending.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select

from league.audit_log import Act, Actor
from league.errors import LeagueError
from league.model import Entrant, NewSeason, Season, Sitting
from league.orders import (
    Arguments,
    CreateSeason,
    EndSeason,
    EnterBots,
    LiftSuspension,
    Outcome,
    PauseSeason,
    Requeue,
    ResumeSeason,
    StartSeason,
    SuspendBot,
)
from league.store.audit_log import write_entry
from league.store.database import Database
from league.store.requeueing import requeue, unfinished
from league.store.rows import season_row
from league.store.schema import seasons as seasons_table
from league.store.seasons import SeasonStore
from league.store.suspending import lift, suspend
from league.store.turns import Turn, take_turn
from league.store.vault import Vault


class OrganisingStore:
    """Runs leagues on behalf of somebody."""

    def __init__(
        self,
        database: Database,
        vault: Callable[[], Vault],
        clock: Callable[[], datetime],
        seasons: SeasonStore,
    ) -> None:
        self._database = database
        self._vault = vault
        self._clock = clock
        self._seasons = seasons

    def perform(self, asked: Arguments, *, by: Actor) -> Outcome:
        """Does what an order asks for. Raises LeagueError, saying what would be right, and then changes nothing."""
        match asked:
            case CreateSeason():
                season = self.create(asked.new, asked.versions, by=by)
                if asked.start:
                    self.start(season.id, by=by)
                return Outcome(season=season.id)
            case EnterBots():
                self.enter(asked.season, asked.versions, by=by)
            case StartSeason():
                self.start(asked.season, by=by)
            case PauseSeason():
                self.pause(asked.season, by=by)
            case ResumeSeason():
                self.resume(asked.season, by=by)
            case EndSeason():
                self.end(asked.season, void=asked.void, by=by)
            case Requeue():
                requeued = self.requeue(asked.season, sitting=asked.sitting, set_number=asked.set_number, by=by)
                return Outcome(season=asked.season, requeued=requeued)
            case SuspendBot():
                self.suspend(asked.season, asked.bot, asked.reason, by=by)
            case LiftSuspension():
                self.lift(asked.season, asked.bot, by=by)
        return Outcome(season=asked.season)

    def create(self, new: NewSeason, versions: Sequence[int] = (), *, by: Actor) -> Season:
        """Makes a season under a name that no other has, and enters bot versions."""
        with self._database.together() as connection:
            take_turn(connection, Turn.SEASON_NAMES)
            namesake = connection.scalar(select(seasons_table.c.id).where(seasons_table.c.name == new.name).limit(1))
            if namesake is not None:
                told = f"there is a season {new.name!r} already: its id is {namesake}; choose another name"
                raise LeagueError(told)
            season = self._seasons.create(new)
            entered = [self._seasons.enter(season.id, version) for version in versions]
            details = {"variant": season.variant, "kind": season.kind.value, "bots": [one.label for one in entered]}
            self._log(by, Act.SEASON_CREATED, season, details)
            return season

    def enter(self, season_id: int, versions: Sequence[int], *, by: Actor) -> tuple[Entrant, ...]:
        """Enters bot versions; those that have entered already stay as they are."""
        with self._database.together() as connection:
            season_row(connection, season_id, lock=True)
            before = {one.bot.id for one in self._seasons.entrants(season_id)}
            entered = tuple(self._seasons.enter(season_id, version) for version in versions)
            new = [one.label for one in entered if one.bot.id not in before]
            if new:
                self._log(by, Act.SEASON_ENTERED, self._seasons.get(season_id), {"bots": new})
            return entered

    def start(self, season_id: int, *, by: Actor) -> Season:
        """Starts a season. Running already: nothing happens."""
        return self._move(season_id, self._seasons.start, Act.SEASON_STARTED, by)

    def pause(self, season_id: int, *, by: Actor) -> Season:
        """Hands out no more of a season. Paused already: nothing happens."""
        return self._move(season_id, self._seasons.pause, Act.SEASON_PAUSED, by)

    def resume(self, season_id: int, *, by: Actor) -> Season:
        """Hands out sittings of a season again. Running already: nothing happens."""
        return self._move(season_id, self._seasons.resume, Act.SEASON_RESUMED, by)

    def end(self, season_id: int, *, void: bool = False, by: Actor) -> Season:
        """Ends a season. Ended, or ending already: nothing happens."""
        with self._database.together() as connection:
            season_row(connection, season_id, lock=True)
            before = self._seasons.get(season_id)
            ended = self._seasons.end(season_id, void=void)
            if (before.state, before.ending) != (ended.state, ended.ending):
                self._log(by, Act.SEASON_ENDED, ended, {"void": void})
            return ended

    def requeue(
        self, season_id: int, *, sitting: int | None = None, set_number: int | None = None, by: Actor
    ) -> tuple[int, ...]:
        """Has what is not done of a season played in new attempts: a sitting, a set, or all; returns the sittings."""
        with self._database.together() as connection:
            season = self._seasons.get(season_id)
            reason = f"queued again by {by.name}"
            done = requeue(connection, self._vault, season_id, sitting=sitting, set_number=set_number, reason=reason)
            self._log(by, Act.SITTING_REQUEUED, season, {"sittings": list(done), "set": set_number})
            return done

    def unfinished(self, season_id: int, *, limit: int) -> tuple[tuple[Sitting, ...], int]:
        """Sittings of a season that are not done: those being played first, then those given back; and their number."""
        with self._database.reading() as connection:
            return unfinished(connection, season_id, limit)

    def suspend(self, season_id: int, bot: str, reason: str, *, by: Actor) -> None:
        """Suspends an entrant of a season, named by its label."""
        with self._database.together() as connection:
            season = self._seasons.get(season_id)
            suspend(connection, season_id, bot, reason, self._clock())
            self._log_bot(by, Act.BOT_SUSPENDED, season, bot, {"reason": reason})

    def lift(self, season_id: int, bot: str, *, by: Actor) -> None:
        """Has a suspended entrant of a season play again."""
        with self._database.together() as connection:
            season = self._seasons.get(season_id)
            told = lift(connection, season_id, bot)
            self._log_bot(by, Act.SUSPENSION_LIFTED, season, bot, {"suspension": told})

    def withdraw(self, season_id: int, bot: str, *, by: Actor) -> None:
        """Pairs an entrant of a rolling season, named by its label, no more. Twice: nothing happens.

        Raises LeagueError naming the bots there are, or why it cannot be.
        """
        with self._database.together() as connection:
            season_row(connection, season_id, lock=True)
            season = self._seasons.get(season_id)
            entrant = _entrant(self._seasons.entrants(season_id), season, bot)
            if entrant.withdrawn_at is None:
                self._seasons.withdraw(season_id, entrant.number)
                self._log_bot(by, Act.BOT_WITHDRAWN, season, bot, {})

    def _move(self, season_id: int, move: Callable[[int], Season], act: Act, by: Actor) -> Season:
        with self._database.together() as connection:
            season_row(connection, season_id, lock=True)
            before = self._seasons.get(season_id)
            after = move(season_id)
            if before.state != after.state:
                self._log(by, act, after, {"before": before.state.value})
            return after

    def _log(self, by: Actor, act: Act, season: Season, details: Mapping[str, Any]) -> None:
        with self._database.writing() as connection:
            told = {"name": season.name, **details}
            write_entry(connection, self._clock(), by, act, f"season {season.id}", told)

    def _log_bot(self, by: Actor, act: Act, season: Season, bot: str, details: Mapping[str, Any]) -> None:
        with self._database.writing() as connection:
            told = {"season": season.id, "name": season.name, **details}
            write_entry(connection, self._clock(), by, act, bot, told)


def _entrant(entrants: Sequence[Entrant], season: Season, label: str) -> Entrant:
    found = next((one for one in entrants if one.label == label), None)
    if found is None:
        there = ", ".join(one.label for one in entrants) or "nobody"
        raise LeagueError(f"no bot {label!r} in season {season.id} ({season.name}): there are {there}")
    return found
