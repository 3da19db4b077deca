"""What a seat knows of its table, kept from what the referee told it.

Owns the view: everything a bot may know, and nothing else. The methods `on_...` are called by the SDK, one for each
message of the protocol; a bot only reads. Decides nothing about what is legal or good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from king_bot.actions import Action, ActionBy, ActionKind
from king_bot.cards import SUIT_MASKS, Card, cards_of, mask_of
from king_bot.contracts import Scoring, pack_of, scoring_of
from king_bot.facts import PLAYED, FinishedDeal, Forfeit, Gift, Played, Said, TimeControl, Trick


class Deal:
    """The deal in progress, as one seat sees it. Sets of cards are bit masks; lists are by seat."""

    def __init__(
        self, number: int, dealer: int | None, chooser: int | None, *, seat: int, seats: int, pack: int
    ) -> None:
        self.number = number  # from 1
        self.dealer = dealer
        self.chooser = chooser
        self.seat = seat
        self.pack = pack
        self.hand_mask = 0
        self.contract: str | None = None  # None until it is set
        self.declarer: int | None = None
        self.trump: str | None = None
        self.misere = False
        self.price: int | None = None
        self.said: list[Said] = []
        self.talon: tuple[Card, ...] = ()
        self.talon_taker: int | None = None
        self.gifts: list[Gift] = []
        self.exposed: Played | None = None  # shown to all, and still in that seat's hand until played
        self.trick: Trick | None = None  # the open trick; None before a lead
        self.tricks: list[Trick] = []  # complete ones
        self._led_mask = 0  # of the open trick
        self.tricks_taken = [0] * seats
        self.cards_taken = [0] * seats
        self.played_by = [0] * seats
        self.voids: list[set[str]] = [set() for _ in range(seats)]  # suits that a seat showed not to have
        self.known_cards = [0] * seats  # cards in other hands that we know of: gifts of ours, the exposed card
        self.fallen = 0  # every card played, the open trick's too

    @property
    def hand(self) -> tuple[Card, ...]:
        """Our hand, in the order of the pack."""
        return cards_of(self.hand_mask)

    @property
    def eldest(self) -> int | None:
        """The seat after the dealer; None where there is no dealer."""
        return None if self.dealer is None else (self.dealer + 1) % len(self.voids)

    @property
    def unseen(self) -> int:
        """The cards that are in other hands (or not dealt yet), for all we know."""
        return self.pack & ~(self.hand_mask | self.fallen)

    @property
    def trick_number(self) -> int:
        """The number of the trick that is open or about to be led, from 1."""
        return len(self.tricks) + 1

    @property
    def void_masks(self) -> list[int]:
        """By seat, every card that it cannot hold because it showed a void."""
        return [sum(SUIT_MASKS[suit] for suit in suits) for suits in self.voids]

    def on_action(self, seat: int, action: Action, by: ActionBy) -> None:
        """A seat did something."""
        if action.kind is ActionKind.PLAY and action.card is not None:
            self.on_play(seat, action.card)
        else:
            self.said.append(Said(seat, action, by))

    def on_play(self, seat: int, card: Card) -> None:
        """A seat played a card."""
        trick, bit = self.trick, 1 << card
        if trick is None:
            trick = self.trick = Trick(len(self.tricks) + 1)
            self._led_mask = SUIT_MASKS[card.suit]
        elif not bit & self._led_mask:
            self.voids[seat].add(trick.led)
        trick.plays.append(PLAYED[seat][card])
        self.fallen |= bit
        self.played_by[seat] |= bit
        self.known_cards[seat] &= ~bit
        if seat == self.seat:
            self.hand_mask &= ~bit

    def on_gift(self, seat: int, to: int, card: Card | None) -> None:
        """The declarer gave a card away."""
        self.take_talon(seat)
        self.gifts.append(Gift(seat, to, card))
        if card is not None and seat == self.seat:
            self.hand_mask &= ~(1 << card)
            self.known_cards[to] |= 1 << card
        elif card is not None:
            self.hand_mask |= 1 << card

    def take_talon(self, seat: int) -> None:
        """The declarer takes the talon: known by the first gift, or by our being asked for one."""
        if self.talon_taker is None:
            self.talon_taker = seat
            if seat == self.seat:
                self.hand_mask |= mask_of(self.talon)

    def on_exposed(self, seat: int, card: Card) -> None:
        """A card in a hand was shown to everybody."""
        self.exposed = Played(seat, card)
        if seat != self.seat:
            self.known_cards[seat] |= 1 << card

    def on_trick_end(self, taker: int) -> None:
        """The open trick is complete."""
        trick = self.trick
        if trick is None:
            raise ValueError(f"deal {self.number}: the end of a trick was told, but no trick is open")
        trick.taker = taker
        self.tricks.append(trick)
        self.tricks_taken[taker] += 1
        for _, card in trick.plays:
            self.cards_taken[taker] |= 1 << card
        self.trick = None


class Table:
    """One match, as one seat sees it.

    Raises:
        UnknownVariantError: it is played in a variant that the SDK does not have.
    """

    def __init__(
        self,
        *,
        variant: str,
        options: Mapping[str, str],
        seats: int,
        seat: int,
        match_id: str = "",
        deal_commitment: str = "",
        number: int = 0,
        time_control: TimeControl | None = None,
    ) -> None:
        self.number = number  # the referee's number for this table on our stream
        self.match_id = match_id
        self.deal_commitment = deal_commitment  # in a season, the SHA-256 of the board's secret, 64 hex digits
        self.variant = variant  # with its options, such as "turkish-20[limits=free]"
        self.base_id = variant.partition("[")[0]
        self.options = dict(options)  # every option, resolved, as text
        self.seats = seats
        self.seat = seat  # ours
        self.time_control = time_control or TimeControl(0, 0, 0)
        self.pack = pack_of(self.base_id, self.options)
        self.deal = Deal(0, None, None, seat=seat, seats=seats, pack=self.pack)
        self.finished: list[FinishedDeal] = []
        self.totals = [0] * seats
        self.places: tuple[int, ...] = ()  # once the match is over
        self.forfeits: tuple[Forfeit, ...] = ()
        self.aborted = ""  # why the match ended without a result; empty otherwise

    @property
    def opponents(self) -> tuple[int, ...]:
        """The other seats, in playing order from ours."""
        return tuple((self.seat + step) % self.seats for step in range(1, self.seats))

    @property
    def winner(self) -> Played | None:
        """The play that takes the open trick as it lies; None when we lead."""
        trick = self.deal.trick
        return None if trick is None else trick.winner(self.deal.trump, misere=self.deal.misere)

    def beats(self, card: Card) -> bool:
        """Whether a card, played now, would take the open trick as it lies; a card that is led does."""
        trick = self.deal.trick
        return trick is None or trick.is_beaten_by(card, self.deal.trump, misere=self.deal.misere)

    @property
    def scoring(self) -> Scoring:
        """What the contract in progress counts.

        Raises:
            KeyError: before a contract is set.
        """
        return self.scoring_of(self.deal.contract or "none set yet")

    def scoring_of(self, contract: str) -> Scoring:
        """What a contract of this variant counts; `KeyError` if it has no such contract."""
        return scoring_of(self.base_id, self.options, contract)

    def points_so_far(self) -> list[int]:
        """By seat, the points that the complete tricks of this deal are worth; payments for a price left out."""
        points = [0] * self.seats
        for trick in self.deal.tricks:
            if trick.taker is not None:
                points[trick.taker] += self.scoring.trick_points(trick.number, trick.cards)
        return points

    def on_deal_start(self, number: int, dealer: int | None, chooser: int | None) -> None:
        """A deal begins."""
        self.deal = Deal(number, dealer, chooser, seat=self.seat, seats=self.seats, pack=self.pack)

    def on_cards(self, cards: Sequence[Card]) -> None:
        """Cards came to our own hand."""
        self.deal.hand_mask |= mask_of(cards)

    def on_talon(self, cards: Sequence[Card]) -> None:
        """The talon was turned face up."""
        self.deal.talon = tuple(cards)

    def on_contract(
        self, contract: str, declarer: int | None, trump: str | None, price: int | None, *, misere: bool
    ) -> None:
        """What is played for in this deal."""
        deal = self.deal
        deal.contract, deal.declarer, deal.trump, deal.price, deal.misere = contract, declarer, trump, price, misere

    def on_request(self, actions: Sequence[Action]) -> None:
        """We are asked. A request for a gift is how the declarer learns that the talon is in the hand."""
        if actions[0].kind is ActionKind.GIVE:
            self.deal.take_talon(self.seat)

    def on_deal_end(self, points: Sequence[int], totals: Sequence[int]) -> None:
        """The deal is over; points and running totals by seat."""
        deal = self.deal
        self.totals = list(totals)
        self.finished.append(
            FinishedDeal(
                number=deal.number,
                contract=deal.contract,
                declarer=deal.declarer,
                trump=deal.trump,
                misere=deal.misere,
                price=deal.price,
                points=tuple(points),
            )
        )

    def on_table_end(
        self, totals: Sequence[int], places: Sequence[int], forfeits: Sequence[Forfeit], aborted: str
    ) -> None:
        """The match is over."""
        self.totals = list(totals)
        self.places = tuple(places)
        self.forfeits = tuple(forfeits)
        self.aborted = aborted
