"""Sittings as work: what is due, who has claimed it, for how long, and when it is over.

Owns the columns state, attempt, worker and lease of `sittings`. Every call may be made twice. A claim is good while its
attempt is the sitting's: the sweep raises the attempt of what has gone silent, and whoever held it hears so on its next
call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, bindparam, exists, func, select, update

from league.errors import LeagueError, StaleAttemptError
from league.model import Claim, ClaimedBot, SeasonKind, SeasonState, Sitting, SittingState, TablePlan
from league.pairing import players_by_seat
from league.store.absence import note_absence, redraw_seen
from league.store.conduct import judge_sitting, suspended_in
from league.store.database import Database
from league.store.faults import count_faults
from league.store.presence import absent_of, has_to_wait, keeps_waiting, one_of_each
from league.store.publishing import sitting_is_over
from league.store.rows import entrants_of, season_row, set_row, sitting_from, sitting_row
from league.store.schema import board_sets, boards, matches, seasons, sittings
from league.store.sealing import deal_secret_of, match_id_of
from league.store.silence import Silences, TakenBack, TellTakenBack, end_each, tell_nobody
from league.store.vault import Vault

_LOCKED_SET = (
    select(board_sets.c.number)
    .where(board_sets.c.season_id == bindparam("of_season"), board_sets.c.number == bindparam("of_set"))
    .with_for_update()
)


class SittingStore:
    """Gives out sittings and takes them back."""

    def __init__(
        self,
        database: Database,
        vault: Callable[[], Vault],
        clock: Callable[[], datetime],
        lease: timedelta,
        steady_seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._vault = vault
        self._clock = clock
        self.lease = lease
        self._silences = Silences(sittings, (SittingState.CLAIMED.value,), clock, lease, steady_seconds)

    def get(self, sitting_id: int) -> Sitting:
        """The sitting with this id; LeagueError when there is none."""
        with self._database.reading() as connection:
            return sitting_from(sitting_row(connection, sitting_id))

    def of_season(self, season_id: int, *, set_number: int | None = None) -> tuple[Sitting, ...]:
        """The sittings of a season, or of one of its sets of boards, in the order of play."""
        with self._database.reading() as connection:
            season_row(connection, season_id)
            query = select(sittings).where(sittings.c.season_id == season_id)
            if set_number is not None:
                query = query.where(sittings.c.set_number == set_number)
            return tuple(map(sitting_from, connection.execute(query.order_by(sittings.c.id))))

    def due(self, season_id: int | None = None, limit: int = 100) -> tuple[int, ...]:
        """The sittings that could be claimed now, at most one of each set, in the order of play."""
        with self._database.reading() as connection:
            return self._due(connection, season_id, limit)

    def pending(self, ids: Collection[int]) -> frozenset[int]:
        """Those of these sittings that are being played, or due as soon as no other of their sets is played."""
        claimed = sittings.c.state == SittingState.CLAIMED.value
        planned = sittings.c.state == SittingState.PLANNED.value
        to_play = planned & (seasons.c.state == SeasonState.RUNNING.value) & ~keeps_waiting(self._clock())
        query = select(sittings.c.id).join(seasons, seasons.c.id == sittings.c.season_id)
        with self._database.reading() as connection:
            return frozenset(connection.scalars(query.where(sittings.c.id.in_(ids), claimed | to_play)))

    def claim(self, sitting_id: int, worker: str) -> Claim | None:
        """Takes up a sitting for the length of a lease, as a new attempt.

        None when there is nothing to do: it is done or claimed, its season does not run, or another sitting of its set
        is claimed. Raises LeagueError for an unknown sitting.
        """
        with self._database.writing() as connection:
            season, sitting = locked(connection, sitting_id)
            if season.state != SeasonState.RUNNING or sitting.state != SittingState.PLANNED:
                return None
            if connection.scalar(select(_claimed_in_set(sitting.season_id, sitting.set_number))):
                return None
            now = self._clock()
            if has_to_wait(connection, sitting_id, now):
                return None
            secret = self._vault().secret(season.commitment)
            absent = absent_of(connection, sitting_id)
            connection.execute(
                update(sittings)
                .where(sittings.c.id == sitting_id)
                .values(
                    state=SittingState.CLAIMED.value,
                    attempt=sitting.attempt + 1,
                    worker=worker,
                    lease_until=now + self.lease,
                    waiting_since=None,
                )
            )
            claim = _claim(connection, season, sitting, secret, absent)
            if absent:
                note_absence(connection, season, claim, secret, now)
            return claim

    def renew(self, claim: Claim) -> None:
        """Makes the lease last from now on, also one that has run out but that the sweep has not taken.

        Raises StaleAttemptError when the claim is lost.
        """
        with self._database.writing() as connection:
            renewed = connection.execute(
                update(sittings)
                .where(
                    sittings.c.id == claim.sitting,
                    sittings.c.attempt == claim.attempt,
                    sittings.c.state == SittingState.CLAIMED.value,
                )
                .values(lease_until=self._clock() + self.lease)
            )
            if renewed.rowcount == 0:
                raise stale(claim)

    def finish(self, claim: Claim) -> None:
        """Ends a sitting whose matches are all stored; with its set's last one records and secrets become public, with
        the season's last one the season ends. Twice: nothing happens.

        Raises LeagueError when matches are missing, StaleAttemptError when the claim is lost.
        """
        with self._database.writing() as connection:
            season, sitting = held(connection, claim, or_done=True)
            if sitting.state == SittingState.DONE:
                return
            if sitting.stored < sitting.match_count:
                raise LeagueError(
                    f"sitting {sitting.id} has {sitting.stored} of {sitting.match_count} results: "
                    "store the rest before it is finished, or release it"
                )
            self._end(connection, season, sitting)

    def release(self, claim: Claim, reason: str, *, seen: bool = True) -> None:
        """Gives a sitting back, nobody being to blame: it is due again at once. A lost claim: nothing happens.

        `seen`: whether bots may have seen cards; boards with a remote bot are then dealt anew, from a new secret.
        """
        with self._database.writing() as connection:
            season, sitting = locked(connection, claim.sitting)
            given_back = connection.execute(
                update(sittings)
                .where(
                    sittings.c.id == claim.sitting,
                    sittings.c.attempt == claim.attempt,
                    sittings.c.state == SittingState.CLAIMED.value,
                )
                .values(state=SittingState.PLANNED.value, worker="", lease_until=None, given_back=reason)
            )
            if seen and given_back.rowcount:
                redraw(connection, self._vault, season, sitting)

    def note_trouble(self, sitting_id: int, reason: str) -> None:
        """Writes down why a sitting that is due could not even be claimed, where reasons of claims given back stand."""
        with self._database.writing() as connection:
            connection.execute(
                update(sittings)
                .where(sittings.c.id == sitting_id, sittings.c.state == SittingState.PLANNED.value)
                .values(given_back=reason)
            )

    def sweep(self, limit: int = 100, *, patient: bool = False, tell: TellTakenBack = tell_nobody) -> tuple[int, ...]:
        """Takes back what has gone silent, finishes what only lacked that, and returns all that is due (as `due`).

        `patient`: only what this store has seen silent a quarter of a lease ago and again now, as in `Silences`.
        `tell` is called with each claim that was ended.
        Raises LeagueError naming the sittings that could not be handled, when all others have been.
        """
        with self._database.reading() as connection:
            silent = self._silences.found(connection, patient=patient)
        end_each(silent, lambda sitting: self._end_silence(sitting, tell), "sitting")
        return self.due(limit=limit)

    def _end_silence(self, sitting_id: int, tell: TellTakenBack) -> None:
        with self._database.writing() as connection:
            season, sitting = locked(connection, sitting_id)
            if not self._silences.still(sitting):
                return
            if sitting.stored == sitting.match_count:
                self._end(connection, season, sitting)
            else:
                take_back(connection, self._vault, season, sitting, f"{sitting.worker} has not been heard of")
        tell(TakenBack("sitting", sitting_id, sitting.attempt, sitting.worker))

    def _end(self, connection: Connection, season: Row[Any], sitting: Row[Any]) -> None:
        count_faults(connection, sitting.season_id, sitting.id, sitting.attempt)
        judge_sitting(connection, season, sitting, self._clock())
        sitting_is_over(connection, sitting, self._vault().secret(season.commitment), self._clock())

    def _due(self, connection: Connection, season_id: int | None, limit: int) -> tuple[int, ...]:
        first = func.min(sittings.c.id).label("first_due")
        query = (
            select(first)
            .join(seasons, seasons.c.id == sittings.c.season_id)
            .where(
                seasons.c.state == SeasonState.RUNNING.value,
                sittings.c.state == SittingState.PLANNED.value,
                ~_claimed_in_set(sittings.c.season_id, sittings.c.set_number),
                ~keeps_waiting(self._clock()),
            )
            .group_by(sittings.c.season_id, sittings.c.set_number)
            .order_by(first)
            .limit(limit)
        )
        if season_id is not None:
            query = query.where(sittings.c.season_id == season_id)
        return one_of_each(connection, tuple(connection.scalars(query)))


def stale(claim: Claim) -> StaleAttemptError:
    """The error of a claim that is lost."""
    return StaleAttemptError(
        f"attempt {claim.attempt} of sitting {claim.sitting} is over: it was taken back, or its season has ended"
    )


def locked(connection: Connection, sitting_id: int) -> tuple[Row[Any], Row[Any]]:
    """The rows of a sitting's season and of the sitting, locked in the one order that all writers keep to: season, set,
    sitting. Raises LeagueError when there is no such sitting.
    """
    place = sitting_row(connection, sitting_id)
    season = season_row(connection, place.season_id, lock=True)
    connection.execute(_LOCKED_SET, {"of_season": place.season_id, "of_set": place.set_number})
    return season, sitting_row(connection, sitting_id, lock=True)


def held(connection: Connection, claim: Claim, *, or_done: bool = False) -> tuple[Row[Any], Row[Any]]:
    """Season and sitting of a claim, as `locked`; StaleAttemptError when it is lost. `or_done`: or it is done."""
    season, sitting = locked(connection, claim.sitting)
    if not (or_done and sitting.state == SittingState.DONE):
        check_held(claim, season, sitting)
    return season, sitting


def check_held(claim: Claim, season: Row[Any], sitting: Row[Any]) -> None:
    """Raises StaleAttemptError when the claim is lost."""
    mine = sitting.attempt == claim.attempt and sitting.state == SittingState.CLAIMED
    if not mine or season.state == SeasonState.ENDED:
        raise stale(claim)


def _claimed_in_set(season_id: Any, set_number: Any) -> Any:
    other = sittings.alias("other")
    return exists().where(
        other.c.season_id == season_id,
        other.c.set_number == set_number,
        other.c.state == SittingState.CLAIMED.value,
    )


def take_back(
    connection: Connection, vault: Callable[[], Vault], season: Row[Any], sitting: Row[Any], reason: str
) -> None:
    """Takes a sitting that is claimed, with its season as `locked`, from whoever plays it. It is due again; boards that
    remote bots may have seen are dealt anew.
    """
    connection.execute(
        update(sittings)
        .where(sittings.c.id == sitting.id)
        .values(
            state=SittingState.PLANNED.value,
            attempt=sitting.attempt + 1,
            worker="",
            lease_until=None,
            given_back=reason,
        )
    )
    redraw(connection, vault, season, sitting)


def redraw(connection: Connection, vault: Callable[[], Vault], season: Row[Any], sitting: Row[Any]) -> None:
    """Deals those boards of a sitting anew whose cards may not be dealt to their remote bots a second time."""
    if season.kind == SeasonKind.OPEN and season.state != SeasonState.ENDED:
        redraw_seen(connection, season, sitting, vault().secret(season.commitment))


def _claim(connection: Connection, season: Row[Any], sitting: Row[Any], secret: str, absent: Collection[int]) -> Claim:
    """The claim of a sitting's next attempt, with the tables that are not stored; `absent`: ids of bot versions."""
    of_set = (boards.c.season_id == season.id) & (boards.c.set_number == sitting.set_number) & ~boards.c.void
    stored = exists().where(
        matches.c.season_id == boards.c.season_id,
        matches.c.board == boards.c.number,
        matches.c.rotation == sitting.rotation,
    )
    rows = connection.execute(select(boards).where(of_set, ~stored).order_by(boards.c.number)).all()
    taking_part = sorted({player for row in rows for player in row.players})
    places = {number: place for place, number in enumerate(taking_part)}
    entered = entrants_of(connection, season.id)
    # in a rolling season who is suspended plays what is planned, and is not paired any more
    suspended = {} if season.rolling else suspended_in(connection, season.id)
    why_absent = f"not connected for {season.absent_after_ms / 1000:g} s after the sitting could be played"
    salt = set_row(connection, season.id, sitting.set_number).deal_salt
    tables = []
    for row in rows:
        deal_secret = deal_secret_of(secret, row.number)
        seated = players_by_seat(tuple(row.players), sitting.rotation)
        tables.append(
            TablePlan(
                match_id=match_id_of(deal_secret, sitting.rotation),
                board=row.number,
                rotation=sitting.rotation,
                deal_secret=deal_secret,
                deal_salt=salt,
                players=tuple(places[player] for player in seated),
            )
        )
    return Claim(
        sitting=sitting.id,
        attempt=sitting.attempt + 1,
        season=season.id,
        season_name=season.name,
        set_number=sitting.set_number,
        rotation=sitting.rotation,
        variant=season.variant,
        time_control=season.time_control,
        players=tuple(
            ClaimedBot(
                entrant=n,
                label=entered[n].label,
                bot=entered[n].bot,
                suspended=suspended.get(n, ""),
                absent=why_absent if entered[n].bot.id in absent and n not in suspended else "",
            )
            for n in taking_part
        ),
        tables=tuple(tables),
    )
