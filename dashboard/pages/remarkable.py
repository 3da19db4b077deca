"""Remarkable deals of a season: in each contract the hand that bots played furthest apart.

Owns which deals those are. Points are those of the store; the cards are looked at on the board's own page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dashboard.pages import seating
from dashboard.pages.deal_list import Played, SameHand, boards_of, holders
from dashboard.words import Words
from league.model import Season
from referee.rules import Variant, parse_variant


@dataclass(frozen=True, slots=True)
class RemarkableDeal:
    """A hand of a deal, the bot that made most of it and the one that made least."""

    board: int
    deal: int
    seat: int
    at: str
    contract: str
    best: SameHand
    worst: SameHand
    apart: int


@dataclass(frozen=True, slots=True)
class RemarkableDeals:
    """The model of the page: at most one deal of each contract, of the latest `boards` boards that are over."""

    season: Season
    boards: int
    deals: tuple[RemarkableDeal, ...]


def remarkable_deals(season: Season, played: Sequence[Played], words: Words) -> RemarkableDeals:
    """The page of a season; `played` are the public matches of its latest boards."""
    variant = parse_variant(season.variant)
    widest: dict[str, RemarkableDeal] = {}
    boards = boards_of(played)
    names = {one: words.contract(contract) for one, contract in variant.contracts.items()}
    for board in boards:
        for contract, found in _hands(board, variant, names):
            if contract not in widest or found.apart > widest[contract].apart:
                widest[contract] = found
    return RemarkableDeals(
        season=season,
        boards=len(boards),
        deals=tuple(widest[one] for one in variant.contracts if one in widest and widest[one].apart > 0),
    )


def _hands(board: Sequence[Played], variant: Variant, names: Mapping[str, str]) -> Iterator[tuple[str, RemarkableDeal]]:
    """Every hand of a board that at least two bots played to its end in the same contract."""
    places = seating.places(variant.seats, clockwise=variant.clockwise)
    for number in range(1, variant.deal_count + 1):
        for seat in range(variant.seats):
            ways: dict[str, list[SameHand]] = {}
            for contract, one in holders(board, seat, number):
                ways.setdefault(contract, []).append(one)
            for contract, made in ways.items():
                best, worst = (pick(made, key=lambda way: way.points) for pick in (max, min))
                yield (
                    contract,
                    RemarkableDeal(
                        board=board[0][0].board,
                        deal=number,
                        seat=seat,
                        at=places[seat],
                        contract=names[contract],
                        best=best,
                        worst=worst,
                        apart=best.points - worst.points,
                    ),
                )
