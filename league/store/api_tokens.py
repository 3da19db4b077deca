"""Personal API tokens: drawn, shown once, used, revoked.

Owns the table `api_tokens`. A token acts as its account; it is known by its digest alone.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update

from league.accounts import (
    TOKENS_AT_MOST,
    Account,
    AccountError,
    AccountProblem,
    ApiToken,
    DrawnToken,
    checked_token_name,
    digest,
    draw_token,
    is_token,
    shown_of,
)
from league.audit_log import Act, Actor
from league.errors import LeagueError
from league.store.account_schema import accounts, api_tokens
from league.store.accounts import account_from, account_row
from league.store.audit_log import write_entry
from league.store.database import Database

_USED_EVERY = timedelta(minutes=1)


class TokenStore:
    """Makes tokens, and knows whose they are."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def create(self, account_id: int, name: str, *, by: Actor) -> DrawnToken:
        """Draws a token; its text is in the answer and nowhere else.

        Raises AccountError when the name will not do, or the account has too many.
        """
        checked, text = checked_token_name(name), draw_token()
        with self._database.writing() as connection:
            owner = account_row(connection, account_id, lock=True)
            mine = api_tokens.c.account_id == account_id
            if (connection.scalar(select(func.count()).where(mine)) or 0) >= TOKENS_AT_MOST:
                told = f"an account has at most {TOKENS_AT_MOST} tokens: revoke one first"
                raise AccountError(AccountProblem.TOO_MANY_TOKENS, told)
            kept = {"account_id": account_id, "name": checked, "shown": shown_of(text), "token_hash": digest(text)}
            new = insert(api_tokens).values(**kept, created_at=self._clock()).returning(api_tokens)
            token = _token_from(connection.execute(new).one())
            details = {"token": token.id, "shown": token.shown, "name": token.name}
            write_entry(connection, self._clock(), by, Act.TOKEN_CREATED, owner.name, details)
        return DrawnToken(token=token, text=text)

    def of(self, account_id: int) -> tuple[ApiToken, ...]:
        """The tokens of an account, the newest first."""
        query = select(api_tokens).where(api_tokens.c.account_id == account_id).order_by(api_tokens.c.id.desc())
        with self._database.reading() as connection:
            return tuple(map(_token_from, connection.execute(query)))

    def revoke(self, account_id: int, token_id: int, *, by: Actor) -> None:
        """Has a token of an account open nothing any more; LeagueError when the account has no such token."""
        this = (api_tokens.c.id == token_id) & (api_tokens.c.account_id == account_id)
        with self._database.writing() as connection:
            row = connection.execute(select(api_tokens, accounts.c.name.label("owner")).join(accounts).where(this))
            token = row.one_or_none()
            if token is None or not connection.execute(delete(api_tokens).where(this)).rowcount:
                raise LeagueError(f"no token {token_id} of this account: it may have been revoked already")
            details = {"token": token.id, "shown": token.shown, "name": token.name}
            write_entry(connection, self._clock(), by, Act.TOKEN_REVOKED, token.owner, details)

    def whose(self, text: str) -> tuple[Account, ApiToken] | None:
        """Whose token it is; None when it is none, is revoked, or its account is disabled."""
        if not is_token(text):
            return None
        now = self._clock()
        query = select(api_tokens).where(api_tokens.c.token_hash == digest(text))
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
            owner = None if row is None else account_from(account_row(connection, row.account_id))
        if row is None or owner is None or owner.disabled:
            return None
        if row.last_used_at is None or now - row.last_used_at >= _USED_EVERY:
            with self._database.writing() as connection:
                connection.execute(update(api_tokens).where(api_tokens.c.id == row.id).values(last_used_at=now))
        return owner, _token_from(row)


def _token_from(row: Row[Any]) -> ApiToken:
    return ApiToken(
        id=row.id,
        account=row.account_id,
        name=row.name,
        shown=row.shown,
        created_at=row.created_at,
        last_used_at=row.last_used_at,
    )
