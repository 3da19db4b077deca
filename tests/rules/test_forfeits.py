"""Forfeits, the stand-in and forced actions in records."""

from typing import Any

import pytest

from referee import dealing
from referee.rules import (
    By,
    Forfeit,
    Match,
    Player,
    Secrets,
    Taken,
    match_record,
    parse_record,
    parse_variant,
    record_text,
)
from referee.verification import verify
from tests.rules.records import changed, copy_of, record_of


def _played_by_stand_in(seats: frozenset[int], *, forfeits: bool) -> dict[str, Any]:
    """Play a match in which the stand-in takes every action of some seats that is not forced."""
    variant = parse_variant("turkish-20")
    secret = dealing.local_secret(1, 1)
    seed = dealing.deal_seed(secret, dealing.LOCAL_SALT)
    match = Match(variant, dealing.packs(seed, variant), dealing.first_seat(seed, variant))
    match.start()
    taken: list[list[Taken]] = []
    stream = dealing.stand_in_stream(seed, 1)
    while match.deal is not None:
        if match.deal.number > len(taken):
            stream = dealing.stand_in_stream(seed, match.deal.number)
            taken.append([])
        legal = match.legal_actions()
        if len(legal) == 1:
            by, index = By.FORCED, 0
        elif match.seat_to_act in seats:
            by, index = By.STAND_IN, stream.below(len(legal))
        else:
            by, index = By.BOT, 0
        taken[-1].append(Taken(by=by, ms=3, asked_with=1))
        match.apply(legal[index])
    first = {seat: _first_action(match, seat) for seat in seats}
    return match_record(
        match,
        match_id="stand-in",
        players=[Player(bot="first", version="1")] * 4,
        context={"stand_in": "random/1"},
        secrets=Secrets(
            deal_secret=secret,
            deal_salt=dealing.LOCAL_SALT,
            deal_seed=seed,
            deal_commitment=dealing.commitment(secret),
        ),
        taken=taken,
        forfeits=[Forfeit(seat=seat, kind="absent", deal=1, action=first[seat]) for seat in seats] if forfeits else [],
    )


def _first_action(match: Match, seat: int) -> int:
    seats = [action.seat for action in match.deals[0].actions]
    return seats.index(seat) + 1


def test_the_stand_ins_draws_are_checked() -> None:
    """What the stand-in did follows from the seed; another legal action in its place is found and named."""
    record = parse_record(record_text(_played_by_stand_in(frozenset({1, 2}), forfeits=True)))
    assert verify(record).problems == ()
    assert verify(record).unchecked == ()
    claimed = copy_of(record)
    action = next(one for one in claimed["deals"][0]["actions"] if one["by"] == "bot")
    action["by"] = "stand_in"
    paths = {problem.path for problem in verify(claimed).problems}
    assert any(path.startswith("deals[0].actions[") for path in paths)


def test_a_forfeit_cannot_be_left_out() -> None:
    """The stand-in acts twice for a seat that goes on; from the third time on that seat must be among the forfeits.

    Where nobody says who acted, nothing follows.
    """
    whole = _played_by_stand_in(frozenset({1, 2}), forfeits=True)
    for seat in (1, 2):
        record = copy_of(whole)
        record["forfeits"] = [one for one in record["forfeits"] if one["seat"] != seat]
        (problem,) = verify(record).problems
        actions = [(deal, at) for deal, one in enumerate(record["deals"]) for at in range(len(one["actions"]))]
        stood_in = [
            (deal, at)
            for deal, at in actions
            if (action := record["deals"][deal]["actions"][at])["seat"] == seat and action["by"] == "stand_in"
        ]
        deal, at = stood_in[2]
        assert problem.path == f"deals[{deal}].actions[{at}].by"
        assert problem.message.endswith(f"but forfeits do not name seat {seat}")
    untold = copy_of(whole)
    untold["forfeits"] = []
    for action in (one for deal in untold["deals"] for one in deal["actions"] if one["by"] == "stand_in"):
        del action["by"]
    assert verify(untold).problems == ()


def test_an_unknown_stand_in_is_not_checked() -> None:
    """The draws of a policy that is not known are not checked, and that is said."""
    record = changed(_played_by_stand_in(frozenset({1}), forfeits=True), "context.stand_in", "clever/7")
    assert verify(record).problems == ()
    assert "clever/7" in verify(record).unchecked[0]


@pytest.mark.parametrize(
    ("field", "value", "path"),
    [
        ("seat", 4, "forfeits[0].seat"),
        ("kind", "sleep", "forfeits[0].kind"),
        ("deal", 21, "forfeits[0].deal"),
        ("action", 1000, "forfeits[0].action"),
        ("action", 0, "forfeits[0].action"),
    ],
)
def test_forfeits_must_fit(field: str, value: object, path: str) -> None:
    """A forfeit names a seat, a known kind, and an action of that seat."""
    record = changed(_played_by_stand_in(frozenset({1}), forfeits=True), f"forfeits[0].{field}", value)
    assert path in {problem.path for problem in verify(record).problems}


def test_forfeits_agree_with_who_acted() -> None:
    """After a forfeit the seat's actions are the stand-in's or forced."""
    record = _played_by_stand_in(frozenset({1}), forfeits=True)
    other = changed(record, "forfeits[0].seat", 2)
    other["forfeits"][0]["action"] = next(
        place for place, action in enumerate(other["deals"][0]["actions"], 1) if action["seat"] == 2
    )
    assert any(path.endswith(".by") for path in (problem.path for problem in verify(other).problems))
    record["forfeits"].append(record["forfeits"][0])
    assert "forfeits[1].seat" in {problem.path for problem in verify(record).problems}


def test_a_forfeit_after_the_last_action() -> None:
    """A seat that has nothing more to do forfeits at the action after the last."""
    record = record_of("russian-14")
    last = record["deals"][-1]
    record["forfeits"] = [{"seat": 1, "kind": "flood", "deal": 14, "action": len(last["actions"]) + 1, "detail": ""}]
    assert verify(record).problems == ()


def test_forced_actions_are_recomputed() -> None:
    """An action is forced exactly if no other was legal."""
    record = record_of("russian-14")
    for by, other in (("forced", "bot"), ("bot", "forced")):
        place = next(place for place, action in enumerate(record["deals"][0]["actions"]) if action["by"] == by)
        problems = verify(changed(record, f"deals[0].actions[{place}].by", other)).problems
        assert [problem.path for problem in problems] == [f"deals[0].actions[{place}].by"]


def test_a_stand_in_that_is_not_named_is_checked_all_the_same() -> None:
    """Leaving out the policy's name does not hide a card that it did not draw."""
    record = _played_by_stand_in(frozenset({1}), forfeits=True)
    record["context"]["stand_in"] = None
    assert verify(record).problems == ()
    number, place = next(
        (number, place)
        for number, deal in enumerate(record["deals"])
        for place, action in enumerate(deal["actions"])
        if action.get("by") == By.BOT
    )
    record["deals"][number]["actions"][place]["by"] = "stand_in"
    assert verify(record).problems


def test_a_bot_that_plays_on_after_its_forfeit_cannot_be_hidden() -> None:
    """After a forfeit, an action of the seat that does not say who took it is refused where others say it."""
    record = _played_by_stand_in(frozenset({2}), forfeits=True)
    forfeit = record["forfeits"][0]
    action = record["deals"][0]["actions"][forfeit["action"] - 1]
    del action["by"]
    assert verify(record).problems[0].path == f"deals[0].actions[{forfeit['action'] - 1}].by"


def test_who_chooses_is_known_before_any_action() -> None:
    """A deal in progress without actions names the declarer where the variant knows it from the start."""
    variant = parse_variant("turkish-20")
    seed = dealing.deal_seed(dealing.local_secret(1, 1), dealing.LOCAL_SALT)
    match = Match(variant, dealing.packs(seed, variant), None)
    match.start()
    record = match_record(
        match,
        match_id="begun",
        players=[Player(bot="first", version="1")] * 4,
        context={},
        secrets=Secrets(),
        taken=[[]],
    )
    assert verify(record).problems == ()
    record["deals"][0]["declarer"] = None
    assert [problem.path for problem in verify(record).problems] == ["deals[0].declarer"]
