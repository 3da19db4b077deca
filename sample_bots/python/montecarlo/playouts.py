"""Playouts: from a position with all hands dealt to the end of the deal, by quick rules of thumb.

Owns the playout policy, in which the strength of the search lies, and its loop over the engine's masks, written out
in one method because it runs hundreds of times a second. What is legal and what scores comes from `PlayRules`; a
test plays the same cards through `Play` and compares.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import groupby

from king_bot import SUIT_MASKS, Table, cards_of

from referee.rules import Play, PlayRules, Stake, parse_variant, play_rules

CARD_COUNT = 52
SUIT_MASK_OF = tuple(mask for mask in SUIT_MASKS.values() for _ in range(13))
LATE = 99  # a trick number that no deal reaches


class Playouts:
    """The playout policy of one contract, as tables of masks; `pack` is the mask of the whole pack."""

    def __init__(self, rules: PlayRules, pack: int) -> None:
        self.rules = rules
        self._avoids = sum(rules.trick_points) + sum(rules.card_points) < 0
        self._scoring = sum(1 << card for card in range(CARD_COUNT) if rules.card_points[card])
        self._idle_until = 0 if self._scoring else _first_scoring_trick(rules)
        self._beats = [_beats(card, rules) for card in range(CARD_COUNT)]
        worth, strength = rules.card_points, rules.strength
        self._weak_first = _groups(pack, lambda card: (bool(worth[card]), strength[card]))
        self._strong_first = _groups(pack, lambda card: (bool(worth[card]), -strength[card]))
        if self._avoids:
            self._throw_first = _groups(pack, lambda card: (worth[card], -strength[card]))
        else:
            self._throw_first = _groups(pack, lambda card: (worth[card], strength[card]))

    def points(  # noqa: PLR0912, PLR0915  # calls would double its time
        self, play: Play, hands: list[int], card: int, *, tie: bool
    ) -> list[int]:
        """Plays `card` for the seat to play and then the deal to its end; the points by seat.

        `hands` (masks by seat) is used up; `play` stays as it is. `tie` says which of cards as good as each other goes.
        """
        rules, scoring, avoids, beats = self.rules, self._scoring, self._avoids, self._beats
        seats, card_points, trick_points, suit_of = rules.seats, rules.card_points, rules.trick_points, SUIT_MASK_OF
        trigger, allowed, breaks, rises = rules.void_trigger, rules.void_allowed, rules.breaks, not rules.misere
        last, idle_until, tricks = seats - 1, self._idle_until, rules.tricks
        led, ban, left, number, winner = play.led, play.ban, play.left, play.trick_number, play.winner
        player, won, taken = play.to_play, play.won.copy(), play.tricks_taken.copy()
        played = len(play.trick)
        best, at_stake = card, trick_points[number - 1]
        for earlier in play.trick:
            at_stake += card_points[earlier]
            if rules.strength[earlier] == play.best and (1 << earlier) & play.winning:
                best = earlier
        while True:
            bit = 1 << card
            hands[player] &= ~bit
            if led:
                if beats[best] & bit:
                    best, winner = card, player
                if bit & breaks and not bit & led:
                    ban = 0
            else:
                led, best, winner = suit_of[card], card, player
            at_stake += card_points[card]
            if played == last:
                won[winner] += at_stake
                taken[winner] += 1
                if left is not None:
                    left -= at_stake
                    if not left:
                        break
                if number == tricks:
                    break
                at_stake = trick_points[number]
                number += 1
                played = led = 0
                player = winner
            else:
                played += 1
                player = player + 1 if player < last else 0
            hand = hands[player]
            if not led:
                legal = hand & ~ban or hand
                order = self._strong_first if (number < idle_until) == avoids else self._weak_first
            elif hand & led:
                legal = hand & led
                if not rules.follows_freely:
                    legal = self._narrowed(legal, beats[best])
                if legal & (legal - 1):
                    win = legal & beats[best]
                    if number < idle_until:
                        high = avoids
                    elif avoids:
                        lose = legal & ~win
                        if played == last and not at_stake and win & ~scoring:
                            legal, high = win & ~scoring, True
                        elif lose:
                            legal, high = lose & scoring or lose, True
                        else:
                            legal, high = legal & ~scoring or legal, played == last
                    elif win and (played < last or at_stake):
                        legal, high = win, played < last
                    else:
                        legal, high = legal & ~scoring or legal, False
                    card = (legal.bit_length() if high == rises else (legal & -legal).bit_length()) - 1
                else:
                    card = legal.bit_length() - 1
                continue
            else:
                legal = hand & allowed if hand & trigger else hand
                order = self._throw_first
                win = legal & beats[best]
                if win:
                    if not avoids and at_stake:
                        legal, order = win, self._weak_first
                    elif legal & ~win:
                        legal &= ~win
            if legal & (legal - 1):
                for group in order:
                    if legal & group:
                        legal &= group
                        break
            card = (legal if tie else legal & -legal).bit_length() - 1
        if rules.stake.price is not None:
            over = play.copy()
            over.won, over.tricks_taken = won, taken
            return over.points()
        return won

    def lead(self, play: Play, hand: int, *, tie: bool) -> int:
        """The card that the policy leads from a hand at the start of a trick."""
        legal = hand & ~play.ban or hand
        order = self._strong_first if (play.trick_number < self._idle_until) == self._avoids else self._weak_first
        first = next(legal & group for group in order if legal & group)
        return (first if tie else first & -first).bit_length() - 1

    def _narrowed(self, following: int, beating: int) -> int:
        """Which cards of the led suit the must-give-up and must-beat rules leave, as `Play.legal` does."""
        given_up = following & self.rules.give_up & ~beating
        if given_up:
            return given_up
        return following & beating or following if self.rules.must_beat else following


def playouts_of(table: Table, contract: str, trump: str | None = None, *, misere: bool = False) -> Playouts:
    """The playouts of a contract of this table's variant; made once for each."""
    deal = table.deal
    stake = Stake(declarer=deal.declarer, eldest=deal.eldest, price=deal.price)
    return _playouts(table.variant, contract, trump, stake if deal.price else Stake(), misere=misere)


@lru_cache(maxsize=256)
def _playouts(variant_id: str, contract: str, trump: str | None, stake: Stake, *, misere: bool) -> Playouts:
    variant = parse_variant(variant_id)
    pack = variant.pack_mask
    rules = play_rules(
        variant.contracts[contract], seats=variant.seats, pack=pack, trump=trump, misere=misere, stake=stake
    )
    return Playouts(rules, pack)


def _first_scoring_trick(rules: PlayRules) -> int:
    return next((number for number, points in enumerate(rules.trick_points, 1) if points), LATE)


def _beats(card: int, rules: PlayRules) -> int:
    """The cards that take the trick from `card` while it is winning."""
    strength, trumps = rules.strength, rules.trump_mask
    mine = SUIT_MASK_OF[card]
    rivals = cards_of(mine | trumps)
    return sum(1 << rival for rival in rivals if strength[rival] > strength[card])


def _groups(pack: int, key: Callable[[int], tuple[int, int]]) -> list[int]:
    """The pack in the order of a key: one mask for all the cards that are equal."""
    ordered = sorted(cards_of(pack), key=key)
    return [sum(1 << card for card in group) for _, group in groupby(ordered, key=key)]
