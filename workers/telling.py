"""What a job tells the worker whose horse did it: how it ended, and what it started. Numbers alone, for metrics.

Owns the way: the job's metadata in Redis, written as its last act. A horse that is killed, or whose Redis is wiped,
tells nothing; the worker then says that it died.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import wraps
from typing import Any, Final

from redis.exceptions import RedisError
from rq import get_current_job
from rq.job import Job

from league.errors import LeagueError

_KEY: Final = "king"
DONE: Final = "done"
LOST: Final = "claim_lost"
HANDED_BACK: Final = "handed_back"
DIED: Final = "died"
OTHER: Final = "failure"
_REASONS: Final[Mapping[str, str]] = {
    "HandedBackError": HANDED_BACK,
    "RefereeDrainingError": "referee_draining",
    "RefereeFullError": "referee_full",
    "RefereeUnreachableError": "referee_unreachable",
    "RefereeLostError": "referee_lost",
    "CertificateRefusedError": "certificate_refused",
    "PlanRefusedError": "refused",
    "SittingVoidError": "void",
    "SittingError": "sitting",
    "BotError": "bot",
    "SandboxError": "no_sandbox",
    "StoreUnusableError": "store",
    "LeagueError": "league",
    "CancelledError": "told_to_end",
}
"""By the names of errors and of what they are kinds of, the nearest first."""
OUTCOMES: Final = (DONE, LOST, *_REASONS.values(), OTHER, DIED)


@dataclass(slots=True)
class JobTold:
    """What a job tells. `outcome`: one of `OUTCOMES`."""

    outcome: str = DONE
    bots_started: int = 0
    launch_failures: int = 0


_told: ContextVar[JobTold | None] = ContextVar("told", default=None)


def telling(job: Callable[[int], None]) -> Callable[[int], None]:
    """Have a job tell what became of it."""

    @wraps(job)
    def told(piece: int) -> None:
        with _tell() as what:
            try:
                job(piece)
            except BaseException as error:
                what.outcome = outcome_of(error)
                raise

    return told


def note_outcome(outcome: str) -> None:
    """The job of this context ends so, if it ends without an error."""
    if (what := _told.get()) is not None:
        what.outcome = outcome


def note_start(*, failed: bool = False) -> None:
    """The job of this context has started a process of a bot, or failed to."""
    if (what := _told.get()) is None:
        return
    if failed:
        what.launch_failures += 1
    else:
        what.bots_started += 1


def outcome_of(error: BaseException) -> str:
    """What an error that ended a job is called in metrics."""
    kinds = (_REASONS.get(kind.__name__) for kind in type(error).__mro__)
    return next((reason for reason in kinds if reason is not None), OTHER)


def is_foreseen(error: BaseException) -> bool:
    """Whether an error that ended a job says in a sentence what is wrong: nobody needs to see where it arose."""
    return outcome_of(error) != OTHER or isinstance(error, LeagueError | RedisError)


def read_told(job: Job) -> JobTold | None:
    """What a job that is over has told; None if nothing."""
    try:
        return JobTold(**job.get_meta()[_KEY])
    except (RedisError, KeyError, TypeError):
        return None


@contextlib.contextmanager
def _tell() -> Iterator[JobTold]:
    what = JobTold()
    before = _told.set(what)
    try:
        yield what
    finally:
        _told.reset(before)
        job: Any = get_current_job()
        if job is not None:
            with contextlib.suppress(RedisError):  # nobody hears it then, and the work is done all the same
                job.meta[_KEY] = asdict(what)
                job.save_meta()
