"""Adds the API to the dashboard: `serve_api`.

Owns the order of the layers: what stands before the API is outermost, so that no cookie reaches it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI

from dashboard import links
from dashboard.api.app import create_api
from dashboard.api.document import make_document, route_paths
from dashboard.api.front import ApiFront
from dashboard.api.once import MadeOnce
from dashboard.api.operations import Operations
from dashboard.api.rate_limits import DEFAULT_LIMITS, RateLimiter, RateLimits
from league.accounts import Account
from league.store import Store


def serve_api(
    dashboard: FastAPI, *, limits: RateLimits = DEFAULT_LIMITS, clock: Callable[[], float] = time.monotonic
) -> None:
    """Mounts the API in the dashboard, whose state it shares; to be called when all routes and layers are there.

    `clock` tells the seconds that rate limits count by.
    """
    state = dashboard.state
    store: Store = state.store
    api = create_api(store=store, shelf=state.shelf, senders=state.senders)
    document = MadeOnce(lambda: make_document(api, dashboard))
    operations = MadeOnce(lambda: Operations.of(document.now(), route_paths(api, dashboard)))
    state.api_document = document.now

    @api.get("/openapi.json", operation_id="getDocument", summary="Get this document", tags=["Document"])
    def openapi() -> dict[str, Any]:
        """The OpenAPI document."""
        return document.now()

    def whose(token: str) -> Account | None:
        found = store.tokens.whose(token)
        return None if found is None else found[0]

    dashboard.mount(links.api(), api)
    dashboard.add_middleware(
        ApiFront, operations=operations.wait, whose=whose, limiter=RateLimiter(clock), limits=limits
    )
