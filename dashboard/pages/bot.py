"""The bot page: where it loses, its rating and rivals, its boards and faults.

Owns what is shown of computed numbers, and the sentence that answers where the bot loses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.pages.chart import History, history
from dashboard.pages.estimates import Shown, column_scale, decimals_for, half_width, shown, tick_decimals
from dashboard.pages.scale import Scale
from dashboard.words import Words
from league.by_contract import ContractPoints
from league.histories import PastRating
from league.ladder import Ladder, LadderRow
from league.model import BotVersion, Entrant, Fault, MatchRow, Season, Suspension
from referee.rules import parse_variant

RECENT_BOARDS = 10


@dataclass(frozen=True, slots=True)
class ContractRow:
    """A contract: the bot against the mean of its tables. `verdict`: below, above or unsure, by `p_holm`."""

    contract: str
    name: str
    deals: int
    points: Shown
    p_holm: float | None
    verdict: str


@dataclass(frozen=True, slots=True)
class Loss:
    """Where the bot loses most clearly; `name` is empty where it loses nowhere clearly."""

    name: str
    value: float
    error: float
    above: int
    unsure: int
    below: int


@dataclass(frozen=True, slots=True)
class Rival:
    """Another bot of the season: this bot's difference to it, with the verdict."""

    name: str
    value: float | None
    error: float | None
    verdict: str


@dataclass(frozen=True, slots=True)
class RotationResult:
    """The bot's place and points in one rotation of a board."""

    match_id: str
    rotation: int
    place: int
    points: int
    forfeited: bool


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A board of the bot: opponents, rotations, and the mean against the tables in points a deal (None: not whole)."""

    number: int
    opponents: tuple[str, ...]
    rotations: tuple[RotationResult, ...]
    to_mean: float | None


@dataclass(frozen=True, slots=True)
class FaultLine:
    """A fault: what happened, what followed, what to do; where it can be seen."""

    kind: str
    tag: str
    at: datetime
    detail: str
    followed: str
    advice: str
    matches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BotPage:
    """The model of the page. Everything below `seasons` is of one season, None or empty where there is none."""

    name: str
    version: BotVersion
    seasons: tuple[Season, ...]
    season: Season | None
    rank: int
    bots: int
    boards: int
    matches: int
    provisional: bool
    suspension: Suspension | None
    elo: Shown | None
    points: Shown | None
    live_elo: float | None
    decimals: int
    loss: Loss | None
    contracts: tuple[ContractRow, ...]
    contract_scale: Scale
    contract_decimals: int
    contract_tick_decimals: int
    history: History | None
    rivals: tuple[Rival, ...]
    recent: tuple[BoardRow, ...]
    faults: tuple[FaultLine, ...]


@dataclass(frozen=True, slots=True)
class BotFacts:
    """What the store says of a bot in a season, ready for the page."""

    season: Season
    entrant: Entrant
    ladder: Ladder
    by_contract: Sequence[ContractPoints]
    live: Sequence[tuple[int, float]]
    past: Sequence[PastRating]
    matches: Sequence[MatchRow]
    faults: Sequence[Fault]
    suspension: Suspension | None = None


def bot_page(version: BotVersion, seasons: Sequence[Season], facts: BotFacts | None, words: Words) -> BotPage:
    """The page of a bot, in one season where it has taken part in any."""
    row = None if facts is None else _row_of(facts)
    rating = None if row is None else row.rating
    contracts = () if facts is None else tuple(facts.by_contract)
    scale = column_scale([one.points for one in contracts], origin=0.0, least=1.0, most_ticks=5)
    shown_contracts = () if facts is None else _contract_rows(facts, scale, words)
    points = None if rating is None or rating.points is None else rating.points
    elo = None if rating is None or rating.elo is None else rating.elo
    return BotPage(
        name=version.name if facts is None else facts.entrant.label,
        version=version if facts is None else facts.entrant.bot,
        seasons=tuple(seasons),
        season=None if facts is None else facts.season,
        rank=0 if row is None else row.rank,
        bots=0 if facts is None else len(facts.ladder.rows),
        boards=0 if rating is None else rating.boards,
        matches=0 if row is None else row.entry.matches,
        provisional=row is not None and row.provisional,
        suspension=None if facts is None else facts.suspension,
        elo=None if elo is None else shown(elo, column_scale([elo], origin=elo.value, least=1.0)),
        points=None if points is None else shown(points, column_scale([points], origin=0.0, least=1.0)),
        live_elo=None if row is None else row.entry.live_elo,
        decimals=decimals_for([points]),
        loss=loss(shown_contracts),
        contracts=shown_contracts,
        contract_scale=scale,
        contract_decimals=decimals_for(one.points for one in contracts),
        contract_tick_decimals=tick_decimals(scale),
        history=None if facts is None else history(facts.past, facts.ladder, facts.entrant.number, facts.live),
        rivals=() if facts is None else _rivals(facts),
        recent=() if facts is None else board_rows(facts.matches, facts.entrant.number, facts.season)[:RECENT_BOARDS],
        faults=() if facts is None else tuple(_fault_line(fault, words) for fault in facts.faults),
    )


def _row_of(facts: BotFacts) -> LadderRow | None:
    return next((row for row in facts.ladder.rows if row.entry.entrant == facts.entrant.number), None)


def _contract_rows(facts: BotFacts, scale: Scale, words: Words) -> tuple[ContractRow, ...]:
    contracts = parse_variant(facts.season.variant).contracts
    rows = [
        ContractRow(
            contract=one.contract,
            name=words.contract(contracts[one.contract]),
            deals=one.deals,
            points=shown(one.points, scale),
            p_holm=one.p_holm,
            verdict=_verdict(one),
        )
        for one in facts.by_contract
    ]
    return tuple(sorted(rows, key=lambda row: row.points.value))


def _verdict(one: ContractPoints) -> str:
    if not one.is_clear:
        return "unsure"
    return "above" if one.points.value > 0 else "below"


def loss(rows: Sequence[ContractRow]) -> Loss | None:
    """The contract that costs the bot most, and how it does in the others. None without contracts."""
    if not rows:
        return None
    below = [row for row in rows if row.verdict == "below"]
    worst = below[0] if below else None
    return Loss(
        name=worst.name if worst else "",
        value=worst.points.value if worst else 0.0,
        error=(worst.points.error or 0.0) if worst else 0.0,
        above=sum(row.verdict == "above" for row in rows),
        unsure=sum(row.verdict == "unsure" for row in rows),
        below=len(below),
    )


def _rivals(facts: BotFacts) -> tuple[Rival, ...]:
    own = facts.entrant.number
    found = []
    for row in facts.ladder.rows:
        other = row.entry.entrant
        difference = facts.ladder.difference(own, other)
        if other == own or difference is None:
            continue
        points = difference.points
        found.append(
            Rival(
                name=row.entry.label,
                value=None if points is None else points.value,
                error=None if points is None else half_width(points),
                verdict=facts.ladder.verdict(own, other).value,
            )
        )
    return tuple(found)


def board_rows(matches: Iterable[MatchRow], own: int, season: Season) -> tuple[BoardRow, ...]:
    """The boards of an entrant among its matches, newest first, each with the rotations that are there."""
    boards: dict[int, list[MatchRow]] = {}
    for match in matches:
        boards.setdefault(match.board, []).append(match)
    return tuple(_board_row(rows, own, season) for rows in boards.values())


def _board_row(rows: Sequence[MatchRow], own: int, season: Season) -> BoardRow:
    ordered = sorted(rows, key=lambda row: row.rotation)
    seats = [row.players.index(own) for row in ordered]
    rotations = tuple(
        RotationResult(
            match_id=row.match_id,
            rotation=row.rotation,
            place=row.places[seat],
            points=row.totals[seat],
            forfeited=any(forfeit.seat == seat for forfeit in row.forfeits),
        )
        for row, seat in zip(ordered, seats, strict=True)
    )
    gains = [row.scores[seat] - sum(row.scores) / season.seats for row, seat in zip(ordered, seats, strict=True)]
    is_whole = len(ordered) == season.seats
    return BoardRow(
        number=ordered[0].board,
        opponents=tuple(label for seat, label in enumerate(ordered[0].labels) if seat != seats[0]),
        rotations=rotations,
        to_mean=sum(gains) / (season.seats * season.deal_count) if is_whole else None,
    )


def _fault_line(fault: Fault, words: Words) -> FaultLine:
    return FaultLine(
        kind=fault.kind.value,
        tag=words.fault(fault.kind.value),
        at=fault.at,
        detail=fault.detail or words.fault(fault.kind.value),
        followed=_followed(fault, words),
        advice=words.advice(fault.kind.value),
        matches=fault.match_ids,
    )


def _followed(fault: Fault, words: Words) -> str:
    count = len(fault.match_ids)
    if not fault.forfeits:
        return words.count(
            "The stand-in answered in %(num)s match; nothing is forfeited.",
            "The stand-in answered in %(num)s matches; nothing is forfeited.",
            count,
        )
    return words.count(
        "%(num)s match was forfeited: the stand-in played the seat to the end, and the opponents’ results count, "
        "flagged.",
        "%(num)s matches were forfeited: the stand-in played the seats to the end, and the opponents’ results count, "
        "flagged.",
        count,
    )
