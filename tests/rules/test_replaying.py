"""Replays: every position of a record."""

import json
import re

import pytest

from referee.rules import (
    RulesError,
    match_scores,
    parse_variant,
    replay,
)
from tests.rules.records import (
    QUICK,
    record_of,
)


@pytest.mark.parametrize("preset", QUICK)
def test_replay_gives_every_position(preset: str) -> None:
    """A replay has a position before the first action and after each, and ends at the recorded points and totals."""
    record = record_of(preset)
    deals = replay(record).deals
    running = [0] * record["seats"]
    for deal, form in zip(deals, record["deals"], strict=True):
        assert len(deal.positions) == len(form["actions"]) + 1
        assert [position.number for position in deal.positions] == list(range(len(form["actions"]) + 1))
        running = [total + points for total, points in zip(running, form["points"], strict=True)]
        last = deal.positions[-1]
        assert (list(last.points), list(last.totals), last.seat_to_act) == (form["points"], running, None)
        for position, action in zip(deal.positions, form["actions"], strict=False):
            assert position.seat_to_act == action["seat"]
            assert {name: value for name, value in action.items() if name != "by"} in position.legal
        if form["tricks"]:
            assert last.last_trick == form["tricks"][-1]
        json.dumps([position.to_json() for position in deal.positions])


def test_replay_of_a_trick() -> None:
    """Positions show the open trick, who leads it and who holds it, and the trick that an action completed."""
    record = record_of("russian-14")
    positions = replay(record).deals[0].positions
    first = record["deals"][0]["tricks"][0]
    assert positions[3].trick == tuple(first["cards"][:3])
    assert (positions[3].leader, positions[4].trick, positions[4].last_trick) == (first["leader"], (), first)
    assert (positions[1].holder, positions[4].holder, positions[4].leader) == (first["leader"], None, first["taker"])
    assert sum(map(len, positions[4].hands)) == 28


def test_replay_stops_at_the_first_error() -> None:
    """A replay of a record that breaks the rules says where."""
    record = record_of("russian-14")
    record["deals"][2]["actions"][5]["seat"] = (record["deals"][2]["actions"][5]["seat"] + 1) % 4
    with pytest.raises(RulesError, match=re.escape("deals[2].actions[5]")):
        replay(record)


@pytest.mark.parametrize("name", ["totals", "places", "settlement"])
def test_replay_names_a_list_that_is_not_by_seat(name: str) -> None:
    """What a record tells of every seat it tells of each: pages draw a column for each seat."""
    record = {**record_of("russian-14"), name: [1, 2, 3]}
    with pytest.raises(RulesError, match=f"{name}: has 3 entries, should have 4, one for each seat"):
        replay(record)
    record = record_of("russian-14")
    record["deals"][1]["points"] = []
    with pytest.raises(RulesError, match=re.escape("deals[1].points: has 0 entries, should have 4")):
        replay(record)


def test_scores_of_a_record() -> None:
    """What decides ratings is the sum of points, or of the negative contracts; extra deals are left out."""
    record = record_of("chooser-12")
    assert list(match_scores(parse_variant("chooser-12"), record["deals"])) == record["totals"]
    text = "chooser-12[tie=extra_deal,winner=smallest_penalties]"
    variant = parse_variant(text)
    record = record_of(text)
    negative = [deal for deal in record["deals"][:12] if variant.contracts[deal["contract"]].total < 0]
    sums = [sum(deal["points"][seat] for deal in negative) for seat in range(4)]
    assert list(match_scores(variant, record["deals"])) == sums
