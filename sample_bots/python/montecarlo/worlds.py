"""Hidden hands: what the other seats can hold, and dealing the unseen cards among them.

Owns the reading of a table into a position of the engine, with everything that the plays so far give away. Takes no
decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from king_bot import Deal, Table, cards_of

from referee.rules import Play, PlayRules

T = TypeVar("T")
TRIES = 12  # deals tried with all that is known, before the less certain part of it is let go


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The play so far, with empty hands, and what each seat cannot hold (masks by seat)."""

    play: Play
    seat: int
    hand: int
    unseen: int
    excluded: tuple[int, ...]
    known: tuple[int, ...]
    sizes: tuple[int, ...]  # cards in each hand


def position_of(table: Table, rules: PlayRules) -> Position:
    """Plays the deal so far on the engine, noting what every play gave away."""
    deal = table.deal
    plays = [played for trick in deal.tricks for played in trick.plays]
    plays += deal.trick.plays if deal.trick else []
    leader = plays[0].seat if plays else table.seat
    play = Play(rules, [0] * table.seats, leader)
    excluded = [0] * table.seats
    for played in plays:
        excluded[played.seat] |= _given_away(play, played.card)
        play.play(played.card)
    known = [deal.known_cards[seat] for seat in range(table.seats)]
    return Position(
        play=play,
        seat=table.seat,
        hand=deal.hand_mask,
        unseen=deal.unseen,
        excluded=tuple(excluded),
        known=tuple(known),
        sizes=tuple(rules.tricks - deal.played_by[seat].bit_count() for seat in range(table.seats)),
    )


def opening_of(table: Table, rules: PlayRules, leader: int) -> Position:
    """The position before the first lead of a deal whose contract is not set yet."""
    deal = table.deal
    nothing = (0,) * table.seats
    return Position(
        play=Play(rules, nothing, leader),
        seat=table.seat,
        hand=deal.hand_mask,
        unseen=deal.unseen,
        excluded=nothing,
        known=tuple(deal.known_cards),
        sizes=(rules.tricks,) * table.seats,
    )


def _given_away(play: Play, card: int) -> int:
    """The cards that whoever plays `card` here cannot hold, as the rules would have forbidden this play."""
    rules, bit = play.rules, 1 << card
    led = play.led
    if not led:
        return ~play.ban if play.ban & bit else 0
    if bit & led:
        return _held_back(play, card)
    forced = rules.void_trigger if rules.void_trigger and not rules.void_allowed & bit else 0
    return led | forced


def _held_back(play: Play, card: int) -> int:
    """What a seat that follows suit shows not to have: cards that it would have had to give up, or to win with."""
    rules = play.rules
    if rules.follows_freely:
        return 0
    strength = rules.strength
    highest = max(strength[played] for played in play.trick if play.led >> played & 1)
    due = [other for other in cards_of(play.led & rules.give_up) if strength[other] < highest]
    shown = 0 if card in due else sum(1 << other for other in due)
    if rules.must_beat and not due and strength[card] < play.best:
        shown |= sum(1 << other for other in cards_of(play.led) if strength[other] > play.best)
    return shown


class Dealer:
    """Deals the unseen cards of a position at random, again and again."""

    def __init__(self, position: Position, deal: Deal, dice: Random) -> None:
        self._dice = dice
        self._seat = position.seat
        self._hand = position.hand
        self._seats = [seat for seat in range(len(position.sizes)) if seat != position.seat]
        self._base = [position.known[seat] & position.unseen for seat in range(len(position.sizes))]
        taker = deal.talon_taker
        if taker is not None and taker != position.seat:
            for card in deal.talon:  # likely still there: only gifts that we cannot see may have moved it
                if position.unseen >> card & 1 and not position.excluded[taker] >> card & 1:
                    self._base[taker] |= card.bit
        free = position.unseen
        for seat in self._seats:
            free &= ~self._base[seat]
        self._needs = [size - base.bit_count() for size, base in zip(position.sizes, self._base, strict=True)]
        self._cards = cards_of(free)
        self._groups = self._by_freedom(position)
        needy = sum(1 for seat in self._seats if self._needs[seat] > 0)
        self._is_free = all(len(homes) == needy for group in self._groups for _, homes in group)

    def _by_freedom(self, position: Position) -> list[list[tuple[int, list[int]]]]:
        """Cards with the seats that may hold them, in groups of as many seats; the fewest come first."""
        needy = [seat for seat in self._seats if self._needs[seat] > 0]
        groups: dict[int, list[tuple[int, list[int]]]] = {}
        for card in self._cards:
            homes = [seat for seat in needy if not position.excluded[seat] >> card & 1] or needy
            groups.setdefault(len(homes), []).append((card, homes))
        return [groups[count] for count in sorted(groups)]

    def _shuffled(self, items: Sequence[T]) -> list[T]:
        """As `Random.shuffle`, in a third of the time."""
        random = self._dice.random
        keys = [random() for _ in items]
        return [items[place] for place in sorted(range(len(items)), key=keys.__getitem__)]

    def deal(self) -> list[int]:
        """Deals once: hands as masks by seat, ours included."""
        if self._is_free:
            return self._deal_freely()
        for _ in range(TRIES):
            hands = self._deal_within_limits()
            if hands is not None:
                return hands
        return self._deal_freely()

    def _deal_freely(self) -> list[int]:
        cards = self._shuffled(self._cards)
        hands = self._base.copy()
        hands[self._seat] = self._hand
        start = 0
        for seat in self._seats:
            for card in cards[start : start + self._needs[seat]]:
                hands[seat] |= 1 << card
            start += self._needs[seat]
        return hands

    def _deal_within_limits(self) -> list[int] | None:
        """Gives each card, the most restricted first, to a seat in proportion to its empty places."""
        random = self._dice.random
        hands = self._base.copy()
        hands[self._seat] = self._hand
        needs = self._needs.copy()
        for card, homes in [pair for group in self._groups for pair in self._shuffled(group)]:
            total = 0
            for seat in homes:
                total += needs[seat]
            if not total:
                return None
            draw = random() * total
            for seat in homes:
                draw -= needs[seat]
                if draw < 0:
                    break
            hands[seat] |= 1 << card
            needs[seat] -= 1
        return hands
