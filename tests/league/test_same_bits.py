"""Official numbers are the same to the last bit, however a season was played and wherever they are made from."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.collusion import audit, audit_json
from league.ladder import ladder_json, rate_matches
from league.luck import luck, luck_json
from league.model import Claim, Season, TablePlan
from league.results import MatchResult, result_of
from league.store import Store
from referee.rules import parse_variant
from tests.league.leagues import claimed, open_store, played_record, short_record, started

FORFEIT = {"seat": 2, "kind": "exit", "deal": 2, "action": 5, "detail": "exit status 1"}
OF_ITS_TIME = ("live_elo", "updated_at", "results_version")
"""What depends on the order of results, or on when they came in."""


def official(ladder: Mapping[str, Any]) -> str:
    """A ladder's JSON, every digit of it, without what depends on time."""
    bots = [{name: value for name, value in bot.items() if name not in OF_ITS_TIME} for bot in ladder["bots"]]
    rest = {name: value for name, value in ladder.items() if name not in OF_ITS_TIME}
    return json.dumps({**rest, "bots": bots})


def official_numbers(store: Store, season: Season) -> str:
    """Ladder, crosstable, points by contract, audit and luck, every digit."""
    sums = store.standings.sums(season.id)
    labels = [entrant.label for entrant in store.seasons.entrants(season.id)]
    return "\n".join(
        [
            official(ladder_json(store.standings.ladder(season.id))),
            repr(store.standings.crosstable(season.id)),
            *(repr(store.standings.by_contract(season.id, at)) for at in range(len(labels))),
            json.dumps(audit_json(audit(sums.clean, deals=season.deal_count), labels)),
            json.dumps(luck_json(luck(sums.clean, deals=season.deal_count))),
        ]
    )


def given_scores(table: TablePlan, labels: Sequence[str]) -> list[int]:
    """Scores that a table of a plan has in every season of that plan."""
    draw = random.Random(f"{table.board} {table.rotation} {labels}")
    return [draw.randint(-60, 60) for _ in labels]


def commit(store: Store, claim: Claim, table: TablePlan) -> None:
    """Stores a match whose result depends on the plan alone; some have a forfeit."""
    forfeits = [FORFEIT] if table.board % 7 == 3 and table.rotation == 2 else []
    record = short_record(claim, table, scorer=lambda labels, _: given_scores(table, labels), forfeits=forfeits)
    assert store.results.commit(claim, record)


def play_interleaved(store: Store, season: Season, *, workers: int, dice: random.Random) -> None:
    """Plays a season with so many sittings under way at once, whose matches end in any order."""
    under_way: list[tuple[Claim, list[TablePlan]]] = []
    while True:
        due = store.sittings.due(season.id)
        if due and len(under_way) < workers:
            claim = claimed(store, dice.choice(due))
            under_way.append((claim, dice.sample(claim.tables, len(claim.tables))))
            continue
        if not under_way:
            return
        claim, left = dice.choice(under_way)
        commit(store, claim, left.pop())
        if not left:
            store.sittings.finish(claim)
            under_way.remove((claim, left))


def season_played(*, workers: int, seed: int) -> str:
    """The official numbers of a season of one plan, played by so many workers in some order."""
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        season = started(store, boards=1, set_count=4)
        play_interleaved(store, season, workers=workers, dice=random.Random(seed))
        numbers = official_numbers(store, season)
        store.close()
        return numbers


@pytest.mark.slow
@settings(max_examples=5, deadline=None)
@given(workers=st.integers(1, 4), seed=st.integers(0, 10_000))
def test_neither_the_order_of_results_nor_the_number_of_workers_changes_a_bit(workers: int, seed: int) -> None:
    """One worker in the order of the plan, or several whose matches end in any order: the same numbers."""
    assert season_played(workers=workers, seed=seed) == by_one_worker()


@cache
def by_one_worker() -> str:
    return season_played(workers=1, seed=0)


@pytest.mark.slow
def test_a_rebuild_from_results_changes_no_bit(store: Store, tmp_path: Path) -> None:
    """Sums thrown away and made anew from the stored matches give the same numbers, read by a store opened afresh."""
    season = started(store, boards=1, set_count=3)
    play_interleaved(store, season, workers=3, dice=random.Random(5))
    before = official_numbers(store, season)
    assert store.results.rebuild(season.id) == 15
    again = open_store(tmp_path)
    assert official_numbers(again, season) == before
    again.close()


@pytest.mark.slow
def test_records_alone_give_the_same_bits(store: Store) -> None:
    """The public records of a season, in any order, give its official ladder without the store."""
    season = started(store, boards=1, set_count=1)
    while due := store.sittings.due(season.id):
        claim = claimed(store, due[0])
        for table in claim.tables:
            store.results.commit(claim, played_record(claim, table))
        store.sittings.finish(claim)
    results = results_of_records(store, season)
    entries = [(one.label, one.bot.version) for one in store.seasons.entrants(season.id)]
    for seed in range(3):
        shuffled = random.Random(seed).sample(results, len(results))
        ladder = rate_matches(entries, shuffled, variant=parse_variant(season.variant))
        assert official(ladder_json(ladder)) == official(ladder_json(store.standings.ladder(season.id)))


def results_of_records(store: Store, season: Season) -> list[MatchResult]:
    """What every record of a season says, read as a stranger reads it."""
    number = {entrant.label: entrant.number for entrant in store.seasons.entrants(season.id)}
    variant = parse_variant(season.variant)
    found = []
    for match in store.results.matches(season.id, limit=1000):
        record = store.results.record(match.match_id)
        seated = sorted(record["players"], key=lambda player: int(player["seat"]))
        found.append(result_of(record, [number[player["bot"]] for player in seated], variant))
    return found
