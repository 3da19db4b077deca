"""Owners enter their own bots, and withdraw them: which seasons, and what a season still needs."""

from __future__ import annotations

import pytest

from league.errors import LeagueError
from league.model import Entrant
from league.store import Store, entering
from league.submissions import SubmissionState, SubmittedBot, WrongStateError
from tests.league.leagues import BOTS, planned, started
from tests.league.test_submissions import ANN, BY_ANN, active


@pytest.mark.slow
def test_an_active_bot_enters_what_takes_entries(store: Store) -> None:
    """A planned season and a rolling one that is played; not a closed one that has begun, nor another variant's."""
    mine = active(store, bot=SubmittedBot(name="owl", version="1", variants=("russian-14",)))
    open_ones = [planned(store, name="Winter"), started(store, name="Always", rolling=True)]
    started(store, name="Closed")
    planned(store, name="Other", variant="base-14")
    found = store.entries.seasons_for(mine.id, ANN)
    assert [(season.name, entered) for season, entered in found] == [("Always", False), ("Winter", False)]
    for season in open_ones:
        assert store.entries.enter(mine.id, ANN, season.id, by=BY_ANN).label == "owl"
        store.entries.enter(mine.id, ANN, season.id, by=BY_ANN)
    assert [entered for _, entered in store.entries.seasons_for(mine.id, ANN)] == [True, True]
    acts = [(entry.act, entry.subject) for entry in store.audit_log.entries()]
    assert acts[:2] == [("season.entered", "owl@1")] * 2
    assert acts[2][0] == "bot.submitted"


def test_of_many_seasons_the_newest_are_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many take entries, a bounded number is looked through; older ones are still entered by their ids."""
    monkeypatch.setattr(entering, "SEASONS_AT_MOST", 2)
    mine = active(store)
    oldest, *_others = [planned(store, BOTS[:1], name=f"Season {number}") for number in range(3)]
    found = store.entries.seasons_for(mine.id, ANN)
    assert [season.name for season, _entered in found] == ["Season 2", "Season 1"]
    assert store.entries.enter(mine.id, ANN, oldest.id, by=BY_ANN).season == oldest.id


def test_who_may_not_enter(store: Store) -> None:
    """Another owner, what is not active, a variant that the bot does not play."""
    mine = active(store, bot=SubmittedBot(name="owl", version="1", variants=("russian-14",)))
    season, other = planned(store, name="Winter"), planned(store, name="Other", variant="base-14")
    with pytest.raises(LeagueError, match="Bob has no submission"):
        store.entries.enter(mine.id, "Bob", season.id, by=BY_ANN)
    with pytest.raises(LeagueError, match="owl 1 does not play base-14; it plays russian-14"):
        store.entries.enter(mine.id, ANN, other.id, by=BY_ANN)
    store.submissions.withdraw(mine.id, ANN, by=BY_ANN)
    assert store.entries.seasons_for(mine.id, ANN) == ()
    with pytest.raises(WrongStateError, match="is withdrawn: only what is active enters a season"):
        store.entries.enter(mine.id, ANN, season.id, by=BY_ANN)
    assert mine.version_id is not None
    with pytest.raises(WrongStateError, match="owl 1 is withdrawn: only active versions enter a season"):
        store.seasons.enter(season.id, mine.version_id)


@pytest.mark.slow
def test_withdrawing_ends_the_pairing_in_rolling_seasons(store: Store) -> None:
    """A closed season is played to its end; a rolling one pairs the bot no more, and pairs it again on its return."""
    mine = active(store)
    rolling = started(store, BOTS[:4], name="Always", rolling=True)
    closed = planned(store, BOTS[:4], name="Closed")
    for season in (rolling, closed):
        store.entries.enter(mine.id, ANN, season.id, by=BY_ANN)
    store.seasons.start(closed.id)
    store.submissions.withdraw(mine.id, ANN, by=BY_ANN)
    withdrawn = {season.name: _entrant(store, season.id).withdrawn_at is not None for season in (rolling, closed)}
    assert withdrawn == {"Always": True, "Closed": False}
    with pytest.raises(WrongStateError, match="has entered Closed, where"):
        store.submissions.delete(mine.id, ANN, by=BY_ANN)
    store.seasons.end(closed.id)
    assert store.submissions.delete(mine.id, ANN, by=BY_ANN).state is SubmissionState.DELETED


def test_boards_that_are_planned_keep_an_archive(store: Store) -> None:
    """A withdrawn bot plays in a rolling season what was planned with it; so long it cannot be deleted."""
    mine = active(store)
    rolling = planned(store, BOTS[:4], name="Always", rolling=True)
    store.entries.enter(mine.id, ANN, rolling.id, by=BY_ANN)
    store.seasons.start(rolling.id)
    number = _entrant(store, rolling.id).number
    assert any(number in board.players for board in store.seasons.boards(rolling.id))
    store.submissions.withdraw(mine.id, ANN, by=BY_ANN)
    with pytest.raises(WrongStateError, match="has entered Always, where it has to play"):
        store.submissions.delete(mine.id, ANN, by=BY_ANN)
    store.submissions.activate(mine.id, ANN, by=BY_ANN)
    store.entries.enter(mine.id, ANN, rolling.id, by=BY_ANN)
    assert _entrant(store, rolling.id).withdrawn_at is None


def _entrant(store: Store, season_id: int) -> Entrant:
    return next(each for each in store.seasons.entrants(season_id) if each.bot.name == "owl")
