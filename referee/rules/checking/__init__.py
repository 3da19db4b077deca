"""Checking a record against the rules: every field that follows from them is worked out again and compared.

Owns what must agree with what. Secrets and the stand-in's draws need the streams and are checked by
`referee/verification.py`. Whatever JSON comes in, the answer is a list of problems, never an exception.
"""

from referee.rules.checking.cards import check_cards_agree, check_hands
from referee.rules.checking.course import check_actions, check_deal_fields
from referee.rules.checking.examination import Decision, Examination, compare
from referee.rules.checking.forfeits import check_forfeits
from referee.rules.checking.header import check_header
from referee.rules.record import Record
from referee.rules.replaying import recorded_match
from referee.rules.shape import Problem, at, shape_problems, shown
from referee.rules.state import Match
from referee.rules.variant import Variant

__all__ = ["Decision", "Examination", "check_record", "examine"]


def check_record(record: object) -> list[Problem]:
    """Return what is wrong with a record as far as the rules alone tell; empty if nothing is."""
    return examine(record).problems


def examine(record: object) -> Examination:
    """Check a record and return what was found on the way."""
    found = Examination(problems=shape_problems(record))
    if found.problems or not isinstance(record, dict):
        return found
    variant = found.variant = check_header(record, found)
    if variant is None:
        return found
    if not record["deals"]:
        found.note("deals", "is empty, should have every deal, the one in progress included")
        return found
    dealt = [check_hands(deal, variant, number, found) for number, deal in enumerate(record["deals"], 1)]
    for place, deal in enumerate(record["deals"]):
        check_cards_agree(deal, at("deals", place), found)
    match = _check_deals(record, variant, found, playable=[*dealt, False].index(False))
    if match is not None:
        _check_end(record, match, found)
    check_forfeits(record, found)
    return found


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
        if not check_actions(match, deal, form["actions"], path, found):
            return None
        if deal.points is None and place < len(deals) - 1:
            found.note(at(path, "actions"), f"end before the deal is over; {_next_words(match)}")
            return None
        check_deal_fields(deal, form, path, found)
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


def _next_words(match: Match) -> str:
    return f"seat {match.seat_to_act} is to act"


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
    compare(list(match.totals) if over else None, record["totals"], "totals", found)
    compare(list(match.places or ()) if over else None, record["places"], "places", found)
    settled = None if match.settlement is None or not over else list(match.settlement)
    compare(settled, record["settlement"], "settlement", found)
