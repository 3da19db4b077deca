"""Which of several referees plays a sitting: all are asked side by side, and the least busy one is the first choice.

Owns the order in which referees are tried. What one has told promises nothing: it may be over a moment later, and then
the next one is tried. A remote bot plays one sitting at a time, whatever the number of referees it is connected to.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from referee.plans import RefereeState, SittingPlan
from workers.client_tls import ClientTls
from workers.finding import RefereeAt, Referees
from workers.launcher import Launcher, Limits
from workers.referee_client import (
    CertificateRefusedError,
    PlanRefusedError,
    RefereeDrainingError,
    RefereeFullError,
    RefereeUnreachableError,
    SittingError,
    describe_referee,
)
from workers.sitting import Stage

ANSWER_WITHIN_S = 5.0
"""How long referees may take until the first has told how it is."""
KEY_WITHIN_S = 2.0
"""How long each has to say whether it takes a control key."""
OTHERS_WITHIN_S = 0.5
"""How long the others may take after that: one that is gone must not cost each sitting the time above."""

_LOG = logging.getLogger(__name__)

Launching = Callable[[str, ClientTls], Launcher]
"""Gives the launcher of bots that dial the referee with these addresses."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A referee that has answered, and how it is."""

    at: RefereeAt
    state: RefereeState


@dataclass(frozen=True, kw_only=True)
class Stages:
    """Where sittings are played, if there may be several referees.

    Attributes:
        referees: those there are.
        launching: what starts the bots, for one of them.
        limits, tell_last_words: as of `Stage`.
    """

    referees: Referees
    launching: Launching
    limits: Limits = field(default_factory=Limits)
    tell_last_words: bool = False

    async def stages(self, plan: SittingPlan) -> Sequence[Stage]:
        """The stages that `plan` can be played on, the best first. One referee alone is not asked.

        Raises:
            SittingError: there is none now; no referee was asked for anything.
        """
        found, wrong = await asyncio.to_thread(self.referees.find)
        if not found:
            raise RefereeUnreachableError("; ".join(map(str, wrong)))
        if len(found) > 1:
            candidates, failed = await ask_all(found, remotes_of(plan), self.referees.control_key)
            _tell(failed)
            found = in_order(candidates, failed, plan, shuffled)
            _LOG.info("sitting %s is for the referee at %s, of %d", plan.sitting, found[0], len(candidates))
        return [self._stage(at) for at in found]

    def telling_last_words(self) -> Stages:
        """The same, where a fault says why a bot ended."""
        return replace(self, tell_last_words=True)

    def _stage(self, at: RefereeAt) -> Stage:
        return Stage(
            referee=at.control,
            control_key=self.referees.control_key,
            launcher=self.launching(at.addresses, at.tls),
            limits=self.limits,
            tell_last_words=self.tell_last_words,
            tls=at.tls,
        )


def remotes_of(plan: SittingPlan) -> tuple[str, ...]:
    """The ids of the remote bots that a plan needs."""
    return tuple(player.remote for player in plan.players if player.remote and not player.sits_out)


def shuffled(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Equally busy referees in any order: workers that ask at the same moment are told the same."""
    mixed = list(candidates)
    random.SystemRandom().shuffle(mixed)
    return mixed


async def refusal(referees: Referees) -> PlanRefusedError | None:
    """What a referee says that answers and does not take our control key; None if none that answers says so."""
    found, _ = await asyncio.to_thread(referees.find)
    _, failed = await ask_all(found, (), referees.control_key, within_s=KEY_WITHIN_S, others_within_s=KEY_WITHIN_S)
    return next((error for error in failed if isinstance(error, PlanRefusedError)), None)


async def ask_all(
    found: Sequence[RefereeAt],
    bots: Sequence[str],
    control_key: str,
    *,
    within_s: float = ANSWER_WITHIN_S,
    others_within_s: float = OTHERS_WITHIN_S,
) -> tuple[list[Candidate], list[SittingError]]:
    """Ask all referees how they are, side by side. Returns those that have answered, and what the others failed by.

    Both are in the order of `found`.
    """
    asking = [asyncio.create_task(_ask(at, bots, control_key, within_s)) for at in found]
    waiting = set(asking)
    try:
        while waiting and not any(isinstance(answer, Candidate) for answer in _answers(asking, waiting)):
            _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if waiting:
            _, waiting = await asyncio.wait(waiting, timeout=others_within_s)
    finally:
        for task in asking:
            task.cancel()
    answers = _answers(asking, waiting)
    return (
        [answer for answer in answers if isinstance(answer, Candidate)],
        [answer for answer in answers if isinstance(answer, SittingError)],
    )


def in_order(
    candidates: Sequence[Candidate],
    failed: Sequence[SittingError],
    plan: SittingPlan,
    mix: Callable[[Iterable[Candidate]], list[Candidate]],
) -> tuple[RefereeAt, ...]:
    """The referees to try, the best first: one that plays an older attempt of the sitting with a remote bot, then the
    least busy. `mix` has the order of those that are equally busy; `failed` is what is said of those without an answer.

    Raises:
        SittingError: there is none that could take the sitting now.
    """
    once = {candidate.state.referee: candidate for candidate in reversed(candidates)}
    taking = [candidate for candidate in once.values() if not candidate.state.draining]
    if not taking:
        raise _none(once.values(), failed)
    bots = remotes_of(plan)
    if bots:
        _check_free(taking, bots, plan.sitting)
        taking = _with_all(taking, bots)
    free = [candidate for candidate in taking if candidate.state.sitting_count < candidate.state.sitting_limit]
    if not free:
        raise RefereeFullError(f"every referee has as many sittings as it takes: {_named(taking)}; try again later")
    return tuple(candidate.at for candidate in sorted(mix(free), key=lambda each: _busyness(each.state, plan.sitting)))


async def _ask(at: RefereeAt, bots: Sequence[str], control_key: str, within_s: float) -> Candidate | SittingError:
    try:
        state = await describe_referee(at.control, bots, control_key=control_key, tls=at.tls, timeout_s=within_s)
    except SittingError as error:
        return error
    return Candidate(at, state)


def _answers(
    asking: Iterable[asyncio.Task[Candidate | SittingError]], waiting: set[asyncio.Task[Candidate | SittingError]]
) -> list[Candidate | SittingError]:
    return [task.result() for task in asking if task not in waiting]


def _busyness(state: RefereeState, sitting: str) -> tuple[bool, bool, int, int]:
    plays_it = any(remote.sitting == sitting for remote in state.remotes.values())
    return not plays_it, state.behind, state.table_count, state.sitting_count


def _check_free(candidates: Sequence[Candidate], bots: Sequence[str], sitting: str) -> None:
    for candidate in candidates:
        for bot in bots:
            remote = candidate.state.remotes.get(bot)
            if remote is not None and remote.sitting not in {"", sitting}:
                told = f"remote bot {bot} still plays another sitting at {candidate.at}; it plays one at a time"
                raise RefereeFullError(told)


def _with_all(candidates: Sequence[Candidate], bots: Sequence[str]) -> list[Candidate]:
    """Those where all bots are that are connected anywhere. One that is nowhere has the start-up allowance to come."""
    there = {
        bot: [each for each in candidates if bot in each.state.remotes and each.state.remotes[bot].connected]
        for bot in bots
    }
    needed = [where for where in there.values() if where]
    meeting = [candidate for candidate in candidates if all(candidate in where for where in needed)]
    if not meeting:
        told = "; ".join(f"bot {bot} is at {_named(where)}" for bot, where in there.items() if where)
        raise RefereeFullError(f"its remote bots are connected to no referee together: {told}; try again later")
    return meeting


def _none(draining: Iterable[Candidate], failed: Sequence[SittingError]) -> SittingError:
    going = [f"{candidate.at} is going away" for candidate in draining]
    told = "; ".join([*going, *map(str, failed)])
    if going:
        return RefereeDrainingError(told)
    refused = next((error for error in failed if not isinstance(error, RefereeUnreachableError)), None)
    if isinstance(refused, CertificateRefusedError):
        return CertificateRefusedError(told)
    return refused or RefereeUnreachableError(told)


def _tell(failed: Iterable[SittingError]) -> None:
    """Say which referees will not be asked with success until somebody does something; others may be back by now."""
    for error in failed:
        if not isinstance(error, RefereeUnreachableError):
            _LOG.warning("a referee is left out: %s", error)


def _named(candidates: Iterable[Candidate]) -> str:
    return ", ".join(str(candidate.at) for candidate in candidates)
