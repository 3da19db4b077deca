"""A season as files: its results as CSV, its public records as one archive. Both are made while they are sent.

Owns both formats. However long the season is, a part of it is in memory at a time.
"""

from __future__ import annotations

import csv
import io
import json
import tarfile
import zlib
from collections.abc import Iterator

from league.model import MatchRow, Season
from league.store import Store

COLUMNS = ("match", "board", "player", "place", "points")
"""As `king rate` reads them; `points` are those that decide places."""

_MATCHES_AT_ONCE = 500
_GZIP = 16 + zlib.MAX_WBITS


def matches_of(store: Store, season: Season) -> Iterator[MatchRow]:
    """The stored matches of a season, the latest first; those that come meanwhile are not among them."""
    before: int | None = None
    while page := store.results.matches(season.id, limit=_MATCHES_AT_ONCE, before=before):
        yield from page
        before = page[-1].number


def results_csv(store: Store, season: Season) -> Iterator[str]:
    """The results of all stored matches: a header, and a row for each player of each match."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    for number, match in enumerate(matches_of(store, season), start=1):
        for seat, label in enumerate(match.labels):
            rows.writerow((match.match_id, match.board, label, match.places[seat], match.scores[seat]))
        if number % _MATCHES_AT_ONCE == 0:
            yield _taken(text)
    yield _taken(text)


def records_archive(store: Store, season: Season) -> Iterator[bytes]:
    """The records that are public by now, as a tar archive packed by gzip."""
    packer = zlib.compressobj(wbits=_GZIP)
    for match in matches_of(store, season):
        if not match.public:
            continue
        record = store.results.record(match.match_id)
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        yield packer.compress(_member(record_name(match), text, match))
    yield packer.compress(bytes(2 * tarfile.BLOCKSIZE))
    yield packer.flush()


def record_name(match: MatchRow) -> str:
    """The name of a record in the archive, as `king season export` calls it."""
    return f"board-{match.board:04d}-rotation-{match.rotation}.json"


def _member(name: str, content: bytes, match: MatchRow) -> bytes:
    head = tarfile.TarInfo(name)
    head.size = len(content)
    head.mtime = int(match.ended_at.timestamp())
    return head.tobuf(tarfile.PAX_FORMAT) + content + bytes(-len(content) % tarfile.BLOCKSIZE)


def _taken(text: io.StringIO) -> str:
    written = text.getvalue()
    text.seek(0)
    text.truncate()
    return written
