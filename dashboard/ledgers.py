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
    """What has been read of a season, up to result `last` at a version: matches of boards that are not whole yet
    (`loose`), the boards that are, one match of each set that is not over (`waiting`), and ratings of the boards."""

    version: tuple[object, ...] = ()
    last: int = 0
    loose: list[MatchRow] = field(default_factory=list)
    boards: tuple[PlayedBoard, ...] = ()
    waiting: dict[int, str] = field(default_factory=dict)
    prefixes: tuple[Prefix, ...] = ()
    lock: Lock = field(default_factory=Lock)

    def forget(self) -> None:
        """Begins anew."""
        self.version, self.last, self.loose, self.boards, self.prefixes = (), 0, [], (), ()
        self.waiting.clear()


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
            if progress.matches_stored < read.last:
                read.forget()
            self._add(season, read, self._since(season.id, read.last))
            read.version = version
        return True

    def _add(self, season: Season, read: _Read, rows: list[MatchRow]) -> None:
        """Adds matches that came in, and marks what has become public since."""
        read.last = max([read.last, *(row.number for row in rows)])
        read.waiting |= {row.set_number: row.match_id for row in rows if not row.public}
        loose = [*read.loose, *rows]
        fresh = played_boards(loose, season, parse_variant(season.variant))
        whole = {board.number for board in fresh}
        read.loose = [row for row in loose if row.board not in whole]
        over = {at for at, match_id in read.waiting.items() if self._store.results.match(match_id).public}
        read.waiting = {at: match_id for at, match_id in read.waiting.items() if at not in over}
        boards = (*read.boards, *fresh)
        read.boards = tuple(replace(one, public=True) if one.set_number in over else one for one in boards)

    def _since(self, season_id: int, number: int) -> list[MatchRow]:
        """The matches that came in after result `number`."""
        found: list[MatchRow] = []
        before: int | None = None
        while True:
            page = self._store.results.matches(season_id, limit=_AT_ONCE, before=before)
            found += [row for row in page if row.number > number]
            if len(page) < _AT_ONCE or page[-1].number <= number:
                return found
            before = page[-1].number
