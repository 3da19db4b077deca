"""What an account's page shows, and faults of input in the reader's words. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from dashboard.words import Words
from league.accounts import (
    NAME_LENGTH_AT_MOST,
    PASSWORD_LENGTH_AT_LEAST,
    PASSWORD_LENGTH_AT_MOST,
    TOKEN_NAME_LENGTH_AT_MOST,
    TOKENS_AT_MOST,
    Account,
    AccountError,
    AccountProblem,
    ApiToken,
)


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


_PROBLEMS: Final[Mapping[AccountProblem, str]] = {
    AccountProblem.NAME_EMPTY: _("Give a name."),
    AccountProblem.NAME_LONG: _("The name is too long: at most %(name_most)s characters are taken."),
    AccountProblem.NAME_INVISIBLE: _("The name has characters that cannot be seen: leave them out."),
    AccountProblem.NAME_SIGNS: _("The name must have a letter or digit, and no slash."),
    AccountProblem.NAME_RESERVED: _("This name belongs to the arena: choose another."),
    AccountProblem.NAME_TAKEN: _("This name is taken: choose another."),
    AccountProblem.PASSWORD_SHORT: _("The password is too short: it needs at least %(password_least)s characters."),
    AccountProblem.PASSWORD_LONG: _("The password is too long: at most %(password_most)s characters are taken."),
    AccountProblem.PASSWORD_IS_NAME: _("The password is the account’s name: choose another."),
    AccountProblem.PASSWORD_MONOTONOUS: _("The password is easily guessed: it needs at least 4 different characters."),
    AccountProblem.PASSWORD_WRONG: _("This is not your present password."),
    AccountProblem.SIGN_IN_WRONG: _("Name or password is wrong."),
    AccountProblem.DISABLED: _("This account has been disabled by an organiser."),
    AccountProblem.LINK_GONE: _(
        "This link is no longer good: it works once, for two days, and until a newer one is made. Ask an organiser for "
        "a new one."
    ),
    AccountProblem.TOKEN_NAME_EMPTY: _("Give the token a name that says what uses it, such as “laptop”."),
    AccountProblem.TOKEN_NAME_LONG: _(
        "The token’s name is too long: at most %(token_name_most)s characters are taken."
    ),
    AccountProblem.TOO_MANY_TOKENS: _("You have %(tokens_most)s tokens, as many as can be: revoke one first."),
    AccountProblem.LAST_ORGANISER: _("This is the last organiser: make another account organiser first."),
}

_NUMBERS: Final = {
    "name_most": NAME_LENGTH_AT_MOST,
    "password_least": PASSWORD_LENGTH_AT_LEAST,
    "password_most": PASSWORD_LENGTH_AT_MOST,
    "token_name_most": TOKEN_NAME_LENGTH_AT_MOST,
    "tokens_most": TOKENS_AT_MOST,
}

_FIELDS: Final[Mapping[str, str]] = {"name": "name", "password": "password", "token": "token_name"}
"""By the first word of a problem, the field that it is told beside."""


def told(error: AccountError, words: Words) -> str:
    """What was wrong and what would be right, in the reader's language."""
    if error.problem is AccountProblem.TOO_MANY_TRIES:
        return _wait(error.retry_after or timedelta(), words)
    return words.say(_PROBLEMS[error.problem], **_NUMBERS)


def _wait(wait: timedelta, words: Words) -> str:
    minutes = max(1, -(-int(wait.total_seconds()) // 60))
    return words.count(
        "There were too many tries. Try again in %(num)s minute.",
        "There were too many tries. Try again in %(num)s minutes.",
        minutes,
    )


def field_of(error: AccountError) -> str:
    """The field beside which an error is told; empty if it is about the whole form."""
    if error.problem is AccountProblem.PASSWORD_WRONG:
        return "old_password"
    return _FIELDS.get(error.problem.value.partition("_")[0], "")


@dataclass(frozen=True, kw_only=True)
class AccountPage:
    """One's own account. `session_count`: on how many devices it is signed in."""

    name: str
    organiser: bool
    created_at: datetime
    session_count: int
    tokens: tuple[ApiToken, ...]


def account_page(account: Account, tokens: tuple[ApiToken, ...], session_count: int) -> AccountPage:
    """The page of an account."""
    return AccountPage(
        name=account.name,
        organiser=account.organiser,
        created_at=account.created_at,
        session_count=session_count,
        tokens=tokens,
    )
