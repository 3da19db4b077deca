"""What operations for somebody have in common: who asks, who may, and how refusals of the league are told.

Owns that translation. What may be done is the league's to decide.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request, Response, Security
from fastapi.security import HTTPBearer

from dashboard.api.asked import not_found, problems, required_account
from dashboard.api.problems import ProblemError, ProblemKind, ProblemPart
from league.accounts import Account, AccountError, AccountProblem
from league.audit_log import Actor, Via
from league.errors import LeagueError, StoreUnusableError
from league.submissions import Limit, LimitError

_BEARER = HTTPBearer(auto_error=False, scheme_name="token")
_Found = TypeVar("_Found")

PRIVATE = "private, no-store"
CONFLICT = problems(ProblemKind.CONFLICT)
OWN = problems(ProblemKind.NOT_FOUND)
ORGANISERS = problems(ProblemKind.FORBIDDEN, ProblemKind.NOT_FOUND)


def _signed(request: Request, response: Response, _token: Annotated[Any, Security(_BEARER)] = None) -> Account:
    response.headers["Cache-Control"] = PRIVATE
    return required_account(request)


Signed = Annotated[Account, Depends(_signed)]
"""Whose token was sent; without one the answer is 401. What it gets is kept by nobody."""


def _organiser(account: Signed) -> Account:
    if not account.organiser:
        raise ProblemError(ProblemKind.FORBIDDEN, f"{account.name} is no organiser: an organiser can make it one")
    return account


Organiser = Annotated[Account, Depends(_organiser)]
"""An organiser; for others the answer is 403."""


def actor(account: Account) -> Actor:
    """Who acts, for the audit log."""
    return Actor.of(account, Via.API)


def there(find: Callable[[], _Found]) -> _Found:
    """What `find` finds.

    Raises:
        ProblemError: not found, with the league's words, if it raises LeagueError.
        StoreUnusableError: nothing can be found now.
    """
    try:
        return find()
    except StoreUnusableError:
        raise
    except LeagueError as error:
        raise not_found(str(error)) from None


def refusal(error: LeagueError) -> ProblemError:
    """What the league refuses, as a problem: a limit by its kind, anything else as a conflict."""
    if isinstance(error, LimitError):
        return _limit(error)
    if isinstance(error, AccountError) and error.problem is AccountProblem.TOO_MANY_TRIES:
        return _later(error, error.retry_after.total_seconds() if error.retry_after else 60)
    return ProblemError(ProblemKind.CONFLICT, str(error))


def _limit(error: LimitError) -> ProblemError:
    if error.limit is Limit.ARCHIVE:
        return ProblemError(ProblemKind.TOO_LARGE, str(error), status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    if error.limit is Limit.EMPTY:
        return ProblemError(ProblemKind.INVALID_REQUEST, str(error), (ProblemPart(detail=str(error), pointer="#"),))
    if error.retry_after is not None:
        return _later(error, error.retry_after.total_seconds())
    return ProblemError(ProblemKind.CONFLICT, str(error))


def _later(error: LeagueError, seconds: float) -> ProblemError:
    retry = {"Retry-After": str(max(1, round(seconds)))}
    return ProblemError(ProblemKind.QUOTA_EXCEEDED, str(error), headers=retry)
