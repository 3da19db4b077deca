"""Looking things up by what one remembers of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from dashboard.api.asked import Stored
from dashboard.api.models.search import SearchResult
from league.store.searching import LONGEST

router = APIRouter(tags=["Search"])


@router.get("/search", operation_id="search", summary="Search")
def search(
    store: Stored,
    q: Annotated[str, Query(min_length=1, max_length=LONGEST, description="A name, an id, a number, or a part.")],
    limit: Annotated[int, Query(ge=1, le=50, description="How many of each kind at most.")] = 10,
) -> SearchResult:
    """Bots, versions, seasons, matches and boards that are called so."""
    return SearchResult.of(store.searching.find(q, limit=limit))
