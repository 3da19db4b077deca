"""What is said to bots and heard from them, as bytes: rules on one side, `king.v1` on the other.

The one place that knows how an event looks on the wire, and it never says more than a seat may know. A *piece* is one
`RefereeMessage` as it stands in a frame: field 1 of `PlayResponse`, with its length. Protobuf lets fields follow each
other in any order, so a frame is its pieces joined, and a piece made once serves every seat that is told the same.
Must not decide anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError, Message
from king.v1 import arena_pb2 as pb

from referee.clock import TimeControl
from referee.faults import FRAME_LIMIT_BYTES, MESSAGES_AT_MOST
from referee.rules import (
    Action,
    ActionKind,
    ActionTaken,
    By,
    CardExposed,
    CardGiven,
    CardsDealt,
    ContractSet,
    DealEnded,
    DealStarted,
    Event,
    Forfeit,
    TalonShown,
    TrickEnded,
    Variant,
    card_text,
    option_texts,
)
from referee.rules.actions import MAX_SEATS
from referee.rules.cards import CARD_COUNT, SUIT_MASK_OF, SUIT_MASKS, SUITS, cards_of

PROTOCOL_VERSION: Final = 1
NAME_LENGTH: Final = 64
SERVICE_NAME: Final = pb.DESCRIPTOR.services_by_name["ArenaService"].full_name

_KINDS: Final = {kind: pb.ActionKind.Value(f"ACTION_KIND_{kind.name}") for kind in ActionKind}
_BY: Final = {by: pb.ActionBy.Value(f"ACTION_BY_{by.name}") for by in By}
_SUITS: Final[Mapping[str | None, pb.Suit.ValueType]] = {
    None: pb.SUIT_UNSPECIFIED,
    **dict(zip(SUITS, (pb.SUIT_SPADES, pb.SUIT_HEARTS, pb.SUIT_DIAMONDS, pb.SUIT_CLUBS), strict=True)),
}
_PIECE_TAG: Final = b"\x0a"  # field 1 with a length: `PlayResponse.messages`
_MORE: Final = pb.PlayResponse(more=True).SerializeToString()


class FrameError(ValueError):
    """Bytes that are no frame of the protocol: the text says why."""


@dataclass(frozen=True, slots=True)
class Hello:
    """What a bot says of itself; the token is a secret."""

    protocol_version: int
    token: str
    name: str
    version: str
    table_limit: int

    def __repr__(self) -> str:
        return f"Hello({self.name!r}, {self.version!r}, table_limit={self.table_limit})"


class Ready(NamedTuple):
    """The bot may be asked."""


@dataclass(slots=True)
class Choice:
    """The answer to a request: its id, and the place of the action from 0."""

    request_id: int
    action_index: int


BotMessage = Hello | Ready | Choice


class BotFrame(NamedTuple):
    """A frame of a bot; `more` says that the next one belongs to it."""

    messages: list[BotMessage]
    more: bool


def read_frame(frame: bytes) -> BotFrame:
    """Return what a bot said.

    Raises:
        FrameError: if the bytes are no frame, a message says nothing, or there are too many.
    """
    choices = read_choices(frame)
    if choices is not None:
        check_message_count(len(choices))
        return BotFrame(choices, more=False)
    try:
        request = pb.PlayRequest.FromString(frame)
    except DecodeError:
        raise FrameError("the bytes are no PlayRequest") from None
    messages = request.messages
    check_message_count(len(messages))
    return BotFrame([_bot_message(message) for message in messages], request.more)


def read_choices(frame: bytes) -> list[BotMessage] | None:
    """Read a frame of nothing but choices, as nearly all are: what protobuf would read, in half the time.

    None for all other frames: whatever is not just so is protobuf's to read and to judge.
    """
    choices: list[BotMessage] = []
    at, end = 0, len(frame)
    while at < end:
        if end - at < _SHORTEST or frame[at] != _MESSAGE or frame[at + 2] != _CHOICE or frame[at + 4] != _ID:
            return None
        size = frame[at + 1]
        stop = at + 2 + size
        if not _CHOICE_SHORTEST <= size < 0x80 or frame[at + 3] != size - 2 or stop > end:
            return None
        request_id, shift = frame[at + 5], 7
        at += 6
        while request_id >> shift:  # the last byte had its highest bit set: another follows
            if at >= stop or shift > _LONGEST_ID:
                return None
            request_id += (frame[at] - 1) << shift
            at += 1
            shift += 7
        index = 0
        if at < stop:
            if stop - at != 2 or frame[at] != _INDEX or frame[at + 1] >= 0x80:
                return None
            index = frame[at + 1]
            at = stop
        choices.append(Choice(request_id, index))
    return choices


def check_message_count(count: int) -> None:
    """Check that frames which are heard together have no more messages than a bot can mean.

    Raises:
        FrameError: they have.
    """
    if count > MESSAGES_AT_MOST:
        raise FrameError(f"a frame of {count} messages; the limit is {MESSAGES_AT_MOST} messages")


def _bot_message(message: pb.BotMessage) -> BotMessage:
    kind = message.WhichOneof("message")
    if kind == "choice":
        choice = message.choice
        return Choice(choice.request_id, choice.index)
    if kind == "ready":
        return Ready()
    if kind == "hello":
        said = message.hello
        name, version = said.name[:NAME_LENGTH], said.version[:NAME_LENGTH]
        return Hello(said.protocol_version, said.token, name, version, said.table_limit)
    raise FrameError("a message is none of hello, ready and choice")


def greeting_frame(token: str, *, name: str, version: str) -> bytes:
    """Return what a bot says that is ready at once."""
    hello = pb.Hello(protocol_version=PROTOCOL_VERSION, token=token, name=name, version=version)
    return pb.PlayRequest(messages=[pb.BotMessage(hello=hello), pb.BotMessage(ready=pb.Ready())]).SerializeToString()


class Asked(NamedTuple):
    """A request as a bot sees it."""

    request_id: int
    left_ms: int


def requests_in(frame: bytes) -> list[Asked]:
    """Return what a frame of the referee asks."""
    messages = pb.PlayResponse.FromString(frame).messages
    requests = [message.request for message in messages if message.HasField("request")]
    return [Asked(request.request_id, request.time_left_ms) for request in requests]


def bot_frame_json(frame: bytes) -> dict[str, Any]:
    """Return a frame of a bot as proto JSON has it, defaults written out; the token is a secret still.

    Raises:
        FrameError: if the bytes are no frame.
    """
    return _json(pb.PlayRequest(), frame)


def referee_frame_json(frame: bytes) -> dict[str, Any]:
    """Return a frame of the referee as proto JSON has it, defaults written out.

    Raises:
        FrameError: if the bytes are no frame.
    """
    return _json(pb.PlayResponse(), frame)


def _json(message: Message, frame: bytes) -> dict[str, Any]:
    try:
        message.ParseFromString(frame)
    except DecodeError:
        raise FrameError(f"the bytes are no {message.DESCRIPTOR.name}") from None
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def frames(pieces: Sequence[bytes]) -> list[bytes]:
    """Join pieces to frames within the limit, all but the last with `more`; a piece is never split."""
    whole = b"".join(pieces)
    if len(whole) <= FRAME_LIMIT_BYTES - len(_MORE):
        return [whole]
    batches: list[list[bytes]] = [[]]
    size = 0
    for piece in pieces:
        if size and size + len(piece) > FRAME_LIMIT_BYTES - len(_MORE):
            batches.append([])
            size = 0
        batches[-1].append(piece)
        size += len(piece)
    joined = [b"".join(batch) for batch in batches]
    return [frame + _MORE for frame in joined[:-1]] + joined[-1:]


def welcome_piece(control: TimeControl, table_limit: int) -> bytes:
    """The referee's answer to `Hello`."""
    welcome = pb.Welcome(
        protocol_version=PROTOCOL_VERSION, start_allowance_ms=control.start_ms, table_limit=table_limit
    )
    return _delimited(_PIECE_TAG, pb.RefereeMessage(welcome=welcome).SerializeToString())


class TableCodec:
    """The pieces of one table, under its number in the streams of its bots."""

    __slots__ = ("_head", "_head_size")

    def __init__(self, number: int) -> None:
        self._head: bytes = pb.RefereeMessage(table=number).SerializeToString()
        self._head_size = len(self._head)

    def table_start(
        self, variant: Variant, control: TimeControl, *, seat: int, match_id: str, deal_commitment: str
    ) -> bytes:
        """A match begins for a seat; the commitment is empty outside of seasons."""
        start = pb.TableStart(
            variant=variant.id,
            rules_version=variant.rules_version,
            options=option_texts(variant),
            seat_count=variant.seats,
            seat=seat,
            time_control=pb.TimeControl(
                start_ms=control.start_ms, increment_ms=control.increment_ms, bank_ms=control.bank_ms
            ),
            match_id=match_id,
            deal_commitment=deal_commitment,
        )
        return self._piece(pb.RefereeMessage(table_start=start).SerializeToString())

    def play(self, events: Sequence[Event], by: By) -> bytes | None:
        """A card was played and, with a second event, its trick ended; None if the events are others."""
        first = events[0]
        if not isinstance(first, ActionTaken) or len(events) > 2:
            return None
        action = first.action
        if action.card is None:
            return None
        played = self._piece(_PLAYED[by][action.seat][action.card])
        if len(events) == 1:
            return played
        second = events[1]
        return played + self._piece(_trick_end(second.number, second.taker)) if isinstance(second, TrickEnded) else None

    def event(self, event: Event, by: By) -> bytes:
        """Something happened that all who are told it are told alike; `by` is how its action came about."""
        return self._piece(_event_bytes(event, by))

    def table_end(self, totals: Sequence[int], places: Sequence[int], forfeits: Iterable[Forfeit]) -> bytes:
        """The match is over."""
        lines = [pb.Forfeit(seat=each.seat, kind=each.kind, deal=each.deal, action=each.action) for each in forfeits]
        end = pb.TableEnd(totals=totals, places=places, forfeits=lines)
        return self._piece(pb.RefereeMessage(table_end=end).SerializeToString())

    def table_aborted(self, reason: str) -> bytes:
        """The match was given up by the referee."""
        return self._piece(pb.RefereeMessage(table_end=pb.TableEnd(aborted=reason)).SerializeToString())

    def request(self, request_id: int, actions: bytes, times: bytes) -> bytes:
        """It is a seat's turn; `actions` come from `legal_bytes`, `times` from `times_bytes`."""
        body = _ID_TAG + _varint(request_id) + actions + times
        return self._piece(_REQUEST_TAG + _varint(len(body)) + body)

    def _piece(self, message: bytes) -> bytes:
        size = self._head_size + len(message)
        if size < len(_PIECE_HEADS):
            return _PIECE_HEADS[size] + self._head + message
        return _PIECE_TAG + _varint(size) + self._head + message


def legal_bytes(actions: Sequence[Action]) -> bytes:
    """The legal actions of a request, as bytes of it."""
    play = ActionKind.PLAY
    return b"".join(
        [
            _LEGAL_PLAYS[each.card] if each.kind is play and each.card is not None else _legal_action(each)
            for each in actions
        ]
    )


def legal_cards_bytes(cards: int) -> bytes:
    """The legal actions of a request which are to play one of these cards each, as `legal_bytes` of them."""
    first_suit = SUIT_MASK_OF[(cards & -cards).bit_length() - 1]
    if not cards & ~first_suit:
        return _plays_in_suit(cards)
    return b"".join([_plays_in_suit(cards & mask) for mask in SUIT_MASKS])


def times_bytes(*, left_ms: int, taken_last_ms: int) -> bytes:
    """The times that all requests of a frame carry, as bytes of them."""
    left = _LEFT_TAG + _varint(left_ms) if left_ms else b""
    return left + _TAKEN_TAG + _varint(taken_last_ms) if taken_last_ms else left


_SHORT: Final = 1 << 14


def _varint(value: int) -> bytes:
    if value < _SHORT:
        return _SHORT_VARINTS[value]
    return bytes((value & 0x7F | 0x80,)) + _varint(value >> 7)


_SHORT_VARINTS: Final = tuple(
    [bytes((value,)) if value < 0x80 else bytes((value & 0x7F | 0x80, value >> 7)) for value in range(_SHORT)]
)
_PIECE_HEADS: Final = tuple([_PIECE_TAG + size for size in _SHORT_VARINTS[:1024]])


def _delimited(tag: bytes, message: bytes) -> bytes:
    return tag + _varint(len(message)) + message


_NUMBER, _WITH_LENGTH = 0, 2  # what follows the tag of a field


def _field_tag(message: Any, name: str, kind: int) -> bytes:
    return _varint(message.DESCRIPTOR.fields_by_name[name].number << 3 | kind)


_MESSAGE: Final = _field_tag(pb.PlayRequest, "messages", _WITH_LENGTH)[0]
_CHOICE: Final = _field_tag(pb.BotMessage, "choice", _WITH_LENGTH)[0]
_ID: Final = _field_tag(pb.Choice, "request_id", _NUMBER)[0]
_INDEX: Final = _field_tag(pb.Choice, "index", _NUMBER)[0]
_CHOICE_SHORTEST: Final = 4  # tag and length, and the id's tag and a byte
_SHORTEST: Final = 2 + _CHOICE_SHORTEST  # of a message with a choice
_LONGEST_ID: Final = 28  # bits of an id that is read here
_REQUEST_TAG: Final = _field_tag(pb.RefereeMessage, "request", _WITH_LENGTH)
_ID_TAG: Final = _field_tag(pb.Request, "request_id", _NUMBER)
_ACTIONS_TAG: Final = _field_tag(pb.Request, "legal_actions", _WITH_LENGTH)
_LEFT_TAG: Final = _field_tag(pb.Request, "time_left_ms", _NUMBER)
_TAKEN_TAG: Final = _field_tag(pb.Request, "time_taken_last_ms", _NUMBER)


def _action(action: Action) -> pb.Action:
    return pb.Action(
        kind=_KINDS[action.kind],
        card="" if action.card is None else card_text(action.card),
        contract=action.contract or "",
        trump=_SUITS[action.trump],
        trick_count=action.tricks or 0,
        to_seat=action.to or 0,
    )


@cache
def _legal_action(action: Action) -> bytes:
    return _delimited(_ACTIONS_TAG, _action(action).SerializeToString())


_LEGAL_PLAYS: Final = tuple(_legal_action(Action(0, ActionKind.PLAY, card=card)) for card in range(CARD_COUNT))


@cache  # four times 2¹³ sets of cards at most
def _plays_in_suit(cards: int) -> bytes:
    return b"".join([_LEGAL_PLAYS[card] for card in cards_of(cards)])


def _event_bytes(event: Event, by: By) -> bytes:
    if isinstance(event, ActionTaken):
        action = event.action
        if action.kind is ActionKind.PLAY and action.card is not None:
            return _PLAYED[by][action.seat][action.card]
        return _action_taken(action, by)
    if isinstance(event, TrickEnded):
        return _trick_end(event.number, event.taker)
    if isinstance(event, CardGiven):
        return _card_given(event, by)
    return _OTHERS[type(event)](event).SerializeToString()


def _action_taken(action: Action, by: By) -> bytes:
    taken = pb.ActionTaken(seat=action.seat, action=_action(action), by=_BY[by])
    return pb.RefereeMessage(action_taken=taken).SerializeToString()


_PLAYED: Final[Mapping[By, Sequence[Sequence[bytes]]]] = {
    by: [
        [_action_taken(Action(seat, ActionKind.PLAY, card=card), by) for card in range(CARD_COUNT)]
        for seat in range(MAX_SEATS)
    ]
    for by in By
}


@cache
def _trick_end(number: int, taker: int) -> bytes:
    end = pb.TrickEnd(number=number, taker=taker)
    return pb.RefereeMessage(trick_end=end).SerializeToString()


def _card_given(event: CardGiven, by: By) -> bytes:
    card = "" if event.card is None else card_text(event.card)
    given = pb.CardGiven(seat=event.seat, to_seat=event.to, card=card, by=_BY[by])
    return pb.RefereeMessage(card_given=given).SerializeToString()


def _deal_start(event: DealStarted) -> pb.RefereeMessage:
    start = pb.DealStart(
        number=event.number,
        has_dealer=event.dealer is not None,
        dealer=event.dealer or 0,
        has_chooser=event.chooser is not None,
        chooser=event.chooser or 0,
    )
    return pb.RefereeMessage(deal_start=start)


def _cards_dealt(event: CardsDealt) -> pb.RefereeMessage:
    return pb.RefereeMessage(cards_dealt=pb.CardsDealt(cards=[card_text(card) for card in event.cards]))


def _talon_shown(event: TalonShown) -> pb.RefereeMessage:
    return pb.RefereeMessage(talon_shown=pb.TalonShown(cards=map(card_text, event.cards)))


def _exposed(event: CardExposed) -> pb.RefereeMessage:
    return pb.RefereeMessage(exposed=pb.Exposed(seat=event.seat, card=card_text(event.card)))


def _contract_set(event: ContractSet) -> pb.RefereeMessage:
    contract = pb.ContractSet(
        contract=event.contract,
        has_declarer=event.declarer is not None,
        declarer=event.declarer or 0,
        trump=_SUITS[event.trump],
        misere=event.misere,
        price=event.price or 0,
    )
    return pb.RefereeMessage(contract_set=contract)


def _deal_end(event: DealEnded) -> pb.RefereeMessage:
    end = pb.DealEnd(number=event.number, points=event.points, totals=event.totals)
    return pb.RefereeMessage(deal_end=end)


_OTHERS: Final[Mapping[type, Callable[[Any], pb.RefereeMessage]]] = {
    DealStarted: _deal_start,
    CardsDealt: _cards_dealt,
    TalonShown: _talon_shown,
    CardExposed: _exposed,
    ContractSet: _contract_set,
    DealEnded: _deal_end,
}
