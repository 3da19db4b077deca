"""A table that is being played, drawn from a picture of what everybody at it can see.

Owns the way from such a picture to the pieces that the replay page has too: seats, plates, trick, decisions, sheet.
What a picture does not have cannot be drawn: hidden cards are backs, one for each card that a hand must still hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.numbers import signed
from dashboard.pages import seating
from dashboard.pages.deal import Decision, Frame, Plate, Played, Seat, contract_lines, declared_words
from dashboard.pages.hands import HELD
from dashboard.pages.sheet import Sheet, sheet
from dashboard.words import Words
from league.live import LiveSitting, LiveTable
from league.model import Season
from referee.rules import Action, ActionKind, By, Position, Variant, parse_variant


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@dataclass(frozen=True, slots=True)
class LiveDeal:
    """What stays the same through the deal; `hands` are backs, but for a card that was shown to all."""

    number: int
    count: int
    dealer: int | None
    hands: tuple[tuple[str | None, ...], ...]
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class LivePlay:
    """A card of the list of tricks."""

    card: str
    led: bool
    took: bool
    stand_in: bool


@dataclass(frozen=True, slots=True)
class LiveTrick:
    """A trick of this deal, by seat; a card that is not played yet is None."""

    number: int
    by_seat: tuple[LivePlay | None, ...]


@dataclass(frozen=True, slots=True)
class LiveState:
    """A table at one moment. `deal` and `frame` have the parts that the felt is drawn from."""

    count: int
    deal: LiveDeal
    frame: Frame
    sheet: Sheet
    tricks: tuple[LiveTrick, ...]
    clock_runs: bool
    over: bool
    result: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LivePage:
    """The model of the page; `state` is None before the first picture. `others` are tables to watch next."""

    season: Season
    variant: str
    match_id: str
    board: int | None
    rotation: int
    seats: tuple[Seat, ...]
    seats_in_reading_order: tuple[Seat, ...]
    state: LiveState | None
    others: tuple[LiveTable, ...]


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table of the list; without names where a remote bot sits at it."""

    match_id: str
    board: int | None
    names: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class ListedSitting:
    """A sitting whose tables can be watched."""

    season: Season
    rotation: int
    tables: tuple[ListedTable, ...]


def live_seats(table: LiveTable, variant: Variant, season: int, words: Words) -> tuple[Seat, ...]:
    """The seats of a table, with the names that may be told."""
    places = seating.places(variant.seats, clockwise=variant.clockwise)
    names = table.names or tuple(words.say(_("seat %(number)s"), number=seat) for seat in range(variant.seats))
    return tuple(
        Seat(number=seat, at=places[seat], name=name, version="", season=season, known=table.names is not None)
        for seat, name in enumerate(names)
    )


def live_page(
    season: Season,
    sitting: LiveSitting,
    table: LiveTable,
    picture: Mapping[str, Any] | None,
    words: Words,
) -> LivePage:
    """The page of a table with the picture there is of it."""
    variant = parse_variant(sitting.variant)
    seats = live_seats(table, variant, season.id, words)
    order = seating.reading_order(tuple(seat.at for seat in seats))
    return LivePage(
        season=season,
        variant=variant.id,
        match_id=table.match_id,
        board=table.board,
        rotation=sitting.rotation,
        seats=seats,
        seats_in_reading_order=tuple(seats[seat] for seat in order),
        state=None if picture is None else live_state(picture, variant, seats, words),
        others=tuple(one for one in sitting.tables if one.match_id != table.match_id),
    )


def live_state(picture: Mapping[str, Any], variant: Variant, seats: Sequence[Seat], words: Words) -> LiveState:
    """A table at the moment of a picture."""
    return _Drawing(picture, variant, seats, words).state()


class _Drawing:
    """Turns one picture into what is drawn."""

    def __init__(self, picture: Mapping[str, Any], variant: Variant, seats: Sequence[Seat], words: Words) -> None:
        self._picture = picture
        self._deal: Mapping[str, Any] = picture["deal"]
        self._variant = variant
        self._seats = seats
        self._words = words
        self._position = _position(picture)
        self._actions = tuple(map(_action, self._deal["actions"]))

    def state(self) -> LiveState:
        clock = self._picture["clock"]
        return LiveState(
            count=self._picture["count"],
            deal=self._live_deal(),
            frame=self._frame(),
            sheet=self._sheet(),
            tricks=self._tricks(),
            clock_runs=bool(clock and clock["running"]),
            over=self._picture["places"] is not None,
            result=self._result(),
        )

    def _live_deal(self) -> LiveDeal:
        return LiveDeal(
            number=self._deal["number"],
            count=max(self._variant.deal_count, self._deal["number"]),
            dealer=self._deal["dealer"],
            hands=tuple(self._faces(seat) for seat in range(len(self._seats))),
            decisions=self._decisions(),
        )

    def _faces(self, seat: int) -> tuple[str | None, ...]:
        count: int = self._deal["hand_counts"][seat]
        if self._deal["exposed_in"] != seat:
            return (None,) * count
        return (self._deal["exposed"], *(None,) * (count - 1))

    def _decisions(self) -> tuple[Decision, ...]:
        pairs = zip(self._actions, self._deal["actions"], strict=True)
        return tuple(
            self._decision(number, action, written["by"])
            for number, (action, written) in enumerate(pairs, start=1)
            if action.kind is not ActionKind.PLAY
        )

    def _decision(self, number: int, action: Action, by: str) -> Decision:
        seat = self._seats[action.seat]
        text = self._words.decided(action)
        if action.contract is not None:
            text = self._words.contract(self._variant.contracts[action.contract])
        if action.to is not None:
            text = self._words.say(_("a card to %(name)s"), name=self._seats[action.to].name)
        return Decision(
            play=number,
            seat=seat.number,
            at=seat.at,
            name=seat.name,
            text=text,
            suit=action.trump,
            card=None,
            time="",
            asked="",
            stand_in=by == By.STAND_IN,
        )

    def _frame(self) -> Frame:
        deal, turn = self._deal, self._picture["turn"]
        contract = deal["contract"] and self._variant.contracts[deal["contract"]]
        is_playing = bool(deal["tricks"]) or self._is_lead_due()
        return Frame(
            play=len(self._actions),
            contract=self._words.contract(contract) if contract else "",
            contract_lines=contract_lines(self._variant, self._position, self._words),
            trump=deal["trump"],
            phase="play" if is_playing else "decisions",
            hands=tuple((HELD,) * count for count in deal["hand_counts"]),
            slots=self._slots(),
            trick=len(deal["tricks"]),
            turn=turn,
            plates=tuple(self._plate(seat.number) for seat in self._seats),
            decided=len(self._decisions()),
            talon=tuple(deal["talon"]),
            waiting="" if is_playing else self._waiting(),
            declarer=None if deal["contract"] is None else deal["declarer"],
            declared=self._words.say(declared_words(self._variant, deal["number"], self._position)),
            over=deal["over"],
            said=self._said(),
            steps={},
        )

    def _is_lead_due(self) -> bool:
        return bool(self._picture["deciding"] == [ActionKind.PLAY.value])

    def _slots(self) -> tuple[Played | None, ...]:
        slots: list[Played | None] = [None] * len(self._seats)
        if not self._deal["tricks"]:
            return tuple(slots)
        trick = self._deal["tricks"][-1]
        wins = self._deal["holder"] if trick["taker"] is None else trick["taker"]
        start = len(self._actions) - len(trick["cards"])
        for order, (action, written) in enumerate(
            zip(self._actions[start:], self._deal["actions"][start:], strict=True), start=1
        ):
            slots[action.seat] = Played(
                seat=action.seat,
                card=written["card"],
                order=order,
                badge=self._words.say(_("1 · led")) if order == 1 else str(order),
                time=self._words.say(_("stand-in")) if written["by"] == By.STAND_IN else "",
                wins=action.seat == wins,
            )
        return tuple(slots)

    def _plate(self, seat: int) -> Plate:
        is_turn, clock = self._picture["turn"] == seat, self._picture["clock"]
        turn = _("to play") if self._is_lead_due() else _("to decide")
        own = [written["by"] for written in self._deal["actions"] if written["seat"] == seat]
        chosen = [by for by in own if by != By.FORCED]
        return Plate(
            points=self._picture["totals"][seat],
            tricks=self._deal["tricks_taken"][seat],
            thought="",
            stand_in=bool(chosen) and chosen[-1] == By.STAND_IN,
            turn=self._words.say(turn) if is_turn else "",
            clock=clock["left_ms"] if is_turn and clock else None,
        )

    def _waiting(self) -> str:
        turn = self._picture["turn"]
        if turn is None:
            return ""
        return self._words.decision_due(
            [ActionKind(kind) for kind in self._picture["deciding"]], self._seats[turn].name
        )

    def _sheet(self) -> Sheet:
        deals = [*self._picture["deals"]]
        if not self._deal["over"]:
            deals.append({**self._deal, "points": None, "made_king": None})
        form = {"deals": deals, "settlement": self._picture["settlement"]}
        return sheet(form, self._variant, self._seats, self._words, self._deal["number"])

    def _tricks(self) -> tuple[LiveTrick, ...]:
        start = len(self._actions) - sum(len(trick["cards"]) for trick in self._deal["tricks"])
        tricks = []
        for number, trick in enumerate(self._deal["tricks"], start=1):
            by_seat: list[LivePlay | None] = [None] * len(self._seats)
            for order, written in enumerate(self._deal["actions"][start : start + len(trick["cards"])]):
                by_seat[written["seat"]] = LivePlay(
                    card=written["card"],
                    led=order == 0,
                    took=written["seat"] == trick["taker"],
                    stand_in=written["by"] == By.STAND_IN,
                )
            start += len(trick["cards"])
            tricks.append(LiveTrick(number, tuple(by_seat)))
        return tuple(tricks)

    def _result(self) -> tuple[str, ...]:
        places = self._picture["places"]
        if places is None:
            return ()
        order = sorted(self._seats, key=lambda seat: places[seat.number])
        return tuple(
            f"{places[seat.number]}. {seat.name} {signed(self._picture['totals'][seat.number])}" for seat in order
        )

    def _said(self) -> str:
        return " ".join(part for part in (self._last_said(), self._turn_said()) if part)

    def _last_said(self) -> str:
        if not self._actions:
            return self._words.say(_("Deal %(number)s: the cards are dealt."), number=self._deal["number"])
        action, written = self._actions[-1], self._deal["actions"][-1]
        name = self._seats[action.seat].name
        if action.kind is not ActionKind.PLAY:
            return self._words.say(_("%(name)s: %(what)s."), name=name, what=self._decisions()[-1].text)
        card, taker = self._words.card(written["card"]), self._deal["tricks"][-1]["taker"]
        if taker is None:
            return self._words.say(_("%(name)s: %(card)s."), name=name, card=card)
        if taker == action.seat:
            return self._words.say(_("%(name)s: %(card)s; takes the trick."), name=name, card=card)
        sentence = _("%(name)s: %(card)s; %(taker)s takes the trick.")
        return self._words.say(sentence, name=name, card=card, taker=self._seats[taker].name)

    def _turn_said(self) -> str:
        turn = self._picture["turn"]
        if turn is None:
            return self._words.say(_("The match is over."))
        if self._is_lead_due():
            return self._words.say(_("%(name)s to play."), name=self._seats[turn].name)
        return self._waiting() + "."


def _action(written: Mapping[str, Any]) -> Action:
    """An action as the rules know it; a gift is without its card, which the picture does not have."""
    if written["do"] == ActionKind.GIVE:
        return Action(written["seat"], ActionKind.GIVE, to=written["to"])
    return Action.from_json(written)


def _position(picture: Mapping[str, Any]) -> Position:
    """What the words about a position need; what a picture does not tell is empty."""
    deal = picture["deal"]
    return Position(
        number=len(deal["actions"]),
        action=None,
        hands=(),
        leader=None,
        trick=(),
        holder=deal["holder"],
        last_trick=None,
        tricks_taken=tuple(deal["tricks_taken"]),
        points=tuple(deal["points"]),
        totals=tuple(picture["totals"]),
        seat_to_act=picture["turn"],
        legal=(),
        legal_cards=(),
        contract=deal["contract"],
        declarer=deal["declarer"],
        trump=deal["trump"],
        misere=deal["misere"],
        price=deal["price"],
        bid=None,
        exposed=deal["exposed"],
        talon=tuple(deal["talon"]),
    )
