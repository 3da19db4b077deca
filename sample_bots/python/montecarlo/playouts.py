"""Playouts: from a position with all hands dealt to the end of the deal, by quick rules of thumb.

Owns the playout policy, in which the strength of the search lies, and a loop over the engine's masks that is leaner
than `Play`, because it runs thousands of times a second. What is legal and what scores comes from `PlayRules`; a test
plays the same cards through `Play` and compares.
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
        self._rises = not rules.misere  # whether the highest bit of a suit is its strongest card
        worth, strength = rules.card_points, rules.strength
        self._weak_first = _groups(pack, lambda card: (bool(worth[card]), strength[card]))
        self._strong_first = _groups(pack, lambda card: (bool(worth[card]), -strength[card]))
        if self._avoids:
            self._throw_first = _groups(pack, lambda card: (worth[card], -strength[card]))
        else:
            self._throw_first = _groups(pack, lambda card: (worth[card], strength[card]))

    def points(self, play: Play, hands: list[int], card: int, *, tie: bool) -> list[int]:
        """Plays `card` for the seat to play and then the deal to its end; the points by seat.

        `hands` (masks by seat) is used up; `play` stays as it is. `tie` says which of cards as good as each other goes.
        """
        rules, beats, card_points, trick_points = (
            self.rules,
            self._beats,
            self.rules.card_points,
            self.rules.trick_points,
        )
        last, breaks = rules.seats - 1, rules.breaks
        led, ban, left, number, winner = play.led, play.ban, play.left, play.trick_number, play.winner
        player, won, taken, played = play.to_play, play.won.copy(), play.tricks_taken.copy(), len(play.trick)
        best, at_stake = self._open_trick(play)
        while True:
            bit = 1 << card
            hands[player] &= ~bit
            if not led:
                led, best, winner = SUIT_MASK_OF[card], card, player
            elif beats[best] & bit:
                best, winner = card, player
            if bit & breaks and not bit & led:
                ban = 0
            at_stake += card_points[card]
            if played < last:
                played += 1
                player = player + 1 if player < last else 0
            else:
                won[winner] += at_stake
                taken[winner] += 1
                if left is not None:
                    left -= at_stake
                if number == rules.tricks or left == 0:
                    return self._with_price(play, won, taken)
                at_stake, number, player, played, led = trick_points[number], number + 1, winner, 0, 0
            hand = hands[player]
            if not led:
                card = self._lead(hand & ~ban or hand, hands, hand, number, tie=tie)
            elif hand & led:
                card = self._follow(hand & led, best, at_stake, number, is_last=played == last)
            else:
                card = self._discard(hand, best, at_stake, tie=tie)

    def lead(self, play: Play, hands: list[int], *, tie: bool) -> int:
        """The card that the policy leads at the start of a trick."""
        hand = hands[play.to_play]
        return self._lead(hand & ~play.ban or hand, hands, hand, play.trick_number, tie=tie)

    def _open_trick(self, play: Play) -> tuple[int, int]:
        """The winning card of the open trick (any card if there is none), and the points that lie in it."""
        best, at_stake = 0, self.rules.trick_points[play.trick_number - 1]
        for card in play.trick:
            at_stake += self.rules.card_points[card]
            if card == play.trick[0] or self._beats[best] >> card & 1:
                best = card
        return best, at_stake

    def _with_price(self, play: Play, won: list[int], taken: list[int]) -> list[int]:
        if self.rules.stake.price is None:
            return won
        over = play.copy()
        over.won, over.tricks_taken = won, taken
        return over.points()

    def _lead(self, legal: int, hands: list[int], hand: int, number: int, *, tie: bool) -> int:
        """To avoid, the lowest card that somebody can beat; to take, a master, or else the lowest card."""
        if not legal & (legal - 1):
            return legal.bit_length() - 1
        if number < self._idle_until:
            return _first(legal, self._strong_first if self._avoids else self._weak_first, tie=tie)
        others = 0
        for held in hands:
            others |= held
        others &= ~hand
        for group in self._weak_first if self._avoids else self._strong_first:
            some = legal & group
            while some:
                card = (some if tie else some & -some).bit_length() - 1
                some ^= 1 << card
                rivals = self._beats[card] & others & SUIT_MASK_OF[card]
                if bool(rivals) == self._avoids:
                    return card
        return _first(legal, self._weak_first, tie=tie)

    def _follow(self, legal: int, best: int, at_stake: int, number: int, *, is_last: bool) -> int:
        """To avoid, the highest card that stays below; to take, the highest, or as last seat the lowest that wins."""
        if not self.rules.follows_freely:
            legal = self._narrowed(legal, self._beats[best])
        if not legal & (legal - 1):
            return legal.bit_length() - 1
        scoring = self._scoring
        win = legal & self._beats[best]
        if number < self._idle_until:
            high = self._avoids
        elif self._avoids:
            lose = legal & ~win
            if is_last and not at_stake and win & ~scoring:
                legal, high = win & ~scoring, True
            elif lose:
                legal, high = lose & scoring or lose, True
            else:
                legal, high = legal & ~scoring or legal, is_last
        elif win and (at_stake or not is_last):
            legal, high = win, not is_last
        else:
            legal, high = legal & ~scoring or legal, False
        return (legal.bit_length() if high == self._rises else (legal & -legal).bit_length()) - 1

    def _discard(self, hand: int, best: int, at_stake: int, *, tie: bool) -> int:
        """To take, the smallest trump that wins; otherwise what hurts most, or is worth least, and does not win."""
        rules = self.rules
        legal = hand & rules.void_allowed if hand & rules.void_trigger else hand
        win = legal & self._beats[best]
        if win and at_stake and not self._avoids:
            return _first(win, self._weak_first, tie=tie)
        return _first(legal & ~win or legal, self._throw_first, tie=tie)

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


def _first(cards: int, order: list[int], *, tie: bool) -> int:
    """The card of a set that comes first in an order of groups."""
    if cards & (cards - 1):
        for group in order:
            if cards & group:
                cards &= group
                break
    return (cards if tie else cards & -cards).bit_length() - 1


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
