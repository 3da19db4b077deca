"""Sessions: signing in, staying so, signing out here or everywhere.

Owns the table `sessions`. A session is known by the digest of its text alone; one that has run out is as good as none.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select, update

from league.accounts import (
    SESSION_IDLE,
    SESSION_LONGEST,
    Account,
    AccountError,
    AccountProblem,
    Passwords,
    SignedIn,
    digest,
    draw_secret,
    normal_password,
)
from league.audit_log import Act, Actor
from league.names import name_key
from league.store.account_schema import accounts, sessions
from league.store.accounts import account_from, account_row
from league.store.audit_log import write_entry
from league.store.database import Database
from league.store.tries import Brake, Tries, network_of

TRIES_HERE = 8
"""Wrong passwords for one name from one network within a quarter of an hour."""
TRIES_FROM_NETWORK = 40
TRIES_FOR_NAME = 100
"""Wrong passwords for one name from everywhere: so many that nobody shuts another out by accident."""

_SEEN_EVERY = timedelta(hours=1)  # a write for every page would be in the way of those who play


class SessionStore:
    """Begins sessions, knows whose they are, ends them."""

    def __init__(self, database: Database, clock: Callable[[], datetime], passwords: Passwords) -> None:
        self._database = database
        self._clock = clock
        self._passwords = passwords
        self._tries = Tries(database, clock)

    def sign_in(self, name: str, password: str, *, address: str) -> SignedIn:
        """Begins a session for whoever knows the password, asking from a network address.

        An unknown name, one without a password and a wrong password take equally long and are refused alike.
        Raises AccountError: wrong, disabled (said to who knows the password), or too many tries.
        """
        key, network = name_key(name), network_of(address)
        own = [
            Brake(subject=f"sign-in {key} from {network}", at_most=TRIES_HERE),
            Brake(subject=f"sign-in {key}", at_most=TRIES_FOR_NAME),
        ]
        shared = [Brake(subject=f"sign-in from {network}", at_most=TRIES_FROM_NETWORK)]
        self._tries.count([*own, *shared])
        with self._database.reading() as connection:
            row = connection.execute(select(accounts).where(accounts.c.name_key == key)).one_or_none()
        kept = None if row is None else row.password_hash
        if not self._passwords.verify(kept, password) or row is None or kept is None:
            raise AccountError(AccountProblem.SIGN_IN_WRONG, "name or password is wrong")
        self._tries.forget(own, shared=shared)
        if self._passwords.is_outdated(kept):
            self._rehash(row.id, kept, password)
        return self.begin(row.id)

    def begin(self, account_id: int) -> SignedIn:
        """Begins a session for an account; AccountError when it is disabled."""
        now, token = self._clock(), draw_secret()
        with self._database.writing() as connection:
            account = account_from(account_row(connection, account_id, lock=True))
            if account.disabled:
                raise AccountError(AccountProblem.DISABLED, f"the account {account.name} is disabled by an organiser")
            over = select(sessions.c.token_hash).where(sessions.c.expires_at <= now).with_for_update(skip_locked=True)
            connection.execute(delete(sessions).where(sessions.c.token_hash.in_(over)))
            begun = {"token_hash": digest(token), "account_id": account_id, "created_at": now}
            expires_at = now + SESSION_IDLE
            connection.execute(insert(sessions).values(**begun, seen_at=now, expires_at=expires_at))
        return SignedIn(account=account, token=token, expires_at=now + SESSION_LONGEST)

    def whose(self, token: str) -> Account | None:
        """Whose session it is; None when it has ended, or never was. Keeps it from running out."""
        now = self._clock()
        mine = sessions.c.token_hash == digest(token)
        good = mine & (sessions.c.expires_at > now) & ~accounts.c.disabled
        query = select(accounts, sessions.c.seen_at, sessions.c.created_at.label("begun_at"))
        with self._database.reading() as connection:
            row = connection.execute(query.join_from(sessions, accounts).where(good)).one_or_none()
        if row is None:
            return None
        if now - row.seen_at >= _SEEN_EVERY:
            until = min(now + SESSION_IDLE, row.begun_at + SESSION_LONGEST)
            with self._database.writing() as connection:
                connection.execute(update(sessions).where(mine).values(seen_at=now, expires_at=until))
        return account_from(row)

    def count(self, account_id: int) -> int:
        """How many sessions an account has now."""
        good = (sessions.c.account_id == account_id) & (sessions.c.expires_at > self._clock())
        with self._database.reading() as connection:
            return connection.scalar(select(func.count()).where(good)) or 0

    def end(self, token: str) -> None:
        """Ends one session; one that has ended: nothing happens."""
        with self._database.writing() as connection:
            connection.execute(delete(sessions).where(sessions.c.token_hash == digest(token)))

    def end_all(self, account_id: int, *, by: Actor, but: str = "") -> None:
        """Signs an account out everywhere, except in the session whose text is `but`."""
        with self._database.writing() as connection:
            account = account_row(connection, account_id)
            end_sessions(connection, account_id, but=but)
            write_entry(connection, self._clock(), by, Act.ACCOUNT_SIGNED_OUT, account.name)

    def _rehash(self, account_id: int, kept: str, password: str) -> None:
        anew = self._passwords.hash(normal_password(password))
        with self._database.writing() as connection:
            still = (accounts.c.id == account_id) & (accounts.c.password_hash == kept)
            connection.execute(update(accounts).where(still).values(password_hash=anew))


def end_sessions(connection: Connection, account_id: int, *, but: str = "") -> None:
    """Ends the sessions of an account, except the one whose text is `but`."""
    others = (sessions.c.account_id == account_id) & (sessions.c.token_hash != digest(but))
    connection.execute(delete(sessions).where(others))
