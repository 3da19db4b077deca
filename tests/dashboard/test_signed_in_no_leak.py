"""Neither an organiser nor an owner with bots under way reads on pages of their own what is hidden in a season."""

from __future__ import annotations

import httpx
import pytest

from dashboard.api.rate_limits import RateLimits
from dashboard.app import create_app
from dashboard.visitors import SESSION_COOKIE
from league.audit_log import SHELL, Actor
from league.live import live_table
from league.orders import PauseSeason, Requeue
from league.store import Store
from league.submissions import SubmissionState, SubmittedBot
from tests.dashboard.conftest import serving
from tests.dashboard.everything import addresses, filled, read
from tests.dashboard.signing import CHEAP, PASSWORD
from tests.dashboard.test_no_leak import VARIANT, World, _check, half_played, picture_of, world

__all__ = ["world"]

pytestmark = pytest.mark.slow

API = ("orders", "audit-log", "account", "submissions", "challenges", "remote-bots")
OF_PEOPLE = ("/organise", "/mine", "/account", *(f"/api/v1/{part}" for part in API))


def runs_the_league(world: World) -> tuple[str, str]:
    """The session and the token of an organiser who has asked for things, sent a bot, and challenged others."""
    store = world.store
    made = store.accounts.create("Anna", by=SHELL, organiser=True, password=PASSWORD)
    by = Actor.of(made)
    store.orders.ask(PauseSeason(season=world.season), by=by)
    store.orders.ask(Requeue(season=world.season), by=by)
    sent, _is_new = store.submissions.receive(owner=made.name, file_name="fox.zip", content=b"zip", by=by)
    claim = store.submissions.claim(sent.id, "worker")
    assert claim is not None
    store.submissions.identify(claim, SubmittedBot(name="fox", version="1", variants=("*",)))
    store.submissions.advance(claim, SubmissionState.CHECKING)
    store.submissions.advance(claim, SubmissionState.QUALIFYING)
    version = store.submissions.qualify(claim)
    opponents = [bot.id for bot in store.unrated.opponents() if bot.house][:3]
    store.unrated.ask(owner=made.name, version_id=version.id, opponents=opponents, variant=VARIANT, by=by)
    session = store.sessions.sign_in(made.name, PASSWORD, address="127.0.0.1").token
    return session, store.tokens.create(made.id, "laptop", by=by).text


def test_pages_of_people_have_nothing_that_is_hidden(world: World) -> None:
    """While cards are played again, no page of an organiser or owner, no twin and no list of the API tells them."""
    world.store.seasons.start(world.season)
    claim = world.claim_next()
    world.play(claim.tables[0])
    world.tell(claim, live_table(claim, claim.tables[1]), picture_of(half_played(claim, claim.tables[1])))
    session, token = runs_the_league(world)
    reading = Store.open(str(world.store._database.url), clock=world.clock, passwords=CHEAP)
    app = create_app(reading, clock=world.clock, limits=RateLimits.of(reads=0, writes=0), redis_url=world.redis_url)
    values = {"season_id": (world.season, world.open_season), "kind": ("build",), "*": (1, 2)}
    paths = [path for path in sorted(set(addresses(app))) if path.startswith(OF_PEOPLE)]
    hidden = world.hidden_texts()
    with (
        serving(app) as site,
        httpx.Client(base_url=site, timeout=60, cookies={SESSION_COOKIE: session}) as client,
    ):
        client.headers["Authorization"] = f"Bearer {token}"
        told = {address: read(client, address) for path in paths for address in filled(path, values)}
    reading.close()
    for address, text in told.items():
        _check(address, text, hidden, frozenset())
    assert "season.pause" in told["/api/v1/orders"]
    assert "fox" in told["/mine"]
    assert len(told) > 60
