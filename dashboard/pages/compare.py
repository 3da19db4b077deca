"""One board, its rotations side by side: results, every hand in every bot's hands, and one hand several ways.

Owns the comparison of records of the same cards. Points, takers and legality are the records' own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.pages.hands import in_hand_order
from dashboard.pages.others import RotationRecord, heat
from dashboard.words import Words
from referee.rules import ActionKind, Variant


@dataclass(frozen=True, slots=True)
class BotRotation:
    """What a bot made in one rotation: match, seat and its place on the page, points of the match, place."""

    match_id: str
    seat: int
    at: str
    points: int
    place: int
    forfeited: bool


@dataclass(frozen=True, slots=True)
class BotTotal:
    """A row of the result: a bot through the rotations, and its mean against its tables, in points a deal."""

    name: str
    rotations: tuple[BotRotation, ...]
    to_mean: float


@dataclass(frozen=True, slots=True)
class HeatCell:
    """The points a bot made with one hand in one deal."""

    points: int
    heat: int
    contract: str


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One deal of a hand. `name` is the contract where all rotations have the same."""

    deal: int
    name: str
    shown: bool
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class HandHeat:
    """One hand (that of a seat) through all deals; columns are the bots."""

    seat: int
    at: str
    rows: tuple[HeatRow, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WayCard:
    """A card of a trick as one way shows it."""

    card: str
    own: bool


@dataclass(frozen=True, slots=True)
class WayTrick:
    """A trick of one way; `parts`: here it parts from another bot's way that was the same until now."""

    cards: tuple[WayCard, ...]
    took: bool
    parts: bool
    play: int


@dataclass(frozen=True, slots=True)
class Way:
    """How one bot played the hand."""

    name: str
    match_id: str
    rotation: int
    points: int
    tricks_taken: int
    contract: str
    trump: str | None
    tricks: tuple[WayTrick, ...]


@dataclass(frozen=True, slots=True)
class Detail:
    """One hand of one deal, in every bot's way."""

    deal: int
    seat: int
    at: str
    hand: tuple[str, ...]
    ways: tuple[Way, ...]
    best: Way
    worst: Way
    trick_count: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The whole comparison; `rotations` are (number, match id), bots come best first."""

    deals: int
    rotations: tuple[tuple[int, str], ...]
    bots: tuple[BotTotal, ...]
    sums: tuple[int, ...]
    hands: tuple[HandHeat, ...]
    detail: Detail


@dataclass(frozen=True, slots=True)
class BoardRecords:
    """The rotations of one board, all public, and the places of the seats on the page."""

    rotations: Sequence[RotationRecord]
    variant: Variant
    places: Sequence[str]

    @property
    def deal_count(self) -> int:
        """The deals that every rotation has."""
        return min(len(one.record["deals"]) for one in self.rotations)

    def deal(self, rotation: RotationRecord, number: int) -> Mapping[str, Any]:
        """One deal of a rotation's record."""
        found: Mapping[str, Any] = rotation.record["deals"][number - 1]
        return found

    def holder(self, name: str, seat: int) -> RotationRecord:
        """The rotation in which a bot held a seat's cards."""
        return next(one for one in self.rotations if one.record["players"][seat]["bot"] == name)


def comparison(board: BoardRecords, words: Words, deal: int | None = None, seat: int | None = None) -> Comparison:
    """Compare the rotations; without `deal` and `seat` the hand is shown where the bots differ most."""
    totals = bot_totals(board)
    names = [total.name for total in totals]
    chosen = (deal, seat) if deal is not None and seat is not None else most_different(board)
    first = [one.record for one in board.rotations]
    return Comparison(
        deals=board.deal_count,
        rotations=tuple((one.number, one.match_id) for one in board.rotations),
        bots=totals,
        sums=tuple(sum(record["totals"]) for record in first),
        hands=tuple(_hand_heat(board, words, names, hand, chosen) for hand in range(board.variant.seats)),
        detail=_detail(board, words, names, *chosen),
    )


def bot_totals(board: BoardRecords) -> tuple[BotTotal, ...]:
    """The bots with their rotations, the best against the tables' mean first."""
    names = [player["bot"] for player in board.rotations[0].record["players"]]
    totals = [BotTotal(name, tuple(_bot_rotation(board, one, name) for one in board.rotations), 0.0) for name in names]
    means = [sum(one.record["totals"]) / board.variant.seats for one in board.rotations]
    rated = [
        BotTotal(
            total.name,
            total.rotations,
            sum(one.points - mean for one, mean in zip(total.rotations, means, strict=True))
            / (len(means) * board.deal_count),
        )
        for total in totals
    ]
    return tuple(sorted(rated, key=lambda total: -total.to_mean))


def _bot_rotation(board: BoardRecords, rotation: RotationRecord, name: str) -> BotRotation:
    record = rotation.record
    seat = next(player["seat"] for player in record["players"] if player["bot"] == name)
    return BotRotation(
        match_id=rotation.match_id,
        seat=seat,
        at=board.places[seat],
        points=record["totals"][seat],
        place=record["places"][seat],
        forfeited=any(forfeit["seat"] == seat for forfeit in record["forfeits"]),
    )


def most_different(board: BoardRecords) -> tuple[int, int]:
    """The deal and seat whose cards made the widest range of points, measured by what its contract gives a seat."""

    def spread(place: tuple[int, int]) -> float:
        number, seat = place
        deals = [board.deal(one, number) for one in board.rotations]
        points = [deal["points"][seat] for deal in deals]
        fair = max(abs(board.variant.contracts[deal["contract"]].total) for deal in deals) / board.variant.seats
        return float(max(points) - min(points)) / (fair or 1.0)

    every = [(number, seat) for number in range(1, board.deal_count + 1) for seat in range(board.variant.seats)]
    return max(every, key=spread)


def _hand_heat(board: BoardRecords, words: Words, names: Sequence[str], seat: int, chosen: tuple[int, int]) -> HandHeat:
    holders = [board.holder(name, seat) for name in names]
    rows = tuple(
        _heat_row(board, words, holders, seat, number, shown=(number, seat) == chosen)
        for number in range(1, board.deal_count + 1)
    )
    totals = tuple(sum(row.cells[column].points for row in rows) for column in range(len(names)))
    return HandHeat(seat=seat, at=board.places[seat], rows=rows, totals=totals)


def _heat_row(
    board: BoardRecords, words: Words, holders: Sequence[RotationRecord], seat: int, number: int, *, shown: bool
) -> HeatRow:
    deals = [board.deal(one, number) for one in holders]
    contracts = [board.variant.contracts[deal["contract"]] for deal in deals]
    mean = sum(deal["points"][seat] for deal in deals) / len(deals)
    names = [words.contract(contract) for contract in contracts]
    return HeatRow(
        deal=number,
        name=names[0] if len(set(names)) == 1 else "",
        shown=shown,
        cells=tuple(
            HeatCell(deal["points"][seat], heat(deal["points"][seat], mean, contract, board.variant.seats), name)
            for deal, contract, name in zip(deals, contracts, names, strict=True)
        ),
    )


def _detail(board: BoardRecords, words: Words, names: Sequence[str], number: int, seat: int) -> Detail:
    own = [_own_cards(board.deal(board.holder(name, seat), number), seat) for name in names]
    parts = parting_tricks(own)
    ways = tuple(_way(board, words, name, number, seat, parting) for name, parting in zip(names, parts, strict=True))
    return Detail(
        deal=number,
        seat=seat,
        at=board.places[seat],
        hand=in_hand_order(board.deal(board.rotations[0], number)["hands"][seat]),
        ways=ways,
        best=max(ways, key=lambda way: way.points),
        worst=min(ways, key=lambda way: way.points),
        trick_count=max((len(way.tricks) for way in ways), default=0),
    )


def _own_cards(deal: Mapping[str, Any], seat: int) -> list[str]:
    plays = ActionKind.PLAY.value
    return [action["card"] for action in deal["actions"] if action["do"] == plays and action["seat"] == seat]


def parting_tricks(ways: Sequence[Sequence[str]]) -> tuple[frozenset[int], ...]:
    """For each way (a seat's cards in the order played) the tricks, from 0, where it parts from ways alike until then.

    Where a group splits, the largest part is taken as the common way and not marked; of equal parts all are.
    """
    marked: list[set[int]] = [set() for _ in ways]
    for trick in range(max(map(len, ways), default=0)):
        groups: dict[tuple[str, ...], list[int]] = {}
        for number, way in enumerate(ways):
            if len(way) > trick:
                groups.setdefault(tuple(way[:trick]), []).append(number)
        for members in groups.values():
            counts = Counter(ways[number][trick] for number in members)
            if len(counts) < 2:
                continue
            (common, most), (_second, next_most) = counts.most_common(2)
            for number in members:
                if ways[number][trick] != common or most == next_most:
                    marked[number].add(trick)
    return tuple(frozenset(tricks) for tricks in marked)


def _way(board: BoardRecords, words: Words, name: str, number: int, seat: int, parting: frozenset[int]) -> Way:
    rotation = board.holder(name, seat)
    deal = board.deal(rotation, number)
    seats = board.variant.seats
    start = len(deal["actions"]) - sum(len(trick["cards"]) for trick in deal["tricks"])
    tricks = []
    for place, trick in enumerate(deal["tricks"]):
        start += len(trick["cards"])
        tricks.append(
            WayTrick(
                cards=tuple(
                    WayCard(card, (trick["leader"] + offset) % seats == seat)
                    for offset, card in enumerate(trick["cards"])
                ),
                took=trick["taker"] == seat,
                parts=place in parting,
                play=start,
            )
        )
    return Way(
        name=name,
        match_id=rotation.match_id,
        rotation=rotation.number,
        points=deal["points"][seat],
        tricks_taken=sum(trick["taker"] == seat for trick in deal["tricks"]),
        contract=words.contract(board.variant.contracts[deal["contract"]]),
        trump=deal["trump"],
        tricks=tuple(tricks),
    )
