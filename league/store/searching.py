"""What is found for some words: bots, versions, seasons, matches, boards.

Owns what counts as found. Changes nothing; every list is short, and says by its length when there is more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, select

from league.model import Board, BotVersion, MatchRow, Season
from league.store.bots import version_columns, version_from
from league.store.database import Database
from league.store.rows import board_from, labels_of, match_from, season_from, select_matches
from league.store.schema import boards, bot_versions, bots, matches, seasons

LONGEST = 100
"""Characters of what is looked for; the rest is passed over."""

SHORTEST_ID = 4
"""Hex digits that the beginning of a match's id or of a version's hash must have at least."""

_HEX = frozenset("0123456789abcdef")
_Found = TypeVar("_Found")


@dataclass(frozen=True, kw_only=True)
class Found:
    """What was found, the best known first: names that begin so before names that contain it, new before old."""

    bots: tuple[BotVersion, ...] = ()
    versions: tuple[BotVersion, ...] = ()
    seasons: tuple[Season, ...] = ()
    matches: tuple[MatchRow, ...] = ()
    boards: tuple[tuple[Season, Board], ...] = ()

    @property
    def count(self) -> int:
        """How many things."""
        return sum(map(len, (self.bots, self.versions, self.seasons, self.matches, self.boards)))


class SearchStore:
    """Looks things up by what a reader remembers of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, text: str, *, limit: int) -> Found:
        """At most `limit` things of each kind; nothing for an empty text.

        Bots and seasons by a part of their name in any case, seasons also by id and variant, versions by their whole
        name or the beginning of their hash, matches by the beginning of their id, boards by their number.
        """
        wanted = " ".join(text.split())[:LONGEST]
        if not wanted:
            return Found()
        with self._database.reading() as connection:
            return Found(
                bots=_bots(connection, wanted, limit),
                versions=_versions(connection, wanted, limit),
                seasons=_seasons(connection, wanted, limit),
                matches=_matches(connection, wanted, limit),
                boards=_boards(connection, wanted, limit),
            )


def _ranked(rows: Iterable[_Found], text: str, name: Callable[[_Found], str], limit: int) -> list[_Found]:
    """Rows whose name holds the text, in any case of any alphabet: databases differ in that, so it is done here."""
    small = text.casefold()
    holding = [row for row in rows if small in name(row).casefold()]
    return sorted(holding, key=lambda row: not name(row).casefold().startswith(small))[:limit]


def _bots(connection: Connection, text: str, limit: int) -> tuple[BotVersion, ...]:
    names: list[Row[Any]] = list(connection.execute(select(bots.c.id, bots.c.name).order_by(bots.c.name)))
    found = _ranked(names, text, lambda row: str(row.name), limit)
    newest = {}
    for row in connection.execute(
        select(bots.c.id.label("of_bot"), *version_columns())
        .join_from(bot_versions, bots)
        .where(bots.c.id.in_([row.id for row in found]))
        .order_by(bot_versions.c.id)
    ):
        newest[row.of_bot] = version_from(row)
    return tuple(newest[row.id] for row in found if row.id in newest)


def _versions(connection: Connection, text: str, limit: int) -> tuple[BotVersion, ...]:
    called = bot_versions.c.version == text
    if _is_hex(text):
        called |= bot_versions.c.version_hash.startswith(text.lower(), autoescape=True)
    query = select(*version_columns()).join_from(bot_versions, bots).where(called)
    return tuple(map(version_from, connection.execute(query.order_by(bot_versions.c.id.desc()).limit(limit))))


def _seasons(connection: Connection, text: str, limit: int) -> tuple[Season, ...]:
    rows: list[Row[Any]] = list(connection.execute(select(seasons).order_by(seasons.c.id.desc())))
    by_id = [row for row in rows if str(row.id) == text]
    by_name = _ranked(rows, text, lambda row: str(row.name), limit)
    by_variant = _ranked(rows, text, lambda row: str(row.variant), limit)
    in_order = {row.id: row for row in (*by_id, *by_name, *by_variant)}
    return tuple(map(season_from, list(in_order.values())[:limit]))


def _matches(connection: Connection, text: str, limit: int) -> tuple[MatchRow, ...]:
    if not _is_hex(text):
        return ()
    first = text.lower()
    begins = matches.c.match_id.between(first, f"{first}g")  # LIKE would read all matches, whatever the index
    rows = connection.execute(select_matches().where(begins).order_by(matches.c.id.desc()).limit(limit)).all()
    return tuple(match_from(row, labels_of(connection, row.season_id)) for row in rows)


def _boards(connection: Connection, text: str, limit: int) -> tuple[tuple[Season, Board], ...]:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        return ()
    query = select(boards).where(boards.c.number == int(text)).order_by(boards.c.season_id.desc()).limit(limit)
    found = connection.execute(query).all()
    of = select(seasons).where(seasons.c.id.in_([row.season_id for row in found]))
    by_id = {row.id: row for row in connection.execute(of)}
    return tuple((season_from(by_id[row.season_id]), board_from(row, by_id[row.season_id])) for row in found)


def _is_hex(text: str) -> bool:
    return SHORTEST_ID <= len(text) <= 64 and set(text.lower()) <= _HEX
