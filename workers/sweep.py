"""Queues what the store says is not done; ends the claims of those that have gone silent; carries out orders.

Run it as often as you like, anywhere and by several at once: running it twice is harmless, and after Redis was wiped it
puts everything back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import Final

import structlog
from rq import Queue

from league.errors import in_one_line
from league.store import Store
from league.store.silence import TakenBack, TellTakenBack
from workers.finding import Referees
from workers.orders import carry_out_orders
from workers.presence import note_presence
from workers.queueing import Piece, Work, forget_failures, note_sweep, queue_work

SWEEP_EVERY = timedelta(seconds=1)
_FIELDS: Final = {"sitting": "sitting", "submission": "submission", "unrated board": "unrated_board"}
_log = structlog.get_logger("king")


def log_taken_back(taken: TakenBack) -> None:
    """Log that a claim was taken back."""
    field = _FIELDS[taken.what]
    about = {field: str(taken.id) if field == "sitting" else taken.id}  # as whoever works on it has it
    _log.warning("a silent claim is taken back", attempt=taken.attempt, worker=taken.worker, **about)


def sweep(
    store: Store,
    queue: Queue,
    *,
    patient: bool = True,
    referees: Referees | None = None,
    tell: TellTakenBack = log_taken_back,
) -> tuple[Piece, ...]:
    """Carry out orders, expire leases, have rolling seasons grow, queue all that can be done. Returns what was queued.

    How often work has failed is forgotten once nobody will try it again.

    `patient` takes a claim back only if this store saw it silent in an earlier sweep too, so that its owner can renew
    first after the machine slept; for a sweep that is made once, say False. `referees`, if given, are told of remote
    bots and asked which are connected: sittings that have some wait for that. A season that cannot be swept keeps no
    other from the queue. `tell` is called with each claim that is taken back.

    Raises StoreUnusableError, and does nothing, when this version cannot work any more on what a later one has made.
    """
    store.check_schema()
    queued: list[Piece] = []
    with ExitStack() as steps:  # each is taken whatever becomes of the others; the last one pushed goes first
        steps.callback(lambda: queued.extend(_queue_due(store, queue)))
        steps.callback(_forget_failures, store, queue)
        steps.callback(store.rolling.grow_all)
        steps.callback(store.unrated.sweep, patient=patient, tell=tell)
        steps.callback(store.submissions.sweep, patient=patient, tell=tell)
        steps.callback(store.sittings.sweep, patient=patient, tell=tell)
        if referees is not None:
            steps.callback(note_presence, store, referees)
        steps.callback(carry_out_orders, store, queue)
    if referees is not None:  # a whole one
        note_sweep(queue.connection)
    return tuple(queued)


def _queue_due(store: Store, queue: Queue) -> Iterator[Piece]:
    yield from queue_work(queue, Work.SUBMISSION, store.submissions.due())
    yield from queue_work(queue, Work.CHALLENGE, store.unrated.due())
    yield from queue_work(queue, Work.SITTING, store.sittings.due())


def _forget_failures(store: Store, queue: Queue) -> None:
    pending = {
        Work.SITTING: store.sittings.pending,
        Work.SUBMISSION: store.submissions.pending,
        Work.CHALLENGE: store.unrated.pending,
    }
    forget_failures(queue.connection, pending)


async def sweep_for_ever(
    sweep_once: Callable[[], object],
    report: Callable[[str], None],
    warn: Callable[[str], None],
    every: timedelta = SWEEP_EVERY,
) -> None:
    """Call `sweep_once`, in a thread, again and again, whatever it raises.

    `warn` takes a line for people when it begins to fail, `report` one when it works again.
    """
    failing = False
    while True:
        try:
            await asyncio.to_thread(sweep_once)
        except Exception as error:
            if not failing:
                warn(f"the sweep fails and goes on trying: {in_one_line(error)}")
            failing = True
        else:
            if failing:
                report("the sweep works again")
            failing = False
        await asyncio.sleep(every.total_seconds())
