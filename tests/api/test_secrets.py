"""What must not be told before its time: no answer of the API has a card, a secret or a log of a set in play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from league.audit_log import SHELL
from tests.api.conftest import Caller
from tests.dashboard.conftest import NAMES, PlayedLeague

pytestmark = pytest.mark.slow

SECRETS = {"secret", "deal_secret", "deal_seed", "hands", "cards", "legal", "positions", "text"}


def values(told: Any) -> Iterator[tuple[str, Any]]:
    """Every member of a JSON value, with its name."""
    if isinstance(told, dict):
        for name, value in told.items():
            yield name, value
            yield from values(value)
    elif isinstance(told, list):
        for one in told:
            yield from values(one)


def answers(api: Caller, played: PlayedLeague, headers: dict[str, str]) -> Iterator[tuple[str, Any]]:
    """Every reading operation on the season that is being played, each list to its end."""
    season, board = played.running, 1
    matches = [row.match_id for row in played.store.results.matches(season, limit=1000)]
    names = {"season": season, "board": board, "deal": 1, "version": 1, "variant": "russian-14"}
    document = api.json("openapi.json")
    own = [
        path for path, methods in document["paths"].items() if path.startswith("/api/v1/seasons") and "get" in methods
    ]
    own += [path for path in document["paths"] if path.startswith("/api/v1/matches/{match}")]
    for path in own:
        for name in NAMES if "{name}" in path else ("",):
            for match in matches[:3] if "{match}" in path else ("",):
                at: str | None = path.format(**names, name=quote(name, safe=""), match=match)
                if path.endswith("/duel"):
                    at = f"{at}?a={quote(NAMES[0])}&b={quote(NAMES[1])}"
                while at:
                    told = api.answer(at, headers=headers).json()
                    yield path, told
                    at = told.get("next")


@pytest.mark.parametrize("signed", [False, True])
def test_nothing_of_a_set_in_play_is_told(api: Caller, played: PlayedLeague, *, signed: bool) -> None:
    """Neither anybody nor an account with a token finds a secret, a hand, a card or a log of the running season."""
    headers = {}
    if signed:
        account = played.store.accounts.create("eve", by=SHELL)
        headers["Authorization"] = f"Bearer {played.store.tokens.create(account.id, 'x', by=SHELL).text}"
    seen = 0
    for path, told in answers(api, played, headers):
        if path == "/api/v1/seasons":
            continue
        seen += 1
        found = {name: value for name, value in values(told) if name in SECRETS and value not in (None, [])}
        assert found == {}, path
    assert seen > 25


def test_what_a_page_tells_of_a_version_is_not_where_it_lies(api: Caller, played: PlayedLeague) -> None:
    """Commands and folders of bots are this machine's own affair, in the API and in every twin."""
    for path in ("bots", "versions/1", f"/seasons/{played.over}.json", f"/bots/{quote(NAMES[0])}.json", "/bots.json"):
        text = api.answer(path).text
        assert "python bot.py" not in text
        assert "location" not in text
