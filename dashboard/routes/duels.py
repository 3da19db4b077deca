"""Two bots of a season against each other."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import asking, responses
from dashboard.errors import AddressError
from dashboard.pages.duel import DuelPage, duel_page
from league.ladder import Ladder, LadderRow
from league.model import Season

router = APIRouter(prefix="/seasons")


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@router.get("/{season_id}/duel")
@router.get("/{season_id}/duel.json", response_model=DuelPage)
def duel(request: Request, season_id: str, a: str = "", b: str = "") -> Response:
    """The duel of `a` and `b`, by their names in the season; who is not named is the first of the ladder left."""
    store, season = asking.store(request), asking.season(request, season_id)
    ladder = store.standings.ladder(season.id)
    rows = _rows(request, season, ladder, a, b)
    pair = None if rows is None else store.standings.pair(season.id, *(row.entry.entrant for row in rows))
    model = duel_page(
        season,
        store.seasons.progress(season.id),
        ladder,
        rows,
        pair,
        frozenset() if pair is None else store.seasons.public_boards(season.id, [one.board for one in pair.widest]),
        responses.words(request),
    )
    return responses.page_or_twin(request, "duel.html", model, area="ladders", twin=lambda: model)


def _rows(request: Request, season: Season, ladder: Ladder, a: str, b: str) -> tuple[LadderRow, LadderRow] | None:
    first, second = (None if not name else _row(request, season, ladder, name) for name in (a, b))
    if first is not None and first is second:
        raise AddressError(_("a=%(name)s, b=%(name)s: a duel is of two different bots"), name=a)
    left = [row for row in ladder.rows if row is not first and row is not second]
    if first is None and left:
        first = left.pop(0)
    if second is None and left:
        second = left.pop(0)
    return None if first is None or second is None else (first, second)


def _row(request: Request, season: Season, ladder: Ladder, name: str) -> LadderRow:
    number = asking.entrant(request, season, name).number
    return next(row for row in ladder.rows if row.entry.entrant == number)
