"""What must be true after a league on many hosts, whatever happened to them; in sentences, what is not."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from dashboard import links
from league.ladder import ladder_json
from league.store import Store
from referee.verification import verify
from tests.e2e.arena import check_played
from tests.hosts.arena import DASHBOARDS, HTTP_PORT, ManyHosts

_ALL = 10_000
_ANSWER_WITHIN_S = 30.0


def check_league(store: Store, season_id: int) -> list[str]:
    """Every planned match is stored once, nobody is blamed, records verify, sums are as their rebuild."""
    wrong = []
    try:
        check_played(store, season_id)
    except AssertionError as error:
        wrong.append(f"not every planned match is stored once: {error}")
    matches = store.results.matches(season_id, limit=_ALL)
    wrong += [f"a fault of a bot that behaves well: {fault}" for fault in store.results.faults(season_id)]
    wrong += [f"a forfeit in {match.match_id}: {match.forfeits}" for match in matches if match.forfeits]
    for match in matches:
        found = verify(store.results.record(match.match_id))
        wrong += [f"{match.match_id}: {problem}" for problem in (*found.problems, *found.unchecked)]
    kept = ladder_json(store.standings.ladder(season_id))
    store.results.rebuild(season_id)
    if ladder_json(store.standings.ladder(season_id)) != kept:
        wrong.append("the ladder is not as its rebuild")
    return wrong


def check_dashboards(arena: ManyHosts, season_id: int) -> list[str]:
    """All dashboards show one ladder, of all bots."""
    ladders = {name: _asked(arena, name, links.json_twin(links.ladder(season_id))) for name in DASHBOARDS}
    first, *rest = ladders.values()
    return [f"dashboards show different ladders: {json.dumps(ladders)}"] if any(one != first for one in rest) else []


def _asked(arena: ManyHosts, name: str, path: str) -> Any:
    address = f"http://{arena.host(name).address}:{HTTP_PORT}{path}"
    with urllib.request.urlopen(address, timeout=_ANSWER_WITHIN_S) as answer:
        return json.load(answer)
