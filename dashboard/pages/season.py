"""Season pages: the list of ladders, and one season with entrants and boards.

Owns what is shown of a season as it was planned. Its standings are other pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.pages.audit import AuditPart, audit_part
from dashboard.pages.ladder import Lead, lead
from league.collusion import Audit
from league.ladder import Ladder
from league.model import Board, Entrant, Progress, Season, Suspension


@dataclass(frozen=True, slots=True)
class SeasonCard:
    """A season on the list of ladders."""

    season: Season
    progress: Progress
    lead: Lead | None


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board of the plan: its players in cyclic order, how many rotations are stored, whether it is public."""

    number: int
    set_number: int
    players: tuple[str, ...]
    commitment: str
    is_public: bool


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """The model of a season's page. `suspended`: why bots are, by label; `audit` None before a board is over."""

    season: Season
    progress: Progress
    lead: Lead | None
    entrants: tuple[Entrant, ...]
    boards: tuple[BoardLine, ...]
    suspended: Mapping[str, Suspension]
    audit: AuditPart | None


def season_card(season: Season, progress: Progress, ladder: Ladder) -> SeasonCard:
    """A season with its lead."""
    return SeasonCard(season, progress, lead(ladder))


def season_page(
    season: Season,
    progress: Progress,
    ladder: Ladder,
    entrants: Sequence[Entrant],
    boards: Sequence[Board],
    suspensions: Sequence[Suspension],
    found: Audit,
) -> SeasonPage:
    """The page of a season; `found` is its audit."""
    labels = {entrant.number: entrant.label for entrant in entrants}
    return SeasonPage(
        season=season,
        progress=progress,
        lead=lead(ladder),
        entrants=tuple(entrants),
        boards=tuple(
            BoardLine(
                number=board.number,
                set_number=board.set_number,
                players=tuple(labels[player] for player in board.players),
                commitment=board.commitment,
                is_public=board.deal_secret is not None,
            )
            for board in boards
        ),
        suspended={one.label: one for one in suspensions},
        audit=audit_part(found, labels) if progress.boards_over else None,
    )
