"""Live tables: the list, one table, and what happens at it; and how far a season is, while it is played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass

from anyio import to_thread
from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from dashboard import asking, links, responses, streams
from dashboard.api.files import EventStream
from dashboard.api.rate_limits import caller_of_address
from dashboard.fanout import CrowdedError
from dashboard.live_streams import Streams
from dashboard.live_tables import LiveTables
from dashboard.pages.live import ListedSitting, ListedTable, LivePage, live_page
from dashboard.stream_places import ClientCrowdedError, StreamPlaces
from dashboard.twins import ELSEWHERE, STREAM_ENDS
from league.errors import LeagueError
from league.model import Progress, Season, SeasonState

router = APIRouter()

SEASONS_SHOWN = 10
TABLES_SHOWN = 200


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@dataclass(frozen=True, slots=True)
class WaitingSeason:
    """A season that is being played, none of whose tables can be watched now."""

    season: Season
    progress: Progress


@dataclass(frozen=True, slots=True)
class LiveList:
    """The model of the list. `connected`: whether this dashboard hears of tables at all."""

    sittings: tuple[ListedSitting, ...]
    table_count: int
    connected: bool
    waiting: tuple[WaitingSeason, ...]


@router.get("/live")
@router.get("/live.json", response_model=LiveList)
def live(request: Request) -> Response:
    """The tables that can be watched now, or when there will be some."""
    model = _list(request)
    return responses.page_or_twin(request, "live.html", model, area="live", twin=lambda: model)


def _list(request: Request) -> LiveList:
    store, tables = asking.store(request), _tables(request)
    live = tables.sittings()
    seasons = store.seasons.some({sitting.season for sitting in live})
    sittings = tuple(
        ListedSitting(
            season=seasons[sitting.season],
            rotation=sitting.rotation,
            tables=tuple(ListedTable(one.match_id, one.board, one.names) for one in sitting.tables[:TABLES_SHOWN]),
        )
        for sitting in live
    )
    running = store.listing.seasons(limit=SEASONS_SHOWN, state=SeasonState.RUNNING)
    count = sum(len(sitting.tables) for sitting in sittings)
    progress = store.seasons.progress_of([one.id for one in running])
    return LiveList(
        sittings=sittings,
        table_count=count,
        connected=tables.is_connected,
        waiting=() if count else tuple(WaitingSeason(one, progress[one.id]) for one in running),
    )


@router.get("/live/{match_id}/events", response_class=EventStream, responses=STREAM_ENDS)
async def live_events(request: Request, match_id: str) -> Response:
    """What happens at a table: a first event with all there is to see, then one for each change."""
    return await _stream(request, _streams(request).table(match_id, responses.reader(request).language))


@router.get("/live/{match_id}")
@router.get("/live/{match_id}.json", response_model=LivePage, responses=ELSEWHERE)
def live_table(request: Request, match_id: str) -> Response:
    """A table as it is now; once it is over, its match."""
    seen = _tables(request).look(match_id)
    if seen is None:
        return _not_live(request, match_id)
    season = asking.store(request).seasons.get(seen.sitting.season)
    model = live_page(season, seen.sitting, seen.table, seen.picture, responses.words(request))
    return responses.page_or_twin(request, "live_table.html", model, area="live", twin=lambda: model)


def _not_live(request: Request, match_id: str) -> Response:
    try:
        row = asking.store(request).results.match(match_id)
    except LeagueError:
        return _nothing_to_watch(request, match_id)
    address = links.match(row.match_id)
    return RedirectResponse(links.json_twin(address) if responses.wants_json(request) else address, 303)


def _nothing_to_watch(request: Request, match_id: str) -> Response:
    say = responses.words(request).say
    sentence = _(
        "No table %(match)s can be watched now: it is not being played, or its cards are to be played again. If it has "
        "only just ended, its result is about to be stored; its replay is then at this address."
    )
    ways_out = (
        (links.live_table(match_id), say("Look again")),
        (links.live(), say("Live tables")),
        (links.matches(), say("Matches")),
    )
    told = responses.Trouble(404, say("Nothing to watch here"), say(sentence, match=match_id), ways_out)
    return responses.trouble(request, told)


@router.get("/seasons/{season_id}/events", response_class=EventStream, responses=STREAM_ENDS)
async def season_events(request: Request, season_id: str) -> Response:
    """How far a season is: counts and the expected end, whenever they change."""
    season = await to_thread.run_sync(asking.season, request, season_id)
    return await _stream(request, _streams(request).season(season.id, responses.reader(request).language))


async def _stream(request: Request, told: AsyncGenerator[streams.Pieces, None]) -> Response:
    """The stream; none where there is nothing to tell, which ends a browser's trying."""
    places: StreamPlaces = request.app.state.stream_places
    client = caller_of_address(request.client.host if request.client else "")
    held = places.held(client, told)
    first = await _first(request, held)
    if first is None:
        return streams.nothing_more()
    return streams.stream(_from(first, held))


async def _first(request: Request, told: AsyncGenerator[streams.Pieces, None]) -> streams.Pieces | None:
    """What is told first; None if there is nothing, or the reader is gone by then, who must not be waited for."""
    waiting = asyncio.ensure_future(anext(told, None))
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
        return waiting.result() if waiting.done() else None
    finally:
        for one in (waiting, gone):
            one.cancel()
        if not waiting.done():
            await asyncio.wait({waiting})
            await told.aclose()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _from(first: streams.Pieces, told: AsyncIterator[streams.Pieces]) -> AsyncIterator[streams.Pieces]:
    yield first
    async for moment in told:
        yield moment


def _tables(request: Request) -> LiveTables:
    found: LiveTables = request.app.state.live
    return found


def _streams(request: Request) -> Streams:
    found: Streams = request.app.state.streams
    return found


def too_many(request: Request, error: Exception) -> Response:
    """So many listen already that no more can."""
    if not isinstance(error, CrowdedError):
        raise error
    say = responses.words(request).say
    detail = say("As many readers follow tables and seasons as this dashboard can serve; try again in a minute.")
    answer = responses.trouble(request, responses.Trouble(503, say("Too many readers"), detail))
    answer.headers["Retry-After"] = "60"
    return answer


def too_many_from_there(request: Request, error: Exception) -> Response:
    """So many listen from the reader's address already that no more may."""
    if not isinstance(error, ClientCrowdedError):
        raise error
    words = responses.words(request)
    detail = words.say(
        "%(count)s pages that follow what happens are open at your address, which is as many as may be; close some, or "
        "reload this page from time to time.",
        count=error.at_most,
    )
    answer = responses.trouble(request, responses.Trouble(429, words.say("Too many open pages"), detail))
    answer.headers["Retry-After"] = "60"
    return answer
