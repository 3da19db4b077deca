"""The list of matches, by what its address asks for."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from dashboard import asking, choices, responses
from dashboard.errors import AddressError
from dashboard.pages.match_list import MatchList, Offered, Question, day, fault_kinds, match_list, place_asked
from league.model import MatchRow, Season
from league.store import Store
from league.store.match_lists import ListedMatch, MatchFilter

router = APIRouter()

PAGE_SIZE = 50
LOOKED_AT_AT_ONCE = 1000
LOOKED_AT_AT_MOST = 5000
"""So many matches are looked through for a place before the page shows what it has and how to go on."""

BOTS_OFFERED = 500


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@router.get("/matches")
@router.get("/matches.json", response_model=MatchList)
def matches(
    request: Request,
    season: str = "",
    bot: str = "",
    opponent: str = "",
    variant: str = "",
    place: str = "",
    fault: str = "",
    since: str = "",
    until: str = "",
    before: str = "",
) -> Response:
    """Matches, newest first; `before` is the key of the row to go on after."""
    question = Question(
        season=season,
        bot=bot,
        opponent=opponent,
        variant=variant,
        place=place,
        fault=fault,
        since=since,
        until=until,
    )
    model = _found(request, question, asking.whole(before, "before") if before else None)
    return responses.page_or_twin(request, "matches.html", model, area="matches", twin=lambda: model)


def _found(request: Request, question: Question, before: int | None) -> MatchList:
    store = asking.store(request)
    season = asking.season(request, question.season) if question.season else None
    which = _filter(request, season, question)
    place = place_asked(question)
    rows, older = _page(store, which, before) if place is None else _placed(store, which, before, question.bot, place)
    return match_list(
        season,
        question,
        Offered(
            seasons=choices.seasons_offered(store, season),
            variants=choices.variants_offered(store, question.variant),
            bots=_offered(store, season),
        ),
        rows,
        store.seasons.some({row.match.season for row in rows}),
        older,
    )


def _offered(store: Store, season: Season | None) -> list[str]:
    if season is None:
        return [version.name for version in store.listing.bots(limit=BOTS_OFFERED)]
    return [entrant.label for entrant in store.listing.entrants(season.id, limit=BOTS_OFFERED)]


def _filter(request: Request, season: Season | None, question: Question) -> MatchFilter:
    names = [name for name in (question.bot, question.opponent) if name]
    if question.opponent and not question.bot:
        sentence = _("opponent=%(name)s is an opponent of a bot: say of which with bot=…")
        raise AddressError(sentence, name=question.opponent)
    return MatchFilter(
        season=None if season is None else season.id,
        bot=(question.bot or None) if season is None else None,
        opponent=(question.opponent or None) if season is None else None,
        entrants=() if season is None else tuple(asking.entrant(request, season, name).number for name in names),
        variant=question.variant or None,
        faults=fault_kinds(question.fault),
        since=day(question.since, "since"),
        until=day(question.until, "until", end=True),
    )


def _page(store: Store, which: MatchFilter, before: int | None) -> tuple[list[ListedMatch], int | None]:
    rows = list(store.listing.matches(which, limit=PAGE_SIZE + 1, before=before))
    older = rows[PAGE_SIZE - 1].key if len(rows) > PAGE_SIZE else None
    return rows[:PAGE_SIZE], older


def _placed(
    store: Store, which: MatchFilter, before: int | None, bot: str, place: int
) -> tuple[list[ListedMatch], int | None]:
    """A page of matches in which the bot had the place: they are looked through, as places are kept by seat."""
    found: list[ListedMatch] = []
    for _round in range(LOOKED_AT_AT_MOST // LOOKED_AT_AT_ONCE):
        rows = store.listing.matches(which, limit=LOOKED_AT_AT_ONCE, before=before)
        for row in rows:
            if len(found) == PAGE_SIZE:
                return found, found[-1].key
            if _had_place(row.match, bot, place):
                found.append(row)
        if len(rows) < LOOKED_AT_AT_ONCE:
            return found, None
        before = rows[-1].key
    return found, before


def _had_place(match: MatchRow, bot: str, place: int) -> bool:
    """Whether the bot of this label or name had the place."""
    seated = zip(match.labels, match.places, strict=True)
    return any(of == place and (label == bot or label.partition("@")[0] == bot) for label, of in seated)
