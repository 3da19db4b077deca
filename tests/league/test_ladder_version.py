"""The version of a ladder: it grows with whatever a page of the ladder shows, and with nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from king_cli.main import run
from league.audit_log import SHELL, Act
from league.errors import LeagueError
from league.model import FaultKind, NewFault, NewSeason
from league.store import Store
from tests.league.leagues import (
    BOTS,
    VARIANT,
    Clock,
    claimed,
    database_url,
    new_bot,
    open_store,
    planned,
    short_record,
    started,
)


def version(store: Store, season: int) -> int:
    return store.seasons.get(season).ladder_version


@pytest.mark.slow
def test_a_result_makes_another_ladder_and_telling_it_twice_does_not(tmp_path: Path) -> None:
    """So does a fault once it counts; a fault of tables that nobody has stored, a claim and a log do not."""
    store = open_store(tmp_path, Clock())
    season = started(store).id
    before = version(store, season)
    claim = claimed(store, store.sittings.due()[0])
    table = claim.tables[0]
    fault = NewFault(
        number=1, player=0, process=1, kind=FaultKind.TIMEOUT, detail="", forfeits=False, match_ids=(table.match_id,)
    )
    store.results.record_fault(claim, fault)
    store.results.keep_log(claim, process=1, player=0, exit_status=0, text="")
    store.sittings.renew(claim)
    assert version(store, season) == before
    store.results.commit(claim, short_record(claim, table))
    after = version(store, season)
    assert after > before
    store.results.commit(claim, short_record(claim, table))
    store.results.record_fault(claim, fault)
    assert version(store, season) == after
    store.results.record_fault(claim, NewFault(**{**fault.__dict__, "number": 2}))
    assert version(store, season) > after
    store.close()


def test_states_and_entries_make_another_ladder(tmp_path: Path) -> None:
    """Entering, starting, pausing, resuming and ending; doing so twice does not."""
    store = open_store(tmp_path, Clock())
    season = planned(store, BOTS[:4]).id
    late = store.bots.register(new_bot("late")).id
    steps = (
        lambda: store.seasons.enter(season, late),
        lambda: store.seasons.start(season),
        lambda: store.seasons.pause(season),
        lambda: store.seasons.resume(season),
        lambda: store.seasons.end(season),
    )
    for step in steps:
        before = version(store, season)
        step()
        after = version(store, season)
        assert after > before
        step()
        assert version(store, season) == after
    store.close()


@pytest.mark.slow
def test_another_season_does_not(tmp_path: Path) -> None:
    """Versions are by season."""
    store = open_store(tmp_path, Clock())
    one, other = started(store).id, started(store).id
    before = version(store, other)
    claim = claimed(store, store.sittings.due(one)[0])
    store.results.commit(claim, short_record(claim, claim.tables[0]))
    assert version(store, other) == before
    store.close()


@pytest.fixture
def rolling(tmp_path: Path) -> tuple[Store, int]:
    store = open_store(tmp_path, Clock())
    season = store.seasons.create(NewSeason(name="Autumn", variant=VARIANT, boards=2, rolling=True))
    for name in (*BOTS[:4], "other"):
        store.seasons.enter(season.id, store.bots.register(new_bot(name)).id)
    store.seasons.start(season.id)
    return store, season.id


@pytest.mark.slow
def test_a_withdrawn_bot_is_not_paired_any_more_and_keeps_its_place(rolling: tuple[Store, int]) -> None:
    """The plan grows without it, its number and the salt's list of entrants stay; entering again brings it back."""
    store, season = rolling
    gone = next(one for one in store.seasons.entrants(season) if one.label == "greedy")
    before, planned_boards = version(store, season), store.seasons.boards(season)
    withdrawn = store.seasons.withdraw(season, gone.number)
    assert withdrawn.withdrawn_at is not None
    assert version(store, season) > before
    assert store.seasons.withdraw(season, gone.number) == withdrawn
    _play_all(store, season)
    later = store.seasons.boards(season)[len(planned_boards) :]
    assert later
    assert all(gone.number not in board.players for board in later)
    assert {one.entrant_count for one in store.seasons.sets(season)} == {5}
    assert store.seasons.enter(season, gone.bot.id).withdrawn_at is None
    _play_all(store, season)
    assert any(
        gone.number in board.players for board in store.seasons.boards(season)[len(planned_boards) + len(later) :]
    )
    store.close()


def _play_all(store: Store, season: int) -> None:
    for sitting in [one.id for one in store.sittings.of_season(season) if one.state == "planned"]:
        claim = claimed(store, sitting)
        for table in claim.tables:
            store.results.commit(claim, short_record(claim, table))
        store.sittings.finish(claim)
    store.rolling.grow_all()


def test_who_is_withdrawn_from_what(rolling: tuple[Store, int]) -> None:
    """From a rolling season that is being played, and an entrant of it; the error says what would be right."""
    store, season = rolling
    with pytest.raises(LeagueError, match="no entrant 7 in season"):
        store.seasons.withdraw(season, 7)
    with pytest.raises(LeagueError, match=r"is closed.*bots are withdrawn from rolling seasons"):
        store.seasons.withdraw(started(store).id, 0)
    store.seasons.end(season, void=True)
    with pytest.raises(LeagueError, match="is ended: nobody is being paired in it"):
        store.seasons.withdraw(season, 0)
    store.close()


def test_an_organiser_withdraws_a_bot_by_its_name(rolling: tuple[Store, int]) -> None:
    """It is written down once who did it; a name that is none is an error that says which there are."""
    store, season = rolling
    before = len(store.audit_log.entries())
    for _ in range(2):
        store.organising.withdraw(season, "greedy", by=SHELL)
    (entry,) = store.audit_log.entries()[: len(store.audit_log.entries()) - before]
    assert (entry.act, entry.subject, entry.details["season"]) == (Act.BOT_WITHDRAWN, "greedy", season)
    assert [one.label for one in store.seasons.entrants(season) if one.withdrawn_at] == ["greedy"]
    with pytest.raises(LeagueError, match=r"no bot 'greed' in season .*: there are counter, greedy"):
        store.organising.withdraw(season, "greed", by=SHELL)
    store.close()


@pytest.mark.slow
def test_the_command_withdraws_and_the_status_tells(
    rolling: tuple[Store, int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`king season withdraw` takes a season's and a bot's name; the status names who is withdrawn."""
    store, season = rolling
    monkeypatch.setenv("KING_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("KING_DATABASE_URL", database_url(tmp_path))

    def said(*words: str) -> str:
        assert run(["season", *words]) == 0
        return capsys.readouterr().out

    assert json.loads(said("withdraw", "Autumn", "greedy", "--json"))["state"] == "withdrawn"
    assert json.loads(said("status", "Autumn", "--json"))["withdrawn"] == ["greedy"]
    assert "greedy is withdrawn: it is not paired any more" in said("status", "Autumn")
    store.seasons.enter(season, store.bots.latest("greedy").id)
    assert json.loads(said("status", "Autumn", "--json"))["withdrawn"] == []
    store.close()
