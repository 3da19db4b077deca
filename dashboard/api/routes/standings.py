"""Standings of a season. Answers have the tag of the season's results: asking again costs a query or two."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from dashboard.api.asked import NOT_FOUND, Listed, Stored, entrant
from dashboard.api.models.common import Interval, Name, SeasonId
from dashboard.api.models.standings import (
    BoardsNeeded,
    BotContracts,
    CellAgainst,
    CollusionAudit,
    ContractNumbers,
    CrosstableRow,
    Duel,
    DuelSide,
    History,
    Ladder,
    LiveMoment,
    Moment,
    PairDifference,
)
from dashboard.api.paging import Part
from dashboard.api.problems import ProblemError, ProblemKind, ProblemPart
from dashboard.api.validators import by_version
from dashboard.pages.needed import boards_needed
from league.by_contract import points_by_contract
from league.ladder import Ladder as ComputedLadder
from league.ladder import LadderRow, Order, Verdict, verdict_of
from league.standings import Crosstable
from referee.rules import parse_variant

router = APIRouter(prefix="/seasons/{season}", tags=["Standings"])

DuelName = Annotated[str, Query(min_length=1, max_length=160, description="A bot, by its label in the season.")]


@router.get("/ladder", operation_id="getLadder", summary="Get the ladder", responses=NOT_FOUND)
def ladder(
    request: Request,
    response: Response,
    store: Stored,
    season: SeasonId,
    order: Annotated[Order, Query(description="What it is sorted by, the best first.")] = Order.ELO,
) -> Ladder:
    """One row a bot with its official numbers, and the difference of every pair, or of neighbours if they are many."""
    by_version(request, response, store.standings.version(season))
    return Ladder.of(store.standings.ladder(season, order))


@router.get("/crosstable", operation_id="getCrosstable", summary="Get the crosstable", responses=NOT_FOUND)
def crosstable(
    request: Request, response: Response, store: Stored, asked: Listed, season: SeasonId
) -> Part[CrosstableRow]:
    """All against all, a row for each bot in the ladder's order. A row has a cell for every other bot."""
    by_version(request, response, store.standings.version(season))
    computed, table = store.standings.ladder(season), store.standings.crosstable(season)
    rated = [at for at, row in enumerate(computed.rows) if row.rating.elo is not None]
    return asked.slice(response, rated, lambda at: _row(computed, table, at, rated))


def _row(computed: ComputedLadder, table: Crosstable, at: int, rated: list[int]) -> CrosstableRow:
    row = computed.rows[at]
    return CrosstableRow(
        rank=row.rank,
        bot=row.entry.label,
        places=list(row.rating.places),
        cells=[_cell(computed, table, at, other) for other in rated if other != at],
    )


def _cell(computed: ComputedLadder, table: Crosstable, at: int, other: int) -> CellAgainst:
    cell = table.cell(at, other)
    verdict = Verdict.NOT_SEPARABLE if cell.difference is None else verdict_of(cell.difference)
    return CellAgainst.of(computed.rows[other].entry.label, cell, verdict)


@router.get("/contracts", operation_id="getContracts", summary="Get points by contract", responses=NOT_FOUND)
def contracts(
    request: Request, response: Response, store: Stored, asked: Listed, season: SeasonId
) -> Part[BotContracts]:
    """Where each bot wins and loses, in the ladder's order."""
    by_version(request, response, store.standings.version(season))
    found, computed = store.seasons.get(season), store.standings.ladder(season)
    sums, known = store.standings.contracts(season), tuple(parse_variant(found.variant).contracts)

    def show(row: LadderRow) -> BotContracts:
        mine = {key: sums[row.entry.entrant, key] for key in known if (row.entry.entrant, key) in sums}
        numbers = [ContractNumbers.of(one) for one in points_by_contract(mine, found.seats)]
        return BotContracts(rank=row.rank, bot=row.entry.label, contracts=numbers)

    return asked.slice(response, [row for row in computed.rows if row.rating.boards], show)


@router.get("/duel", operation_id="getDuel", summary="Compare two bots", responses=NOT_FOUND)
def duel(request: Request, response: Response, store: Stored, season: SeasonId, a: DuelName, b: DuelName) -> Duel:
    """Two bots against each other: the ladder's verdict, which looks at all tables, and who finishes above."""
    if a == b:
        told = "a duel is of two different bots"
        raise ProblemError(ProblemKind.INVALID_REQUEST, f"b {told}", (ProblemPart(detail=told, parameter="b"),))
    first, second = (entrant(store, season, name).number for name in (a, b))
    by_version(request, response, store.standings.version(season))
    return _duel(store.standings.ladder(season), store.standings.crosstable(season), first, second)


def _duel(computed: ComputedLadder, table: Crosstable, first: int, second: int) -> Duel:
    at, other = (next(i for i, row in enumerate(computed.rows) if row.entry.entrant == one) for one in (first, second))
    rows = computed.rows[at], computed.rows[other]
    cell, one = table.cell(at, other), computed.difference(first, second)
    together = 0 if one is None else one.boards_together
    either = sum(row.rating.boards for row in rows) - together
    needed = None if one is None else boards_needed(one, computed.differences, either)
    return Duel(
        a=_side(rows[0]),
        b=_side(rows[1]),
        difference=None if one is None else PairDifference.of(one, verdict_of(one)),
        finishes_above=None if cell.above is None else Interval.of(cell.above.share),
        matches=0 if cell.above is None else cell.above.matches,
        boards_needed=None
        if needed is None
        else BoardsNeeded(boards_now=needed.boards, alone=needed.single, on_ladder=needed.ladder),
    )


def _side(row: LadderRow) -> DuelSide:
    return DuelSide(bot=row.entry.label, rank=row.rank, boards=row.rating.boards, provisional=row.provisional)


@router.get("/audit", operation_id="getAudit", summary="Get the audit for collusion", responses=NOT_FOUND)
def audit(request: Request, response: Response, store: Stored, season: SeasonId) -> CollusionAudit:
    """Pairs of bots of which one seems to play for the other. Only flagged pairs are named."""
    by_version(request, response, store.standings.version(season))
    labels = {one.number: one.label for one in store.seasons.entrants(season)}
    return CollusionAudit.of(store.standings.audit(season), labels)


@router.get(
    "/entrants/{name}/history", operation_id="getHistory", summary="Get a bot's ratings over time", responses=NOT_FOUND
)
def history(request: Request, response: Response, store: Stored, season: SeasonId, name: Name) -> History:
    """The official numbers as they stood at several moments, and the live Elo after each match."""
    mine = entrant(store, season, name)
    by_version(request, response, store.standings.version(season))
    live = store.standings.live_history(season, mine.number)
    return History(
        bot=mine.label,
        official=[Moment.of(one) for one in store.histories.of_entrant(season, mine.number)],
        live=[LiveMoment(result=one.number, elo=one.live_elo) for one in live],
    )
