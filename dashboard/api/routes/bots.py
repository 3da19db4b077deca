"""Bots, their versions and entries, their faults and standard error."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from dashboard.api.asked import NOT_FOUND, Listed, Stored, entrant
from dashboard.api.models.bots import Bot, Entry, Fault, ProcessLog, Version
from dashboard.api.models.common import LARGEST_ID, Name, SeasonId
from dashboard.api.paging import Part

router = APIRouter(tags=["Bots"])


@router.get("/bots", operation_id="listBots", summary="List bots")
def bots(store: Stored, response: Response, asked: Listed) -> Part[Bot]:
    """By name, each with its newest version."""
    after = "" if asked.key is None else asked.first_text()
    rows = store.listing.bots(limit=asked.limit + 1, after=after)
    return asked.part(response, rows, lambda one: (one.name,), Bot.of)


@router.get("/bots/{name}", operation_id="getBot", summary="Get a bot", responses=NOT_FOUND)
def bot(store: Stored, name: Name) -> Bot:
    """A bot, by its name."""
    return Bot.of(store.bots.latest(name))


@router.get("/bots/{name}/versions", operation_id="listVersions", summary="List a bot's versions", responses=NOT_FOUND)
def versions(store: Stored, response: Response, asked: Listed, name: Name) -> Part[Version]:
    """The newest first."""
    rows = store.listing.versions(name, limit=asked.limit + 1, before=asked.number())
    if not rows and asked.key is None:
        store.bots.latest(name)  # says which bots there are
    return asked.part(response, rows, lambda one: (one.id,), Version.of)


@router.get("/bots/{name}/entries", operation_id="listEntries", summary="List a bot's seasons", responses=NOT_FOUND)
def entries(store: Stored, response: Response, asked: Listed, name: Name) -> Part[Entry]:
    """Seasons that it has entered, and as what, the newest first."""
    rows = store.listing.entries(name, limit=asked.limit + 1, after=asked.pair())
    if not rows and asked.key is None:
        store.bots.latest(name)
    return asked.part(response, rows, lambda one: (one[0].id, one[1].number), lambda one: Entry.of(*one))


@router.get("/versions/{version}", operation_id="getVersion", summary="Get a bot version", responses=NOT_FOUND)
def version(
    store: Stored, version: Annotated[int, Path(ge=1, le=LARGEST_ID, description="The version's id.")]
) -> Version:
    """A bot version, by its id."""
    return Version.of(store.bots.get(version))


@router.get("/seasons/{season}/faults", operation_id="listFaults", summary="List faults", responses=NOT_FOUND)
def faults(
    store: Stored,
    response: Response,
    asked: Listed,
    season: SeasonId,
    bot: Annotated[
        str | None, Query(min_length=1, max_length=160, description="Only those of this bot, by its label.")
    ] = None,
) -> Part[Fault]:
    """Failures of bots that count, the newest first."""
    number = None if bot is None else entrant(store, season, bot).number
    rows = store.listing.faults(season, limit=asked.limit + 1, before=asked.number(), entrant=number)
    return asked.part(response, rows, lambda one: (one.id,), Fault.of)


@router.get(
    "/seasons/{season}/entrants/{name}/logs",
    operation_id="listLogs",
    summary="List a bot's standard error",
    responses=NOT_FOUND,
)
def logs(store: Stored, response: Response, asked: Listed, season: SeasonId, name: Name) -> Part[ProcessLog]:
    """What its latest 100 processes wrote, the newest first; only of sets of boards that are over."""
    mine = entrant(store, season, name)
    return asked.slice(response, store.results.logs(season, bot=mine.number), ProcessLog.of)
