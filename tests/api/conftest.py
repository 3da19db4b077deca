"""What the API's tests share: the dashboard over a league that has been played, and a client of it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from dashboard.api.rate_limits import RateLimits
from dashboard.app import create_app
from tests.dashboard.conftest import PlayedLeague, played, serving

__all__ = ["played"]

NO_LIMITS = RateLimits.of(reads=0, writes=0)


@pytest.fixture(scope="session")
def app(played: PlayedLeague) -> FastAPI:
    """The dashboard, without rate limits."""
    return create_app(played.store, clock=played.clock, limits=NO_LIMITS)


@pytest.fixture(scope="session")
def site(app: FastAPI) -> Generator[str, None, None]:
    """The address at which it is served."""
    with serving(app) as address:
        yield address


class Caller:
    """Calls the API over HTTP, without cookies."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._client = self._new_client()

    def answer(self, path: str, method: str = "GET", **rest: Any) -> httpx.Response:
        """The answer, whatever it is."""
        self._client.cookies.clear()
        found = self._client.request(method, path if path.startswith("/") else f"/api/v1/{path}", **rest)
        if found.is_server_error:  # uvicorn closes the connection a moment after such an answer
            self._client.close()
            self._client = self._new_client()
        return found

    def _new_client(self) -> httpx.Client:
        return httpx.Client(base_url=self._address, timeout=60)

    def json(self, path: str, status: int = 200, **rest: Any) -> Any:
        """The JSON of an answer with that status."""
        found = self.answer(path, **rest)
        assert found.status_code == status, f"{path}: {found.status_code} {found.text[:300]}"
        return found.json()

    def problem(self, path: str, status: int, kind: str, **rest: Any) -> Any:
        """The members of a problem of that status and kind."""
        found = self.answer(path, **rest)
        assert found.headers["content-type"] == "application/problem+json", f"{path}: {found.status_code} {found.text}"
        told = found.json()
        assert (found.status_code, told["type"]) == (status, f"/api/problems/{kind}"), told
        assert told["status"] == status
        return told

    def items(self, path: str) -> list[Any]:
        """All items of a list, part after part."""
        items: list[Any] = []
        following: str | None = path
        while following:
            part = self.json(following)
            items += part["items"]
            following = part["next"]
        return items

    def close(self) -> None:
        """Closes its connections."""
        self._client.close()


@pytest.fixture(scope="session")
def api(site: str) -> Generator[Caller, None, None]:
    """A caller of the served API."""
    caller = Caller(site)
    yield caller
    caller.close()


def public_match(api: Caller, season: int) -> str:
    """The id of a match of a season whose cards are public."""
    return str(api.json(f"matches?season={season}&public=true&limit=1")["items"][0]["id"])


def hidden_match(api: Caller, season: int) -> str:
    """The id of a match of a season whose cards are not public yet."""
    return str(api.json(f"matches?season={season}&public=false&limit=1")["items"][0]["id"])
