"""Checking forfeits: they name an action of their seat, and from there on the bot did nothing itself."""

from referee.rules.actions import By
from referee.rules.checking.examination import Examination
from referee.rules.record import Record
from referee.rules.shape import at


def check_forfeits(record: Record, found: Examination) -> None:
    """Check every forfeit; a seat forfeits once."""
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
    says_by = any("by" in action for deal in deals for action in deal["actions"])
    allowed = (By.STAND_IN, By.FORCED) if says_by else (None,)  # a record may leave out `by`, but then everywhere
    for number, deal in enumerate(deals[first_deal - 1 :], first_deal):
        for place, action in enumerate(deal["actions"], 1):
            is_later = number > first_deal or place >= first_action
            if is_later and action["seat"] == seat and action.get("by") not in allowed:
                is_what = f'is "{action["by"]}"' if "by" in action else "is missing"
                found.note(
                    f"deals[{number - 1}].actions[{place - 1}].by",
                    f"{is_what}, but seat {seat} has forfeited in deal {first_deal}, action {first_action}",
                )
                return
