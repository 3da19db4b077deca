"""Bytes to bots and from them."""

from __future__ import annotations

from random import Random

import pytest
from king.v1 import arena_pb2 as pb

from referee.clock import TimeControl
from referee.codec import (
    BotFrame,
    Choice,
    FrameError,
    Hello,
    Ready,
    TableCodec,
    frames,
    legal_bytes,
    legal_cards_bytes,
    read_choices,
    read_frame,
    times_bytes,
    welcome_piece,
)
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
    parse_card,
    parse_variant,
)
from referee.rules.actions import play_actions

SEVEN = parse_card("7S")
KING = parse_card("KH")


def message(piece: bytes) -> pb.RefereeMessage:
    """The one message of a piece."""
    (only,) = pb.PlayResponse.FromString(piece).messages
    return only


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (DealStarted(1, 2, None), pb.RefereeMessage(deal_start=pb.DealStart(number=1, has_dealer=True, dealer=2))),
        (DealStarted(3, None, 0), pb.RefereeMessage(deal_start=pb.DealStart(number=3, has_chooser=True))),
        (CardsDealt(1, (SEVEN, KING)), pb.RefereeMessage(cards_dealt=pb.CardsDealt(cards=["7S", "KH"]))),
        (TalonShown((KING,)), pb.RefereeMessage(talon_shown=pb.TalonShown(cards=["KH"]))),
        (CardExposed(3, SEVEN), pb.RefereeMessage(exposed=pb.Exposed(seat=3, card="7S"))),
        (
            ContractSet("trumps", 1, "D", misere=False, price=3),
            pb.RefereeMessage(
                contract_set=pb.ContractSet(
                    contract="trumps", has_declarer=True, declarer=1, trump=pb.SUIT_DIAMONDS, price=3
                )
            ),
        ),
        (
            ContractSet("no_king", None, None, misere=False, price=None),
            pb.RefereeMessage(contract_set=pb.ContractSet(contract="no_king")),
        ),
        (TrickEnded(8, 3), pb.RefereeMessage(trick_end=pb.TrickEnd(number=8, taker=3))),
        (
            DealEnded(2, (-4, 0, -8, -4), (10, -3, 0, -7)),
            pb.RefereeMessage(deal_end=pb.DealEnd(number=2, points=[-4, 0, -8, -4], totals=[10, -3, 0, -7])),
        ),
        (
            ActionTaken(Action(2, ActionKind.PLAY, card=KING)),
            pb.RefereeMessage(
                action_taken=pb.ActionTaken(
                    seat=2, action=pb.Action(kind=pb.ACTION_KIND_PLAY, card="KH"), by=pb.ACTION_BY_STAND_IN
                )
            ),
        ),
        (
            CardGiven(0, 2, None),
            pb.RefereeMessage(card_given=pb.CardGiven(seat=0, to_seat=2, by=pb.ACTION_BY_STAND_IN)),
        ),
    ],
)
def test_event_becomes_its_message(event: Event, said: pb.RefereeMessage) -> None:
    """Every event has its message, under the table's number."""
    said.table = 300
    assert message(TableCodec(300).event(event, By.STAND_IN)) == said


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Action(0, ActionKind.PLAY, card=SEVEN), pb.Action(kind=pb.ACTION_KIND_PLAY, card="7S")),
        (
            Action(0, ActionKind.CHOOSE, contract="trumps", trump="C"),
            pb.Action(kind=pb.ACTION_KIND_CHOOSE, contract="trumps", trump=pb.SUIT_CLUBS),
        ),
        (
            Action(0, ActionKind.ORDER, contract="tricks"),
            pb.Action(kind=pb.ACTION_KIND_ORDER, contract="tricks"),
        ),
        (Action(0, ActionKind.BID, tricks=4), pb.Action(kind=pb.ACTION_KIND_BID, trick_count=4)),
        (Action(0, ActionKind.NAME_TRUMP, trump="S"), pb.Action(kind=pb.ACTION_KIND_NAME_TRUMP, trump=pb.SUIT_SPADES)),
        (Action(0, ActionKind.GIVE, to=0, card=KING), pb.Action(kind=pb.ACTION_KIND_GIVE, card="KH")),
        (Action(0, ActionKind.KEEP), pb.Action(kind=pb.ACTION_KIND_KEEP)),
    ],
)
def test_request_lists_the_legal_actions(action: Action, said: pb.Action) -> None:
    """A request has its id, the actions in order, and the times."""
    passing = Action(0, ActionKind.PASS)
    piece = TableCodec(1).request(77, legal_bytes([action, passing]), times_bytes(left_ms=900, taken_last_ms=3))
    assert message(piece) == pb.RefereeMessage(
        table=1,
        request=pb.Request(
            request_id=77,
            legal_actions=[said, pb.Action(kind=pb.ACTION_KIND_PASS)],
            time_left_ms=900,
            time_taken_last_ms=3,
        ),
    )


@pytest.mark.parametrize("number", [0, 1, 127, 128, 1023, 1024, 16_384, 86_400_000, 1 << 40])
def test_numbers_of_a_request_are_written_as_protobuf_writes_them(number: int) -> None:
    """Times of every size, and none, and ids of every size, are those of the message."""
    times = times_bytes(left_ms=number, taken_last_ms=number)
    assert times == pb.Request(time_left_ms=number, time_taken_last_ms=number).SerializeToString()
    asked = message(TableCodec(5).request(number + 1, legal_bytes([Action(0, ActionKind.PASS)]), b"")).request
    assert asked.request_id == number + 1


def test_every_kind_of_action_has_a_number() -> None:
    """The protocol knows every kind of action, by its own name."""
    for kind in ActionKind:
        piece = TableCodec(1).request(1, legal_bytes([Action(0, kind)]), b"")
        (action,) = message(piece).request.legal_actions
        assert pb.ActionKind.Name(action.kind) == f"ACTION_KIND_{kind.name}"


def test_table_start_resolves_every_option() -> None:
    """A table's start names the variant, every option as text, the seat and the time control."""
    variant = parse_variant("chooser-12[contracts=1+2+3+8+9+10]")
    piece = TableCodec(2).table_start(variant, TimeControl(), seat=3, match_id="m", deal_commitment="ab")
    start = message(piece).table_start
    assert (start.variant, start.rules_version, start.seat_count, start.seat) == (variant.id, 1, 4, 3)
    assert (start.match_id, start.deal_commitment) == ("m", "ab")
    assert start.options["contracts"] == "1+2+3+8+9+10"
    assert set(start.options) == set(variant.options)
    assert start.time_control == pb.TimeControl(start_ms=30_000, increment_ms=100, bank_ms=10_000)


def test_table_end_has_totals_places_and_forfeits() -> None:
    """The end of a table tells totals, places and who was taken from its bot; or why it was given up."""
    forfeit = Forfeit(seat=2, kind="illegal", deal=3, action=17, detail="not told")
    end = message(TableCodec(1).table_end((4, -4, 0, 0), (1, 4, 2, 2), [forfeit])).table_end
    assert end == pb.TableEnd(
        totals=[4, -4, 0, 0],
        places=[1, 4, 2, 2],
        forfeits=[pb.Forfeit(seat=2, kind="illegal", deal=3, action=17)],
    )
    assert message(TableCodec(1).table_aborted("why")).table_end == pb.TableEnd(aborted="why")


def test_welcome_is_about_no_table() -> None:
    """The welcome has the version, the allowance and the table limit."""
    said = message(welcome_piece(TimeControl(), 64))
    assert said.table == 0
    assert said.welcome == pb.Welcome(protocol_version=1, start_allowance_ms=30_000, table_limit=64)


def test_long_batch_is_split_between_messages() -> None:
    """A batch over 1 MiB goes as several frames, all but the last with `more`, none over the limit."""
    piece = TableCodec(1).table_aborted("x" * 300_000)
    parts = frames([piece] * 8)
    assert [pb.PlayResponse.FromString(part).more for part in parts] == [True, True, False]
    assert max(map(len, parts)) <= FRAME_LIMIT_BYTES
    assert sum(len(pb.PlayResponse.FromString(part).messages) for part in parts) == 8


def test_short_batch_is_one_frame() -> None:
    """A batch within the limit is one frame without `more`."""
    (frame,) = frames([TableCodec(1).table_aborted("a"), TableCodec(2).table_aborted("b")])
    response = pb.PlayResponse.FromString(frame)
    assert [each.table for each in response.messages] == [1, 2]
    assert not response.more


def test_bot_frame_is_read() -> None:
    """Hello, ready and choices are read in order; names are cut at 64 characters."""
    request = pb.PlayRequest(
        messages=[
            pb.BotMessage(hello=pb.Hello(protocol_version=1, token="t", name="n" * 99, version="2", table_limit=5)),
            pb.BotMessage(ready=pb.Ready()),
            pb.BotMessage(choice=pb.Choice(request_id=1 << 40, index=-3)),
        ],
        more=True,
    )
    hello = Hello(protocol_version=1, token="t", name="n" * 64, version="2", table_limit=5)
    assert read_frame(request.SerializeToString()) == BotFrame([hello, Ready(), Choice(1 << 40, -3)], more=True)


@pytest.mark.parametrize(
    "frame", [b"\xff", b"\x0a\x05ab", pb.PlayRequest(messages=[pb.BotMessage()]).SerializeToString()]
)
def test_nonsense_is_no_frame(frame: bytes) -> None:
    """Bytes that cannot be parsed, and a message that says nothing, are refused."""
    with pytest.raises(FrameError):
        read_frame(frame)


def test_no_frame_has_more_messages_than_a_bot_can_mean() -> None:
    """A frame of many small messages, which takes long to read one by one, is refused before that."""
    one = b"\x0a\x02\x12\x00"
    assert len(read_frame(one * MESSAGES_AT_MOST).messages) == MESSAGES_AT_MOST
    with pytest.raises(FrameError, match=f"{MESSAGES_AT_MOST + 1} messages; the limit is {MESSAGES_AT_MOST}"):
        read_frame(one * (MESSAGES_AT_MOST + 1))


def test_token_is_not_shown() -> None:
    """A token does not appear where a hello is printed."""
    assert "secret" not in repr(Hello(protocol_version=1, token="secret", name="n", version="1", table_limit=0))


def test_choices_are_read_as_protobuf_reads_them() -> None:
    """The quick reader of choices reads what protobuf would, or leaves the frame to it; those of bots it reads."""
    dice = Random(5)
    read = 0
    for _ in range(3000):
        frame = _changed(_choices_frame(dice), dice)
        choices = read_choices(frame)
        if choices is not None:
            read += 1
            told = pb.PlayRequest.FromString(frame)
            assert not told.more
            assert choices == [Choice(each.choice.request_id, each.choice.index) for each in told.messages]
            assert all(each.WhichOneof("message") == "choice" for each in told.messages)
    assert read > 500
    ordinary = [
        pb.BotMessage(choice=pb.Choice(request_id=number, index=number % 14)) for number in range(1, 200_000, 999)
    ]
    assert read_choices(pb.PlayRequest(messages=ordinary).SerializeToString()) is not None


@pytest.mark.parametrize("size", range(8))
@pytest.mark.parametrize("inner", range(6))
def test_no_choice_is_read_beyond_its_end(size: int, inner: int) -> None:
    """A choice without an id, or whose length cuts it short, does not take what follows for its own."""
    frame = bytes((0x0A, size, 0x1A, inner, 0x08, 5, 0x10, 3))
    choices = read_choices(frame)
    if (size, inner) == (6, 4):
        assert choices == [Choice(5, 3)]
    else:
        assert choices is None


def _choices_frame(dice: Random) -> bytes:
    ids = (0, 1, 127, 128, 300, 16383, 16384, dice.randrange(1 << 22), (1 << 28) - 1, 1 << 28, 1 << 35, -1)
    choices = [pb.Choice(request_id=dice.choice(ids), index=dice.choice((0, 0, 1, 5, 127, 128, -1))) for _ in range(2)]
    messages = [pb.BotMessage(choice=choice) for choice in choices[: dice.randrange(3)]]
    messages += [pb.BotMessage(ready=pb.Ready())] * (dice.random() < 0.1)
    return pb.PlayRequest(messages=messages, more=dice.random() < 0.05).SerializeToString()


def _changed(frame: bytes, dice: Random) -> bytes:
    """A frame with a byte changed, put in or left out, in half of all cases."""
    at = dice.randrange(2 * len(frame) + 2)
    other = bytes([dice.choice((0, 1, 2, 8, 10, 16, 26, 128, 255, dice.randrange(256)))])
    return frame[:at] + dice.choice((other, b"")) + frame[at + dice.randrange(2) :]


@pytest.mark.parametrize("cards", [1 << 3, 0b1011 << 13, 0x1FFF << 39, 0x8003_0000_2001, (1 << 52) - 1])
def test_legal_cards_are_told_as_the_actions_are(cards: int) -> None:
    """Plays told by their cards look like plays told one by one, asked for once and again."""
    actions = play_actions(2, cards)
    assert legal_cards_bytes(cards) == legal_cards_bytes(cards) == legal_bytes(actions)
