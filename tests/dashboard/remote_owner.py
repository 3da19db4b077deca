"""Remote bots of somebody in the states whose pages differ: never seen, failed, passed and entered, revoked."""

from __future__ import annotations

from league.audit_log import Actor
from league.store import Store
from tests.league.test_unrated import rotations

FAULT = "it forfeited russian-14: illegal: request 7: index 9 is not from 0 to 2: " + "index_" * 20


def remote_pages(store: Store, owner: str, by: Actor) -> tuple[str, ...]:
    """Makes them, where the store knows bots of the house. Returns the addresses of their pages."""
    made = [
        store.own_remotes.register(owner=owner, name=owner, version=version, by=by).bot.id
        for version in ("1", "2", "3", "4")
    ]
    _qualify(store, made[1], owner, FAULT)
    _qualify(store, made[2], owner, "")
    store.own_remotes.revoke(made[3], owner, by=by)
    return ("/mine/remote/new", *(f"/mine/remote/{version}" for version in made))


def _qualify(store: Store, version: int, owner: str, outcome: str) -> None:
    store.presence.note([version])
    board = store.own_remotes.mine(version, owner).board
    assert board is not None
    claim = store.unrated.claim(board.id, "worker")
    assert claim is not None
    store.unrated.finish(claim, rotations(claim.board), outcome)
