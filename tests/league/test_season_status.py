"""What `king season status` says of sittings that were given back."""

from __future__ import annotations

from king_cli.season_status import status_lines
from league.store import Store
from tests.league.leagues import claimed, started


def test_a_reason_is_of_the_attempt_before(store: Store) -> None:
    """The attempt that goes on, or is to come, is not said to have been given back."""
    season = started(store)
    (due, *_) = store.sittings.due()
    store.sittings.release(claimed(store, due), "it was so")
    why = "it was last given back because: it was so"
    assert status_lines(store, season.id, nobody_plays=False)[1:] == [f"sitting {due} waits for another attempt; {why}"]
    claimed(store, due)
    assert status_lines(store, season.id, nobody_plays=False)[1:] == [f"sitting {due} is at attempt 2; {why}"]
