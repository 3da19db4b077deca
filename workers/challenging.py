"""Plays a challenge out of the store: a board among chosen bots that counts nowhere.

A second run of the same challenge finds nothing to claim and does nothing. It is stored as a whole, when its last
rotation is over.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta

from league.errors import LeagueError
from league.model import BotVersion, SourceKind
from league.store import Store
from league.unrated import UnratedClaim
from referee.rules import parse_variant
from workers.archives import ArchiveError
from workers.bots import BotError, BotProgram, from_source
from workers.building import build_bots_async
from workers.gate import Workshop
from workers.leasing import told, work_under_claim, worker_name
from workers.sitting import Stage
from workers.unrated_play import BoardToPlay, play_board

_LOG = logging.getLogger(__name__)


async def play_challenge_from_store(
    store: Store, board: int, *, submitted: Workshop, stage: Stage, lease: timedelta
) -> bool:
    """Claim the challenge and play it. Returns whether it is over now through us.

    Raises:
        Exception: it could not be played, through our fault; it was given back.
    """
    claim = await asyncio.to_thread(store.unrated.claim, board, worker_name())
    if claim is None:
        return False

    def give_back(error: BaseException) -> None:
        store.unrated.release(claim, told(error), failed=isinstance(error, Exception))

    return await work_under_claim(
        _play(store, claim, submitted, stage),
        renew=lambda: store.unrated.renew(claim),
        give_back=give_back,
        lease=lease,
    )


async def _play(store: Store, claim: UnratedClaim, submitted: Workshop, stage: Stage) -> None:
    try:
        board = await _board(claim, submitted)
    except (BotError, ArchiveError, LeagueError) as error:
        await asyncio.to_thread(store.unrated.void, claim, str(error))
        return
    played = await play_board(board, stage)
    await asyncio.to_thread(store.unrated.finish, claim, played.rotations)


async def _board(claim: UnratedClaim, submitted: Workshop) -> BoardToPlay:
    variant = parse_variant(claim.board.variant)
    programs = [await _program(bot, submitted) for bot in claim.bots]
    for program in programs:
        if not program.plays(variant.base_id):
            played = ", ".join(program.variants)
            raise BotError(f"bot {program.name} does not play {variant.base_id}; it plays {played}")
    players = claim.board.players
    return BoardToPlay(
        programs=[replace(program, name=player.label) for program, player in zip(programs, players, strict=True)],
        variant=variant,
        time_control=claim.board.time_control,
        heard=frozenset(place for place, player in enumerate(players) if player.own),
    )


async def _program(bot: BotVersion, submitted: Workshop) -> BotProgram:
    """The program of a bot version, built."""
    if bot.source.kind is SourceKind.ARCHIVE:
        return await submitted.program(bot.source.location, _LOG.info)
    program = from_source(bot.source, name=bot.name, version=bot.version)
    await build_bots_async([program], _LOG.info)
    return program
