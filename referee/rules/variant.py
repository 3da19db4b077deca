"""The data model of a variant: how its deals go and what decides the match, as frozen values.

Owns the types and the checks that a row passes at import. Must not know any particular variant.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final

from referee.rules.cards import Card, mask_of
from referee.rules.contracts import Contract, Group, Title
from referee.rules.errors import RulesError, quoted
from referee.rules.options import Option, OptionValue

Options = Mapping[str, OptionValue]


class Step(StrEnum):
    """One decision, or a row of like ones, before the cards are played; `steps/` has one set of functions for each."""

    CHOOSE = "choose"
    """The chooser chooses a contract, and a trump where it has one."""
    ORDER = "order"
    """Eldest first, each seat orders a contract or passes."""
    BID = "bid"
    """Eldest first, all bid for the right to name the trump; the dealer has it at 1 if nobody bids."""
    OFFER = "offer"
    """Eldest offers the game for sale, or keeps it."""
    SALE = "sale"
    """The others bid for what eldest has offered."""
    GIVE = "give"
    """The declarer takes the talon and gives each opponent a card."""
    NAME_TRUMP = "name_trump"
    """The declarer names a trump."""
    NAME_TRUMP_OR_LAST = "name_trump_or_last"
    """Eldest names a trump, or leaves it to the last card."""
    PRAISE = "praise"
    """Eldest praises a suit among the first cards, the last card, misère, or writes tricks to all."""
    PRAISE_BOUGHT = "praise_bought"
    """The buyer chooses anew."""


class LeaderRule(StrEnum):
    """Who leads to the first trick."""

    ELDEST = "eldest"
    CHOOSER = "chooser"
    SEVEN_OF_CLUBS = "seven_of_clubs"


class WinnerRule(StrEnum):
    """What decides the places."""

    HIGHEST_SUM = "highest_sum"
    SMALLEST_PENALTIES = "smallest_penalties"


@dataclass(frozen=True, kw_only=True)
class Opening:
    """What comes before the play of a deal.

    `first_cards` are dealt to each before the deal pauses for the steps (None: all). `talon` is the number of cards
    turned face up.
    """

    steps: tuple[Step, ...] = ()
    first_cards: int | None = None
    talon: int = 0


FIXED: Final = Opening()
CHOSEN: Final = Opening(steps=(Step.CHOOSE,))
ORDERED: Final = Opening(steps=(Step.ORDER,))
AUCTION: Final = Opening(steps=(Step.BID, Step.NAME_TRUMP))
NAMED: Final = Opening(steps=(Step.NAME_TRUMP,))
THREE_CARDS: Final = Opening(steps=(Step.NAME_TRUMP_OR_LAST,), first_cards=3)
PRAISED: Final = Opening(steps=(Step.PRAISE, Step.OFFER, Step.SALE, Step.PRAISE_BOUGHT), first_cards=3)


def talon_opening(cards: int) -> Opening:
    """Return the opening of a deal with a talon of so many cards."""
    return Opening(steps=(Step.OFFER, Step.SALE, Step.GIVE, Step.NAME_TRUMP), talon=cards)


@dataclass(frozen=True, kw_only=True)
class DealPlan:
    """One deal: its opening, and the contracts (ids) that it can come to be played for."""

    contracts: tuple[str, ...]
    opening: Opening = FIXED

    @property
    def fixed_contract(self) -> str | None:
        """The contract that is known before any decision, or None."""
        return self.contracts[0] if len(self.contracts) == 1 else None


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A variant with every option resolved.

    `deals` are the plans of a regular match; `extra_deals` more like the last follow while the lead is shared.
    `first_holder` chooses in the first deal (None: the first chooser or dealer is drawn by lot). `seat_limits` say how
    many contracts of a group one seat may choose. `forfeit_points` is W: a forfeit costs as much, in points of a
    whole match.
    """

    id: str
    base_id: str
    rules_version: int
    title: Title
    options: Options
    seats: int
    pack: tuple[Card, ...]
    clockwise: bool
    contracts: Mapping[str, Contract]
    deals: tuple[DealPlan, ...]
    extra_deals: int = 0
    has_dealer: bool = True
    first_holder: Card | None = None
    leader: LeaderRule = LeaderRule.ELDEST
    winner: WinnerRule = WinnerRule.HIGHEST_SUM
    settles: bool = False
    seat_limits: Mapping[Group, int] = field(default_factory=dict)
    forfeit_points: int

    @property
    def deal_count(self) -> int:
        """The number of deals of a regular match."""
        return len(self.deals)

    @cached_property
    def pack_mask(self) -> int:
        """The pack as a mask."""
        return mask_of(self.pack)

    @property
    def tricks(self) -> int:
        """The number of tricks of a deal."""
        return len(self.pack) // self.seats

    def plan(self, number: int) -> DealPlan:
        """Return the plan of a deal, from 1; extra deals go like the last."""
        return self.deals[min(number, self.deal_count) - 1]

    def __post_init__(self) -> None:
        """Check that the row fits together.

        Raises:
            ValueError: naming what does not.
        """
        if len(self.pack) % self.seats:
            raise ValueError(f"{self.id}: {len(self.pack)} cards do not divide by {self.seats} seats")
        for contract in self.contracts.values():
            total = contract.expected_total(mask_of(self.pack), self.tricks, self.seats)
            if total != contract.total:
                raise ValueError(f"{self.id}: {contract.id} adds up to {total}, not {contract.total}")
        used = {contract for plan in self.deals for contract in plan.contracts}
        if used != set(self.contracts):
            raise ValueError(f"{self.id}: contracts {sorted(used ^ set(self.contracts))} are not both listed and used")


@dataclass(frozen=True, kw_only=True)
class VariantRow:
    """One base variant: its options, and the function that makes the row of resolved options.

    `build` gets the id, the row and every option resolved; it raises RulesError for options that do not go together.
    """

    id: str
    title: Title
    rules_version: int = 1
    options: tuple[Option, ...] = ()
    build: Callable[[str, "VariantRow", Options], Variant]

    def option(self, name: str) -> Option:
        """Return an option by its name.

        Raises:
            RulesError: naming the options there are.
        """
        for option in self.options:
            if option.name == name:
                return option
        names = ", ".join(option.name for option in self.options)
        has = f"options are {names}" if names else "it has no options"
        raise RulesError(f"{self.id} has no option {quoted(name)}; {has}")

    def resolve(self, given: Options) -> Variant:
        """Make the variant with some options given and the others at their defaults."""
        resolved = {option.name: given.get(option.name, option.default) for option in sorted_options(self)}
        return self.build(self.canonical(resolved), self, resolved)

    def canonical(self, resolved: Options) -> str:
        """Write the id: options in alphabetical order, defaults left out."""
        texts = [
            f"{option.name}={option.text(resolved[option.name])}"
            for option in sorted_options(self)
            if resolved[option.name] != option.default
        ]
        return f"{self.id}[{','.join(texts)}]" if texts else self.id


def sorted_options(row: VariantRow) -> list[Option]:
    """Return the options of a row in alphabetical order."""
    return sorted(row.options, key=lambda option: option.name)
