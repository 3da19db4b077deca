"""A match in progress: whose turn it is, what may be done, and what follows.

Owns the order of deals, steps, tricks and events. Knows no clock, no bot and no storage; the packs are given to it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from referee.rules import scoring
from referee.rules.actions import MAX_SEATS, Action, ActionKind, play_action, play_actions
from referee.rules.cards import CARD_COUNT, SUITS, Card, mask_of, parse_card, suit_of
from referee.rules.deal import Choice, Deal, Trick
from referee.rules.errors import IllegalAction
from referee.rules.events import (
    ActionTaken,
    CardExposed,
    CardGiven,
    CardsDealt,
    ContractSet,
    DealEnded,
    DealStarted,
    Event,
    MatchEnded,
    TalonShown,
    TrickEnded,
)
from referee.rules.play import Play
from referee.rules.play_rules import Stake, play_rules
from referee.rules.steps import current_step, next_step
from referee.rules.variant import LeaderRule, Variant

Packs = Callable[[int], Sequence[Card]]
"""Gives the pack of a deal, by its number from 1, in the order in which it is dealt."""


class Match:
    """All the deals of a variant among fixed seats.

    `first_seat` is the first dealer or the first chooser, as drawn by lot; None where neither is drawn. Call `start`
    once, then `apply` until `over`. For who asks for none, no events are made: `start` and `apply` then return none.
    """

    def __init__(self, variant: Variant, packs: Packs, first_seat: int | None, *, has_events: bool = True) -> None:
        if (first_seat is None) != (variant.first_holder is not None):
            raise ValueError(f"{variant.id}: a first seat is drawn by lot exactly where no card decides it")
        self.variant = variant
        self.over = False
        self.deal: Deal | None = None
        self.deals: list[Deal] = []
        self.places: tuple[int, ...] | None = None
        self.settlement: tuple[int, ...] | None = None
        self._packs = packs
        self._first_seat = first_seat
        self._has_events = has_events
        self._totals = (0,) * variant.seats
        self._choices: tuple[Choice, ...] = ()
        self._has_all_actions = True
        self._legal: tuple[Action, ...] | None = None  # before the play, where it takes long to tell, until it changes

    @property
    def seat_to_act(self) -> int | None:
        """The seat whose turn it is; None when the match is over or has not begun."""
        deal = self.deal
        if deal is None:
            return None
        return deal.play.to_play if deal.play else deal.seat_to_act

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the finished deals, by seat."""
        return self._totals

    @property
    def scores(self) -> tuple[int, ...]:
        """What decides places and ratings, by seat, higher is better; extra deals are left out."""
        return scoring.scores(self.variant, self._results(self.deals[: self.variant.deal_count]))

    def start(self) -> tuple[Event, ...]:
        """Begin the first deal."""
        return tuple(self._begin_deal())

    def legal_actions(self) -> tuple[Action, ...]:
        """Return what the seat to act may do, in legal order; empty only when the match is over."""
        deal = self.deal
        if deal is None:
            return ()
        if deal.play:
            return play_actions(deal.play.to_play, deal.play.legal())
        if self._legal is None:
            self._legal = () if deal.seat_to_act is None else tuple(current_step(deal).legal(deal, deal.seat_to_act))
        return self._legal

    def legal_cards(self) -> int:
        """Return the cards that the seat to act may play, as a mask; 0 where it may do something else, or nothing."""
        deal = self.deal
        return deal.play.legal() if deal is not None and deal.play is not None else 0

    def play_card(self, card: Card) -> list[Event]:
        """Play one of `legal_cards`, which is not checked again; return what happens, as `apply` does."""
        deal = self.deal
        if deal is None or deal.play is None:
            raise AssertionError("no cards are played")
        return self._play(deal, deal.play, play_action(deal.play.to_play, card))

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Take an action; return what happens, up to the next decision.

        Raises:
            IllegalAction: if it is not legal here; nothing has changed then.
        """
        deal = self.deal
        if deal is None or not self._is_legal(deal, action):
            raise self._refusal(action)
        if deal.play:
            return tuple(self._play(deal, deal.play, action))
        self._legal = None
        is_over = current_step(deal).apply(deal, action)
        deal.actions.append(action)
        events: list[Event] = [_told(action)] if self._has_events else []
        if is_over and not next_step(deal):
            events += self._begin_play(deal)
        return tuple(events)

    def go_on(self) -> tuple[Event, ...]:
        """Go on after `deal.play` has been played to its end by itself, for those who need no list of its tricks.

        Raises:
            ValueError: if no deal has been played to its end.
        """
        deal = self.deal
        if deal is None or deal.play is None or not deal.play.over:
            raise ValueError("no deal has been played to its end")
        self._has_all_actions = False
        return tuple(self._end_play(deal, deal.play))

    def __reduce__(self) -> tuple[Callable[..., "Match"], tuple[object, ...]]:
        """Copies and pickles come about by taking the same actions.

        Raises:
            TypeError: after `go_on`, for the actions are not known then.
        """
        if not self._has_all_actions:
            raise TypeError("a match that went on without its actions cannot be copied")
        deals = [*self.deals, *([self.deal] if self.deal else [])]
        actions = [action for deal in deals for action in deal.actions] if deals else None
        first_seat = None if self.variant.first_holder is not None else self._first_seat
        return _replayed, (self.variant, self._packs, first_seat, self._has_events, actions)

    def _is_legal(self, deal: Deal, action: Action) -> bool:
        play = deal.play
        if play is None or action.card is None:
            return action in self.legal_actions()
        if not play.legal() >> action.card & 1:
            return False
        known = play_action(play.to_play, action.card)
        return action is known or action == known

    def _refusal(self, action: Action) -> IllegalAction:
        legal = self.legal_actions()
        if not legal:
            return IllegalAction(f"{action} is not legal: the match is {'over' if self.over else 'not begun'}")
        return IllegalAction(f"{action} is not legal; legal are: {'; '.join(map(str, legal))}")

    def _begin_deal(self) -> list[Event]:
        number = len(self.deals) + 1
        dealer = self._turn(number) if self.variant.has_dealer else None
        dealt, talon = deal_out(self.variant, number, self._packs(number), dealer)
        if number == 1 and self.variant.first_holder is not None:
            self._first_seat = next(seat for seat, cards in enumerate(dealt) if self.variant.first_holder in cards)
        self._legal = None
        self.deal = deal = Deal(
            variant=self.variant,
            number=number,
            plan=self.variant.plan(number),
            dealer=dealer,
            chooser=None if self.variant.has_dealer else self._turn(number),
            dealt=dealt,
            talon=talon,
            past=self._choices,
        )
        events = _told_of_beginning(deal) if self._has_events else []
        if not next_step(deal):
            events += self._begin_play(deal)
        return events

    def _turn(self, number: int) -> int:
        """The dealer or chooser of a deal: the first seat's turn goes round in playing order."""
        return ((self._first_seat or 0) + number - 1) % self.variant.seats

    def _begin_play(self, deal: Deal) -> list[Event]:
        contract = deal.contract = deal.contract or deal.played_contract()
        deal.seat_to_act = None
        deal.is_set = True
        events: list[Event] = self._deal_rest(deal) if contract.is_played else []
        if self._has_events:
            events.append(ContractSet(contract.id, deal.declarer, deal.trump, deal.misere, deal.price))
        if not contract.is_played:
            deal.points = (contract.flat_points,) * self.variant.seats
            return events + self._end_deal(deal)
        rules = play_rules(
            contract,
            seats=self.variant.seats,
            pack=self.variant.pack_mask,
            trump=deal.trump,
            misere=deal.misere,
            stake=Stake(declarer=deal.declarer, eldest=deal.eldest, price=deal.price) if deal.price else None,
        )
        leader = LEADER_RULES[self.variant.leader](deal)
        deal.play = Play(rules, deal.hands, leader)
        deal.hands = deal.play.hands
        deal.tricks.append(Trick(leader))
        return events

    def _deal_rest(self, deal: Deal) -> list[Event]:
        events: list[Event] = []
        first_cards = deal.plan.opening.first_cards
        if first_cards is not None:
            deal.hands = [mask_of(cards) for cards in deal.dealt]
            if self._has_events:
                events += [CardsDealt(seat, cards[first_cards:]) for seat, cards in enumerate(deal.dealt)]
        if deal.by_last:
            deal.exposed = deal.dealt[deal.eldest][-1]
            deal.trump = SUITS[suit_of(deal.exposed)]
            if self._has_events:
                events.append(CardExposed(deal.eldest, deal.exposed))
        return events

    def _play(self, deal: Deal, play: Play, action: Action) -> list[Event]:
        if action.card is None:
            raise AssertionError(f"{action} was found legal without a card")
        play.play(action.card)
        deal.actions.append(action)
        trick = deal.tricks[-1]
        trick.cards.append(action.card)
        events: list[Event] = [_PLAYED[action.seat][action.card]] if self._has_events else []
        if play.trick:
            return events
        trick.taker = play.last_taker
        if self._has_events:
            events.append(_TRICKS_ENDED[len(deal.tricks)][play.to_play])
        if not play.over:
            deal.tricks.append(Trick(play.to_play))
            return events
        return events + self._end_play(deal, play)

    def _end_play(self, deal: Deal, play: Play) -> list[Event]:
        deal.points = tuple(play.points())
        if play.rules.contract.marks_king and self.variant.tricks in play.tricks_taken:
            deal.made_king = play.last_taker
        return self._end_deal(deal)

    def _end_deal(self, deal: Deal) -> list[Event]:
        points = deal.points or ()
        self.deals.append(deal)
        self.deal = None
        self._choices = (*self._choices, Choice(deal.declarer, _contract_id(deal)))
        self._totals = totals = tuple([total + more for total, more in zip(self._totals, points, strict=True)])
        events: list[Event] = [DealEnded(deal.number, points, totals)] if self._has_events else []
        if self._goes_on():
            return events + self._begin_deal()
        self.places = scoring.places(scoring.scores(self.variant, self._results(self.deals)))
        self.over = True
        self.settlement = scoring.settlement(totals) if self.variant.settles else None
        return [*events, MatchEnded(totals, self.places)] if self._has_events else []

    def _goes_on(self) -> bool:
        played, regular = len(self.deals), self.variant.deal_count
        if played < regular:
            return True
        by_seat = scoring.scores(self.variant, self._results(self.deals))
        return played < regular + self.variant.extra_deals and scoring.lead_is_shared(by_seat)

    def _results(self, deals: Sequence[Deal]) -> list[scoring.DealPoints]:
        return [(_contract_id(deal), deal.points or ()) for deal in deals]


def _replayed(
    variant: Variant, packs: Packs, first_seat: int | None, has_events: bool, actions: Sequence[Action] | None
) -> Match:
    """Make a match again from its actions; None: it has not begun."""
    match = Match(variant, packs, first_seat, has_events=has_events)
    if actions is not None:
        match.start()
        for action in actions:
            match.apply(action)
    return match


def deal_out(
    variant: Variant, number: int, pack: Sequence[Card], dealer: int | None
) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """Deal a pack one by one from eldest, from seat 0 without a dealer; return the hands by seat and the talon.

    Raises:
        ValueError: if it is not the variant's pack.
    """
    if mask_of(pack) != variant.pack_mask or len(pack) != len(variant.pack):
        raise ValueError(f"deal {number}: the pack given is not the pack of {variant.id}")
    seats = variant.seats
    first = 0 if dealer is None else (dealer + 1) % seats
    dealt_count = len(pack) - variant.plan(number).opening.talon
    hands = tuple(tuple(pack[(seat - first) % seats : dealt_count : seats]) for seat in range(seats))
    return hands, tuple(pack[dealt_count:])


def _contract_id(deal: Deal) -> str:
    if deal.contract is None:
        raise AssertionError(f"deal {deal.number} has ended without a contract")
    return deal.contract.id


def _told_of_beginning(deal: Deal) -> list[Event]:
    first_cards = deal.plan.opening.first_cards
    events: list[Event] = [DealStarted(deal.number, deal.dealer, deal.chooser)]
    events += [CardsDealt(seat, cards[:first_cards]) for seat, cards in enumerate(deal.dealt)]
    return [*events, TalonShown(deal.talon)] if deal.talon else events


def _told(action: Action) -> Event:
    if action.kind is ActionKind.GIVE and action.to is not None:
        return CardGiven(action.seat, action.to, action.card)
    return ActionTaken(action)


def _eldest_leads(deal: Deal) -> int:
    return deal.eldest


def _chooser_leads(deal: Deal) -> int:
    return deal.eldest if deal.chooser is None else deal.chooser


def _seven_of_clubs_leads(deal: Deal) -> int:
    seven = parse_card("7C")
    return next(seat for seat, hand in enumerate(deal.hands) if hand >> seven & 1)


_PLAYED: Final = tuple(
    tuple([ActionTaken(play_action(seat, card)) for card in range(CARD_COUNT)]) for seat in range(MAX_SEATS)
)
"""What is told of a card that is played, by seat and card."""

_TRICKS_ENDED: Final = tuple(
    tuple([TrickEnded(number, seat) for seat in range(MAX_SEATS)]) for number in range(CARD_COUNT)
)
"""What is told of the end of a trick, by its number and the seat that takes it."""

LEADER_RULES: Final[Mapping[LeaderRule, Callable[[Deal], int]]] = {
    LeaderRule.ELDEST: _eldest_leads,
    LeaderRule.CHOOSER: _chooser_leads,
    LeaderRule.SEVEN_OF_CLUBS: _seven_of_clubs_leads,
}
"""Who leads to the first trick."""
