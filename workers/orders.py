"""Carries out what organisers ask for on the web: a step of the sweep.

Owns the checks that need more than the store, and the marks in Redis of what is queued again. Several sweeps may run at
once, and twice: an order is carried out once.
"""

from __future__ import annotations

from rq import Queue

from league.errors import LeagueError
from league.orders import CreateSeason, Order, Outcome
from league.store import Store
from referee.clock import TimeControl, TimeControlError
from workers.queueing import Piece, Work, unmark


def carry_out_orders(store: Store, queue: Queue) -> tuple[int, ...]:
    """Carry out all orders that wait, in the order of asking. Returns the ids of those done now.

    Raises:
        LeagueError: some failed through our fault, when all others have been carried out; it names them.
    """
    done: list[int] = []
    failed: dict[int, Exception] = {}
    for order_id in store.orders.waiting():
        try:
            outcome = store.orders.carry_out(order_id, lambda order: _perform(store, order))
        except Exception as error:  # one that fails keeps no other from being carried out
            failed[order_id] = error
            continue
        if outcome is not None:
            done.append(order_id)
            for sitting in outcome.requeued:
                unmark(queue.connection, Piece(Work.SITTING, sitting))
    if failed:
        told = "; ".join(f"order {order}: {type(error).__name__}: {error}" for order, error in failed.items())
        raise LeagueError(f"orders could not be carried out: {told}") from next(iter(failed.values()))
    return tuple(done)


def _perform(store: Store, order: Order) -> Outcome:
    if isinstance(order.arguments, CreateSeason):
        try:
            TimeControl.parse(order.arguments.new.time_control)
        except TimeControlError as error:
            raise LeagueError(str(error)) from None
    return store.organising.perform(order.arguments, by=order.by)
