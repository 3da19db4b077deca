"""What a request asks for: the store, a season by its id, whole numbers.

Owns the reading of addresses in the app over a store. Errors name what would be right.
"""

from __future__ import annotations

from fastapi import Request

from dashboard.errors import AddressError
from dashboard.ledgers import Ledgers
from dashboard.shelf import RecordShelf
from league.model import Season
from league.store import Store


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


def ledgers(request: Request) -> Ledgers:
    """The app's results at hand."""
    found: Ledgers = request.app.state.ledgers
    return found


def season(request: Request, text: str) -> Season:
    """The season with this id or name.

    Raises:
        LeagueError: naming the seasons there are.
    """
    return store(request).seasons.find(text)


def whole(text: str, name: str) -> int:
    """A whole number from 0.

    Raises:
        AddressError: if it is none.
    """
    if text.isdecimal() and text.isascii() and len(text) < 10:
        return int(text)
    raise AddressError(_("%(name)s=%(text)s is not a whole number from 0"), name=name, text=text)
