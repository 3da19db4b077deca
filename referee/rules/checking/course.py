"""Checking the course of a match: the recorded actions are played, and what follows from them is compared."""

from collections.abc import Sequence
from typing import Final

from referee.rules.actions import Action, By
from referee.rules.checking.examination import Decision, Examination, compare
from referee.rules.deal import Deal
from referee.rules.record import Record, deal_record
from referee.rules.shape import at, shown
from referee.rules.state import Match

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


def check_actions(match: Match, deal: Deal, actions: Sequence[Record], path: str, found: Examination) -> bool:
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


def check_deal_fields(deal: Deal, form: Record, path: str, found: Examination) -> None:
    """Compare what follows from a deal's hands and actions with what the record says."""
    expected = deal_record(deal)
    given = dict(form)
    if deal.points is None:
        _allow_unknown(deal, expected, given)
    for name in DEAL_FIELDS:
        compare(expected[name], given[name], at(path, name), found)


def _allow_unknown(deal: Deal, expected: Record, given: Record) -> None:
    """Make allowance for the ways in which a deal in progress may say what is not known yet."""
    if not deal.is_set:
        for name in UNKNOWN_UNTIL_SET:
            is_known = name == "declarer" and not deal.variant.has_dealer
            if given[name] is None and not is_known:
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
