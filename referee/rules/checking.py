"""Checking a record against the rules: every field that follows from them is worked out again and compared.

Owns what must agree with what. Secrets and the stand-in's draws need the streams and are checked by
`referee/verification.py`. Whatever JSON comes in, the answer is a list of problems, never an exception.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.rules.actions import Action, By
from referee.rules.cards import CARD_TEXTS, card_text
from referee.rules.deal import Deal
from referee.rules.errors import RulesError
from referee.rules.record import Record, deal_record
from referee.rules.replaying import recorded_match
from referee.rules.shape import Problem, at, shape_problems, shown
from referee.rules.state import Match
from referee.rules.variant import Variant
from referee.rules.variants import VARIANTS, variant_row, variant_with

DEAL_FIELDS: Final = (
    "number",
    "dealer",
    "contract",
    "declarer",
    "trump",
    "misere",
    "price",
    "exposed",
    "tricks",
    "points",
    "ended_early",
    "made_king",
)
"""The fields of a deal that follow from its hands and actions."""

UNKNOWN_UNTIL_SET: Final = ("contract", "declarer", "misere", "price")
"""Fields that may be null in a deal whose contract is not set yet."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One recorded action as the engine saw it: `index` among `legal_count` legal actions."""

    path: str
    seat: int
    index: int
    legal_count: int
    by: str | None


@dataclass(slots=True)
class Examination:
    """What came of checking a record: problems, and what further checks need."""

    problems: list[Problem] = field(default_factory=list)
    variant: Variant | None = None
    decisions: list[list[Decision]] = field(default_factory=list)
    """By deal, as far as the rules were followed."""

    def note(self, path: str, message: str) -> None:
        """Add a problem, unless one is known at that place."""
        if all(problem.path != path for problem in self.problems):
            self.problems.append(Problem(path, message))


def check_record(record: object) -> list[Problem]:
    """Return what is wrong with a record as far as the rules alone tell; empty if nothing is."""
    return examine(record).problems


def examine(record: object) -> Examination:
    """Check a record and return what was found on the way."""
    found = Examination(problems=shape_problems(record))
    if found.problems or not isinstance(record, dict):
        return found
    variant = found.variant = _check_header(record, found)
    if variant is None:
        return found
    if not record["deals"]:
        found.note("deals", "is empty, should have every deal, the one in progress included")
        return found
    dealt = [_check_hands(deal, variant, number, found) for number, deal in enumerate(record["deals"], 1)]
    for place, deal in enumerate(record["deals"]):
        _check_cards_agree(deal, at("deals", place), found)
    match = _check_deals(record, variant, found, playable=[*dealt, False].index(False))
    if match is not None:
        _check_end(record, match, found)
    _check_forfeits(record, found)
    return found


def same(expected: object, given: object) -> bool:
    """Whether two JSON values are the same; a number is not the same as a truth value or a fraction."""
    if isinstance(expected, list) and isinstance(given, list):
        return len(expected) == len(given) and all(map(same, expected, given))
    return type(expected) is type(given) and expected == given


def differences(expected: object, given: object, path: str) -> Iterator[Problem]:
    """Compare JSON values field by field and entry by entry; fields that are not expected are passed over."""
    if isinstance(expected, dict) and isinstance(given, dict):
        for name, value in expected.items():
            yield from differences(value, given.get(name), at(path, name))
    elif isinstance(expected, list) and isinstance(given, list):
        for place, (one, other) in enumerate(zip(expected, given, strict=False)):
            yield from differences(one, other, at(path, place))
        if len(expected) > len(given):
            yield Problem(path, f"has {len(given)} entries, should have {len(expected)}")
        for place in range(len(expected), len(given)):
            yield Problem(at(path, place), f"is {shown(given[place])}, should not be there")
    elif not same(expected, given):
        yield Problem(path, f"is {shown(given)}, should be {shown(expected)}")


def _compare(expected: object, given: object, path: str, found: Examination) -> None:
    for problem in differences(expected, given, path):
        found.note(problem.path, problem.message)


def _check_header(record: Record, found: Examination) -> Variant | None:
    variant = _check_variant(record, found)
    if variant is None:
        return None
    _compare(variant.rules_version, record["rules_version"], "rules_version", found)
    _compare(variant.seats, record["seats"], "seats", found)
    _compare([{"seat": seat} for seat in range(variant.seats)], record["players"], "players", found)
    return None if found.problems else variant


def _check_variant(record: Record, found: Examination) -> Variant | None:
    base_id, options = record["variant"], record["options"]
    if base_id not in VARIANTS:
        found.note("variant", f"is {shown(base_id)}, should be one of {', '.join(VARIANTS)}")
        return None
    row = variant_row(base_id)
    for option in row.options:
        if option.name not in options:
            found.note(at("options", option.name), "is missing")
    for name, value in options.items():
        try:
            row.option(name).check(value, row.id)
        except RulesError as error:
            found.note(at("options", name), str(error))
    if found.problems:
        return None
    try:
        return variant_with(base_id, options)
    except RulesError as error:
        found.note("options", str(error))
        return None


def _check_hands(deal: Record, variant: Variant, number: int, found: Examination) -> bool:
    """Check that hands and talon are one pack, dealt out; say whether the deal can be played."""
    path = at("deals", number - 1)
    before = len(found.problems)
    talon_size = variant.plan(number).opening.talon
    hand_size = (len(variant.pack) - talon_size) // variant.seats
    if len(deal["hands"]) != variant.seats:
        found.note(at(path, "hands"), f"has {len(deal['hands'])} hands, should have {variant.seats}")
    for seat, hand in enumerate(deal["hands"]):
        if len(hand) != hand_size:
            found.note(f"{path}.hands[{seat}]", f"has {len(hand)} cards, should have {hand_size}")
    if len(deal["talon"]) != talon_size:
        found.note(at(path, "talon"), f"has {len(deal['talon'])} cards, should have {talon_size}")
    places = _card_places(deal, path)
    known = {card_text(card) for card in variant.pack}
    counts = Counter(card for _, card in places)
    missing = sorted(known - counts.keys(), key=CARD_TEXTS.index)
    right = f"; missing from the pack: {', '.join(missing)}" if missing else ""
    for place, card in places:
        if card not in known:
            found.note(place, f"is {card}, which is not in the pack{right}")
        elif counts[card] > 1:
            found.note(place, f"is {card}, which is dealt {counts[card]} times{right}")
    return len(found.problems) == before


def _card_places(deal: Record, path: str) -> list[tuple[str, str]]:
    hands = [
        (f"{path}.hands[{seat}][{place}]", card)
        for seat, hand in enumerate(deal["hands"])
        for place, card in enumerate(hand)
    ]
    return hands + [(f"{path}.talon[{place}]", card) for place, card in enumerate(deal["talon"])]


def _check_cards_agree(deal: Record, path: str, found: Examination) -> None:
    """Check that the plays among the actions are the cards of the tricks; where they differ, name both places."""
    plays = [
        (f"{path}.actions[{place}].card", action["card"])
        for place, action in enumerate(deal["actions"])
        if action["do"] == "play"
    ]
    tricked = [
        (f"{path}.tricks[{number}].cards[{place}]", card)
        for number, trick in enumerate(deal["tricks"])
        for place, card in enumerate(trick["cards"])
    ]
    for (action_path, played), (trick_path, card) in zip(plays, tricked, strict=False):
        if played != card:
            found.note(action_path, f"is {played}, but {trick_path} is {card}")
            found.note(trick_path, f"is {card}, but {action_path} is {played}")


def _check_deals(record: Record, variant: Variant, found: Examination, *, playable: int) -> Match | None:
    """Play the recorded actions; return the match, or None if it could not be followed to its end."""
    deals = record["deals"]
    first_seat = _check_first_seat(deals[0], variant, found)
    match = recorded_match(deals[:playable], variant, first_seat)
    match.start()
    for place, form in enumerate(deals[:playable]):
        path = at("deals", place)
        deal = match.deal
        if deal is None:
            found.note(path, "should not be there: the match is over before it")
            return None
        if not _check_actions(match, deal, form["actions"], path, found):
            return None
        if deal.points is None and place < len(deals) - 1:
            found.note(at(path, "actions"), f"end before the deal is over; {_next_words(match)}")
            return None
        _check_deal_fields(deal, form, path, found)
    return match if playable == len(deals) else None


def _check_first_seat(deal: Record, variant: Variant, found: Examination) -> int | None:
    if variant.first_holder is not None:
        return None
    name = "dealer" if variant.has_dealer else "declarer"
    seat = deal[name]
    if isinstance(seat, int) and 0 <= seat < variant.seats:
        return seat
    found.note(at("deals[0]", name), f"is {shown(seat)}, should be a seat from 0 to {variant.seats - 1}")
    return 0


def _check_actions(match: Match, deal: Deal, actions: Sequence[Record], path: str, found: Examination) -> bool:
    """Take the recorded actions of one deal; False at the first that is not legal."""
    decisions: list[Decision] = []
    found.decisions.append(decisions)
    for place, form in enumerate(actions):
        action_path = f"{path}.actions[{place}]"
        if deal.points is not None:
            found.note(action_path, "should not be there: the deal is over before it")
            return False
        legal = match.legal_actions()
        action = Action.from_json(form)
        if action not in legal:
            _note_illegal(action, legal, action_path, found)
            return False
        decisions.append(Decision(action_path, action.seat, legal.index(action), len(legal), form.get("by")))
        _check_forced(decisions[-1], found)
        match.apply(action)
    return True


def _note_illegal(action: Action, legal: Sequence[Action], path: str, found: Examination) -> None:
    seat = legal[0].seat
    if action.seat != seat:
        found.note(at(path, "seat"), f"is {action.seat}, should be {seat}, whose turn it is")
        return
    alike = [one for one in legal if one.kind is action.kind]
    if not alike:
        kinds = sorted({one.kind.value for one in legal})
        found.note(at(path, "do"), f'is "{action.kind}", should be {" or ".join(kinds)}')
        return
    given = action.to_json()
    for name in ("to", "contract", "trump", "tricks", "card"):
        fitting = [one.to_json() for one in alike if one.to_json().get(name) == given.get(name)]
        if not fitting:
            values = dict.fromkeys(shown(one.to_json().get(name)) for one in alike)
            found.note(
                at(path, name), f"is {shown(given.get(name))}, which is not legal; legal are {', '.join(values)}"
            )
            return
    found.note(path, f"{action} is not legal")


def _check_forced(decision: Decision, found: Examination) -> None:
    if decision.by is None:
        return
    path = at(decision.path, "by")
    if decision.legal_count == 1 and decision.by != By.FORCED:
        found.note(path, f'is "{decision.by}", should be "forced": no other action was legal')
    elif decision.legal_count > 1 and decision.by == By.FORCED:
        found.note(path, f'is "forced", but {decision.legal_count} actions were legal')


def _next_words(match: Match) -> str:
    return f"seat {match.seat_to_act} is to act"


def _check_deal_fields(deal: Deal, form: Record, path: str, found: Examination) -> None:
    expected = deal_record(deal)
    given = dict(form)
    if deal.points is None:
        _allow_unknown(deal, expected, given)
    for name in DEAL_FIELDS:
        _compare(expected[name], given[name], at(path, name), found)


def _allow_unknown(deal: Deal, expected: Record, given: Record) -> None:
    """Make allowance for the ways in which a deal in progress may say what is not known yet."""
    if not deal.is_set:
        for name in UNKNOWN_UNTIL_SET:
            if given[name] is None:
                expected[name] = None
        if given["misere"] is False:
            expected["misere"] = False
    if given["points"] == list(deal.points_so_far()):
        expected["points"] = given["points"]
    if given["ended_early"] is False:
        expected["ended_early"] = False
    trick = deal.trick
    if trick and not trick.cards and len(given["tricks"]) == len(expected["tricks"]) + 1:
        expected["tricks"].append({"leader": trick.leader, "cards": [], "taker": None})


def _check_end(record: Record, match: Match, found: Examination) -> None:
    kind = record["termination"]["kind"]
    count = len(record["deals"])
    if kind == "normal" and not match.over:
        if match.deal is not None and match.deal.number > count:
            found.note("deals", f"has {count} entries, but the match goes on with deal {match.deal.number}")
        else:
            found.note(f"deals[{count - 1}].actions", f"end before the deal is over; {_next_words(match)}")
    if kind != "normal" and match.over:
        found.note("termination.kind", f'is "{kind}", should be "normal": the match was played to its end')
    if kind != "normal" and match.deal is not None and match.deal.number > count:
        found.note("deals", f"has {count} entries, should end with deal {match.deal.number}, which is in progress")
    over = match.over and kind == "normal"
    _compare(list(match.totals) if over else None, record["totals"], "totals", found)
    _compare(list(match.places or ()) if over else None, record["places"], "places", found)
    settled = None if match.settlement is None or not over else list(match.settlement)
    _compare(settled, record["settlement"], "settlement", found)


def _check_forfeits(record: Record, found: Examination) -> None:
    seats: set[int] = set()
    for place, forfeit in enumerate(record["forfeits"]):
        path = at("forfeits", place)
        seat = forfeit["seat"]
        if seat >= record["seats"]:
            found.note(at(path, "seat"), f"is {seat}, should be from 0 to {record['seats'] - 1}")
        elif seat in seats:
            found.note(at(path, "seat"), f"is {seat}, which has forfeited already")
        else:
            seats.add(seat)
            _check_forfeit(record, forfeit, path, found)


def _check_forfeit(record: Record, forfeit: Record, path: str, found: Examination) -> None:
    """From the action named on, the seat's actions are the stand-in's or forced."""
    seat, first_deal, first_action = forfeit["seat"], forfeit["deal"], forfeit["action"]
    deals = record["deals"]
    if first_deal > len(deals):
        found.note(at(path, "deal"), f"is {first_deal}, should be from 1 to {len(deals)}")
        return
    actions = deals[first_deal - 1]["actions"]
    if first_action > len(actions) + 1:
        found.note(at(path, "action"), f"is {first_action}, should be from 1 to {len(actions) + 1}")
        return
    if first_action <= len(actions) and actions[first_action - 1]["seat"] != seat:
        found.note(
            at(path, "action"), f"is {first_action}, which is an action of seat {actions[first_action - 1]['seat']}"
        )
        return
    for number, deal in enumerate(deals[first_deal - 1 :], first_deal):
        for place, action in enumerate(deal["actions"], 1):
            is_later = number > first_deal or place >= first_action
            if is_later and action["seat"] == seat and action.get("by") == By.BOT:
                found.note(
                    f"deals[{number - 1}].actions[{place - 1}].by",
                    f'is "bot", but seat {seat} has forfeited in deal {first_deal}, action {first_action}',
                )
                return
