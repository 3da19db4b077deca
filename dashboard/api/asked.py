"""What every operation of the API needs of a request, and what it may answer beside its model.

Owns the types of common parameters and the problems that operations have in common. Finding things is the league's.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request

from dashboard import asking
from dashboard.api.front import CALLER, unauthenticated
from dashboard.api.paging import Paging, paging
from dashboard.api.problems import MEDIA_TYPE, Problem, ProblemError, ProblemKind
from league.accounts import Account
from league.model import Entrant
from league.store import Store

Listed = Annotated[Paging, Depends(paging)]
Stored = Annotated[Store, Depends(asking.store)]


def problems(*kinds: ProblemKind) -> dict[int | str, dict[str, Any]]:
    """The answers of these kinds, for the document."""
    from dashboard.api.problems import EXPLAINED

    found: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        told = EXPLAINED[kind]
        known = found.get(told.status)
        title = told.title if known is None else f"{known['description']}; or: {told.title}"
        found[told.status] = {"model": Problem, "description": title, "content": {MEDIA_TYPE: {}}}
    return found


NOT_FOUND = problems(ProblemKind.NOT_FOUND)
NOT_PUBLIC = problems(ProblemKind.NOT_FOUND, ProblemKind.NOT_PUBLIC_YET)


def account_of(request: Request) -> Account | None:
    """Whose token was sent; None without one."""
    found: Account | None = request.scope[CALLER]
    return found


def required_account(request: Request) -> Account:
    """Whose token was sent.

    Raises:
        ProblemError: without one.
    """
    account = account_of(request)
    if account is None:
        raise unauthenticated("send a personal API token: Authorization: Bearer king_…")
    return account


def entrant(store: Store, season_id: int, name: str) -> Entrant:
    """The entrant of a season that is called so, by its label or its bot's name.

    Raises:
        ProblemError: if there is none.
    """
    found = store.listing.entrant(season_id, name)
    if found is None:
        raise not_found(f"there is no bot {name} in season {season_id}")
    return found


def not_found(detail: str) -> ProblemError:
    """The problem of what is not there."""
    return ProblemError(ProblemKind.NOT_FOUND, detail)
