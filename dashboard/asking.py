"""What a request asks for: the store, who asks, a season by its id, whole numbers.

Owns the reading of addresses in the app over a store. Errors name what would be right.
"""

from __future__ import annotations

from fastapi import Request

from dashboard.errors import AddressError, OrganisersOnlyError, SignInNeededError
from dashboard.shelf import RecordShelf
from dashboard.uploads import Senders
from dashboard.visitors import account_of
from league.accounts import Account
from league.model import Entrant, Season
from league.store import Store

_NAMED_AT_MOST = 20


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


def store(request: Request) -> Store:
    """The app's store."""
    found: Store = request.app.state.store
    return found


def shelf(request: Request) -> RecordShelf:
    """The app's records at hand."""
    found: RecordShelf = request.app.state.shelf
    return found


def senders(request: Request) -> Senders:
    """Who sends files to the app now."""
    found: Senders = request.app.state.senders
    return found


def season(request: Request, text: str) -> Season:
    """The season with this id or name.

    Raises:
        LeagueError: naming the seasons there are.
    """
    return store(request).seasons.find(text)


def entrant(request: Request, of: Season, name: str) -> Entrant:
    """The entrant of a season that is called so, by its label or its bot's name.

    Raises:
        AddressError: naming some that there are.
    """
    listing = store(request).listing
    found = listing.entrant(of.id, name)
    if found is not None:
        return found
    there = [one.label for one in listing.entrants(of.id, limit=_NAMED_AT_MOST + 1)]
    named = ", ".join([*there[:_NAMED_AT_MOST], *(["…"] if len(there) > _NAMED_AT_MOST else [])]) or "–"
    sentence = _("there is no bot %(name)s in season %(season)s; its bots are %(there)s")
    raise AddressError(sentence, name=name, season=of.name, there=named)


def account(request: Request) -> Account | None:
    """Who asks; None when nobody is signed in."""
    return account_of(request)


def require_account(request: Request) -> Account:
    """Who asks.

    Raises:
        SignInNeededError: nobody is signed in; a page then leads to signing in, a twin is a problem with status 401.
    """
    found = account_of(request)
    if found is None:
        raise SignInNeededError
    return found


def require_organiser(request: Request) -> Account:
    """Who asks, an organiser.

    Raises:
        SignInNeededError: nobody is signed in.
        OrganisersOnlyError: somebody else is; the answer has status 403.
    """
    found = require_account(request)
    if not found.organiser:
        raise OrganisersOnlyError
    return found


def address(request: Request) -> str:
    """The network address that a request comes from."""
    return request.client.host if request.client else ""


def whole(text: str, name: str) -> int:
    """A whole number from 0.

    Raises:
        AddressError: if it is none.
    """
    if text.isdecimal() and text.isascii() and len(text) < 10:
        return int(text)
    raise AddressError(_("%(name)s=%(text)s is not a whole number from 0"), name=name, text=text)
