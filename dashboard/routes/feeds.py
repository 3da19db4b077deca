"""Atom feeds: of a bot, of a season, of all seasons."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import asking, atom, responses
from dashboard.api.files import AtomFeed
from dashboard.pages.feeds import ENTRIES_AT_MOST, bot_feed, season_feed, seasons_feed
from league.store.match_lists import MatchFilter

router = APIRouter(prefix="/feeds")

SEASONS_AT_MOST = 50


@router.get("/seasons.atom", response_class=AtomFeed)
def of_seasons(request: Request) -> Response:
    """What happened to the latest seasons."""
    seasons = asking.store(request).listing.seasons(limit=SEASONS_AT_MOST)
    now = responses.renderer(request).clock()
    return _answer(request, seasons_feed(seasons, responses.words(request), now))


@router.get("/seasons/{season_id}.atom", response_class=AtomFeed)
def of_season(request: Request, season_id: str) -> Response:
    """What happened to one season."""
    store, season = asking.store(request), asking.season(request, season_id)
    sets, suspensions = store.seasons.sets(season.id), store.seasons.suspensions(season.id)
    return _answer(request, season_feed(season, sets, suspensions, responses.words(request)))


@router.get("/bots/{name:path}.atom", response_class=AtomFeed)
def of_bot(request: Request, name: str) -> Response:
    """The public matches of a bot in any version, and its suspensions."""
    store = asking.store(request)
    bot = store.bots.latest(name)
    listed = store.listing.matches(MatchFilter(bot=name, public=True), limit=ENTRIES_AT_MOST)
    matches = [one.match for one in listed]
    entered = store.listing.entries(name, limit=SEASONS_AT_MOST)
    seasons = {season.id: season for season, _entrant in entered}
    seasons |= store.seasons.some({row.season for row in matches})
    public_at = store.seasons.published_at({(row.season, row.set_number) for row in matches})
    suspensions = store.seasons.suspensions_of_bot(name)
    model = bot_feed(bot, matches, suspensions, seasons, public_at, responses.words(request))
    return _answer(request, model)


def _answer(request: Request, feed: atom.Feed) -> Response:
    """The feed, which may be kept for a minute."""
    language = responses.reader(request).language
    content = atom.document(feed, base=str(request.base_url).rstrip("/"), language=language)
    headers = {"Content-Language": language, "Cache-Control": "public, max-age=60"}
    return Response(content, media_type=f"{atom.MEDIA_TYPE}; charset=utf-8", headers=headers)
