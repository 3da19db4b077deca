"""Looks whether the league that the settings name can be played: store, vault, queue, referees, sweep, disk.

Only looks, and makes nothing: neither a store nor a vault. What is found is what a part would find when it is started,
and what an alert would say; here with what to do.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from league.errors import LeagueError
from league.model import SeasonState
from league.store import Store, Vault
from league.store.migration import Fit
from workers.choosing import ANSWER_WITHIN_S, ask_all
from workers.doctor import Finding, State
from workers.finding import Referees
from workers.queue_metrics import QueueGauges, read_queue
from workers.queueing import connect, work_queue
from workers.referee_client import PlanRefusedError, RefereeUnreachableError, SittingError

SWEEP_AGE_AT_MOST: Final = timedelta(minutes=3)
STANDSTILL_AT_MOST: Final = timedelta(minutes=10)
SKEW_AT_MOST_S: Final = 2.0
FAILED_TRIES_AT_MOST: Final = 4
"""As in the alert KingWorkFails."""
_MEBIBYTE: Final = 1 << 20
_DISK_LOW: Final = 1024 * _MEBIBYTE
_DISK_OUT: Final = 100 * _MEBIBYTE
_SWEEPING = "run `king up`, or `king sweep --every 1` as a part; in a cluster look at the CronJob king-sweep"


@dataclass(frozen=True, kw_only=True)
class LeagueAt:
    """Where a league is.

    Attributes:
        database_url, vault_url: of its store and of the secrets.
        has_store: whether the store has been made; if not, there is no league yet.
        has_vault: whether the vault has.
        redis_url: of the queue. `own_redis`: it is that which `king up` starts.
        referees: those who play it.
        data_dir: the data folder.
    """

    database_url: str
    vault_url: str
    has_store: bool
    has_vault: bool
    redis_url: str
    own_redis: bool
    referees: Referees
    data_dir: Path


def examine_league(league: LeagueAt) -> Iterator[Finding]:
    """Make all checks, one after the other."""
    yield from _disks(league.data_dir)
    if league.has_store:
        yield from _store(league)
    else:
        yield Finding("store", State.OK, f"there is no league in {league.data_dir} yet")
    yield from _queue(league)
    yield from _referees(league)


def _disks(data_dir: Path) -> Iterator[Finding]:
    for name, place in (("disk of data", data_dir), ("disk of scratch folders", Path(tempfile.gettempdir()))):
        there = next(path for path in (place, *place.parents) if path.exists())
        free = shutil.disk_usage(there).free
        detail = f"{free // _MEBIBYTE} MiB free in {there}"
        if free >= _DISK_LOW:
            yield Finding(name, State.OK, detail)
        else:
            state = State.WARNING if free >= _DISK_OUT else State.MISSING
            yield Finding(name, state, detail, "make room: what cannot be written is not stored, and is played again")


def _store(league: LeagueAt) -> Iterator[Finding]:
    try:
        store = Store.open(league.database_url)
    except LeagueError as error:
        yield Finding("store", State.MISSING, str(error), "mend KING_DATABASE_URL")
        return
    try:
        yield from _open_store(store, league)
    except LeagueError as error:
        yield Finding("store", State.MISSING, str(error), "see that the database is there, and lets this user in")
    finally:
        store.close()


def _open_store(store: Store, league: LeagueAt) -> Iterator[Finding]:
    fit = store.fit()
    yield _schema(fit)
    if fit in {Fit.NONE, Fit.OLDER, Fit.TOO_NEW}:
        return
    yield _vault(store, league)
    gauges = store.gauges.read()
    if gauges.leases_expired:
        detail = f"{gauges.leases_expired} claims have run out and were not taken back"
        yield Finding("claims", State.WARNING, detail, f"somebody has to sweep: {_SWEEPING}")
    else:
        yield Finding("claims", State.OK, f"{gauges.sittings_claimed} sittings are being played, none has gone silent")
    if gauges.standstill > STANDSTILL_AT_MOST:
        detail = f"a season has something to play, and had no result for {_told(gauges.standstill)}"
        yield Finding("progress", State.WARNING, detail, "`king season status NAME` says why sittings were given back")
    else:
        yield Finding("progress", State.OK, f"{gauges.seasons_running} seasons run, {gauges.sittings_due} sittings due")
    if gauges.ratings_age > STANDSTILL_AT_MOST:
        detail = f"those of a running season that are due were not written for {_told(gauges.ratings_age)}"
        yield Finding("ratings", State.WARNING, detail, "workers write them when a sitting is over: look at their logs")


def _schema(fit: Fit) -> Finding:
    match fit:
        case Fit.NONE:
            return Finding(
                "store", State.OK, "its database is empty: there is no league yet; what starts first makes it"
            )
        case Fit.SAME:
            return Finding("store", State.OK, "it can be read, and its schema is that of this version")
        case Fit.NEWER:
            detail = "a later version has raised the schema; this one can go on with it"
            return Finding("store", State.OK, detail, "replace this version too")
        case Fit.OLDER:
            detail = "its schema is that of an earlier version"
            return Finding("store", State.WARNING, detail, "back up, then start any part of this version: it raises it")
        case Fit.TOO_NEW:
            detail = "a later version has raised the schema, and this one cannot work on it"
            return Finding("store", State.MISSING, detail, "install the later version here")


def _vault(store: Store, league: LeagueAt) -> Finding:
    """Whether the secrets of all seasons that are not over are there: without one a season cannot be played on."""
    seasons = [season for season in store.seasons.all() if season.state is not SeasonState.ENDED]
    if not seasons and not league.has_vault:
        return Finding("vault", State.OK, "no season needs a secret")
    advice = "workers cannot deal without it: name the vault with KING_VAULT_URL, or restore it from a backup"
    if not league.has_vault:
        return Finding("vault", State.WARNING, "there is none here; where workers are there must be", advice)
    try:
        if not seasons:
            Vault.check(league.vault_url)
            return Finding("vault", State.OK, "it can be reached, and no season needs a secret")
        vault = Vault.open(league.vault_url)
        try:
            for season in seasons:
                vault.secret(season.commitment)
        finally:
            vault.close()
    except LeagueError as error:
        return Finding("vault", State.MISSING, str(error), advice)
    return Finding("vault", State.OK, f"it has the secrets of all seasons that are not over: {len(seasons)}")


def _queue(league: LeagueAt) -> Iterator[Finding]:
    try:
        with connect(league.redis_url) as connection:
            gauges = read_queue(work_queue(connection))
            yield _policy(connection)
            yield _clock(connection)
    except (RedisError, OSError, ValueError) as error:
        if league.own_redis:
            yield Finding("queue", State.WARNING, "nothing runs here", "`king up` starts it, with all the rest")
        else:
            reason = " ".join(str(error).split())
            yield Finding("queue", State.MISSING, reason, "start Redis or Valkey, or mend KING_REDIS_URL")
        return
    yield _workers(gauges)
    yield _tries(gauges)
    yield _sweep(gauges)


def _policy(connection: Redis) -> Finding:
    """What the server does when its memory is full: whoever drops what it likes drops work and marks."""
    found: Any = connection.info("memory")
    policy = found.get("maxmemory_policy", "noeviction")
    if policy == "noeviction":
        return Finding("queue", State.OK, "it answers, and drops nothing by itself")
    detail = f"it answers, but drops keys when its memory is full ({policy})"
    return Finding("queue", State.WARNING, detail, "set maxmemory-policy noeviction there")


def _clock(connection: Redis) -> Finding:
    said: Any = connection.time()
    skew = abs(said[0] + said[1] / 1e6 - time.time())
    if skew <= SKEW_AT_MOST_S:
        return Finding("clock", State.OK, "this machine's agrees with the queue's")
    detail = f"this machine's and the queue's differ by {skew:.0f} s: claims are taken for silent, or last too long"
    return Finding("clock", State.WARNING, detail, "have all machines set their clocks by NTP")


def _workers(gauges: QueueGauges) -> Finding:
    detail = f"{gauges.workers} signed on, {gauges.started} pieces of work being done, {gauges.waiting} waiting"
    if gauges.workers or not gauges.waiting:
        return Finding("workers", State.OK, detail)
    return Finding("workers", State.WARNING, detail, "start `king worker`; in a cluster look at KEDA's ScaledObject")


def _tries(gauges: QueueGauges) -> Finding:
    if gauges.failed_tries <= FAILED_TRIES_AT_MOST:
        return Finding("tries", State.OK, "no piece of work fails again and again")
    detail = f"a piece of work has failed {gauges.failed_tries} times in a row"
    return Finding("tries", State.WARNING, detail, "`king season status NAME` and the workers' logs say why")


def _sweep(gauges: QueueGauges) -> Finding:
    if gauges.sweep_age is None:
        return Finding("sweep", State.WARNING, "nobody has swept since the queue was emptied", _SWEEPING)
    detail = f"the last was {_told(gauges.sweep_age)} ago"
    if gauges.sweep_age > SWEEP_AGE_AT_MOST:
        return Finding("sweep", State.WARNING, f"{detail}: nothing is queued, and silent claims stay", _SWEEPING)
    return Finding("sweep", State.OK, detail)


def _referees(league: LeagueAt) -> Iterator[Finding]:
    """How each is. The league is played while one answers: another that does not is no more than a warning then."""
    found, wrong = league.referees.find()
    answers, failed = (
        asyncio.run(ask_all(found, (), league.referees.control_key, others_within_s=ANSWER_WITHIN_S))
        if found
        else ([], [])
    )
    for each in answers:
        state = each.state
        detail = f"{each.at}: {state.sitting_count} of {state.sitting_limit} sittings, {state.table_count} tables"
        if state.draining:
            yield Finding("referee", State.WARNING, f"{detail}; it is to end, and takes nothing up", "start another")
        elif state.behind:
            advice = "give it a CPU of its own, or start another and name both in KING_REFEREES"
            yield Finding("referee", State.WARNING, f"{detail}; it is late, and lets tables wait", advice)
        else:
            yield Finding("referee", State.OK, detail)
    amiss = [_misnamed(error) for error in wrong] + [_lost(failure, league) for failure in failed]
    for finding in amiss:
        if answers and finding.state is not State.OK:
            answer = "answers" if len(answers) == 1 else "answer"
            detail = f"{len(answers)} of {len(answers) + len(amiss)} {answer}; of another: {finding.detail}"
            yield replace(finding, state=State.WARNING, detail=detail)
        else:
            yield finding


def _misnamed(error: Exception) -> Finding:
    return Finding("referee", State.MISSING, str(error), "mend KING_REFEREES, or the name's entry in DNS")


def _lost(failure: SittingError, league: LeagueAt) -> Finding:
    if isinstance(failure, PlanRefusedError):
        if not league.referees.control_key:
            detail = "it answers; how busy it is, it tells who knows its control key (KING_CONTROL_KEY)"
            return Finding("referee", State.OK, detail)
        return Finding("referee", State.MISSING, str(failure), "give both the same KING_CONTROL_KEY")
    if league.own_redis:
        return Finding("referee", State.WARNING, str(failure), "`king up` or `king referee` starts it")
    if isinstance(failure, RefereeUnreachableError):
        advice = "start `king referee` there, or mend the address; is the network between open?"
        return Finding("referee", State.MISSING, str(failure), advice)
    advice = "key and certificates must fit: KING_CONTROL_KEY, KING_TLS_ROOTS, KING_WORKER_…"
    return Finding("referee", State.MISSING, str(failure), advice)


def _told(duration: timedelta) -> str:
    """A duration for people."""
    seconds = int(duration.total_seconds())
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 7200 else f"{seconds // 3600} h"
