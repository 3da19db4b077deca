"""One match: its replay, its record."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import asking, links, replaying, responses
from dashboard.api.models.matches import Record
from dashboard.api.problems import ProblemKind
from dashboard.errors import AddressError
from dashboard.links import ReplayLinks
from dashboard.pages import seating
from dashboard.pages.matches import NotPublic, not_public
from dashboard.pages.others import Others, RotationRecord, others
from dashboard.pages.replay import MatchView, ReplayPage, Where
from dashboard.translate import SOURCE_LANGUAGE
from dashboard.twins import NOT_YET
from league.errors import NotPublicYetError
from league.model import MatchRow, Season

router = APIRouter(prefix="/matches")

NOT_PUBLIC = ProblemKind.NOT_PUBLIC_YET


@router.get("/{match_id}/record.json", response_model=Record, responses=NOT_YET)
def record(request: Request, match_id: str) -> Response:
    """The record, as a file; not before its set of boards is over."""
    row = asking.store(request).results.match(match_id)
    try:
        found: dict[str, Any] = asking.store(request).results.record(row.match_id)
    except NotPublicYetError as error:
        say = responses.words(request).say
        trouble = responses.Trouble(403, say("Not public yet"), str(error), language=SOURCE_LANGUAGE, kind=NOT_PUBLIC)
        return responses.trouble(request, trouble)
    answer = responses.json(found)
    answer.headers["Content-Disposition"] = f'attachment; filename="{row.match_id}.json"'
    return answer


@router.get("/{match_id}/deals/{deal}.json", response_model=dict[str, Any], responses=NOT_YET)
def frames(request: Request, match_id: str, deal: str) -> Response:
    """All positions of a deal, for the script."""
    row = asking.store(request).results.match(match_id)
    if not row.public:
        say = responses.words(request).say
        detail = say("Cards are shown when the set of boards of this match is over.")
        return responses.trouble(request, responses.Trouble(403, say("Not public yet"), detail, kind=NOT_PUBLIC))
    return replaying.frames(request, asking.shelf(request).match(row.match_id, row.season), deal)


@router.get("/{match_id}")
@router.get("/{match_id}.json", response_model=ReplayPage | NotPublic)
def match(request: Request, match_id: str) -> Response:
    """The replay, at the position that the query asks for."""
    row = asking.store(request).results.match(match_id)
    season = asking.store(request).seasons.get(row.season)
    where = _where(request, row, season)
    if not row.public:
        return _wait(request, row, season, where)
    shown = asking.shelf(request).match(row.match_id, row.season)
    return replaying.show(request, shown, where, ReplayLinks(links.match(match_id)), _others(request, row, shown))


def _where(request: Request, row: MatchRow, season: Season) -> Where:
    say = responses.words(request).say
    rotation = say("rotation %(rotation)s", rotation=row.rotation)
    heading = say("Board %(board)s, rotation %(rotation)s", board=row.board, rotation=row.rotation)
    return Where(
        title=say("%(heading)s, %(season)s", heading=heading, season=season.name),
        heading=heading,
        here=rotation,
        crumbs=(
            (links.ladder(season.id), f"{season.variant} · {season.name}"),
            (links.board(season.id, row.board), say("Board %(board)s", board=row.board)),
        ),
        record_link=links.record(row.match_id),
        board_link=links.board(season.id, row.board),
    )


def _wait(request: Request, row: MatchRow, season: Season, where: Where) -> Response:
    store = asking.store(request)
    sittings = store.sittings.of_season(season.id, set_number=row.set_number)
    model: NotPublic = not_public(row, season, where, sittings, store.seasons.progress(season.id))
    return responses.page_or_twin(request, "not_public.html", model, area="matches", twin=lambda: model)


def _others(request: Request, row: MatchRow, shown: MatchView) -> Others | None:
    try:
        deal = replaying.asked_deal(request, shown)
    except AddressError:
        return None
    shelf = asking.shelf(request)
    rotations = [
        RotationRecord(one.rotation, one.match_id, shelf.record(one.match_id))
        for one in asking.store(request).results.board_matches(row.season, row.board)
        if one.public
    ]
    variant = shown.replayed.variant
    places = seating.places(variant.seats, clockwise=variant.clockwise)
    return others(rotations, variant, deal, row.match_id, places, responses.words(request))
