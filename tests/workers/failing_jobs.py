"""Jobs that fail, each in a way of its own, for tests of what is logged of that."""

from __future__ import annotations

from league.errors import StoreUnusableError
from workers.referee_client import RefereeLostError


def lose_the_referee(number: int) -> None:
    """A failure from outside: it says what is wrong."""
    raise RefereeLostError(f"the referee is gone in\nsitting {number}")


def find_no_store(number: int) -> None:
    """The same, for a cause of its own."""
    try:
        raise OSError("no such host")
    except OSError as error:
        raise StoreUnusableError(f"the store of sitting {number} cannot be used") from error


def be_wrong(number: int) -> None:
    """A mistake of ours."""
    raise ZeroDivisionError(f"of sitting {number}")
