"""Orders: asked for, carried out once, kept with what became of them.

Owns the table `orders`. Asking works without the vault. An order is carried out and marked in one transaction: it
happens exactly once, however many sweeps there are and whenever one of them dies.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from league.audit_log import Act, Actor, Via
from league.errors import LeagueError
from league.orders import (
    Arguments,
    CreateSeason,
    Order,
    OrderKind,
    OrderState,
    Outcome,
    arguments_from,
    arguments_json,
    kind_of,
)
from league.store.account_schema import accounts
from league.store.audit_log import write_entry
from league.store.database import Database
from league.store.order_schema import orders
from league.store.rows import season_row

TRIES_AT_MOST = 5
"""So often an order that fails through our fault is tried."""
PAGE = 50

Perform = Callable[[Order], Outcome]
"""Does what an order asks for, within the transaction of `Store.together`; LeagueError refuses it."""


class OrderStore:
    """Takes orders and has them carried out."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def ask(self, arguments: Arguments, *, by: Actor) -> Order:
        """Writes an order down; the sweep carries it out within a second or two.

        Raises LeagueError when it is about a season that is not there.
        """
        season = None if isinstance(arguments, CreateSeason) else arguments.season
        values = {
            "kind": kind_of(arguments).value,
            "arguments": arguments_json(arguments),
            "actor": by.name,
            "account_id": by.account,
            "via": by.via.value,
            "state": OrderState.WAITING.value,
            "tried": 0,
            "told": "",
            "season_id": season,
            "requeued": 0,
            "asked_at": self._clock(),
        }
        with self._database.writing() as connection:
            if season is not None:
                season_row(connection, season)
            return _order_from(connection.execute(insert(orders).values(values).returning(orders)).one())

    def get(self, order_id: int) -> Order:
        """The order with this id; LeagueError when there is none."""
        with self._database.reading() as connection:
            row = connection.execute(select(orders).where(orders.c.id == order_id)).one_or_none()
        if row is None:
            raise LeagueError(f"no order {order_id}")
        return _order_from(row)

    def latest(self, *, season: int | None = None, before: int | None = None, limit: int = PAGE) -> tuple[Order, ...]:
        """Orders with a lower id than `before`, the newest first; of one season, if given."""
        query = select(orders).order_by(orders.c.id.desc()).limit(limit)
        if season is not None:
            query = query.where(orders.c.season_id == season)
        if before is not None:
            query = query.where(orders.c.id < before)
        with self._database.reading() as connection:
            return tuple(map(_order_from, connection.execute(query)))

    def waiting(self) -> tuple[int, ...]:
        """The ids of the orders to be carried out, in the order of asking."""
        query = select(orders.c.id).where(orders.c.state == OrderState.WAITING.value).order_by(orders.c.id)
        with self._database.reading() as connection:
            return tuple(connection.scalars(query))

    def carry_out(self, order_id: int, perform: Perform) -> Outcome | None:
        """Carries out an order that waits; None when another was faster, or it was refused.

        What `perform` did is undone when it raises. An error that is not a LeagueError is raised, and tried again at
        the next call, a few times.
        """
        if not self._begin_try(order_id):
            return None
        try:
            return self._carry_out(order_id, perform)
        except Exception as error:
            self._note_failure(order_id, error)
            raise

    def _begin_try(self, order_id: int) -> bool:
        """Counts a try before it is made, for one may end the process that makes it. False when there is nothing to do,
        or it was tried often enough.
        """
        with self._database.together() as connection:
            row = connection.execute(select(orders).where(orders.c.id == order_id).with_for_update()).one()
            if row.state != OrderState.WAITING:
                return False
            if row.tried >= TRIES_AT_MOST:
                told = f"whoever carried it out ended before it was done, {row.tried} times"
                self._end(row, OrderState.FAILED, told=told)
                return False
            connection.execute(update(orders).where(orders.c.id == order_id).values(tried=row.tried + 1))
            return True

    def _carry_out(self, order_id: int, perform: Perform) -> Outcome | None:
        with self._database.together() as connection:
            row = connection.execute(select(orders).where(orders.c.id == order_id).with_for_update()).one()
            if row.state != OrderState.WAITING:
                return None
            try:
                with connection.begin_nested():
                    _check_asker(connection, row)
                    outcome = perform(_order_from(row))
            except LeagueError as error:
                self._end(row, OrderState.REFUSED, told=str(error))
                details = {"order": row.id, "kind": row.kind, "told": str(error), "season": row.season_id}
                by = _actor_of(row)
                write_entry(connection, self._clock(), by, Act.ORDER_REFUSED, f"order {row.id}", details)
                return None
            self._end(row, OrderState.DONE, season_id=outcome.season, requeued=len(outcome.requeued))
            return outcome

    def _note_failure(self, order_id: int, error: Exception) -> None:
        with self._database.together() as connection:  # or another sweep could carry it out before it is given up
            row = connection.execute(select(orders).where(orders.c.id == order_id).with_for_update()).one()
            if row.state == OrderState.WAITING and row.tried >= TRIES_AT_MOST:
                self._end(row, OrderState.FAILED, told=f"{type(error).__name__}: {error}")

    def _end(self, row: Row[Any], state: OrderState, **values: Any) -> None:
        ended = {"state": state.value, "done_at": self._clock(), **values}
        with self._database.writing() as connection:
            connection.execute(update(orders).where(orders.c.id == row.id).values(ended))


def _check_asker(connection: Connection, row: Row[Any]) -> None:
    """Refuse what somebody asked for who is no organiser any more."""
    if row.account_id is None:
        return
    asker = connection.execute(select(accounts).where(accounts.c.id == row.account_id)).one()
    if asker.disabled or not asker.organiser:
        raise LeagueError(f"{asker.name} is no organiser any more: have an organiser ask for it")


def _actor_of(row: Row[Any]) -> Actor:
    return Actor(name=row.actor, account=row.account_id, via=Via(row.via))


def _order_from(row: Row[Any]) -> Order:
    return Order(
        id=row.id,
        arguments=arguments_from(OrderKind(row.kind), row.arguments),
        by=_actor_of(row),
        state=OrderState(row.state),
        told=row.told,
        season=row.season_id,
        requeued=row.requeued,
        asked_at=row.asked_at,
        done_at=row.done_at,
    )
