"""Season pages: the list of ladders, and one season with entrants and boards.

Owns what is shown of a season as it was planned. Its standings are other pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.pages.audit import AuditPart, audit_part
from dashboard.pages.commitments import BOARDS_SHOWN
from dashboard.pages.ladder import Lead, lead
from league.ladder import Ladder
from league.model import Board, BoardSet, Entrant, Progress, Season, SeasonCounts, Suspension
from league.pairing import Balance

SEASONS_SHOWN = 30


@dataclass(frozen=True, slots=True)
class SeasonCard:
    """A season on the list of ladders."""

    season: Season
    progress: Progress
    lead: Lead | None


@dataclass(frozen=True, slots=True)
class SeasonCards:
    """Seasons, the newest first; `older`: others are there before this id (None: there are none)."""

    seasons: tuple[SeasonCard, ...]
    older: int | None


Standing = tuple[Mapping[int, Progress], Mapping[int, Ladder]]
"""Progress and ladders of seasons by id."""


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board of the plan: its players in cyclic order, whether it is public, and void; which void one it `replaces`.

    In an open season there are no players until its set is over: nobody is told who meets.
    """

    number: int
    set_number: int
    players: tuple[str, ...]
    commitment: str
    is_public: bool
    void: bool = False
    replaces: int | None = None


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """The model of a season's page. `suspended`: why bots are, by label; `audit` None before one is there.

    `latest_set`: the last set of boards that is planned, with the salt it has; `salts`: how many different ones there
    are. `boards` are some of them, `earlier` and `later` from where there are others (None: there are none).
    """

    season: Season
    progress: Progress
    balance: Balance | None
    lead: Lead | None
    entrants: tuple[Entrant, ...]
    latest_set: BoardSet | None
    salts: int
    boards: tuple[BoardLine, ...]
    earlier: int | None
    later: int | None
    suspended: Mapping[str, Suspension]
    audit: AuditPart | None


def season_cards(found: Sequence[Season], ask: Callable[[Sequence[int]], Standing]) -> SeasonCards:
    """The list of seasons, of which one more than is shown may be given; `ask` is asked once for those shown."""
    shown = found[:SEASONS_SHOWN]
    progress, ladders = ask([one.id for one in shown])
    return SeasonCards(
        seasons=tuple(SeasonCard(one, progress[one.id], lead(ladders[one.id])) for one in shown),
        older=shown[-1].id if len(found) > len(shown) else None,
    )


def season_page(
    season: Season,
    progress: Progress,
    ladder: Ladder,
    entrants: Sequence[Entrant],
    counts: SeasonCounts,
    latest_set: BoardSet | None,
    boards: Sequence[Board],
    suspensions: Sequence[Suspension],
    found: Mapping[str, Any] | None,
) -> SeasonPage:
    """The page of a season; `boards` those that are shown, `found` what is kept of its audit."""
    first = boards[0].number if boards else 1
    labels = {entrant.number: entrant.label for entrant in entrants}
    return SeasonPage(
        season=season,
        progress=progress,
        balance=Balance.parse(season.balance),
        lead=lead(ladder),
        entrants=tuple(entrants),
        boards=tuple(
            BoardLine(
                number=board.number,
                set_number=board.set_number,
                players=tuple(labels[player] for player in board.players),
                commitment=board.commitment,
                is_public=board.deal_secret is not None,
                void=board.void,
                replaces=board.replaces,
            )
            for board in boards
        ),
        latest_set=latest_set,
        salts=counts.salts,
        earlier=max(1, first - BOARDS_SHOWN) if first > 1 else None,
        later=boards[-1].number + 1 if boards and boards[-1].number < counts.last_board else None,
        suspended={one.label: one for one in suspensions},
        audit=None if found is None else audit_part(found, labels),
    )
