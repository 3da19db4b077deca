"""Seasons played for these tests: real stores, real records made by the engine, simple policies instead of bots."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from league.model import BotSource, Claim, NewBot, NewSeason, SourceKind, TablePlan
from league.store import Store, Vault
from referee import dealing
from referee.rules import (
    Action,
    ActionKind,
    By,
    Forfeit,
    Group,
    Match,
    Player,
    Record,
    Secrets,
    Taken,
    match_record,
    parse_variant,
    rank_of,
)
from tests.stores import migrated_url

Policy = Callable[[Match, Sequence[Action], random.Random], Action]

LONG_NAME = "endgame-tables-with-belief-tracking"
MARKUP_NAME = "<b>bold</b> & co"
CYRILLIC_NAME = "Лисий хвост"


def _random(_match: Match, legal: Sequence[Action], chance: random.Random) -> Action:
    return chance.choice(legal)


def _by_rank(legal: Sequence[Action], *, high: bool) -> Action:
    return sorted(legal, key=lambda action: rank_of(action.card or 0), reverse=high)[0]


def _lowest(_match: Match, legal: Sequence[Action], chance: random.Random) -> Action:
    return _by_rank(legal, high=False) if legal[0].kind is ActionKind.PLAY else chance.choice(legal)


def _highest(_match: Match, legal: Sequence[Action], chance: random.Random) -> Action:
    return _by_rank(legal, high=True) if legal[0].kind is ActionKind.PLAY else chance.choice(legal)


def _greedy(match: Match, legal: Sequence[Action], chance: random.Random) -> Action:
    deal = match.deal
    if legal[0].kind is not ActionKind.PLAY or deal is None or deal.contract is None:
        return chance.choice(legal)
    return _by_rank(legal, high=deal.contract.group is not Group.PENALTY)


def _wavering(match: Match, legal: Sequence[Action], chance: random.Random) -> Action:
    return (_greedy if chance.random() < 0.6 else _random)(match, legal, chance)


POLICIES: dict[str, Policy] = {
    "greedy": _greedy,
    LONG_NAME: _wavering,
    CYRILLIC_NAME: _wavering,
    "highest": _highest,
    "lowest": _lowest,
    MARKUP_NAME: _random,
    "random": _random,
}


@dataclass
class Clock:
    """A clock that moves on when told."""

    now: datetime = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def open_store(folder: Path, clock: Clock) -> Store:
    """A new store in a folder, with its vault."""
    vault = Vault.open(f"sqlite:///{folder / 'vault.sqlite3'}")
    return Store.open(migrated_url(folder), vault=vault, clock=clock)


def new_season(store: Store, names: Sequence[str], *, name: str, variant: str, boards: int, sets: int = 2) -> int:
    """A season with these bots entered, not started."""
    season = store.seasons.create(NewSeason(name=name, variant=variant, boards=boards, set_count=sets))
    for number, bot in enumerate(names):
        source = BotSource(kind=SourceKind.COMMAND, location="python bot.py")
        version = store.bots.register(
            NewBot(name=bot, version="1.0", source=source, version_hash=f"{number:064x}", language="Python")
        )
        store.seasons.enter(season.id, version.id)
    return season.id


def play(store: Store, season: int, clock: Clock, *, sittings: int | None = None, forfeit: bool = False) -> None:
    """Play sittings of a season, all by default; with `forfeit`, the bot of seat 1 of the first match fails."""
    played = 0
    while sittings is None or played < sittings:
        due = store.sittings.due(season)
        if not due:
            return
        claim = store.sittings.claim(due[0], "test")
        if claim is None:
            raise AssertionError(f"sitting {due[0]} was due and could not be claimed")
        for number, table in enumerate(claim.tables):
            clock.move(1.0)
            store.sittings.renew(claim)
            fails = forfeit and played == 0 and number == 0
            store.results.commit(claim, play_table(claim, table, clock, fails=fails))
        store.sittings.finish(claim)
        store.histories.catch_up(season)
        played += 1


def play_table(claim: Claim, table: TablePlan, clock: Clock, *, fails: bool = False) -> Record:
    """One match of a claim, played by policies named as the bots are."""
    variant = parse_variant(claim.variant)
    secret, salt = bytes.fromhex(table.deal_secret), bytes.fromhex(table.deal_salt)
    seed = dealing.deal_seed(secret, salt)
    match = Match(variant, dealing.packs(seed, variant), dealing.first_seat(seed, variant))
    labels = [claim.players[place].label for place in table.players]
    taken = _play_out(match, [POLICIES[label] for label in labels], random.Random(table.match_id), seed, fails=fails)
    forfeits = [Forfeit(seat=1, kind="exit", deal=2, action=_first_of(match, 2, 1), detail="status 1")] if fails else []
    return match_record(
        match,
        match_id=table.match_id,
        players=[Player(bot=label, version="1.0") for label in labels],
        context={
            "season": claim.season_name,
            "board": table.board,
            "rotation": table.rotation,
            "time_control": claim.time_control,
            "started_at": clock().isoformat(),
            "stand_in": "random/1",
        },
        secrets=Secrets(deal_secret=secret, deal_salt=salt, deal_seed=seed, deal_commitment=dealing.commitment(secret)),
        taken=taken,
        forfeits=forfeits,
    )


def _first_of(match: Match, deal: int, seat: int) -> int:
    actions = match.deals[deal - 1].actions
    return next(number for number, action in enumerate(actions, start=1) if action.seat == seat)


def _play_out(
    match: Match, policies: Sequence[Policy], chance: random.Random, seed: bytes, *, fails: bool
) -> list[list[Taken]]:
    taken: list[list[Taken]] = []
    match.start()
    while match.deal is not None:
        number = match.deal.number
        if number > len(taken):
            taken.append([])
            stand_in = dealing.stand_in_stream(seed, number)
        legal, seat = match.legal_actions(), match.seat_to_act or 0
        if len(legal) == 1:
            taken[-1].append(Taken(by=By.FORCED))
            match.apply(legal[0])
        elif fails and seat == 1 and number >= 2:
            taken[-1].append(Taken(by=By.STAND_IN))
            match.apply(legal[stand_in.below(len(legal))])
        else:
            ms = chance.choice((1, 14, 107, 404, 1840))
            taken[-1].append(Taken(by=By.BOT, ms=ms, asked_with=chance.randint(1, 9)))
            match.apply(policies[seat](match, legal, chance))
    return taken


def as_dict(value: Any) -> dict[str, Any]:
    """A JSON object, checked to be one."""
    assert isinstance(value, dict)
    return value
