"""Going through a record action by action with the engine: positions for the replay page, legal actions.

Owns the way from a record back to matches and positions. A record that does not follow the rules raises here; to list
what is wrong with one, use `checking.py`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from referee.rules.actions import Action
from referee.rules.cards import Card, card_text, cards_of, parse_card
from referee.rules.deal import Deal
from referee.rules.errors import RulesError
from referee.rules.record import Record, trick_record
from referee.rules.shape import shape_problems
from referee.rules.state import Match
from referee.rules.variant import Variant
from referee.rules.variants import variant_with


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A deal after some of its actions; lists are by seat, cards are texts, hands in pack order.

    `action` is the one that led here (None before the first), `number` its place from 1 (0 before the first). `trick`
    are the cards of the open trick in the order played, `leader` who led or leads it, `holder` whose card is winning
    it. `last_trick` is the trick that this action completed. `legal` are the legal actions as in records,
    `legal_cards` their cards. `bid` is the highest bid so far, `talon` what lies on the table.
    """

    number: int
    action: dict[str, object] | None
    hands: tuple[tuple[str, ...], ...]
    leader: int | None
    trick: tuple[str, ...]
    holder: int | None
    last_trick: dict[str, Any] | None
    tricks_taken: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]
    seat_to_act: int | None
    legal: tuple[dict[str, object], ...]
    legal_cards: tuple[str, ...]
    contract: str | None
    declarer: int | None
    trump: str | None
    misere: bool
    price: int | None
    bid: int | None
    exposed: str | None
    talon: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the position as a JSON object with the same names."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayDeal:
    """A deal's positions: one before the first action and one after each."""

    number: int
    dealer: int | None
    chooser: int | None
    positions: tuple[Position, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """Every position of every deal of a record."""

    variant: Variant
    deals: tuple[ReplayDeal, ...]
    match: Match


def record_variant(record: Record) -> Variant:
    """Return the variant that a record was played by.

    Raises:
        RulesError: if the variant, its options or the version of its rules are not known.
    """
    variant = variant_with(record["variant"], record["options"])
    if record["rules_version"] != variant.rules_version:
        raise RulesError(
            f"rules_version {record['rules_version']} of {variant.base_id} is not known, {variant.rules_version} is"
        )
    return variant


def recorded_first_seat(record: Record, variant: Variant) -> int | None:
    """Return the first dealer or chooser as the record has it; None where a card decides."""
    if variant.first_holder is not None:
        return None
    seat = record["deals"][0]["dealer" if variant.has_dealer else "declarer"] if record["deals"] else 0
    return seat % variant.seats if isinstance(seat, int) else 0


def recorded_match(deals: Sequence[Record], variant: Variant, first_seat: int | None) -> Match:
    """Return a match that will be dealt the recorded hands; deals beyond those given get an unshuffled pack."""

    def packs(number: int) -> Sequence[Card]:
        if number > len(deals):
            return variant.pack
        deal = deals[number - 1]
        if len(deal["hands"]) != variant.seats:
            raise RulesError(f"deals[{number - 1}].hands: has {len(deal['hands'])} hands, should have {variant.seats}")
        first = (first_seat or 0) + number if variant.has_dealer else 0
        return _pack_of(variant, deal["hands"], deal["talon"], first)

    return Match(variant, packs, first_seat)


def _pack_of(variant: Variant, hands: list[list[str]], talon: list[str], first: int) -> list[Card]:
    """Undo the dealing: the cards in the order in which they were dealt."""
    longest = max(map(len, hands), default=0)
    texts = [
        hands[(first + turn) % variant.seats][place]
        for place in range(longest)
        for turn in range(variant.seats)
        if place < len(hands[(first + turn) % variant.seats])
    ]
    return [parse_card(text) for text in (*texts, *talon)]


def replay(record: Record) -> Replay:
    """Return every position of a record.

    Raises:
        RulesError: at the first place where the record does not follow the rules.
    """
    problems = shape_problems(record)
    if problems:
        raise RulesError(str(problems[0]))
    if not record["deals"]:
        raise RulesError("deals: is empty, should have every deal, the one in progress included")
    variant = record_variant(record)
    _check_lists_by_seat(record, variant.seats)
    match = recorded_match(record["deals"], variant, recorded_first_seat(record, variant))
    deals = []
    try:
        match.start()
        for place, form in enumerate(record["deals"]):
            deals.append(_replay_deal(match, form["actions"], f"deals[{place}]"))
    except ValueError as error:
        raise RulesError(str(error)) from error
    return Replay(variant=variant, deals=tuple(deals), match=match)


def _check_lists_by_seat(record: Record, seats: int) -> None:
    """Check that what is told of every seat is told of so many."""
    lists = {name: record[name] for name in ("totals", "places", "settlement")}
    lists |= {f"deals[{place}].points": form["points"] for place, form in enumerate(record["deals"])}
    for path, by_seat in lists.items():
        if by_seat is not None and len(by_seat) != seats:
            raise RulesError(f"{path}: has {len(by_seat)} entries, should have {seats}, one for each seat")


def _replay_deal(match: Match, actions: list[Record], path: str) -> ReplayDeal:
    deal = match.deal
    if deal is None:
        raise RulesError(f"{path}: the match is over before this deal")
    positions = [_position(match, deal, None)]
    for place, form in enumerate(actions):
        if match.deal is not deal:
            raise RulesError(f"{path}.actions[{place}]: the deal is over before this action")
        try:
            match.apply(Action.from_json(form))
        except RulesError as error:
            raise RulesError(f"{path}.actions[{place}]: {error}") from error
        positions.append(_position(match, deal, form))
    return ReplayDeal(number=deal.number, dealer=deal.dealer, chooser=deal.chooser, positions=tuple(positions))


def _position(match: Match, deal: Deal, action: Record | None) -> Position:
    is_open = match.deal is deal
    legal = match.legal_actions() if is_open else ()
    play = deal.play
    last = deal.tricks[-1 if not is_open else -2] if _completed_trick(deal, is_open=is_open) else None
    return Position(
        number=len(deal.actions),
        action=action,
        hands=tuple(tuple(map(card_text, cards_of(hand))) for hand in deal.hands),
        leader=play.leader if play else None,
        trick=tuple(map(card_text, play.trick)) if play else (),
        holder=play.winner if play and play.trick else None,
        last_trick=None if last is None else trick_record(last),
        tricks_taken=tuple(play.tricks_taken) if play else (0,) * match.variant.seats,
        points=deal.points_so_far(),
        totals=_running_totals(match, deal, is_open=is_open),
        seat_to_act=match.seat_to_act if is_open else None,
        legal=tuple(one.to_json() for one in legal),
        legal_cards=tuple(card_text(one.card) for one in legal if one.card is not None),
        contract=deal.contract.id if deal.contract else None,
        declarer=deal.declarer,
        trump=deal.trump,
        misere=deal.misere,
        price=deal.price,
        bid=deal.bid or None,
        exposed=None if deal.exposed is None else card_text(deal.exposed),
        talon=() if deal.talon_taken else tuple(map(card_text, deal.talon)),
    )


def _completed_trick(deal: Deal, *, is_open: bool) -> bool:
    """Whether the last action completed a trick."""
    if not deal.tricks:
        return False
    return not is_open or (not deal.tricks[-1].cards and len(deal.tricks) > 1)


def _running_totals(match: Match, deal: Deal, *, is_open: bool) -> tuple[int, ...]:
    if not is_open:
        return match.totals
    return tuple(total + points for total, points in zip(match.totals, deal.points_so_far(), strict=True))


def legal_json(record: Record) -> dict[str, Any]:
    """Return the legal actions at the end of a record: `{"deal", "seat", "actions"}`.

    `deal` counts from 1; `seat` is null and `actions` empty when the match is over.

    Raises:
        RulesError: if the record does not follow the rules.
    """
    match = replay(record).match
    count = len(record["deals"])
    if match.deal is not None and match.deal.number > count:
        raise RulesError(f"deals: has {count} entries, should end with deal {match.deal.number}, which is in progress")
    return {
        "deal": match.deal.number if match.deal else len(match.deals),
        "seat": match.seat_to_act,
        "actions": [action.to_json() for action in match.legal_actions()],
    }


def positions(record: Record) -> Iterator[Position]:
    """Go through every position of a record, deal after deal."""
    for deal in replay(record).deals:
        yield from deal.positions
