"""How the deals of a season can be checked: what is published for it, when, and what to compute from that.

Owns what is shown of commitments and secrets. It recomputes nothing: a page that vouches for itself proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from league.model import Board, Entrant, MatchRow, Season

BOARDS_SHOWN = 24


@dataclass(frozen=True, slots=True)
class EntrantHash:
    """An entrant and the hash of its version, which the salt is made of."""

    name: str
    version: str
    version_hash: str


@dataclass(frozen=True, slots=True)
class SetLine:
    """A set of boards: how many they are, whether their secrets are published, and when its latest match ended."""

    number: int
    boards: int
    over: bool
    last_result_at: datetime | None


@dataclass(frozen=True, slots=True)
class BoardSecret:
    """A board: its commitment, and its secret once its set is over."""

    number: int
    set_number: int
    commitment: str
    deal_secret: str | None


@dataclass(frozen=True, slots=True)
class Example:
    """A public board with its matches, to check by hand."""

    board: BoardSecret
    match_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealsPage:
    """The model of the page. `hashes` are in ascending order, as the salt takes them; `boards` are those from number
    `first` on, `earlier` and `later` where to go on (None: there are none)."""

    season: Season
    hashes: tuple[EntrantHash, ...]
    sets: tuple[SetLine, ...]
    sets_over: int
    boards: tuple[BoardSecret, ...]
    board_count: int
    earlier: int | None
    later: int | None
    example: Example | None


def deals_page(
    season: Season,
    entrants: Sequence[Entrant],
    boards: Sequence[Board],
    last_results: Mapping[int, datetime],
    example: Sequence[MatchRow],
    *,
    first: int = 1,
) -> DealsPage:
    """The page of a season. `last_results`: by set, when its latest match ended; `example`: a public board’s matches.

    Version hashes wait with the salt until entries are closed.
    """
    secrets = [BoardSecret(one.number, one.set_number, one.commitment, one.deal_secret) for one in boards]
    start = max(0, min(first - 1, len(secrets) - 1)) // BOARDS_SHOWN * BOARDS_SHOWN
    shown = tuple(secrets[start : start + BOARDS_SHOWN])
    sets = _sets(secrets, last_results)
    return DealsPage(
        season=season,
        hashes=_hashes(entrants) if season.deal_salt is not None else (),
        sets=sets,
        sets_over=sum(one.over for one in sets),
        boards=shown,
        board_count=len(secrets),
        earlier=start + 1 - BOARDS_SHOWN if start else None,
        later=start + 1 + BOARDS_SHOWN if start + BOARDS_SHOWN < len(secrets) else None,
        example=_example(secrets, example),
    )


def _hashes(entrants: Sequence[Entrant]) -> tuple[EntrantHash, ...]:
    ordered = sorted(entrants, key=lambda one: one.bot.version_hash)
    return tuple(EntrantHash(one.label, one.bot.version, one.bot.version_hash) for one in ordered)


def _sets(boards: Sequence[BoardSecret], last_results: Mapping[int, datetime]) -> tuple[SetLine, ...]:
    numbers = sorted({board.set_number for board in boards})
    of_set = {number: [board for board in boards if board.set_number == number] for number in numbers}
    return tuple(
        SetLine(
            number=number,
            boards=len(those),
            over=all(board.deal_secret is not None for board in those),
            last_result_at=last_results.get(number),
        )
        for number, those in of_set.items()
    )


def _example(boards: Sequence[BoardSecret], matches: Sequence[MatchRow]) -> Example | None:
    if not matches:
        return None
    board = next(one for one in boards if one.number == matches[0].board)
    return Example(board=board, match_ids=tuple(row.match_id for row in matches))
