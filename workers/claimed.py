"""Plays a sitting out of the store: claims it, keeps the claim alive, stores each result as it comes.

A second run of the same sitting finds nothing to claim and does nothing. When the claim is lost, everything is dropped:
what was stored under it stays, the rest belongs to the newer attempt.
"""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace
from datetime import timedelta

import structlog
from structlog.contextvars import bind_contextvars

from league.errors import LeagueError, StoreUnusableError
from league.live import LiveSitting, live_table
from league.model import Claim, ClaimedBot, FaultKind, NewFault, SourceKind
from league.store import Store
from workers.bots import BotError, BotProgram, from_source
from workers.building import build_bots_async
from workers.leasing import last_step, told, work_under_claim, worker_name
from workers.live import Show
from workers.referee_client import (
    CertificateRefusedError,
    FaultSeen,
    HandedBackError,
    PlanRefusedError,
    PlayerPlan,
    RefereeDrainingError,
    RefereeFullError,
    RefereeUnreachableError,
    SittingPlan,
    TablePlan,
)
from workers.sitting import Venue, play_sitting
from workers.submitted import SubmittedBots, unknown_program

_LOG = logging.getLogger(__name__)
_log = structlog.get_logger("king")

_BEFORE_ANY_CARD = (
    BotError,
    CertificateRefusedError,
    HandedBackError,
    PlanRefusedError,
    RefereeDrainingError,
    RefereeFullError,
    RefereeUnreachableError,
)
"""What goes wrong before the referee has dealt what is not stored: no bot has seen a card of it then."""

PROCESS_LIMIT = 4
"""How many processes a bot may have at once if each takes fewer tables than there are."""


async def play_from_store(
    store: Store,
    sitting: int,
    *,
    stage: Venue,
    lease: timedelta,
    redis_url: str = "",
    submitted: SubmittedBots | None = None,
) -> bool:
    """Claim the sitting and play it to its end. Returns whether it is done now through us.

    If it may be watched, word of its tables goes to `redis_url`, if there is one. Bots that were submitted come from
    `submitted`; without it, sittings of theirs cannot be played.
    False: there was nothing to claim, or the claim was lost to a newer attempt.

    Raises:
        SittingError: it could not be played; the claim was given back.
        BotError: a bot cannot be found or built; the claim was given back.
        LeagueError: it cannot be claimed, such as for want of its season's secret; the sitting says why.
    """
    try:
        claim = await asyncio.to_thread(store.sittings.claim, sitting, worker_name())
    except StoreUnusableError:
        raise
    except LeagueError as error:  # such as no secret in this vault: who asks why nothing is played is to find it
        await asyncio.to_thread(store.sittings.note_trouble, sitting, told(error))
        raise
    if claim is None:
        return False

    bind_contextvars(sitting=str(claim.sitting), attempt=claim.attempt, season=claim.season_name)
    _log.info("sitting claimed", rotation=claim.rotation, tables=len(claim.tables), variant=claim.variant)

    def give_back(error: BaseException) -> None:
        _log.warning("sitting given back", reason=told(error))
        store.sittings.release(claim, told(error), seen=not isinstance(error, _BEFORE_ANY_CARD))

    done = await work_under_claim(
        _play_to_end(store, claim, stage, redis_url, submitted),
        renew=lambda: store.sittings.renew(claim),
        give_back=give_back,
        lease=lease,
    )
    _log.info("sitting over" if done else "the claim is lost: a newer attempt has the sitting")
    return done


async def _play_to_end(
    store: Store, claim: Claim, stage: Venue, redis_url: str, submitted: SubmittedBots | None
) -> None:
    if claim.tables:
        await _play(store, claim, stage, redis_url, submitted)
    await last_step(lambda: store.sittings.finish(claim))


async def _play(store: Store, claim: Claim, stage: Venue, redis_url: str, submitted: SubmittedBots | None) -> None:
    programs = [None if each.bot.remote else await _program(each, submitted) for each in claim.players]
    both = zip(programs, claim.players, strict=True)
    playing = [program for program, each in both if program is not None and not each.suspended]
    await build_bots_async(playing, _LOG.info)  # nothing to do, unless the folder is new or was changed
    live = bool(redis_url) and await asyncio.to_thread(store.live.may_be_watched, claim.sitting)
    show = Show(redis_url, live_sitting(claim)) if live else None
    plan = replace(plan_of(claim), live=live)
    await play_sitting(plan, programs, stage=stage, sink=StoreSink(store, claim), show=show)


async def _program(player: ClaimedBot, submitted: SubmittedBots | None) -> BotProgram:
    """The program of a player; of a submitted one that sits out, and may be deleted by now, its name alone."""
    source, version = player.bot.source, player.bot.version
    if source.kind is not SourceKind.ARCHIVE:
        return from_source(source, name=player.label, version=version)
    if player.suspended:
        return unknown_program(source, name=player.label, version=version)
    if submitted is None:
        raise BotError(f"bot {player.label} {version} was submitted, and this worker has no place for such bots")
    program = await submitted.program(source.location, _LOG.info)
    return replace(program, name=player.label, version=version)


class StoreSink:
    """Stores what comes of a sitting under its claim."""

    def __init__(self, store: Store, claim: Claim) -> None:
        """Store under `claim`; every method raises `StaleAttemptError` once it is lost."""
        self._store = store
        self._claim = claim

    async def keep_result(self, match_id: str, record: bytes) -> None:
        """As in `Sink`."""
        await asyncio.to_thread(self._store.results.commit, self._claim, json.loads(record))
        _log.info("match stored", match_id=match_id)

    async def keep_fault(self, number: int, fault: FaultSeen) -> None:
        """As in `Sink`."""
        new = NewFault(
            number=number,
            player=fault.player,
            process=fault.process,
            kind=FaultKind(fault.kind),
            detail=fault.detail,
            forfeits=fault.forfeits,
            match_ids=fault.match_ids,
        )
        await asyncio.to_thread(self._store.results.record_fault, self._claim, new)
        _log.info("fault stored", kind=fault.kind, process=fault.process, match_ids=fault.match_ids)

    async def keep_log(self, *, process: int, player: int, exit_status: int, text: str) -> None:
        """As in `Sink`."""
        keep = self._store.results.keep_log
        await asyncio.to_thread(keep, self._claim, process=process, player=player, exit_status=exit_status, text=text)


def plan_of(claim: Claim) -> SittingPlan:
    """The plan that the referee is given for a claim: the tables still to be played."""
    return SittingPlan(
        sitting=str(claim.sitting),
        attempt=claim.attempt,
        variant=claim.variant,
        time_control=claim.time_control,
        players=tuple(_player_plan(each) for each in claim.players),
        tables=tuple(
            TablePlan(
                match_id=table.match_id,
                season=claim.season_name,
                board=table.board,
                rotation=table.rotation,
                deal_secret=bytes.fromhex(table.deal_secret),
                deal_salt=bytes.fromhex(table.deal_salt),
                players=table.players,
            )
            for table in claim.tables
        ),
    )


def live_sitting(claim: Claim) -> LiveSitting:
    """What may be told of a claimed sitting that may be watched."""
    return LiveSitting(
        sitting=claim.sitting,
        attempt=claim.attempt,
        season=claim.season,
        rotation=claim.rotation,
        variant=claim.variant,
        tables=tuple(live_table(claim, table) for table in claim.tables),
    )


def _player_plan(player: ClaimedBot) -> PlayerPlan:
    sits_out = f"suspended, {player.suspended}" if player.suspended else player.absent
    remote = str(player.bot.id) if player.bot.remote else ""
    return PlayerPlan(player.label, player.bot.version, PROCESS_LIMIT, sits_out, remote)
