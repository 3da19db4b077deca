"""One deal of a replay as a page shows it: decisions, tricks, plays, and a frame for every position.

Owns the conversion of computed positions to what is drawn and said. All rules stay in the engine: positions come ready.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.pages.hands import SeatCards, cards_in_view
from dashboard.words import Words
from referee.rules import Action, ActionKind, By, Position, ReplayDeal, Step, Variant, card_text

OPEN = "open"


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of the match: its number, where it stands on the page, and the bot in it.

    `known` is False where nobody may know yet which bot it is; `name` is then the seat's.
    """

    number: int
    at: str
    name: str
    version: str
    season: int | None = None
    known: bool = True


@dataclass(frozen=True, slots=True)
class Target:
    """A position of the match: deal from 1, and how many of its actions have been taken."""

    deal: int
    play: int


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision before the play: `play` is its number in the deal, `text` what was decided, suit and card drawn."""

    play: int
    seat: int
    at: str
    name: str
    text: str
    suit: str | None
    card: str | None
    time: str
    asked: str
    stand_in: bool


@dataclass(frozen=True, slots=True)
class Play:
    """A card of the list of plays."""

    play: int
    seat: int
    card: str
    led: bool
    took: bool
    time: str
    asked: str
    stand_in: bool


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick of the list: positions `start` (its leader is to play) and `end` (complete), and who took it."""

    number: int
    start: int
    end: int
    taker_at: str | None
    by_seat: tuple[Play | None, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A card on the table in front of its seat."""

    seat: int
    card: str
    order: int
    badge: str
    time: str
    wins: bool


@dataclass(frozen=True, slots=True)
class Plate:
    """What a seat's plate says at a position; `turn` is empty where it is another seat's turn.

    `clock`: of a live table, what the seat to move has left, in milliseconds.
    """

    points: int
    tricks: int
    thought: str
    stand_in: bool
    turn: str
    clock: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything that differs from one position of a deal to the next."""

    play: int
    contract: str
    contract_lines: tuple[str, ...]
    trump: str | None
    phase: str
    hands: tuple[tuple[str, ...], ...]
    slots: tuple[Played | None, ...]
    trick: int
    turn: int | None
    plates: tuple[Plate, ...]
    decided: int
    talon: tuple[str, ...]
    waiting: str
    declarer: int | None
    declared: str
    over: bool
    said: str
    steps: Mapping[str, Target | None]


@dataclass(frozen=True, slots=True)
class DealView:
    """What stays the same through a deal."""

    number: int
    count: int
    dealer: int | None
    hands: tuple[tuple[str | None, ...], ...]
    decisions: tuple[Decision, ...]
    tricks: tuple[Trick, ...]
    no_plays: str


@dataclass(frozen=True, slots=True)
class DealSource:
    """All that a deal is drawn from: the record's own words, the engine's positions, the view, and its neighbours.

    `before` and `after` are the numbers of actions of the deals next to it, None where there is none.
    """

    record: Mapping[str, Any]
    replayed: ReplayDeal
    variant: Variant
    seats: tuple[Seat, ...]
    view: str
    words: Words
    before: int | None
    after: int | None

    @property
    def number(self) -> int:
        """The deal's number, from 1."""
        return self.replayed.number

    @property
    def record_deal(self) -> Mapping[str, Any]:
        """The deal as the record has it."""
        deal: Mapping[str, Any] = self.record["deals"][self.number - 1]
        return deal

    @property
    def record_actions(self) -> list[Mapping[str, Any]]:
        """Its actions, with `by`, `ms` and `asked_with` where the record has them."""
        return list(self.record_deal["actions"])

    @property
    def actions(self) -> tuple[Action, ...]:
        """Its actions as the rules know them."""
        return tuple(Action.from_json(action) for action in self.record_actions)

    @property
    def viewer(self) -> int | None:
        """The viewing seat, None in the open view."""
        return None if self.view == OPEN else int(self.view)

    def sees_time_of(self, seat: int) -> bool:
        """Whether this view may know how long a seat thought."""
        return self.viewer is None or self.viewer == seat


def decision_count(source: DealSource) -> int:
    """How many actions came before the first card."""
    return sum(action.kind is not ActionKind.PLAY for action in source.actions)


def time_text(source: DealSource, action: Mapping[str, Any]) -> str:
    """How long a decision took: "107 ms", "forced"; empty where unknown, or unseen in this view."""
    if not source.sees_time_of(action["seat"]):
        return ""
    if action.get("by") == By.FORCED:
        return source.words.say(_("forced"))
    ms = action.get("ms")
    return source.words.thinking_time(float(ms)) if isinstance(ms, int | float) and action.get("by") == By.BOT else ""


def asked_text(source: DealSource, action: Mapping[str, Any]) -> str:
    """How many requests were asked together with this one."""
    count = action.get("asked_with")
    if not isinstance(count, int) or not source.sees_time_of(action["seat"]) or action.get("by") != By.BOT:
        return ""
    if count == 1:
        return source.words.say(_("asked alone"))
    return source.words.count("asked together: %(num)s request", "asked together: %(num)s requests", count)


def is_stand_in(action: Mapping[str, Any]) -> bool:
    """Whether the referee acted for a bot that had failed."""
    return action.get("by") == By.STAND_IN


def decisions(source: DealSource) -> tuple[Decision, ...]:
    """The decisions before the play, in order."""
    pairs = zip(source.actions, source.record_actions, strict=True)
    return tuple(
        _decision(source, number, action, written)
        for number, (action, written) in enumerate(pairs, start=1)
        if action.kind is not ActionKind.PLAY
    )


def _decision(source: DealSource, number: int, action: Action, written: Mapping[str, Any]) -> Decision:
    seat = source.seats[action.seat]
    text = source.words.decided(action)
    if action.contract is not None:
        text = source.words.contract(source.variant.contracts[action.contract])
    if action.kind is ActionKind.GIVE and action.to is not None:
        text = source.words.say(_("to %(name)s:"), name=source.seats[action.to].name)
    may_see_card = source.viewer is None or source.viewer in {action.seat, action.to}
    return Decision(
        play=number,
        seat=seat.number,
        at=seat.at,
        name=seat.name,
        text=text,
        suit=action.trump,
        card=card_text(action.card) if action.card is not None and may_see_card else None,
        time=time_text(source, written),
        asked=asked_text(source, written),
        stand_in=is_stand_in(written),
    )


def tricks(source: DealSource) -> tuple[Trick, ...]:
    """The tricks of the deal with their plays, the open one of an unfinished record included."""
    start = decision_count(source)
    shown = []
    for number, trick in enumerate(source.record_deal["tricks"], start=1):
        count = len(trick["cards"])
        taker = trick["taker"]
        plays: list[Play | None] = [None] * len(source.seats)
        for offset in range(count):
            written = source.record_actions[start + offset]
            plays[written["seat"]] = Play(
                play=start + offset + 1,
                seat=written["seat"],
                card=written["card"],
                led=offset == 0,
                took=written["seat"] == taker,
                time=time_text(source, written),
                asked=asked_text(source, written),
                stand_in=is_stand_in(written),
            )
        taker_at = None if taker is None else source.seats[taker].at
        shown.append(Trick(number=number, start=start, end=start + count, taker_at=taker_at, by_seat=tuple(plays)))
        start += count
    return tuple(shown)


def deal_view(source: DealSource) -> DealView:
    """What stays the same through the deal."""
    return DealView(
        number=source.number,
        count=max(source.variant.deal_count, len(source.record["deals"])),
        dealer=source.record_deal["dealer"],
        hands=tuple(cards.faces for cards in seat_cards(source)),
        decisions=decisions(source),
        tricks=tricks(source),
        no_plays=source.words.say(_("No card was played in this deal.")),
    )


def seat_cards(source: DealSource) -> tuple[SeatCards, ...]:
    """The cards of every seat as this view has them."""
    positions, actions = source.replayed.positions, source.actions
    return tuple(cards_in_view(positions, actions, seat.number, source.viewer) for seat in source.seats)


def contract_lines(variant: Variant, position: Position, words: Words) -> tuple[str, ...]:
    """What is written below the name of a contract: what it counts, misère, the price."""
    if position.contract is None:
        return ()
    lines = [words.scoring(variant.contracts[position.contract])]
    if position.misere:
        lines.append(words.say(_("misère: the lowest card wins")))
    if position.price is not None:
        lines.append(words.count("price: %(num)s trick", "price: %(num)s tricks", position.price))
    return tuple(line for line in lines if line)


def declared_words(variant: Variant, number: int, position: Position) -> str:
    """How the declarer came to the contract, as a label: "Chosen by"."""
    steps = set(variant.plan(number).opening.steps)
    if Step.CHOOSE in steps:
        return _("Chosen by")
    if Step.ORDER in steps:
        return _("Ordered by")
    if position.price is not None:
        return _("Bought by")
    return _("Trump named by")
