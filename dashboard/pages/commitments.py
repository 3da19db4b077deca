"""How the deals of a season can be checked: what is published for it, when, and what to compute from that.

Owns what is shown of commitments and secrets. It recomputes nothing: a page that vouches for itself proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from league.model import Board, BoardSet, Entrant, MatchRow, Season

BOARDS_SHOWN = 24


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
    ones. `boards` are some of them, `earlier` and `later` from where there are others (None: there are none)."""

    season: Season
    hashes: tuple[EntrantHash, ...]
    sets: tuple[SetLine, ...]
    sets_over: int
    own_salts: bool
    boards: tuple[BoardSecret, ...]
    board_count: int
    earlier: int | None
    later: int | None
    example: Example | None


def deals_page(
    season: Season,
    entrants: Sequence[Entrant],
    boards: Sequence[Board],
    board_sets: Sequence[BoardSet],
    example: Sequence[MatchRow],
    *,
    first: int = 1,
) -> DealsPage:
    """The page of a season, with the boards around number `first`; `example`: matches of one public board.

    Version hashes wait with the salt until entries are closed.
    """
    secrets = [BoardSecret(one.number, one.set_number, one.commitment, one.deal_secret) for one in boards]
    start = max(0, min(first - 1, len(secrets) - 1)) // BOARDS_SHOWN * BOARDS_SHOWN
    sets = _sets(secrets, board_sets)
    return DealsPage(
        season=season,
        hashes=_hashes(entrants) if season.deal_salt is not None else (),
        sets=sets,
        sets_over=sum(one.over_at is not None for one in sets),
        own_salts=len({one.deal_salt for one in sets}) > 1,
        boards=tuple(secrets[start : start + BOARDS_SHOWN]),
        board_count=len(secrets),
        earlier=start + 1 - BOARDS_SHOWN if start else None,
        later=start + 1 + BOARDS_SHOWN if start + BOARDS_SHOWN < len(secrets) else None,
        example=_example(secrets, sets, entrants, example),
    )


def _hashes(entrants: Sequence[Entrant]) -> tuple[EntrantHash, ...]:
    ordered = sorted(entrants, key=lambda one: one.bot.version_hash)
    return tuple(EntrantHash(one.number, one.label, one.bot.version, one.bot.version_hash) for one in ordered)


def _sets(boards: Sequence[BoardSecret], board_sets: Sequence[BoardSet]) -> tuple[SetLine, ...]:
    numbers = {one.number: [board.number for board in boards if board.set_number == one.number] for one in board_sets}
    return tuple(
        SetLine(
            number=one.number,
            boards=len(numbers[one.number]),
            first_board=min(numbers[one.number], default=one.first_board),
            last_board=max(numbers[one.number], default=one.last_board),
            over_at=one.over_at,
            deal_salt=one.deal_salt,
            entrants=one.entrant_count,
        )
        for one in board_sets
    )


def _example(
    boards: Sequence[BoardSecret], sets: Sequence[SetLine], entrants: Sequence[Entrant], matches: Sequence[MatchRow]
) -> Example | None:
    if not matches:
        return None
    board = next(one for one in boards if one.number == matches[0].board)
    of_set = next(one for one in sets if one.number == board.set_number)
    counted = [one.bot.version_hash for one in entrants if one.number < of_set.entrants]
    return Example(
        board=board,
        match_ids=tuple(row.match_id for row in matches),
        deal_salt=of_set.deal_salt,
        hashes=tuple(sorted(counted)),
    )
