"""Records at hand: the latest ones that were looked at, and replays of them.

Owns a bounded cache of what never changes: a record that is public stays as it is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

from dashboard.pages.replay import MatchView, match_view
from league.store import Store

_RECORDS_KEPT = 128
_REPLAYS_KEPT = 16
_Made = TypeVar("_Made")


class _Kept(Generic[_Made]):
    """The last few things made, by key."""

    def __init__(self, at_most: int) -> None:
        self._at_most = at_most
        self._made: OrderedDict[str, _Made] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str, make: Callable[[], _Made]) -> _Made:
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        made = make()
        with self._lock:
            self._made[key] = made
            while len(self._made) > self._at_most:
                self._made.popitem(last=False)
        return made


class RecordShelf:
    """Fetches and replays records, keeping the last few."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._records: _Kept[dict[str, Any]] = _Kept(_RECORDS_KEPT)
        self._replays: _Kept[MatchView] = _Kept(_REPLAYS_KEPT)

    def record(self, match_id: str) -> dict[str, Any]:
        """A public record.

        Raises:
            LeagueError: for an unknown match; NotPublicYetError while its set of boards is being played.
        """
        return self._records.get(match_id, lambda: self._store.results.record(match_id))

    def match(self, match_id: str, season: int) -> MatchView:
        """A public match, ready to be stepped through.

        Raises:
            LeagueError: as `record`.
        """
        return self._replays.get(match_id, lambda: match_view(self.record(match_id), season))
