"""Results of seasons at hand: all stored matches of a season, read once and then only what is new.

Owns the cache. A match that is stored never changes but in whether its set of boards is over, which is asked anew.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from threading import Lock

from dashboard.pages.played import PlayedBoard, played_boards
from dashboard.pages.prefixes import Prefix, prefix_ratings
from league.model import MatchRow, Season
from league.store import Store
from referee.rules import parse_variant

MOST_MATCHES = 40_000
"""Longer seasons are not read whole for a page: pages say so, and show what needs no history."""

_SEASONS_KEPT = 4
_AT_ONCE = 2000


@dataclass(slots=True)
class _Read:
    """What has been read of a season: matches by number at a version, the boards and the ratings made of them."""

    version: tuple[object, ...] = ()
    rows: dict[int, MatchRow] = field(default_factory=dict)
    boards: tuple[PlayedBoard, ...] = ()
    prefixes: tuple[Prefix, ...] = ()
    lock: Lock = field(default_factory=Lock)


class Ledgers:
    """The whole boards of the seasons that were looked at last; may be used from several threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: OrderedDict[int, _Read] = OrderedDict()
        self._lock = Lock()

    def boards(self, season: Season) -> tuple[PlayedBoard, ...] | None:
        """The whole boards of a season in the order in which they became whole; None if the season is too long."""
        read = self._of(season.id)
        with read.lock:
            return read.boards if self._read_on(season, read) else None

    def prefixes(self, season: Season) -> tuple[Prefix, ...] | None:
        """The official ratings as they stood at several moments; None if the season is too long."""
        read = self._of(season.id)
        with read.lock:
            if not self._read_on(season, read):
                return None
            if read.boards and (not read.prefixes or read.prefixes[-1].boards != len(read.boards)):
                read.prefixes = prefix_ratings(
                    read.boards,
                    bot_count=len(self._store.seasons.entrants(season.id)),
                    variant=parse_variant(season.variant),
                    known={prefix.boards: prefix for prefix in read.prefixes},
                )
            return read.prefixes

    def _of(self, season_id: int) -> _Read:
        with self._lock:
            read = self._read.setdefault(season_id, _Read())
            self._read.move_to_end(season_id)
            while len(self._read) > _SEASONS_KEPT:
                self._read.popitem(last=False)
            return read

    def _read_on(self, season: Season, read: _Read) -> bool:
        """Reads what is new; False if that is too much."""
        progress = self._store.seasons.progress(season.id)
        if progress.matches_stored > MOST_MATCHES:
            return False
        version = (progress.matches_stored, progress.sittings_done, progress.state)
        if read.version != version:
            rows = {**read.rows, **self._since(season.id, max(read.rows, default=0))}
            over = self._newly_over(rows)
            read.rows = {at: replace(row, public=row.public or row.set_number in over) for at, row in rows.items()}
            read.boards = played_boards(read.rows.values(), season, parse_variant(season.variant))
            read.version = version
        return True

    def _since(self, season_id: int, number: int) -> dict[int, MatchRow]:
        """The matches that came in after result `number`, by their numbers."""
        found: dict[int, MatchRow] = {}
        before: int | None = None
        while True:
            page = self._store.results.matches(season_id, limit=_AT_ONCE, before=before)
            found |= {row.number: row for row in page if row.number > number}
            if len(page) < _AT_ONCE or page[-1].number <= number:
                return found
            before = page[-1].number

    def _newly_over(self, rows: dict[int, MatchRow]) -> set[int]:
        """The sets that were not over when a match of theirs was read, and are now."""
        waiting = {row.set_number: row for row in rows.values() if not row.public}
        return {at for at, row in waiting.items() if self._store.results.match(row.match_id).public}
