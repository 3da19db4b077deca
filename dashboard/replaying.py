"""Showing a match: the replay page at a position, its twin, and the frames that the script steps through.

Owns the part of the two apps that they share. Must not fetch: the match is handed in.
"""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import Response

from dashboard import responses
from dashboard.errors import AddressError
from dashboard.links import ReplayLinks
from dashboard.pages.deal import deal_view
from dashboard.pages.others import Others
from dashboard.pages.replay import Address, MatchView, Where, address, frames_json, replay_page
from dashboard.pages.stepping import stepping
from dashboard.responses import Trouble


def _asked(request: Request, match: MatchView, deal: str | None = None) -> Address:
    query = request.query_params
    return address(match, deal=deal or query.get("deal"), play=query.get("play"), view=query.get("view"))


def _no_such_position(request: Request, links: ReplayLinks | None, error: AddressError) -> Response:
    words = responses.words(request)
    ways_out = ((links.position(1, 0), words.say("The start of this match")),) if links else ()
    return responses.trouble(request, Trouble(404, words.say("No such position"), error.told(words), ways_out))


def asked_deal(request: Request, match: MatchView) -> int:
    """The deal that a request asks for.

    Raises:
        AddressError: if the match has no such position.
    """
    return _asked(request, match).deal


def show(
    request: Request,
    match: MatchView,
    where: Where,
    links: ReplayLinks,
    others: Others | None = None,
    *,
    area: str = "matches",
) -> Response:
    """The page, or its twin, at the position that the query asks for; `area`: the part of the site it is in."""
    try:
        at = _asked(request, match)
    except AddressError as error:
        return _no_such_position(request, links, error)
    model = replay_page(match, at, where, links, responses.words(request), others)
    if responses.wants_json(request):
        return responses.json(model)
    return responses.page(request, "replay.html", area=area, page=model)


def frames(request: Request, match: MatchView, deal: str) -> Response:
    """All positions of a deal, for the script."""
    try:
        at = _asked(request, match, deal)
    except AddressError as error:
        return _no_such_position(request, None, error)
    words = responses.words(request)
    view = deal_view(match.source(at.deal, at.view, words))
    renderer, who = responses.renderer(request), responses.reader(request)
    table, parts = renderer.macros("table.html", who), renderer.macros("parts.html", who)
    return responses.json(stepping(view, frames_json(match, at, words), match.seats, table, parts.card))
