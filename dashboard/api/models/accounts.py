"""Accounts as organisers see them, and the one-time link by which the password of a new one is set."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from dashboard import links
from dashboard.api.models.orders import Flag
from dashboard.api.models.own import Body, Text
from league import accounts


class AccountLine(BaseModel):
    """An account, for organisers."""

    id: int
    name: str = Field(description="The name that its bots have as their owner.")
    organiser: bool = Field(description="It may run leagues.")
    disabled: bool = Field(description="Its password, sessions and tokens open nothing.")
    has_password: bool = Field(description="It may sign in.")
    created_at: datetime

    @classmethod
    def of(cls, account: accounts.Account) -> AccountLine:
        """The model of an account."""
        return cls(
            id=account.id,
            name=account.name,
            organiser=account.organiser,
            disabled=account.disabled,
            has_password=account.has_password,
            created_at=account.created_at,
        )


class NewAccount(Body):
    """An account for somebody. Organisers are made on the pages and in the shell."""

    name: Annotated[Text, Field(min_length=1, max_length=64)]


class AccountChange(Body):
    """What is to be so from now on."""

    disabled: Flag


class PasswordLink(BaseModel):
    """A link that sets a password once. It is told here and never again."""

    account: AccountLine
    address: str = Field(
        description="Where the password is set, from the root of the site.",
        json_schema_extra={"format": "uri-reference"},
    )
    expires_at: datetime

    @classmethod
    def of(cls, drawn: accounts.DrawnLink) -> PasswordLink:
        """The model of a link."""
        return cls(
            account=AccountLine.of(drawn.account),
            address=links.set_password(drawn.text),
            expires_at=drawn.expires_at,
        )
