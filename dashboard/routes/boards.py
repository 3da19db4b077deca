"""One board: its rotations side by side."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import asking, responses
from dashboard.errors import AddressError
from dashboard.pages import seating
from dashboard.pages.compare import BoardRecords, Comparison, comparison
from dashboard.pages.matches import ListedMatch, listed
from dashboard.pages.others import RotationRecord
from dashboard.pages.remarkable import RemarkableDeals, remarkable_deals
from league.model import Board, MatchRow, Progress, Season
from referee.rules import parse_variant

router = APIRouter()

BOARDS_LOOKED_AT = 100


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The model: the comparison once every rotation is public, else what is known of the matches."""

    season: Season
    board: Board
    matches: tuple[ListedMatch, ...]
    comparison: Comparison | None
    progress: Progress


@router.get("/seasons/{season_id}/boards/{number}")
@router.get("/seasons/{season_id}/boards/{number}.json", response_model=BoardPage)
def board(request: Request, season_id: str, number: str, deal: str = "", hand: str = "") -> Response:
    """The comparison of a board; `deal` and `hand` (a seat) pick the hand shown in full."""
    store = asking.store(request)
    season = asking.season(request, season_id)
    found = store.seasons.board(season.id, asking.whole(number, "board"))
    rows = store.results.board_matches(season.id, found.number)
    is_whole = len(rows) == season.rotations and all(row.public for row in rows)
    model = BoardPage(
        season=season,
        board=found,
        matches=tuple(listed(row) for row in rows),
        comparison=_compare(request, season, rows, deal, hand) if is_whole else None,
        progress=store.seasons.progress(season.id),
    )
    return responses.page_or_twin(request, "board.html", model, area="matches", twin=lambda: model)


@router.get("/seasons/{season_id}/remarkable")
@router.get("/seasons/{season_id}/remarkable.json", response_model=RemarkableDeals)
def remarkable(request: Request, season_id: str) -> Response:
    """In each contract the hand that bots played furthest apart, of the latest boards that are over."""
    results = asking.store(request).results
    season = asking.season(request, season_id)
    played = results.public_results(season.id, results.latest_public_boards(season.id, limit=BOARDS_LOOKED_AT))
    model = remarkable_deals(season, played, responses.words(request))
    return responses.page_or_twin(request, "remarkable.html", model, area="ladders", twin=lambda: model)


def _compare(request: Request, season: Season, rows: tuple[MatchRow, ...], deal: str, hand: str) -> Comparison:
    shelf = asking.shelf(request)
    variant = parse_variant(season.variant)
    rotations = [RotationRecord(row.rotation, row.match_id, shelf.record(row.match_id)) for row in rows]
    records = BoardRecords(rotations, variant, seating.places(variant.seats, clockwise=variant.clockwise))
    if not deal and not hand:
        return comparison(records, responses.words(request))
    number, seat = asking.whole(deal or "1", "deal"), asking.whole(hand or "0", "hand")
    if not 1 <= number <= records.deal_count or seat >= variant.seats:
        raise AddressError(
            _("deal=%(deal)s, hand=%(hand)s: this board has deals 1 to %(deals)s and hands 0 to %(last)s"),
            deal=number,
            hand=seat,
            deals=records.deal_count,
            last=variant.seats - 1,
        )
    return comparison(records, responses.words(request), number, seat)
