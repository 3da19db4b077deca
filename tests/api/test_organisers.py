"""What organisers do with a token: orders for seasons, the audit log, accounts and links; and who may not."""

from __future__ import annotations

import pytest

from league.model import BotSource, NewBot, SourceKind
from league.orders import OrderKind
from tests.api.arena import Arena, arena, told

__all__ = ["arena"]

pytestmark = pytest.mark.slow


def test_an_organiser_runs_a_season_by_orders(arena: Arena) -> None:
    """An order is accepted, has an address, and says what became of it; the log has who asked, and by what way."""
    new = {"name": "Spring", "variant": "russian-14", "boards": 1}
    versions = [entrant.bot.id for entrant in arena.store.seasons.entrants(arena.season)]
    body = {"kind": "season.create", "new": new, "versions": versions, "start": True}
    made = arena.ask("orders", "POST", by="Olga", json=body)
    assert made.status_code == 202
    assert made.json()["state"] == "waiting"
    for number in arena.store.orders.waiting():
        arena.store.orders.carry_out(number, lambda one: arena.store.organising.perform(one.arguments, by=one.by))
    done = arena.ask(made.headers["location"], by="Olga").json()
    assert done["state"] == "done"
    assert arena.api.json(f"seasons/{done['season']}")["state"] == "running"
    assert arena.ask(f"orders?season={done['season']}", by="Olga").json()["items"] == [done]
    log = arena.ask("audit-log?actor=Olga&act=season.", by="Olga").json()["items"]
    assert {entry["act"] for entry in log} >= {"season.created", "season.started"}
    assert {entry["via"] for entry in log} == {"api"}


def test_only_organisers_ask_for_seasons(arena: Arena) -> None:
    """Others get 403, an unknown season is 404, and a body that does not fit is told by its places."""
    body = {"kind": "season.start", "season": arena.season}
    told(arena.ask("orders", "POST", json=body), 403, "forbidden")
    told(arena.ask("audit-log"), 403, "forbidden")
    told(arena.ask("orders", "POST", by="Olga", json={**body, "season": 999}), 404, "not-found")
    wrong = told(arena.ask("orders", "POST", by="Olga", json={**body, "season": "x"}), 422, "invalid-request")
    assert wrong["errors"][0]["pointer"] == "#/season"
    told(arena.ask("orders", "POST", by="Olga", json={"kind": "season.burn"}), 422, "invalid-request")
    broken = arena.ask("orders", "POST", by="Olga", content=b"{", headers={"Content-Type": "application/json"})
    assert told(broken, 422, "invalid-request")["errors"][0]["pointer"] == "#"
    latin = arena.ask("orders", "POST", by="Olga", content=b"\xff", headers={"Content-Type": "application/json"})
    assert told(latin, 422, "invalid-request")["errors"][0]["pointer"] == "#"


def test_an_organiser_makes_accounts(arena: Arena) -> None:
    """A new one comes with a link for its password, told once and logged."""
    made = arena.ask("accounts", "POST", by="Olga", json={"name": "Carl"})
    assert made.status_code == 201
    carl = arena.ask(made.headers["location"], by="Olga").json()
    assert (carl["name"], carl["has_password"], carl == made.json()["account"]) == ("Carl", False, True)
    assert arena.api.answer(made.json()["address"]).status_code == 200
    told(arena.ask("accounts", "POST", by="Olga", json={"name": "carl"}), 409, "conflict")
    told(arena.ask("accounts", "POST", json={"name": "Dora"}), 403, "forbidden")
    assert arena.acts() == [("account.link_made", "Olga"), ("account.created", "Olga")]


def test_an_organiser_s_token_opens_nobody_s_account(arena: Arena) -> None:
    """With a token that leaked there is no link for an account that is there, nor one for a name that owns bots."""
    people = arena.ask("accounts", by="Olga").json()["items"]
    for one in people:
        assert arena.ask(f"accounts/{one['id']}/password-link", "POST", by="Olga").status_code == 404
    source = BotSource(kind=SourceKind.REMOTE, location="")
    new = NewBot(name="owl", version="1", source=source, version_hash="e" * 64, owner="Dora", house=False)
    arena.store.bots.register(new)
    refused = told(arena.ask("accounts", "POST", by="Olga", json={"name": "Dora"}), 409, "conflict")
    assert "owns bots of this arena" in refused["detail"]
    assert arena.acts() == []


def test_an_organiser_shuts_an_account(arena: Arena) -> None:
    """Its tokens open nothing until it is opened again; the last organiser's stays open."""
    people = {one["name"]: one["id"] for one in arena.ask("accounts?limit=2", by="Olga").json()["items"]}
    at = f"accounts/{people['Bob']}"
    assert arena.ask(at, "PATCH", by="Olga", json={"disabled": True}).json()["disabled"] is True
    told(arena.ask("account", by="Bob"), 401, "unauthenticated")
    assert arena.ask(at, "PATCH", by="Olga", json={"disabled": False}).json()["disabled"] is False
    assert arena.ask("account", by="Bob").status_code == 200
    olga = next(one["id"] for one in arena.ask("accounts", by="Olga").json()["items"] if one["name"] == "Olga")
    told(arena.ask(f"accounts/{olga}", "PATCH", by="Olga", json={"disabled": True}), 409, "conflict")
    told(arena.ask(at, "PATCH", json={"disabled": True}), 403, "forbidden")


EVERY_ACT = (
    {"kind": "season.enter"},
    {"kind": "season.start"},
    {"kind": "season.pause"},
    {"kind": "season.resume"},
    {"kind": "sitting.requeue"},
    {"kind": "bot.suspend", "bot": "one", "reason": "It plays for another."},
    {"kind": "bot.lift", "bot": "one"},
    {"kind": "season.end", "void": True},
)


def test_everything_that_organisers_do_can_be_asked_for(arena: Arena) -> None:
    """One season from entries to its end, each act an order that is carried out and logged as the API's."""
    source = BotSource(kind=SourceKind.COMMAND, location="true")
    late = arena.store.bots.register(NewBot(name="late", version="1", source=source, version_hash="f" * 64))
    assert {one["kind"] for one in EVERY_ACT} | {"season.create"} == set(OrderKind)
    for act in EVERY_ACT:
        extra = {"versions": [late.id]} if act["kind"] == "season.enter" else {}
        asked = arena.ask("orders", "POST", by="Olga", json={**act, **extra, "season": arena.season})
        for number in arena.store.orders.waiting():
            arena.store.orders.carry_out(number, lambda one: arena.store.organising.perform(one.arguments, by=one.by))
        done = arena.ask(asked.headers["location"], by="Olga").json()
        assert (done["state"], done["told"], done["via"]) == ("done", None, "api"), act
    assert arena.api.json(f"seasons/{arena.season}")["state"] == "ended"
