"""Accounts: what a name, a password and a secret of theirs must be. Pure rules, and the hashing of passwords.

Owns every decision about them; who keeps them is `league.store.accounts` and its neighbours. A password, or the text of
a session, token or link, is never part of an error, a log or a stored row: of texts drawn here only digests are kept.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import string
import unicodedata
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from threading import Semaphore
from typing import TYPE_CHECKING

from league.errors import LeagueError
from league.names import first_alike, is_unseen, name_key

if TYPE_CHECKING:
    from argon2 import PasswordHasher

NAME_LENGTH_AT_MOST = 64
PASSWORD_LENGTH_AT_LEAST = 10
PASSWORD_LENGTH_AT_MOST = 200
TOKEN_NAME_LENGTH_AT_MOST = 64
TOKENS_AT_MOST = 20
"""So many personal API tokens an account may have at a time."""
HASHED_AT_ONCE = 2
"""So many passwords are hashed at a time, since each takes much memory: whoever floods a form takes no more of it."""
TOKEN_MARK = "king_"
SHOWN_OF_TOKEN = 4
"""A token is recognised by its mark and so many characters after it."""
SESSION_IDLE = timedelta(days=14)
"""A session ends when it has not been used for so long."""
SESSION_LONGEST = timedelta(days=90)
LINK_LIFETIME = timedelta(hours=48)

_TOKEN_LENGTH = 40
_ALPHABET = string.ascii_letters + string.digits
_RESERVED = ("house", "the house", "king", "king arena", "the shell", "shell", "the arena", "arena", "sweep")


class AccountProblem(StrEnum):
    """What is wrong with something that a person gave. Pages have words of their own for each."""

    NAME_EMPTY = "name_empty"
    NAME_LONG = "name_long"
    NAME_INVISIBLE = "name_invisible"
    NAME_SIGNS = "name_signs"
    NAME_RESERVED = "name_reserved"
    NAME_TAKEN = "name_taken"
    PASSWORD_SHORT = "password_short"
    PASSWORD_LONG = "password_long"
    PASSWORD_IS_NAME = "password_is_name"
    PASSWORD_MONOTONOUS = "password_monotonous"
    PASSWORD_WRONG = "password_wrong"
    SIGN_IN_WRONG = "sign_in_wrong"
    DISABLED = "disabled"
    TOO_MANY_TRIES = "too_many_tries"
    LINK_GONE = "link_gone"
    TOKEN_NAME_EMPTY = "token_name_empty"
    TOKEN_NAME_LONG = "token_name_long"
    TOO_MANY_TOKENS = "too_many_tokens"
    LAST_ORGANISER = "last_organiser"


class AccountError(LeagueError):
    """Something about an account that is refused; `problem` says what, the text in English says what would be right."""

    def __init__(self, problem: AccountProblem, text: str, *, retry_after: timedelta | None = None) -> None:
        super().__init__(text)
        self.problem = problem
        self.retry_after = retry_after


@dataclass(frozen=True, kw_only=True)
class Account:
    """Somebody who owns bots by this `name`, and who may run leagues if `organiser`. `has_password`: may sign in."""

    id: int
    name: str
    organiser: bool
    disabled: bool
    has_password: bool
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class ApiToken:
    """A personal API token as it can be shown: never the token itself. `shown` is its beginning."""

    id: int
    account: int
    name: str
    shown: str
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class SignedIn:
    """A session that has just begun. `token` goes into the reader's cookie and nowhere else."""

    account: Account
    token: str = field(repr=False)
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class DrawnToken:
    """A personal API token at the one moment when its `text` is known."""

    token: ApiToken
    text: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class DrawnLink:
    """A one-time link to set a password, at the one moment when its `text` is known."""

    account: Account
    text: str = field(repr=False)
    expires_at: datetime


def checked_name(text: str) -> str:
    """The name of an account as it is kept: NFC, without spaces around it.

    Raises AccountError when it is empty, too long, has characters that cannot be seen or a slash, or is reserved.
    """
    name = unicodedata.normalize("NFC", text.strip(" "))
    if not name:
        raise AccountError(AccountProblem.NAME_EMPTY, "the name is empty: give one of 1 to 64 characters")
    if len(name) > NAME_LENGTH_AT_MOST:
        told = f"the name has {len(name)} characters: at most {NAME_LENGTH_AT_MOST} are allowed"
        raise AccountError(AccountProblem.NAME_LONG, told)
    if any(map(is_unseen, name)):
        told = "the name has characters that cannot be seen (control, direction, or odd spaces): leave them out"
        raise AccountError(AccountProblem.NAME_INVISIBLE, told)
    if "/" in name or "\\" in name or not any(letter.isalnum() for letter in name):
        told = f"the name {name!r} must have a letter or digit, and no slash"
        raise AccountError(AccountProblem.NAME_SIGNS, told)
    if first_alike(name, _RESERVED):
        raise AccountError(AccountProblem.NAME_RESERVED, f"the name {name!r} belongs to the arena: choose another")
    return name


def checked_password(text: str, *, name: str) -> str:
    """The password as it is hashed: NFKC, so that it is the same from every keyboard.

    Raises AccountError, which does not repeat it, when it is too short or long, one character over and over, or the
    account's name.
    """
    password = normal_password(text)
    if len(password) < PASSWORD_LENGTH_AT_LEAST:
        told = f"the password is too short: it needs at least {PASSWORD_LENGTH_AT_LEAST} characters"
        raise AccountError(AccountProblem.PASSWORD_SHORT, told)
    if len(password) > PASSWORD_LENGTH_AT_MOST:
        told = f"the password is too long: at most {PASSWORD_LENGTH_AT_MOST} characters are allowed"
        raise AccountError(AccountProblem.PASSWORD_LONG, told)
    if len(set(password)) < 4:
        told = "the password is too easily guessed: it needs at least 4 different characters"
        raise AccountError(AccountProblem.PASSWORD_MONOTONOUS, told)
    if name_key(password) == name_key(name):
        raise AccountError(AccountProblem.PASSWORD_IS_NAME, "the password is the account's name: choose another")
    return password


def normal_password(text: str) -> str:
    """The same password, whichever way its characters were put together; lone surrogates count as unknown ones."""
    return unicodedata.normalize("NFKC", text.encode("utf-8", "replace").decode("utf-8"))


def checked_token_name(text: str) -> str:
    """What its owner calls a token; AccountError when that is empty or too long."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not name or any(map(is_unseen, name)):
        told = "give the token a name that says what uses it, such as “laptop”"
        raise AccountError(AccountProblem.TOKEN_NAME_EMPTY, told)
    if len(name) > TOKEN_NAME_LENGTH_AT_MOST:
        told = f"the token’s name has {len(name)} characters: at most {TOKEN_NAME_LENGTH_AT_MOST} are allowed"
        raise AccountError(AccountProblem.TOKEN_NAME_LONG, told)
    return name


def draw_secret() -> str:
    """The text of a session or link: 256 bits from the operating system, fit for addresses and cookies."""
    return secrets.token_urlsafe(32)


def draw_token() -> str:
    """The text of a personal API token: its mark and 40 letters and digits (238 bits)."""
    return TOKEN_MARK + "".join(secrets.choice(_ALPHABET) for _ in range(_TOKEN_LENGTH))


def is_token(text: str) -> bool:
    """Whether a text has the form of a personal API token."""
    return re.fullmatch(f"{TOKEN_MARK}[A-Za-z0-9]{{{_TOKEN_LENGTH}}}", text) is not None


def shown_of(token: str) -> str:
    """The beginning of a token, by which its owner knows it again."""
    return token[: len(TOKEN_MARK) + SHOWN_OF_TOKEN]


def digest(text: str) -> str:
    """What is kept of a drawn text: SHA-256 in hex. Looked up by it, a guess is never told how near it was."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def form_token(session: str) -> str:
    """What a form of a session carries to show that it is ours; another one each time, so that compressed pages do not
    tell it by their length. It says nothing about the session's text.
    """
    nonce = secrets.token_hex(8)
    return nonce + _form_mark(nonce, session)


def is_form_token(text: str, session: str) -> bool:
    """Whether a form carries what its session's forms carry; takes equally long whatever it carries."""
    nonce, mark = text[:16], text[16:]
    return hmac.compare_digest(_form_mark(nonce, session).encode(), mark.encode("utf-8", "replace"))


def _form_mark(nonce: str, session: str) -> str:
    told = f"king-arena form {nonce}"
    return hmac.new(session.encode("utf-8", "replace"), told.encode("utf-8", "replace"), "sha256").hexdigest()


@dataclass(frozen=True)
class Passwords:
    """Hashes passwords by argon2id. The defaults are those that OWASP recommends where memory is scarce."""

    memory_kib: int = 19 * 1024
    passes: int = 2
    lanes: int = 1

    @cached_property
    def _hasher(self) -> PasswordHasher:
        from argon2 import PasswordHasher  # here, for few commands need it

        return PasswordHasher(time_cost=self.passes, memory_cost=self.memory_kib, parallelism=self.lanes)

    @cached_property
    def _at_once(self) -> Semaphore:
        return Semaphore(HASHED_AT_ONCE)

    @cached_property
    def _nobodys(self) -> str:
        return self._hasher.hash(secrets.token_hex(16))

    def hash(self, password: str) -> str:
        """The hash of a checked password, with its parameters and a salt of its own."""
        with self._at_once:
            return self._hasher.hash(password)

    def verify(self, kept: str | None, text: str) -> bool:
        """Whether a password is the one whose hash was kept. Without a hash: no, after as much work."""
        from argon2.exceptions import InvalidHashError, VerificationError

        try:
            nobodys, tried = self._nobodys, normal_password(text[: 4 * PASSWORD_LENGTH_AT_MOST])
            with self._at_once:
                matches = self._hasher.verify(kept or nobodys, tried)
        except (VerificationError, InvalidHashError):
            return False
        return matches and kept is not None

    def is_outdated(self, kept: str) -> bool:
        """Whether a hash was made with other parameters than those of today."""
        return self._hasher.check_needs_rehash(kept)


PASSWORDS = Passwords()
"""As passwords are hashed where nobody says otherwise."""
