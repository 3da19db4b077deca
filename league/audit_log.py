"""The audit log's words: who did what to what, on which way.

Owns the names of acts and actors. Must not store anything: `league.store.audit_log` does, in the act's own transaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from league.accounts import Account


class Via(StrEnum):
    """The way on which an act was done."""

    WEB = "web"
    API = "api"
    SHELL = "shell"
    ARENA = "arena"


@dataclass(frozen=True, kw_only=True)
class Actor:
    """Who acts: somebody with an account (its id), or one of those below, who have none."""

    name: str
    via: Via
    account: int | None = None

    @classmethod
    def of(cls, account: Account, via: Via = Via.WEB) -> Actor:
        """The owner of an account."""
        return cls(name=account.name, via=via, account=account.id)


SHELL = Actor(name="the shell", via=Via.SHELL)
"""Whoever may run `king` with the store: it asks for no account."""
ARENA = Actor(name="the arena", via=Via.ARENA)
"""The platform itself, by its own rules."""


class Act(StrEnum):
    """What can be done. The first word is the kind of the subject."""

    ACCOUNT_CREATED = "account.created"
    ACCOUNT_DISABLED = "account.disabled"
    ACCOUNT_ENABLED = "account.enabled"
    ACCOUNT_MADE_ORGANISER = "account.made_organiser"
    ACCOUNT_MADE_OWNER = "account.made_owner"
    ACCOUNT_SIGNED_OUT = "account.signed_out_everywhere"
    LINK_MADE = "account.link_made"
    PASSWORD_SET = "account.password_set"
    PASSWORD_CHANGED = "account.password_changed"
    TOKEN_CREATED = "token.created"
    TOKEN_REVOKED = "token.revoked"
    SEASON_CREATED = "season.created"
    SEASON_STARTED = "season.started"
    SEASON_PAUSED = "season.paused"
    SEASON_RESUMED = "season.resumed"
    SEASON_ENDED = "season.ended"
    SEASON_ENTERED = "season.entered"
    SITTING_REQUEUED = "sitting.requeued"
    BOT_SUSPENDED = "bot.suspended"
    SUSPENSION_LIFTED = "bot.suspension_lifted"
    ORDER_REFUSED = "order.refused"
    BOT_SUBMITTED = "bot.submitted"
    BOT_REGISTERED = "bot.registered"
    BOT_ACTIVATED = "bot.activated"
    BOT_WITHDRAWN = "bot.withdrawn"
    BOT_DELETED = "bot.deleted"
    REMOTE_TOKEN_RENEWED = "bot.token_renewed"
    REMOTE_TOKEN_REVOKED = "bot.token_revoked"
    QUALIFYING_ASKED = "bot.qualifying_asked"
    CHALLENGE_ASKED = "challenge.asked"
    LEAGUE_RESTORED = "league.restored"


@dataclass(frozen=True, kw_only=True)
class AuditEntry:
    """One act. `subject`: the name or id of what it was done to. `details` never hold a secret."""

    id: int
    at: datetime
    actor: str
    account: int | None
    via: Via
    act: str
    subject: str
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class AuditFilter:
    """Which entries are wanted: those that agree with every text that is not empty. `act` may end in "." for a kind."""

    actor: str = ""
    act: str = ""
    subject: str = ""


EVERYTHING = AuditFilter()
"""The filter that lets every entry through."""
