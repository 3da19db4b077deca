"""The deals in which a bot did worst, or best, with its cards: against the others who held the very same ones.

Owns the order and what is shown of each deal. Points are those of the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dashboard.pages import seating
from dashboard.words import Words
from league.model import Entrant, MatchRow, Season
from league.results import MatchResult
from referee.rules import Variant, parse_variant

DEALS_SHOWN: Final = 30

Played = tuple[MatchRow, MatchResult]
"""A match and its result with the points of every deal."""


class DealOrder(StrEnum):
    """Which deals come first."""

    WORST = "worst"
    BEST = "best"


@dataclass(frozen=True, slots=True)
class SameHand:
    """What a bot made with a hand that others held too, and in which match."""

    name: str
    points: int
    match_id: str


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal of the bot. `difference`: to the mean of the others with this hand, or of its table where none held it."""

    board: int
    rotation: int
    match_id: str
    deal: int
    seat: int
    at: str
    contract: str
    points: int
    others: tuple[SameHand, ...]
    difference: float


@dataclass(frozen=True, slots=True)
class ContractChoice:
    """A contract that the list can be narrowed to."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class DealList:
    """The model of the page: deals of the latest `boards` boards that are over, of one `contract` or (empty) of any."""

    name: str
    season: Season
    contract: str
    contract_name: str
    contracts: tuple[ContractChoice, ...]
    order: DealOrder
    boards: int
    deals: tuple[DealLine, ...]


def deal_list(
    season: Season, entrant: Entrant, played: Sequence[Played], contract: str, order: DealOrder, words: Words
) -> DealList:
    """The page of an entrant; `played` are the public matches of its latest boards, those of the others' too."""
    variant = parse_variant(season.variant)
    names = {one: words.contract(variant.contracts[one]) for one in variant.contracts}
    lines = [line for line in _lines(played, entrant.number, variant, names, contract) if _belongs(line, order)]
    sign = 1 if order is DealOrder.WORST else -1
    lines.sort(key=lambda line: (sign * line.difference, sign * line.points, line.board, line.rotation, line.deal))
    return DealList(
        name=entrant.label,
        season=season,
        contract=contract,
        contract_name=names.get(contract, ""),
        contracts=tuple(ContractChoice(one, name) for one, name in names.items()),
        order=order,
        boards=len({row.board for row, _result in played}),
        deals=tuple(lines[:DEALS_SHOWN]),
    )


def _belongs(line: DealLine, order: DealOrder) -> bool:
    return line.difference < 0 if order is DealOrder.WORST else line.difference > 0


def _lines(
    played: Sequence[Played], own: int, variant: Variant, names: Mapping[str, str], contract: str
) -> Iterator[DealLine]:
    places = seating.places(variant.seats, clockwise=variant.clockwise)
    for board in boards_of(played):
        for row, result in board:
            seat = result.players.index(own)
            for number, deal in enumerate(result.deal_points, start=1):
                if not deal.own[seat] or contract not in ("", deal.contract):
                    continue
                others = tuple(_same_hand(board, row, seat, number))
                made = [one.points for one in others] or deal.points
                yield DealLine(
                    board=row.board,
                    rotation=row.rotation,
                    match_id=row.match_id,
                    deal=number,
                    seat=seat,
                    at=places[seat],
                    contract=names[deal.contract],
                    points=deal.points[seat],
                    others=others,
                    difference=deal.points[seat] - sum(made) / len(made),
                )


def _same_hand(board: Sequence[Played], this: MatchRow, seat: int, number: int) -> Iterator[SameHand]:
    return (made for _contract, made in holders(board, seat, number) if made.match_id != this.match_id)


def boards_of(played: Iterable[Played]) -> list[list[Played]]:
    """Matches by board, in the order in which boards come."""
    boards: dict[int, list[Played]] = {}
    for row, result in played:
        boards.setdefault(row.board, []).append((row, result))
    return list(boards.values())


def holders(board: Sequence[Played], seat: int, number: int) -> Iterator[tuple[str, SameHand]]:
    """Who held the hand of a seat in a deal of a board and played it to its end, and in which contract."""
    for row, result in board:
        if number > len(result.deal_points):
            continue
        deal = result.deal_points[number - 1]
        if deal.own[seat]:
            yield deal.contract, SameHand(name=row.labels[seat], points=deal.points[seat], match_id=row.match_id)
