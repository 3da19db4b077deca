"""Plays an unrated board out of the store: a challenge, or the qualifying board of a remote bot. It counts nowhere.

A second run of the same board finds nothing to claim and does nothing. It is stored as a whole, when its last rotation
is over, with how the remote bot has failed, if it has.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta

import structlog
from structlog.contextvars import bind_contextvars

from league.errors import LeagueError, StoreUnusableError
from league.model import BotVersion, SourceKind
from league.store import Store
from league.unrated import UnratedClaim, UnratedPlayer
from referee.rules import Variant, parse_variant
from workers.archives import ArchiveError
from workers.bots import BotError, BotProgram, from_source
from workers.building import build_bots_async
from workers.gate import Workshop
from workers.leasing import last_step, told, work_under_claim, worker_name
from workers.referee_client import GOES_AWAY
from workers.sitting import Venue
from workers.submitted import without_place
from workers.unrated_play import BoardPlayer, BoardToPlay, forfeits_told, play_board

_LOG = logging.getLogger(__name__)
_log = structlog.get_logger("king")


async def play_challenge_from_store(
    store: Store, board: int, *, submitted: Workshop, stage: Venue, lease: timedelta
) -> bool:
    """Claim the board and play it. Returns whether it is over now through us.

    Raises:
        Exception: it could not be played, through our fault; it was given back.
    """
    claim = await asyncio.to_thread(store.unrated.claim, board, worker_name())
    if claim is None:
        return False
    bind_contextvars(unrated_board=board, attempt=claim.board.attempt)
    _log.info("unrated board claimed")

    def give_back(error: BaseException) -> None:
        _log.warning("unrated board given back", reason=told(error))
        failed = isinstance(error, Exception) and not isinstance(error, GOES_AWAY)
        store.unrated.release(claim, told(error), failed=failed)

    return await work_under_claim(
        _play(store, claim, submitted, stage),
        renew=lambda: store.unrated.renew(claim),
        give_back=give_back,
        lease=lease,
    )


async def _play(store: Store, claim: UnratedClaim, submitted: Workshop, stage: Venue) -> None:
    try:
        board = await _board(claim, submitted)
    except StoreUnusableError:
        raise
    except (BotError, ArchiveError, LeagueError) as error:
        reason = str(error)
        await last_step(lambda: store.unrated.void(claim, reason))
        return
    played = await play_board(board, stage)
    remote = next((place for place, player in enumerate(board.players) if player.remote), None)
    failed = "" if remote is None else forfeits_told(board.variant, played, remote)
    outcome = failed and f"it forfeited {failed}"
    await last_step(lambda: store.unrated.finish(claim, played.rotations, outcome))


async def _board(claim: UnratedClaim, submitted: Workshop) -> BoardToPlay:
    variant = parse_variant(claim.board.variant)
    players = claim.board.players
    return BoardToPlay(
        players=[
            await _player(bot, player, variant, submitted) for bot, player in zip(claim.bots, players, strict=True)
        ],
        variant=variant,
        time_control=claim.board.time_control,
        heard=frozenset(place for place, player in enumerate(players) if player.own),
    )


async def _player(bot: BotVersion, player: UnratedPlayer, variant: Variant, submitted: Workshop) -> BoardPlayer:
    if bot.remote:
        return BoardPlayer(name=player.label, version=bot.version, program=None, remote=str(bot.id))
    try:
        program = await _program(bot, submitted)
    except (BotError, ArchiveError) as error:
        raise BotError(_told_to_challenger(bot, str(error), own=player.own)) from error
    if not program.plays(variant.base_id):
        played = ", ".join(program.variants)
        raise BotError(f"bot {program.name} does not play {variant.base_id}; it plays {played}")
    return BoardPlayer.of(replace(program, name=player.label))


def _told_to_challenger(bot: BotVersion, reason: str, *, own: bool) -> str:
    """Why a bot's program is not to be had; of another's bot no more than that, for the reason names places of ours."""
    if own and bot.source.kind is SourceKind.ARCHIVE:
        return without_place(reason, bot.source.location)
    _LOG.warning("bot %s %s of a challenge is not to be had: %s", bot.name, bot.version, reason)
    return f"the program of bot {bot.name} {bot.version} is not to be had at present; choose another bot, or try later"


async def _program(bot: BotVersion, submitted: Workshop) -> BotProgram:
    """The program of a bot version, built."""
    if bot.source.kind is SourceKind.ARCHIVE:
        return await submitted.program(bot.source.location, _LOG.info)
    program = from_source(bot.source, name=bot.name, version=bot.version)
    await build_bots_async([program], _LOG.info)
    return program
