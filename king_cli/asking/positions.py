"""One position of a record as the seat that acted there met it: what it had been told, and what it could do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from king_cli.errors import UsageError
from referee.clock import TimeControl
from referee.codec import TableCodec, legal_bytes, times_bytes
from referee.rules import Action, By, Event, Match, RulesError, Variant, replay, visible_to
from referee.rules.replaying import record_variant, recorded_first_seat, recorded_match

REQUEST_ID = 1
_TABLE = 1


@dataclass(frozen=True, kw_only=True)
class AskedPosition:
    """A position before an action.

    Attributes:
        variant: of the match.
        deal: its number, from 1.
        number: the number of the action within the deal, from 1.
        seat: whose turn it was.
        player: who sat there, as the record names the bot.
        contract: what was played for; empty while that was open.
        hand: the cards of the seat, as texts.
        trick: the open trick, as texts in the order played.
        legal: what could be done, in legal order.
        then: what was done.
        by: how that came about.
        told: the pieces of frames with all that the seat had been told, and the request.
    """

    variant: Variant
    deal: int
    number: int
    seat: int
    player: str
    contract: str
    hand: tuple[str, ...]
    trick: tuple[str, ...]
    legal: tuple[Action, ...]
    then: Action
    by: By
    told: tuple[bytes, ...]


def asked_position(record: dict[str, Any], *, deal: int, number: int, control: TimeControl) -> AskedPosition:
    """The position before action `number` of a deal; the bot will be told of `control` as its clock.

    Raises:
        RulesError: the record does not follow the rules.
        UsageError: there is no such action, or its seat had nothing to decide.
    """
    replayed = replay(record)
    _check_place(record, deal, number)
    position = replayed.deals[deal - 1].positions[number - 1]
    form = record["deals"][deal - 1]["actions"][number - 1]
    match, legal, told = _told(record, deal, number, control)
    then = Action.from_json(form)
    if len(legal) == 1:
        raise UsageError(
            f"nobody was asked at action {number} of deal {deal}: {legal[0]} was all that was legal; name another one"
        )
    player = record["players"][then.seat]
    return AskedPosition(
        variant=match.variant,
        deal=deal,
        number=number,
        seat=then.seat,
        player=f"{player['bot']} {player['version']}",
        contract=position.contract or "",
        hand=position.hands[then.seat],
        trick=position.trick,
        legal=legal,
        then=then,
        by=By(form.get("by", By.BOT)),
        told=told,
    )


def _check_place(record: dict[str, Any], deal: int, number: int) -> None:
    deals = record["deals"]
    if not 1 <= deal <= len(deals):
        raise UsageError(f"the record has no deal {deal}: --deal is from 1 to {len(deals)}")
    actions = deals[deal - 1]["actions"]
    if not 1 <= number <= len(actions):
        raise UsageError(f"deal {deal} has no action {number}: --action is from 1 to {len(actions)}")


def _told(
    record: dict[str, Any], deal: int, number: int, control: TimeControl
) -> tuple[Match, tuple[Action, ...], tuple[bytes, ...]]:
    """The match just before the action, the legal actions there, and what the seat to act has been told."""
    variant = record_variant(record)
    match = recorded_match(record["deals"], variant, recorded_first_seat(record, variant))
    happened: list[tuple[Sequence[Event], By]] = [(match.start(), By.BOT)]
    for action, by in _taken_before(record, deal, number):
        happened.append((match.apply(action), by))
    seat = match.seat_to_act
    if seat is None:
        raise RulesError(f"the match is over before action {number} of deal {deal}")
    legal = match.legal_actions()
    codec = TableCodec(_TABLE)
    pieces = [_start_piece(codec, record, variant, seat, control)]
    for events, by in happened:
        seen = (visible_to(event, seat) for event in events)
        pieces += [codec.event(event, by) for event in seen if event is not None]
    times = times_bytes(left_ms=control.bank_ms, taken_last_ms=0)
    return match, legal, (*pieces, codec.request(REQUEST_ID, legal_bytes(legal), times))


def _start_piece(codec: TableCodec, record: dict[str, Any], variant: Variant, seat: int, control: TimeControl) -> bytes:
    commitment = record.get("deal_commitment") or ""
    return codec.table_start(
        variant, control, seat=seat, match_id=str(record["match_id"]), deal_commitment=str(commitment)
    )


def _taken_before(record: dict[str, Any], deal: int, number: int) -> list[tuple[Action, By]]:
    taken = []
    for each in record["deals"][:deal]:
        forms = each["actions"] if each["number"] < deal else each["actions"][: number - 1]
        taken += [(Action.from_json(form), By(form.get("by", By.BOT))) for form in forms]
    return taken
