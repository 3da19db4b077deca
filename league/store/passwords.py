"""Passwords: changed by their owner, or set by a one-time link that an organiser made.

Owns the column `password_hash` and the table `password_links`: an account has one link at most, the newest, and none
once its password has been set in any way.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from league.accounts import (
    LINK_LIFETIME,
    Account,
    AccountError,
    AccountProblem,
    DrawnLink,
    Passwords,
    checked_password,
    digest,
    draw_secret,
)
from league.audit_log import Act, Actor
from league.store.account_schema import accounts, password_links
from league.store.accounts import account_from, account_row
from league.store.audit_log import write_entry
from league.store.database import Database
from league.store.sessions import TRIES_HERE, end_sessions
from league.store.tries import Brake, Tries


class PasswordStore:
    """Sets passwords."""

    def __init__(self, database: Database, clock: Callable[[], datetime], passwords: Passwords) -> None:
        self._database = database
        self._clock = clock
        self._passwords = passwords
        self._tries = Tries(database, clock)

    def change(self, account_id: int, old: str, new: str, *, by: Actor, but: str = "") -> None:
        """Changes a password for who knows the old one. Ends all sessions but the one whose text is `but`, and a link.

        Raises AccountError when the old one is wrong, the new one will not do, or there were too many tries.
        """
        with self._database.reading() as connection:
            row = account_row(connection, account_id)
        checked = checked_password(new, name=row.name)
        brakes = [Brake(subject=f"password {account_id}", at_most=TRIES_HERE)]
        self._tries.count(brakes)
        if not self._passwords.verify(row.password_hash, old):
            raise AccountError(AccountProblem.PASSWORD_WRONG, "the present password is wrong")
        self._tries.forget(brakes)
        kept = self._passwords.hash(checked)
        with self._database.writing() as connection:
            self._set(connection, account_row(connection, account_id, lock=True), kept, but=but)
            write_entry(connection, self._clock(), by, Act.PASSWORD_CHANGED, row.name)

    def make_link(self, account_id: int, *, by: Actor) -> DrawnLink:
        """Draws a link by which a password can be set once; the account's earlier one is no longer good."""
        text, expires_at = draw_secret(), self._clock() + LINK_LIFETIME
        with self._database.writing() as connection:
            account = account_from(account_row(connection, account_id, lock=True))
            connection.execute(delete(password_links).where(password_links.c.account_id == account_id))
            kept = {"token_hash": digest(text), "account_id": account_id, "expires_at": expires_at}
            connection.execute(insert(password_links).values(kept))
            write_entry(connection, self._clock(), by, Act.LINK_MADE, account.name)
        return DrawnLink(account=account, text=text, expires_at=expires_at)

    def account_of_link(self, text: str) -> Account:
        """Whose password a link sets; AccountError when it is used, replaced or too old."""
        with self._database.reading() as connection:
            return account_from(self._row_of_link(connection, text))

    def set_by_link(self, text: str, new: str) -> Account:
        """Sets a password by a link, which is then used up, and ends all sessions of the account.

        Raises AccountError when the link is not good or the password will not do; then the link stays as it was.
        """
        account = self.account_of_link(text)
        kept = self._passwords.hash(checked_password(new, name=account.name))
        with self._database.writing() as connection:
            account_row(connection, account.id, lock=True)
            row = self._row_of_link(connection, text)  # once more: another may have used it meanwhile
            used = delete(password_links).where(password_links.c.token_hash == digest(text))
            if connection.execute(used).rowcount == 0:
                raise _gone()
            self._set(connection, row, kept)
            write_entry(connection, self._clock(), Actor.of(account), Act.PASSWORD_SET, row.name)
            return account_from(account_row(connection, row.id))

    def _row_of_link(self, connection: Connection, text: str) -> Row[Any]:
        good = (password_links.c.token_hash == digest(text)) & (password_links.c.expires_at > self._clock())
        query = select(accounts).join_from(password_links, accounts).where(good, ~accounts.c.disabled)
        row = connection.execute(query).one_or_none()
        if row is None:
            raise _gone()
        return row

    @staticmethod
    def _set(connection: Connection, row: Row[Any], kept: str, *, but: str = "") -> None:
        connection.execute(delete(password_links).where(password_links.c.account_id == row.id))
        connection.execute(update(accounts).where(accounts.c.id == row.id).values(password_hash=kept))
        end_sessions(connection, row.id, but=but)


def _gone() -> AccountError:
    told = "this link is no longer good: a link works once, for two days, and until a newer one is made"
    return AccountError(AccountProblem.LINK_GONE, told)
