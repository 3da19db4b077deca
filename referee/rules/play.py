"""The play of the cards of one deal, as fast as plain Python allows.

Owns following, tricks, points and the early end; the referee's matches and searching bots use this one class. Must
not know who chose what, or why; `PlayRules` say what counts.
"""

from collections.abc import Callable, Sequence

from referee.rules.cards import SUIT_MASK_OF, Card, cards_of, mask_of
from referee.rules.play_rules import PRICE_RULES, PlayRules


class Play:
    """A position in the play of one deal. Mutable; all lists are by seat.

    `hands` are masks, `trick` the cards of the open trick in the order played, `leader` who led it, `to_play` whose
    turn it is, `trick_number` the open trick's number from 1, `tricks_taken` the tricks of each seat, `last_taker` the
    taker of the trick before. A hand that is not known may be 0: nothing but `legal` looks at it.

    To be read, never written, from outside: `led` is the led suit as a mask (0 before a lead), `winner` the seat that
    is winning the open trick, `best` the strength of its card, `winning` the cards that can win (led suit and trumps),
    `ban` the cards that may not be led beside others, `won` the points taken, `left` those to come before an early end.
    """

    __slots__ = (
        "ban",
        "best",
        "hands",
        "last_taker",
        "leader",
        "led",
        "left",
        "over",
        "rules",
        "to_play",
        "trick",
        "trick_number",
        "tricks_taken",
        "winner",
        "winning",
        "won",
    )

    def __init__(self, rules: PlayRules, hands: Sequence[int], leader: int) -> None:
        self.rules = rules
        self.hands = list(hands)
        self.leader = leader
        self.to_play = leader
        self.trick: list[Card] = []
        self.trick_number = 1
        self.tricks_taken = [0] * rules.seats
        self.last_taker: int | None = None
        self.over = False
        self.won = [0] * rules.seats
        self.ban = rules.ban
        self.left = rules.early_total
        self.led = 0
        self.winning = 0
        self.best = 0
        self.winner = leader

    def legal(self) -> int:
        """Return the cards that the seat to play may play, as a mask; never empty before the end.

        Narrows in this order and stops at the first that leaves something: leading, the lead ban; following, the
        must-give-up rule, then must-beat, then the led suit; void, the discard rule, then the whole hand.
        """
        hand = self.hands[self.to_play]
        led = self.led
        if not led:
            return hand & ~self.ban or hand
        following = hand & led
        rules = self.rules
        if following:
            return following if rules.follows_freely else self._legal_following(following)
        if hand & rules.void_trigger:
            return hand & rules.void_allowed
        return hand

    def _legal_following(self, following: int) -> int:
        rules = self.rules
        strength = rules.strength
        highest = max(strength[card] for card in self.trick if self.led >> card & 1)
        given_up = mask_of([card for card in cards_of(following & rules.give_up) if strength[card] < highest])
        if given_up:
            return given_up
        if rules.must_beat:
            return mask_of([card for card in cards_of(following) if strength[card] > self.best]) or following
        return following

    def play(self, card: Card) -> None:
        """Play a card for the seat to play. The caller sees to it that the card is legal; it is not checked here."""
        rules = self.rules
        seat = self.to_play
        bit = 1 << card
        self.hands[seat] &= ~bit
        trick = self.trick
        if trick:
            if bit & self.winning:
                strength = rules.strength[card]
                if strength > self.best:
                    self.best = strength
                    self.winner = seat
            if bit & rules.breaks and not bit & self.led:
                self.ban = 0
        else:
            self.led = led = SUIT_MASK_OF[card]
            self.winning = led | rules.trump_mask
            self.best = rules.strength[card]
            self.winner = seat
        trick.append(card)
        if len(trick) == rules.seats:
            self._end_trick(rules, trick)
        else:
            seat += 1
            self.to_play = 0 if seat == rules.seats else seat

    def _end_trick(self, rules: PlayRules, trick: list[Card]) -> None:
        number = self.trick_number
        points = rules.trick_points[number - 1]
        card_points = rules.card_points
        for card in trick:
            points += card_points[card]
        taker = self.winner
        self.won[taker] += points
        self.tricks_taken[taker] += 1
        self.last_taker = self.leader = self.to_play = taker
        self.trick = []
        self.led = 0
        self.trick_number = number + 1
        if self.left is not None:
            self.left -= points
            self.over = not self.left
        if number == rules.tricks:
            self.over = True

    def points(self) -> list[int]:
        """Return the points so far, by seat, the price of the contract included."""
        points = self.won.copy()
        PRICE_RULES[self.rules.contract.price](points, self.tricks_taken, self.rules)
        return points

    def copy(self) -> "Play":
        """Return a position of its own that goes on from here."""
        other = Play(self.rules, self.hands, self.leader)
        other.to_play = self.to_play
        other.trick = self.trick.copy()
        other.trick_number = self.trick_number
        other.tricks_taken = self.tricks_taken.copy()
        other.last_taker = self.last_taker
        other.over = self.over
        other.won = self.won.copy()
        other.ban = self.ban
        other.left = self.left
        other.led = self.led
        other.winning = self.winning
        other.best = self.best
        other.winner = self.winner
        return other

    def with_hands(self, hands: Sequence[int]) -> "Play":
        """Return a copy with other hands: for bots that deal the unseen cards anew."""
        other = self.copy()
        other.hands = list(hands)
        return other

    def finish_at_random(self, random: Callable[[], float]) -> None:
        """Play random legal cards to the end; `random` returns a float from 0 up to but without 1."""
        while not self.over:
            legal = self.legal()
            count = legal.bit_count()
            if count > 1:
                for _ in range(int(random() * count)):
                    legal &= legal - 1
            self.play((legal & -legal).bit_length() - 1)
