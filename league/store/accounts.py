"""Accounts: made, found, disabled, made organiser.

Owns the table `accounts` but for its passwords (`league.store.passwords`). Works without the vault.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from league.accounts import (
    Account,
    AccountError,
    AccountProblem,
    Passwords,
    checked_name,
    checked_password,
)
from league.audit_log import Act, Actor, Via
from league.errors import LeagueError
from league.names import first_alike, look_of, name_key
from league.store.account_schema import accounts, sessions
from league.store.audit_log import write_entry
from league.store.database import Database
from league.store.schema import bots
from league.store.tries import Brake, Tries, network_of
from league.store.turns import Turn, take_turn

SIGN_UPS_AT_MOST = 10
"""So many accounts may be tried to be made from one network within a quarter of an hour."""


class AccountStore:
    """Makes accounts and finds them."""

    def __init__(self, database: Database, clock: Callable[[], datetime], passwords: Passwords) -> None:
        self._database = database
        self._clock = clock
        self._passwords = passwords
        self._tries = Tries(database, clock)

    def sign_up(self, name: str, password: str, *, address: str) -> Account:
        """Makes an account for whoever asks from a network address; the audit log says it was its owner.

        Raises AccountError when name or password will not do, the name is taken or owns bots already, or too many
        accounts were made from there.
        """
        wanted = checked_name(name)
        checked = checked_password(password, name=wanted)
        with self._database.reading() as connection:
            _require_free(connection, wanted, adopts=False)
        self._tries.count([Brake(subject=f"sign-up {network_of(address)}", at_most=SIGN_UPS_AT_MOST)])
        kept = self._passwords.hash(checked)
        return self._create(wanted, kept, organiser=False, adopts=False, by=None)

    def create(
        self, name: str, *, by: Actor, password: str | None = None, organiser: bool = False, adopts: bool = True
    ) -> Account:
        """Makes an account on somebody's behalf; without a password it waits for a one-time link.

        A name that owns bots already (of the shell) gets these if it `adopts`, and else is refused. Raises AccountError
        as `sign_up`.
        """
        wanted = checked_name(name)
        kept = None if password is None else self._passwords.hash(checked_password(password, name=wanted))
        return self._create(wanted, kept, organiser=organiser, adopts=adopts, by=by)

    def _create(self, name: str, kept: str | None, *, organiser: bool, adopts: bool, by: Actor | None) -> Account:
        with self._database.writing() as connection:
            take_turn(connection, Turn.ACCOUNTS)
            _require_free(connection, name, adopts=adopts)
            values = {
                "name": name,
                "name_key": name_key(name),
                "password_hash": kept,
                "organiser": organiser,
                "disabled": False,
                "created_at": self._clock(),
            }
            try:
                row = connection.execute(insert(accounts).values(values).returning(accounts)).one()
            except IntegrityError:  # another process was faster
                raise _taken(name) from None
            made = account_from(row)
            actor = by or Actor.of(made, Via.WEB)
            details = {"organiser": organiser}
            write_entry(connection, self._clock(), actor, Act.ACCOUNT_CREATED, name, details)
            return made

    def get(self, account_id: int) -> Account:
        """The account with this id; LeagueError when there is none."""
        with self._database.reading() as connection:
            return account_from(account_row(connection, account_id))

    def find(self, name: str) -> Account:
        """The account of this name, however it is written; LeagueError when there is none."""
        with self._database.reading() as connection:
            row = connection.execute(select(accounts).where(accounts.c.name_key == name_key(name))).one_or_none()
        if row is None:
            raise LeagueError(f"no account {name!r}: `king account list` names those there are")
        return account_from(row)

    def all(self, *, after: int = 0, limit: int | None = None) -> tuple[Account, ...]:
        """Accounts with a higher id than `after`, the oldest first."""
        query = select(accounts).where(accounts.c.id > after).order_by(accounts.c.id).limit(limit)
        with self._database.reading() as connection:
            return tuple(map(account_from, connection.execute(query)))

    def set_disabled(self, account_id: int, *, disabled: bool, by: Actor) -> Account:
        """Shuts an account, its sessions and tokens, or opens it again. As it is already: nothing happens.

        Raises AccountError for the last organiser.
        """
        act = Act.ACCOUNT_DISABLED if disabled else Act.ACCOUNT_ENABLED
        with self._database.writing() as connection:
            account = self._change(connection, account_id, by, act, disabled=disabled)
            if disabled:
                connection.execute(delete(sessions).where(sessions.c.account_id == account_id))
            return account

    def set_organiser(self, account_id: int, *, organiser: bool, by: Actor) -> Account:
        """Has an account run leagues, or no longer. As it is already: nothing happens.

        Raises AccountError for the last organiser.
        """
        act = Act.ACCOUNT_MADE_ORGANISER if organiser else Act.ACCOUNT_MADE_OWNER
        with self._database.writing() as connection:
            return self._change(connection, account_id, by, act, organiser=organiser)

    def _change(self, connection: Connection, account_id: int, by: Actor, act: Act, **values: bool) -> Account:
        take_turn(connection, Turn.ACCOUNTS)
        before = account_from(account_row(connection, account_id, lock=True))
        if all(getattr(before, name) == value for name, value in values.items()):
            return before
        if values.get("disabled") or values.get("organiser") is False:
            _require_another_organiser(connection, before)
        connection.execute(update(accounts).where(accounts.c.id == account_id).values(values))
        write_entry(connection, self._clock(), by, act, before.name)
        return account_from(account_row(connection, account_id))


def account_row(connection: Connection, account_id: int, *, lock: bool = False) -> Row[Any]:
    """The row of an account; LeagueError when there is none. `lock`: nobody else changes it meanwhile."""
    query = select(accounts).where(accounts.c.id == account_id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise LeagueError(f"no account {account_id}")
    return row


def account_from(row: Row[Any]) -> Account:
    """An account from a row of `accounts`."""
    return Account(
        id=row.id,
        name=row.name,
        organiser=row.organiser,
        disabled=row.disabled,
        has_password=row.password_hash is not None,
        created_at=row.created_at,
    )


def _require_free(connection: Connection, name: str, *, adopts: bool) -> None:
    """Refuse a name that looks as somebody's, or as one that owns bots: the house's always, others' unless it `adopts`
    them.
    """
    if first_alike(name, connection.scalars(select(accounts.c.name))):
        raise _taken(name)
    look = look_of(name)
    owners = connection.execute(select(bots.c.owner, bots.c.house).distinct()).all()
    if any(look_of(row.owner) == look and (row.house or not adopts or row.owner != name) for row in owners):
        raise AccountError(AccountProblem.NAME_TAKEN, f"the name {name!r} owns bots of this arena: choose another name")


def _taken(name: str) -> AccountError:
    return AccountError(AccountProblem.NAME_TAKEN, f"there is an account {name!r} already: choose another name")


def _require_another_organiser(connection: Connection, account: Account) -> None:
    if not account.organiser or account.disabled:
        return
    able = accounts.c.organiser & ~accounts.c.disabled & (accounts.c.id != account.id)
    if not connection.scalar(select(func.count()).where(able)):
        told = f"{account.name} is the last organiser: make another account organiser first"
        raise AccountError(AccountProblem.LAST_ORGANISER, told)
