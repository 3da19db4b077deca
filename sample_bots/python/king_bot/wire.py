"""The protocol's messages and the bot's view: from one to the other.

Owns the translation, message by message. Opens no connection and takes no decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from king.v1 import arena_pb2 as pb

from king_bot.actions import PLAYS, Action, ActionBy, ActionKind
from king_bot.cards import CARD_BY_TEXT, SUITS
from king_bot.facts import MOST_SEATS, Forfeit, TimeControl
from king_bot.table import Table

_KINDS = {number: ActionKind(name.removeprefix("ACTION_KIND_").lower()) for name, number in pb.ActionKind.items()[1:]}
_BY = {number: ActionBy(name.removeprefix("ACTION_BY_").lower()) for name, number in pb.ActionBy.items()[1:]}
_SUITS: tuple[str | None, ...] = (None, *SUITS)
_PLAY = pb.ACTION_KIND_PLAY
_PLAYS = {text: PLAYS[card] for text, card in CARD_BY_TEXT.items()}


class Asked(NamedTuple):
    """A request, with its table as it stands."""

    request_id: int
    table: Table
    actions: Sequence[Action]
    left_ms: int
    taken_last_ms: int


class Tables:
    """The tables of one process, by the referee's number; survives a broken stream."""

    def __init__(
        self,
        *,
        started: Callable[[Table], None],
        deal_ended: Callable[[Table], None],
        ended: Callable[[Table], None],
    ) -> None:
        self.by_number: dict[int, Table] = {}
        self._started = started
        self._deal_ended = deal_ended
        self._ended = ended

    def take_in(self, messages: Sequence[pb.RefereeMessage]) -> list[Asked]:
        """Brings the views up to date with a whole frame; returns its requests in order.

        Raises:
            ValueError: if a message is about a table that never started, or contradicts the view.
        """
        asked: list[Asked] = []
        for message in messages:
            kind = message.WhichOneof("message")
            table = self.by_number.get(message.table)
            if kind == "action_taken" and table is not None:  # nearly all there is
                taken = message.action_taken
                action, seat = taken.action, taken.seat
                card = CARD_BY_TEXT.get(action.card)
                if card is not None and action.kind == _PLAY and seat < table.seats:
                    table.deal.on_play(seat, card)
                    continue
            if kind is None or kind == "welcome":
                continue  # a kind that this version does not know
            if kind == "table_start":
                self._on_table_start(message.table, message.table_start)
                continue
            if table is None:
                raise ValueError(f"the referee sent {kind} for table {message.table}, which has not started")
            if kind == "table_end":
                self._on_table_end(message.table, table, message.table_end)
                continue
            try:
                if kind == "request":
                    asked.append(_asked(table, message.request))
                else:
                    _EVENTS[kind](table, message)
            except LookupError as error:
                contradicts = f"for table {message.table}, which contradicts the view: {error!r}"
                raise ValueError(f"the referee sent {kind} {contradicts}") from error
            if kind == "deal_end":
                self._deal_ended(table)
        return asked

    def _on_table_start(self, number: int, start: pb.TableStart) -> None:
        if not 2 <= start.seat_count <= MOST_SEATS or not 0 <= start.seat < start.seat_count:
            raise ValueError(f"the referee sent seat {start.seat} of {start.seat_count} for table {number}")
        control = start.time_control
        table = Table(
            variant=start.variant,
            options=start.options,
            seats=start.seat_count,
            seat=start.seat,
            match_id=start.match_id,
            deal_commitment=start.deal_commitment,
            number=number,
            time_control=TimeControl(control.start_ms, control.increment_ms, control.bank_ms),
        )
        self.by_number[number] = table
        self._started(table)

    def _on_table_end(self, number: int, table: Table, end: pb.TableEnd) -> None:
        forfeits = [Forfeit(each.seat, each.kind, each.deal, each.action) for each in end.forfeits]
        table.on_table_end(end.totals, end.places, forfeits, end.aborted)
        del self.by_number[number]
        self._ended(table)


def read_action(action: pb.Action) -> Action:
    """An action of the protocol as one of the SDK."""
    if action.kind == _PLAY:
        return _PLAYS[action.card]
    kind = _KINDS[action.kind]
    gives = kind is ActionKind.GIVE
    return Action(
        kind,
        card=CARD_BY_TEXT[action.card] if gives else None,
        contract=action.contract or None,
        trump=_SUITS[action.trump],
        tricks=action.trick_count or None,
        to=action.to_seat if gives else None,
    )


def _asked(table: Table, request: pb.Request) -> Asked:
    actions = [read_action(action) for action in request.legal_actions]
    table.on_request(actions)
    return Asked(request.request_id, table, actions, request.time_left_ms, request.time_taken_last_ms)


def _on_deal_start(table: Table, message: pb.RefereeMessage) -> None:
    start = message.deal_start
    dealer = start.dealer if start.has_dealer else None
    table.on_deal_start(start.number, dealer, start.chooser if start.has_chooser else None)


def _on_action(table: Table, message: pb.RefereeMessage) -> None:
    taken = message.action_taken
    action = taken.action
    if action.kind == _PLAY:
        table.deal.on_play(taken.seat, CARD_BY_TEXT[action.card])
    else:
        table.deal.on_action(taken.seat, read_action(action), _BY[taken.by])


def _on_gift(table: Table, message: pb.RefereeMessage) -> None:
    gift = message.card_given
    table.deal.on_gift(gift.seat, gift.to_seat, CARD_BY_TEXT[gift.card] if gift.card else None)


def _on_contract(table: Table, message: pb.RefereeMessage) -> None:
    chosen = message.contract_set
    declarer = chosen.declarer if chosen.has_declarer else None
    table.on_contract(chosen.contract, declarer, _SUITS[chosen.trump], chosen.price or None, misere=chosen.misere)


def _on_exposed(table: Table, message: pb.RefereeMessage) -> None:
    table.deal.on_exposed(message.exposed.seat, CARD_BY_TEXT[message.exposed.card])


_EVENTS: dict[str, Callable[[Table, pb.RefereeMessage], None]] = {
    "deal_start": _on_deal_start,
    "cards_dealt": lambda table, message: table.on_cards([CARD_BY_TEXT[card] for card in message.cards_dealt.cards]),
    "talon_shown": lambda table, message: table.on_talon([CARD_BY_TEXT[card] for card in message.talon_shown.cards]),
    "action_taken": _on_action,
    "card_given": _on_gift,
    "exposed": _on_exposed,
    "contract_set": _on_contract,
    "trick_end": lambda table, message: table.deal.on_trick_end(message.trick_end.taker),
    "deal_end": lambda table, message: table.on_deal_end(message.deal_end.points, message.deal_end.totals),
}
