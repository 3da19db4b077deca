"""Works on a submission: unpacks and builds its bot in the sandbox, checks it, has it play, makes it active.

A second run of the same submission finds nothing to claim and does nothing. Whatever the bot does wrong is a refusal
with its reason; whatever goes wrong on our side gives the submission back and blames nobody.
"""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

import structlog
from structlog.contextvars import bind_contextvars

from league.store import Store
from league.store.submission_work import RefusedError
from league.submissions import LogKind, Refusal, SubmissionClaim, SubmissionState, SubmittedBot
from league.unrated import QUALIFYING_VARIANT, SPARRING, UnratedPlayer
from referee.clock import TimeControl
from referee.rules import Variant, parse_variant
from workers.archives import ArchiveError
from workers.bots import BotError, BotProgram, find_bot, house_names, sample_names
from workers.building import BuildError, build_bots_async
from workers.checking.checks import BotCheck
from workers.checking.decisions import declared_variants
from workers.checking.findings import Report
from workers.gate import Gate
from workers.leasing import last_step, told, work_under_claim, worker_name
from workers.referee_client import GOES_AWAY
from workers.sandbox import SandboxError
from workers.submitted import without_place
from workers.unrated_play import BoardPlayed, BoardPlayer, BoardToPlay, forfeits_told, play_board

_log = structlog.get_logger("king")


async def work_from_store(store: Store, submission: int, *, gate: Gate, lease: timedelta) -> bool:
    """Claim the submission and bring it to its answer. Returns whether it has one now through us.

    Raises:
        Exception: it could not be worked on, through our fault; it was given back.
    """
    claim = await asyncio.to_thread(store.submissions.claim, submission, worker_name())
    if claim is None:
        return False
    bind_contextvars(submission=submission, attempt=claim.attempt)
    _log.info("submission claimed")

    def give_back(error: BaseException) -> None:
        _log.warning("submission given back", reason=told(error))
        # a sandbox that is missing, a referee that goes away, or a signal that tells us to end, says nothing of the bot
        failed = isinstance(error, Exception) and not isinstance(error, (SandboxError, *GOES_AWAY))
        store.submissions.release(claim, told(error), failed=failed)

    return await work_under_claim(
        _Inspection(store, claim, gate).run(),
        renew=lambda: store.submissions.renew(claim),
        give_back=give_back,
        lease=lease,
    )


class _Inspection:
    """One attempt to bring a submission to its answer, step after step."""

    def __init__(self, store: Store, claim: SubmissionClaim, gate: Gate) -> None:
        self._submissions = store.submissions
        self._unrated = store.unrated
        self._claim = claim
        self._gate = gate

    async def run(self) -> None:
        try:
            program = await self._build()
            await self._advance(SubmissionState.CHECKING)
            await self._check(program)
            await self._advance(SubmissionState.QUALIFYING)
            await self._play(program)
            await last_step(lambda: self._submissions.qualify(self._claim))
        except RefusedError as refused:
            cause, reason = refused.cause, str(refused)
            await last_step(lambda: self._submissions.refuse(self._claim, cause, reason))

    async def _advance(self, state: SubmissionState) -> None:
        await asyncio.to_thread(self._submissions.advance, self._claim, state)

    async def _build(self) -> BotProgram:
        sha256 = self._claim.sha256
        try:
            bot = await self._gate.workshop.manifest(sha256)
            await asyncio.to_thread(self._submissions.identify, self._claim, _submitted(bot), sample_names())
            program = await self._gate.workshop.program(sha256, lambda line: None)
        except ArchiveError as error:
            raise RefusedError(Refusal.ARCHIVE, without_place(str(error), sha256)) from None
        except BuildError as error:
            await self._keep_build_log()
            raise RefusedError(Refusal.BUILD, without_place(str(error), sha256)) from None
        except BotError as error:
            raise RefusedError(Refusal.MANIFEST, without_place(str(error), sha256)) from None
        await self._keep_build_log()
        return program

    async def _keep_build_log(self) -> None:
        text = await asyncio.to_thread(self._gate.workshop.build_log, self._claim.sha256)
        await asyncio.to_thread(self._submissions.keep_log, self._claim, LogKind.BUILD, text)

    async def _check(self, program: BotProgram) -> None:
        check = BotCheck(
            bot=program,
            variants=tuple(map(parse_variant, declared_variants(program.variants))),
            control=TimeControl.parse(self._gate.time_control),
            launching=self._gate.launching,
            sealed=self._gate.sealed,
        )
        report = await check.run()
        await asyncio.to_thread(self._submissions.keep_report, self._claim, _report_json(report, self._claim.sha256))
        if not report.passed:
            await asyncio.to_thread(self._submissions.keep_log, self._claim, LogKind.STDERR, report.stderr)
            raise RefusedError(Refusal.CHECK, without_place(_failure(report), self._claim.sha256))

    async def _play(self, program: BotProgram) -> None:
        board = await qualifying_board(program, self._gate.time_control)
        played = await play_board(board, self._gate.stage)
        players = [
            UnratedPlayer(label=each.name, version=each.version, version_id=None, own=place == 0)
            for place, each in enumerate(board.players)
        ]
        keep = self._unrated.keep_qualifying
        rotations = played.rotations
        await asyncio.to_thread(keep, self._claim, variant=board.variant.id, players=players, played=rotations)
        if failed := forfeits_told(board.variant, played, 0):
            await self._keep_stderr(played)
            raise RefusedError(Refusal.QUALIFYING, f"it forfeited its qualifying board of {failed}")

    async def _keep_stderr(self, played: BoardPlayed) -> None:
        texts = [log.text for rotation in played.rotations for log in rotation.logs if log.text]
        await asyncio.to_thread(self._submissions.keep_log, self._claim, LogKind.STDERR, "\n".join(texts))


async def qualifying_board(program: BotProgram, time_control: str) -> BoardToPlay:
    """The board that a bot has to play: against house bots, of `QUALIFYING_VARIANT` or the first that it declares."""
    variant = _qualifying_variant(program)
    others = [find_bot(name) for name in SPARRING if name in house_names()]
    others = [bot for bot in others if bot.plays(variant.base_id)][: variant.seats - 1]
    await build_bots_async(others, lambda line: None)
    players = [BoardPlayer.of(bot) for bot in (program, *others)]
    return BoardToPlay(players=players, variant=variant, time_control=time_control, heard=frozenset({0}))


def _qualifying_variant(program: BotProgram) -> Variant:
    if program.plays(QUALIFYING_VARIANT):
        return parse_variant(QUALIFYING_VARIANT)
    return parse_variant(declared_variants(program.variants)[0])


def _submitted(bot: BotProgram) -> SubmittedBot:
    return SubmittedBot(name=bot.name, version=bot.version, language=bot.language, variants=bot.variants)


def _failure(report: Report) -> str:
    step = next(step for step in report.steps if step.finding.passed is False)
    return f"step {step.number} of the check, “{step.name}”: {step.finding.message}"


def _report_json(report: Report, sha256: str) -> dict[str, Any]:
    """The report as `king check --json` has it, without the place where the arena keeps the bot."""
    found: dict[str, Any] = json.loads(without_place(json.dumps(report.to_json(), ensure_ascii=False), sha256))
    return found
