"""One deal in progress: who holds what, what has been decided, what has been played.

Owns the state alone: `steps/` decide what may be done before the play, `play.py` during it, `state.py` moves on.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from referee.rules.actions import Action
from referee.rules.cards import Card, mask_of
from referee.rules.contracts import Contract, Group
from referee.rules.play import Play
from referee.rules.variant import DealPlan, Variant


@dataclass(slots=True)
class Trick:
    """A trick, complete when it has a taker; cards in the order played."""

    leader: int
    cards: list[Card] = field(default_factory=list)
    taker: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A contract that was played, and the seat that chose it, if one did."""

    declarer: int | None
    contract: str


@dataclass(frozen=True, slots=True)
class Played:
    """How often what has been chosen in a match: by contract, by seat and contract, by seat and group."""

    contracts: Counter[str]
    by_seat: Counter[tuple[int | None, str]]
    groups: Counter[tuple[int | None, Group]]


class Deal:
    """A deal. Seats are ints from 0 in playing order, cards ints; lists are by seat.

    `dealt` is the whole deal in the order dealt, `hands` the masks that the seats hold now (less than dealt while a
    deal pauses). `past` are the deals before this one. `bid` is the highest bid so far, 0 if none, of `bidder`.
    `points` is None until the deal is over.
    """

    def __init__(
        self,
        *,
        variant: Variant,
        number: int,
        plan: DealPlan,
        dealer: int | None,
        chooser: int | None,
        dealt: tuple[tuple[Card, ...], ...],
        talon: tuple[Card, ...],
        past: Sequence[Choice],
    ) -> None:
        self.variant = variant
        self.number = number
        self.plan = plan
        self.dealer = dealer
        self.chooser = chooser
        self.dealt = dealt
        self.talon = talon
        self.past = past
        self._played: Played | None = None

        first = plan.opening.first_cards
        self.hands = [mask_of(cards[:first]) for cards in dealt]
        self.actions: list[Action] = []
        self.seat_to_act: int | None = None
        self.step = -1

        fixed = plan.fixed_contract
        self.contract: Contract | None = None if fixed is None else variant.contracts[fixed]
        self.declarer = chooser
        self.trump: str | None = None
        self.misere = False
        self.price: int | None = None
        self.exposed: Card | None = None
        self.by_last = False
        self.talon_taken = False

        self.offered = False
        self.bid = 0
        self.bidder: int | None = None
        self.passed: set[int] = set()

        self.is_set = False
        self.play: Play | None = None
        self.tricks: list[Trick] = []
        self.points: tuple[int, ...] | None = None
        self.made_king: int | None = None

    @property
    def played(self) -> Played:
        """How often what has been chosen before this deal; counted when it is first asked for."""
        if self._played is None:
            self._played = Played(
                contracts=Counter([choice.contract for choice in self.past]),
                by_seat=Counter([(choice.declarer, choice.contract) for choice in self.past]),
                groups=Counter([(one.declarer, self.variant.contracts[one.contract].group) for one in self.past]),
            )
        return self._played

    @property
    def eldest(self) -> int:
        """The seat after the dealer; without a dealer, seat 0, which is dealt the first card."""
        return 0 if self.dealer is None else (self.dealer + 1) % self.variant.seats

    @property
    def is_extra(self) -> bool:
        """Whether the deal is beyond the regular match."""
        return self.number > self.variant.deal_count

    @property
    def ended_early(self) -> bool:
        """Whether cards were left unplayed in a deal that was played."""
        return self.points is not None and self.play is not None and any(self.play.hands)

    @property
    def trick(self) -> Trick | None:
        """The open trick, or None."""
        return self.tricks[-1] if self.tricks and self.tricks[-1].taker is None else None

    def points_so_far(self) -> tuple[int, ...]:
        """Return the points by seat, up to now."""
        if self.points is not None:
            return self.points
        return tuple(self.play.points()) if self.play else (0,) * self.variant.seats

    def seats_from(self, seat: int) -> Iterator[int]:
        """Go round the table once, in playing order."""
        for offset in range(self.variant.seats):
            yield (seat + offset) % self.variant.seats

    def played_contract(self) -> Contract:
        """Return the plan's contract that is played, where its choices are only of trump or price."""
        return self.variant.contracts[self.plan.contracts[0]]
