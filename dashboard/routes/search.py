"""Looking things up: search, and the versions of a bot."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import asking, responses
from dashboard.pages.matches import Result, results_of
from league.model import Board, BotVersion, Entrant, MatchRow, Season
from league.store.searching import Found

router = APIRouter()

FOUND_AT_MOST = 20
VERSIONS_AT_MOST = 200
ENTRIES_AT_MOST = 1000


@dataclass(frozen=True, slots=True)
class FoundMatch:
    """A match that was found."""

    match: MatchRow
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class FoundBoard:
    """A board that was found, with its season."""

    season: Season
    board: Board


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The model: what was asked, and what was found of each kind, at most `limit` of each."""

    asked: str
    count: int
    limit: int
    bots: tuple[BotVersion, ...]
    versions: tuple[BotVersion, ...]
    seasons: tuple[Season, ...]
    matches: tuple[FoundMatch, ...]
    boards: tuple[FoundBoard, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A season that a version plays or played in, under this label."""

    season: Season
    label: str


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A version of a bot, and its seasons, the newest first."""

    version: BotVersion
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class VersionsPage:
    """The model of a bot's versions, the newest first."""

    name: str
    owner: str
    house: bool
    versions: tuple[VersionLine, ...]


@router.get("/search")
@router.get("/search.json", response_model=SearchPage)
def search(request: Request, q: str = "") -> Response:
    """What is found for `q`: bots, versions, seasons, matches, boards."""
    found = asking.store(request).searching.find(q, limit=FOUND_AT_MOST)
    model = _page(q, found)
    return responses.page_or_twin(request, "search.html", model, area="", twin=lambda: model)


def _page(asked: str, found: Found) -> SearchPage:
    return SearchPage(
        asked=asked,
        count=found.count,
        limit=FOUND_AT_MOST,
        bots=found.bots,
        versions=found.versions,
        seasons=found.seasons,
        matches=tuple(FoundMatch(row, results_of(row)) for row in found.matches),
        boards=tuple(FoundBoard(season, board) for season, board in found.boards),
    )


@router.get("/bots/{name:path}/versions")
@router.get("/bots/{name:path}/versions.json", response_model=VersionsPage)
def versions(request: Request, name: str) -> Response:
    """Every version of a bot, with the seasons each took part in."""
    store = asking.store(request)
    newest = store.bots.latest(name)
    model = _versions_page(
        newest,
        store.listing.versions(name, limit=VERSIONS_AT_MOST),
        store.listing.entries(name, limit=ENTRIES_AT_MOST),
    )
    return responses.page_or_twin(request, "versions.html", model, area="bots", twin=lambda: model)


def _versions_page(
    newest: BotVersion, known: tuple[BotVersion, ...], entered: tuple[tuple[Season, Entrant], ...]
) -> VersionsPage:
    entries: dict[int, list[Entry]] = {}
    for season, entrant in entered:
        entries.setdefault(entrant.bot.id, []).append(Entry(season, entrant.label))
    lines = tuple(VersionLine(version, tuple(entries.get(version.id, ()))) for version in known)
    return VersionsPage(newest.name, newest.owner, newest.house, lines)
