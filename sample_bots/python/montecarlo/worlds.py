"""Hidden hands: what the other seats can hold, and dealing the unseen cards among them.

Owns the reading of a table into a position of the engine, with everything that the plays so far give away. Takes no
decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from king_bot import Deal, Table, cards_of

from referee.rules import Play, PlayRules, Stake, parse_variant, play_rules

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


def rules_of(table: Table, contract: str, trump: str | None = None, *, misere: bool = False) -> PlayRules:
    """The engine's rules of a contract of this table's variant."""
    deal = table.deal
    variant = parse_variant(table.variant)
    stake = Stake(declarer=deal.declarer, eldest=deal.eldest, price=deal.price)
    pack = variant.pack_mask
    return play_rules(
        variant.contracts[contract], seats=table.seats, pack=pack, trump=trump, misere=misere, stake=stake
    )


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


def opening_of(table: Table, rules: PlayRules, hand: int, leader: int) -> Position:
    """The position before the first lead, with a hand of ours that may still be a guess."""
    sizes = tuple(rules.tricks for _ in range(table.seats))
    nothing = (0,) * table.seats
    unseen = table.pack & ~hand
    play = Play(rules, nothing, leader)
    return Position(play=play, seat=table.seat, hand=hand, unseen=unseen, excluded=nothing, known=nothing, sizes=sizes)


def _given_away(play: Play, card: int) -> int:
    """The cards that whoever plays `card` here cannot hold, as the rules would have forbidden this play."""
    rules, bit = play.rules, 1 << card
    led = play._led
    if not led:
        return ~play._ban if play._ban & bit else 0
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
    highest = max(strength[played] for played in play.trick if play._led >> played & 1)
    due = [other for other in cards_of(play._led & rules.give_up) if strength[other] < highest]
    shown = 0 if card in due else sum(1 << other for other in due)
    if rules.must_beat and not due and strength[card] < play._best:
        shown |= sum(1 << other for other in cards_of(play._led) if strength[other] > play._best)
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
        self._homes = self._possible_homes(position)
        self._is_free = all(len(homes) == len(self._seats) for homes in self._homes)

    def _possible_homes(self, position: Position) -> list[list[int]]:
        """By card, the seats that may hold it; the cards with fewest come first."""
        homes = {
            card: [seat for seat in self._seats if self._needs[seat] > 0 and not position.excluded[seat] >> card & 1]
            for card in self._cards
        }
        everyone = [seat for seat in self._seats if self._needs[seat] > 0]
        self._cards = tuple(sorted(self._cards, key=lambda card: len(homes[card])))
        return [homes[card] or everyone for card in self._cards]

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
        cards = list(self._cards)
        self._dice.shuffle(cards)
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
        order = list(zip(self._cards, self._homes, strict=True))
        self._dice.shuffle(order)
        order.sort(key=lambda pair: len(pair[1]))
        for card, homes in order:
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
