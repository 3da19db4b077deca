"""Seasons in real databases, and matches for them: whole random ones, or short ones with given scores."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from league.model import BotSource, Claim, NewBot, NewSeason, Season, SourceKind, TablePlan
from league.results import DealPoints, MatchResult
from league.store import LEASE, Store, Vault, utc_now, vault_url_beside
from league.versions import command_hash
from referee import dealing
from referee.random_match import play_at_random
from referee.rules import Match, Player, Secrets, match_record, parse_variant
from tests.stores import DATABASE, database_url, migrated_url

__all__ = ["DATABASE", "database_url"]

VARIANT = "russian-14"
BOTS = ("counter", "greedy", "highest", "lowest", "montecarlo", "random")

Scorer = Callable[[Sequence[str], random.Random], Sequence[int]]


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def open_store(folder: Path, clock: Callable[[], datetime] = utc_now, lease: timedelta = LEASE) -> Store:
    """A migrated store of a folder, with its vault."""
    folder.mkdir(parents=True, exist_ok=True)
    url = migrated_url(folder)
    vault = Vault.open(vault_url_beside(url, folder))
    return Store.open(url, vault=vault, lease=lease, clock=clock)


def new_bot(name: str, version: str = "1", owner: str = "") -> NewBot:
    return NewBot(
        name=name,
        version=version,
        source=BotSource(kind=SourceKind.COMMAND, location=f"run {name}"),
        version_hash=command_hash(owner, name, version),
        owner=owner,
        house=not owner,
    )


def planned(store: Store, bots: Sequence[str] = BOTS, **settings: Any) -> Season:
    """A season that bots have entered."""
    new = replace(NewSeason(name="Autumn", variant=VARIANT, boards=1), **settings)
    season = store.seasons.create(new)
    for name in bots:
        store.seasons.enter(season.id, store.bots.register(new_bot(name)).id)
    return season


def started(store: Store, bots: Sequence[str] = BOTS, **settings: Any) -> Season:
    return store.seasons.start(planned(store, bots, **settings).id)


def claimed(store: Store, sitting: int, worker: str = "worker 1") -> Claim:
    claim = store.sittings.claim(sitting, worker)
    assert claim is not None
    return claim


def strength(label: str) -> int:
    """Points a deal that a made-up bot of this name makes above the others."""
    return 6 * BOTS.index(label) if label in BOTS else 0


def by_strength(labels: Sequence[str], draw: random.Random) -> list[int]:
    """Scores of a match that follow strength, with luck."""
    return [14 * strength(label) + round(draw.gauss(0, 60)) for label in labels]


def short_record(
    claim: Claim,
    table: TablePlan,
    *,
    scorer: Scorer = by_strength,
    forfeits: Sequence[Mapping[str, Any]] = (),
    **changed: Any,
) -> dict[str, Any]:
    """The record of a match without its actions: two deals whose points add up to the scorer's scores."""
    labels = [claim.players[place].label for place in table.players]
    scores = list(scorer(labels, random.Random(f"{table.deal_secret}{table.rotation}")))
    first = [score // 3 for score in scores]
    record: dict[str, Any] = {
        "variant": claim.variant,
        "match_id": table.match_id,
        "players": [{"seat": seat, "bot": label, "version": "1"} for seat, label in enumerate(labels)],
        "context": {"board": table.board, "rotation": table.rotation},
        "deal_secret": table.deal_secret,
        "deal_salt": table.deal_salt,
        "deal_seed": "ab" * 32,
        "deals": [
            {"number": 1, "contract": "no_tricks", "points": first},
            {"number": 2, "contract": "no_hearts", "points": [s - f for s, f in zip(scores, first, strict=True)]},
        ],
        "totals": scores,
        "places": [1 + sum(other > score for other in scores) for score in scores],
        "forfeits": list(forfeits),
        "termination": {"kind": "normal", "detail": ""},
    }
    return record | changed


def played_record(claim: Claim, table: TablePlan) -> dict[str, Any]:
    """The record of a whole match of random legal actions with the table's own cards."""
    variant = parse_variant(claim.variant)
    secret, salt = bytes.fromhex(table.deal_secret), bytes.fromhex(table.deal_salt)
    seed = dealing.deal_seed(secret, salt)
    match = Match(variant, dealing.packs(seed, variant), dealing.first_seat(seed, variant))
    taken = play_at_random(match, seed + bytes([table.rotation]))
    return match_record(
        match,
        match_id=table.match_id,
        players=[
            Player(bot=claim.players[place].label, version=claim.players[place].bot.version) for place in table.players
        ],
        context={"season": claim.season_name, "board": table.board, "rotation": table.rotation},
        secrets=Secrets(deal_secret=secret, deal_salt=salt, deal_seed=seed, deal_commitment=dealing.commitment(secret)),
        taken=taken,
    )


def play_sitting(store: Store, sitting: int, *, scorer: Scorer = by_strength, finish: bool = True) -> Claim:
    """Claims a sitting, stores all its matches and finishes it."""
    claim = claimed(store, sitting)
    for table in claim.tables:
        assert store.results.commit(claim, short_record(claim, table, scorer=scorer))
    if finish:
        store.sittings.finish(claim)
    return claim


def play_season(store: Store, season: Season, *, scorer: Scorer = by_strength) -> None:
    """Plays a season to its end."""
    while due := store.sittings.due(season.id):
        for sitting in due:
            play_sitting(store, sitting, scorer=scorer)


def board_results(
    board: int, players: Sequence[int], scores: Callable[[int, tuple[int, ...]], Sequence[int]], deals: int = 14
) -> list[MatchResult]:
    """The rotations of one board; `scores` gets the rotation and the players by seat."""
    n = len(players)
    results = []
    for rotation in range(n):
        seated = tuple(players[(seat - rotation) % n] for seat in range(n))
        made = tuple(scores(rotation, seated))
        results.append(
            MatchResult(
                board=board,
                rotation=rotation,
                players=seated,
                scores=made,
                places=tuple(1 + sum(other > score for other in made) for score in made),
                forfeited=(False,) * n,
                deals=deals,
                deal_points=(DealPoints(contract="no_tricks", points=made, own=(True,) * n),),
            )
        )
    return results
