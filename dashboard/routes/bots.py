"""Bots: the list, one bot, its standard error."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import asking, choices, responses
from dashboard.errors import AddressError
from dashboard.pages.bot import RECENT_BOARDS, BotFacts, BotPage, bot_page
from dashboard.pages.bots import BotList, bot_list
from dashboard.pages.deal_list import DealList, DealOrder, Played, deal_list
from dashboard.twins import StandardError
from league.model import Entrant, MatchRow, ProcessLog, Season
from league.store import Store
from referee.rules import parse_variant

router = APIRouter(prefix="/bots")

BOTS_SHOWN = 500
_MATCHES_FOR_BOARDS = 80
_BOARDS_FOR_DEALS = 100


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@router.get("")
@router.get(".json", response_model=BotList)
def bots(request: Request, after: str = "") -> Response:
    """Bots by name, those after a name, each with its newest version and the season it plays in."""
    store = asking.store(request)
    found = store.listing.bots(limit=BOTS_SHOWN + 1, after=after)
    page = bot_list(found, store.seasons.latest_of_bots([one.name for one in found]), BOTS_SHOWN)
    return responses.page_or_twin(request, "bots.html", page, area="bots", twin=lambda: page)


@router.get("/{name:path}/stderr")
@router.get("/{name:path}/stderr.json", response_model=StandardError)
def standard_error(request: Request, name: str, season: str = "") -> Response:
    """What a bot's processes wrote to standard error, of sets of boards that are over."""
    found, entrant = _in_season(request, name, season)
    logs: tuple[ProcessLog, ...] = asking.store(request).results.logs(found.id, bot=entrant.number)
    if responses.wants_json(request):
        return responses.json(StandardError(found, entrant, logs))
    return responses.page(request, "stderr.html", area="bots", season=found, entrant=entrant, logs=logs)


@router.get("/{name:path}/deals")
@router.get("/{name:path}/deals.json", response_model=DealList)
def deals(request: Request, name: str, season: str = "", contract: str = "", order: str = "worst") -> Response:
    """The deals in which a bot did worst (or best) with its cards, in one contract or in all."""
    found, entrant = _in_season(request, name, season)
    chosen, by = _contract(found, contract), _order(order)
    played = _latest_public(asking.store(request), found, entrant)
    model = deal_list(found, entrant, played, chosen, by, responses.words(request))
    return responses.page_or_twin(request, "bot_deals.html", model, area="bots", twin=lambda: model)


def _latest_public(store: Store, season: Season, entrant: Entrant) -> tuple[Played, ...]:
    """The public matches of the boards that an entrant has played last."""
    latest = store.results.latest_public_boards(season.id, bot=entrant.number, limit=_BOARDS_FOR_DEALS)
    return store.results.public_results(season.id, latest)


def _contract(season: Season, text: str) -> str:
    there = parse_variant(season.variant).contracts
    if text and text not in there:
        sentence = _("contract=%(text)s is not played in this season; contracts are %(contracts)s")
        raise AddressError(sentence, text=text, contracts=", ".join(there))
    return text


def _order(text: str) -> DealOrder:
    if text in list(DealOrder):
        return DealOrder(text)
    raise AddressError(
        _("order=%(text)s is no order of deals; orders are %(orders)s"), text=text, orders=", ".join(DealOrder)
    )


@router.get("/{name:path}")
@router.get("/{name:path}.json", response_model=BotPage)
def bot(request: Request, name: str, season: str = "") -> Response:
    """One bot, in the season asked for or its latest."""
    model = _page(request, name, season)
    return responses.page_or_twin(request, "bot.html", model, area="bots", twin=lambda: model)


def _page(request: Request, name: str, season: str) -> BotPage:
    store, words = asking.store(request), responses.words(request)
    if not season and not store.listing.entries(name, limit=1):
        return bot_page(store.bots.latest(name), (), None, words)
    found, entrant = _in_season(request, name, season)
    facts = BotFacts(
        season=found,
        entrant=entrant,
        ladder=store.standings.ladder(found.id),
        by_contract=store.standings.by_contract(found.id, entrant.number),
        live=[(one.number, one.live_elo) for one in store.standings.live_history(found.id, entrant.number)],
        past=store.histories.of_entrant(found.id, entrant.number),
        matches=_recent_boards(store, found, entrant),
        faults=store.results.faults(found.id, bot=entrant.number),
        suspension=next((one for one in store.seasons.suspensions(found.id) if one.entrant == entrant.number), None),
    )
    known = choices.seasons_of_bot_offered(store, entrant.bot.name, found)
    return bot_page(entrant.bot, known, facts, words)


def _recent_boards(store: Store, season: Season, entrant: Entrant) -> tuple[MatchRow, ...]:
    """All matches of the boards that an entrant has played last."""
    latest = store.results.matches(season.id, bot=entrant.number, limit=_MATCHES_FOR_BOARDS)
    boards = list(dict.fromkeys(row.board for row in latest))[:RECENT_BOARDS]
    return store.results.matches_of_boards(season.id, boards)


def _in_season(request: Request, name: str, season: str) -> tuple[Season, Entrant]:
    """The season and the entrant that is called so there, by its label or its bot's name."""
    store = asking.store(request)
    if not season:
        taken_part = store.listing.entries(name, limit=1)
        if not taken_part:
            store.bots.latest(name)
            raise AddressError(_("bot %(name)s has not taken part in a season"), name=name)
        return taken_part[0]
    found = asking.season(request, season)
    return found, asking.entrant(request, found, name)
