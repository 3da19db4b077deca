"""How the deals of a season can be checked: what is published for it, when, and what to compute from that.

Owns what is shown of commitments and secrets. It recomputes nothing: a page that vouches for itself proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from league.model import Board, BoardSet, Entrant, MatchRow, Season, SeasonCounts

BOARDS_SHOWN = 24
SETS_SHOWN = 24


@dataclass(frozen=True, slots=True)
class EntrantHash:
    """An entrant, its number in the season, and the hash of its version, which salts are made of."""

    number: int
    name: str
    version: str
    version_hash: str


@dataclass(frozen=True, slots=True)
class SetLine:
    """A set of boards, by its first and last number; when its secrets were published (None: not yet); its salt, made of
    the version hashes of the first so many entrants."""

    number: int
    boards: int
    first_board: int
    last_board: int
    over_at: datetime | None
    deal_salt: str
    entrants: int


@dataclass(frozen=True, slots=True)
class BoardSecret:
    """A board: its commitment, and its secret once its set is over."""

    number: int
    set_number: int
    commitment: str
    deal_secret: str | None


@dataclass(frozen=True, slots=True)
class Example:
    """A public board with its matches and its salt, to check by hand; `hashes` are those that the salt is made of."""

    board: BoardSecret
    match_ids: tuple[str, ...]
    deal_salt: str
    hashes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealsPage:
    """The model of the page. `hashes` are in ascending order, as the salt takes them; `own_salts`: sets have different
    ones. `boards` are some of them, `earlier` and `later` from where there are others (None: there are none); so are
    `sets`, of `set_count`."""

    season: Season
    hashes: tuple[EntrantHash, ...]
    sets: tuple[SetLine, ...]
    set_count: int
    sets_over: int
    earlier_sets: int | None
    later_sets: int | None
    own_salts: bool
    boards: tuple[BoardSecret, ...]
    board_count: int
    earlier: int | None
    later: int | None
    example: Example | None


@dataclass(frozen=True, slots=True)
class PublicBoard:
    """A board whose secrets are published, with its set and its matches."""

    board: Board
    board_set: BoardSet
    matches: tuple[MatchRow, ...]


def deals_page(
    season: Season,
    entrants: Sequence[Entrant],
    counts: SeasonCounts,
    boards: Sequence[Board],
    board_sets: Sequence[BoardSet],
    example: PublicBoard | None,
) -> DealsPage:
    """The page of a season, with those of its boards and of its sets of boards that are shown.

    Version hashes wait with the salt until entries are closed.
    """
    earlier, later = _beside(boards[0].number, boards[-1].number, counts.last_board) if boards else (None, None)
    sets = _beside(board_sets[0].number, board_sets[-1].number, counts.sets) if board_sets else (None, None)
    return DealsPage(
        season=season,
        hashes=_hashes(entrants) if season.deal_salt is not None else (),
        sets=tuple(map(_set_line, board_sets)),
        set_count=counts.sets,
        sets_over=counts.sets_over,
        earlier_sets=sets[0],
        later_sets=sets[1],
        own_salts=counts.salts > 1,
        boards=tuple(map(_secret, boards)),
        board_count=counts.last_board,
        earlier=earlier,
        later=later,
        example=None if example is None else _example(example, entrants),
    )


def _beside(first: int, last: int, count: int) -> tuple[int | None, int | None]:
    """Where the part of a list before this one begins, and where the one after it; None where there is none."""
    return (max(1, first - BOARDS_SHOWN) if first > 1 else None), (last + 1 if last < count else None)


def _secret(one: Board) -> BoardSecret:
    return BoardSecret(one.number, one.set_number, one.commitment, one.deal_secret)


def _hashes(entrants: Sequence[Entrant]) -> tuple[EntrantHash, ...]:
    ordered = sorted(entrants, key=lambda one: one.bot.version_hash)
    return tuple(EntrantHash(one.number, one.label, one.bot.version, one.bot.version_hash) for one in ordered)


def _set_line(one: BoardSet) -> SetLine:
    return SetLine(
        number=one.number,
        boards=one.board_count,
        first_board=one.first_board,
        last_board=one.last_board,
        over_at=one.over_at,
        deal_salt=one.deal_salt,
        entrants=one.entrant_count,
    )


def _example(public: PublicBoard, entrants: Sequence[Entrant]) -> Example:
    counted = [one.bot.version_hash for one in entrants if one.number < public.board_set.entrant_count]
    return Example(
        board=_secret(public.board),
        match_ids=tuple(row.match_id for row in public.matches),
        deal_salt=public.board_set.deal_salt,
        hashes=tuple(sorted(counted)),
    )
