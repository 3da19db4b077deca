"""Frames: what the table shows at each position of a deal, and where the step controls lead from there.

Owns the step order (plays, tricks, deals) and the spoken line. Positions, points and legal cards come from the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from dashboard.numbers import signed
from dashboard.pages.deal import (
    DealSource,
    Frame,
    Plate,
    Play,
    Played,
    Target,
    Trick,
    contract_lines,
    decision_count,
    declared_words,
    seat_cards,
    tricks,
)
from dashboard.words import Words
from referee.rules import Action, ActionKind, By, Position, card_text


def _(message: str) -> str:
    return message


def legal_kinds(position: Position) -> frozenset[ActionKind]:
    """The kinds of action that the seat to act has."""
    return frozenset(ActionKind(str(action["do"])) for action in position.legal)


class Frames:
    """The frames of one deal in one view, made on demand."""

    def __init__(self, source: DealSource) -> None:
        self._source = source
        self._words: Words = source.words
        self._positions = source.replayed.positions
        self._actions = source.actions
        self._tricks = tricks(source)
        self._cards = seat_cards(source)
        self._first_lead = decision_count(source)

    def __len__(self) -> int:
        return len(self._positions)

    def frame(self, play: int) -> Frame:
        """The frame after `play` actions, from 0."""
        position = self._positions[play]
        trick = self._trick_at(play)
        contract = position.contract and self._source.variant.contracts[position.contract]
        played = {card_text(action.card) for action in self._plays_until(play) if action.card is not None}
        return Frame(
            play=play,
            contract=self._words.contract(contract) if contract else "",
            contract_lines=contract_lines(self._source.variant, position, self._words),
            trump=position.trump,
            phase="decisions" if self._first_lead and play <= self._first_lead else "play",
            hands=tuple(cards.states(position, play, played) for cards in self._cards),
            slots=self._slots(play, position, trick),
            trick=trick.number if trick else 0,
            turn=position.seat_to_act,
            plates=tuple(self._plate(seat.number, play, position) for seat in self._source.seats),
            decided=min(play, self._first_lead),
            talon=self._talon(position),
            waiting=self._waiting(play, position),
            declarer=None if position.contract is None else position.declarer,
            declared=self._words.say(declared_words(self._source.variant, self._source.number, position)),
            over=self._is_over(play),
            said=self._said(play, position),
            steps=self._steps(play),
        )

    def _plays_until(self, play: int) -> list[Action]:
        return [action for action in self._actions[:play] if action.kind is ActionKind.PLAY]

    def _is_over(self, play: int) -> bool:
        return play == len(self._positions) - 1 and self._source.record_deal["points"] is not None

    def _trick_at(self, play: int) -> Trick | None:
        """The trick whose cards lie on the table after `play` actions; a finished one stays until the next card."""
        if play == self._first_lead and self._tricks:
            return self._tricks[0]
        return next((trick for trick in self._tricks if trick.start < play <= trick.end), None)

    def _slots(self, play: int, position: Position, trick: Trick | None) -> tuple[Played | None, ...]:
        if trick is None:
            return (None,) * len(self._source.seats)
        on_table = [shown if shown is not None and shown.play <= play else None for shown in trick.by_seat]
        return tuple(
            None if shown is None else self._played(shown, trick, wins=self._wins(shown, play, trick, position))
            for shown in on_table
        )

    def _wins(self, shown: Play, play: int, trick: Trick, position: Position) -> bool:
        """Whether a card holds the trick, or took it once it is complete."""
        return shown.took if play == trick.end else position.holder == shown.seat

    def _played(self, shown: Play, trick: Trick, *, wins: bool) -> Played:
        order = shown.play - trick.start
        return Played(
            seat=shown.seat,
            card=shown.card,
            order=order,
            badge=self._words.say(_("1 · led")) if order == 1 else str(order),
            time=self._words.say(_("stand-in")) if shown.stand_in else shown.time,
            wins=wins,
        )

    def _talon(self, position: Position) -> tuple[str, ...]:
        """The face-up cards, until the declarer has taken them."""
        talon = tuple(self._source.record_deal["talon"])
        is_taken = any(talon[0] in hand for hand in position.hands) if talon else True
        return () if is_taken else talon

    def _plate(self, seat: int, play: int, position: Position) -> Plate:
        to_act = position.seat_to_act == seat
        decides = any(kind is not ActionKind.PLAY for kind in legal_kinds(position))
        turn = _("to decide") if decides else _("to play")
        return Plate(
            points=position.totals[seat],
            tricks=position.tricks_taken[seat],
            thought=self._thought(seat, play),
            stand_in=self._is_forfeited(seat, play),
            turn=self._words.say(turn) if to_act else "",
        )

    def _thought(self, seat: int, play: int) -> str:
        if not self._source.sees_time_of(seat):
            return ""
        spent = [
            float(action["ms"])
            for action in self._source.record_actions[:play]
            if action["seat"] == seat and action.get("by") == By.BOT and action.get("ms") is not None
        ]
        return self._words.thinking_time(sum(spent)) if spent else ""

    def _is_forfeited(self, seat: int, play: int) -> bool:
        here = (self._source.number, play + 1)
        forfeits = self._source.record["forfeits"]
        return any(forfeit["seat"] == seat and (forfeit["deal"], forfeit["action"]) <= here for forfeit in forfeits)

    def _waiting(self, play: int, position: Position) -> str:
        if position.seat_to_act is None or play > self._first_lead:
            return ""
        name = self._source.seats[position.seat_to_act].name
        return self._words.decision_due(legal_kinds(position), name)

    def _said(self, play: int, position: Position) -> str:
        return " ".join(part for part in (self._what_happened(play), self._whose_turn(play, position)) if part)

    def _what_happened(self, play: int) -> str:
        if play == 0:
            return self._words.say(_("Deal %(number)s: the cards are dealt."), number=self._source.number)
        action = self._actions[play - 1]
        name = self._source.seats[action.seat].name
        if action.kind is not ActionKind.PLAY:
            return self._said_decision(action, name)
        card = self._words.card(card_text(action.card or 0))
        taker = next((trick for trick in self._tricks if trick.end == play and trick.taker_at), None)
        if taker is None:
            return self._words.say(_("%(name)s: %(card)s."), name=name, card=card)
        if any(shown is not None and shown.took and shown.seat == action.seat for shown in taker.by_seat):
            return self._words.say(_("%(name)s: %(card)s; takes the trick."), name=name, card=card)
        by = next(seat.name for seat in self._source.seats if seat.at == taker.taker_at)
        sentence = _("%(name)s: %(card)s; %(taker)s takes the trick.")
        return self._words.say(sentence, name=name, card=card, taker=by)

    def _said_decision(self, action: Action, name: str) -> str:
        what = [self._words.decided(action)]
        if action.contract is not None:
            what.append(self._words.contract(self._source.variant.contracts[action.contract]))
        if action.trump is not None:
            what.append(self._words.suit(action.trump))
        if action.to is not None:
            sentence = _("%(name)s gives a card to %(to)s.")
            return self._words.say(sentence, name=name, to=self._source.seats[action.to].name)
        return self._words.say(_("%(name)s: %(what)s."), name=name, what=", ".join(filter(None, what)))

    def _whose_turn(self, play: int, position: Position) -> str:
        if self._is_over(play):
            points = self._source.record_deal["points"]
            parts = [f"{seat.name} {signed(points[seat.number])}" for seat in self._source.seats]
            return self._words.say(_("The deal is over: %(points)s."), points=", ".join(parts))
        if position.seat_to_act is None:
            return ""
        name = self._source.seats[position.seat_to_act].name
        kinds = legal_kinds(position)
        if kinds <= {ActionKind.PLAY}:
            return self._words.say(_("%(name)s to play."), name=name)
        return self._words.decision_due(kinds, name) + "."

    @cached_property
    def _stops(self) -> tuple[int, ...]:
        """Positions where a trick begins or ends, rising; with the ends of the deal."""
        ends = {trick.end for trick in self._tricks}
        return tuple(sorted({0, self._first_lead, len(self) - 1, *ends}))

    def _steps(self, play: int) -> Mapping[str, Target | None]:
        number, last = self._source.number, len(self) - 1
        before = None if self._source.before is None else Target(number - 1, self._source.before)
        after = None if self._source.after is None else Target(number + 1, 0)
        earlier = [stop for stop in self._stops if stop < play]
        later = [stop for stop in self._stops if stop > play]
        return {
            "first": Target(number, 0) if play > 0 else None,
            "trick_back": Target(number, earlier[-1]) if earlier else before,
            "back": Target(number, play - 1) if play > 0 else before,
            "forward": Target(number, play + 1) if play < last else after,
            "trick_forward": Target(number, later[0]) if later else after,
            "last": Target(number, last) if play < last else None,
            "deal_back": None if self._source.before is None else Target(number - 1, 0),
            "deal_forward": after,
        }
