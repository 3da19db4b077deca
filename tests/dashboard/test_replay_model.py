"""Positions of replays: hands in each view, frames and steps, for every variant there is."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from dashboard.errors import AddressError
from dashboard.links import OPEN, ReplayLinks
from dashboard.pages.deal import Frame
from dashboard.pages.frames import Frames
from dashboard.pages.hands import CAN, GONE, HELD, PLAYED, in_hand_order
from dashboard.pages.replay import Address, MatchView, Where, address, match_view, replay_page
from dashboard.translate import translations
from dashboard.words import Words
from referee.random_match import random_match
from referee.rules import PRESETS, parse_variant

pytestmark = pytest.mark.slow

WORDS = Words(translations("en"))
NOWHERE = Where(title="", heading="", here="", crumbs=(), record_link="", board_link=None)


@cache
def match_of(variant: str, seed: int = 3) -> MatchView:
    return match_view(random_match(parse_variant(variant), seed))


def frames_of(match: MatchView, deal: int, view: str = OPEN) -> list[Frame]:
    frames = Frames(match.source(deal, view, WORDS))
    return [frames.frame(play) for play in range(len(frames))]


def some_deals(match: MatchView) -> list[int]:
    return sorted(random.Random(1).sample(range(1, len(match.record["deals"]) + 1), 4))


@pytest.mark.parametrize("variant", PRESETS)
def test_every_deal_can_be_stepped_through(variant: str) -> None:
    """Forward from the dealt cards leads through every play of a deal, in order, and back the same way."""
    match = match_of(variant)
    for deal in some_deals(match):
        frames = frames_of(match, deal)
        assert [frame.play for frame in frames] == list(range(len(match.record["deals"][deal - 1]["actions"]) + 1))
        for before, after in pairwise(frames):
            forward, back = before.steps["forward"], after.steps["back"]
            assert forward is not None
            assert back is not None
            assert (forward.deal, forward.play) == (deal, after.play)
            assert (back.deal, back.play) == (deal, before.play)


@pytest.mark.parametrize("variant", PRESETS)
def test_cards_are_in_a_hand_or_played_never_both(variant: str) -> None:
    """In the open view a card shows as held in one hand at most, and as played once it has been."""
    match = match_of(variant)
    for deal in some_deals(match):
        source = match.source(deal, OPEN, WORDS)
        faces = replay_page(match, Address(deal, 0, OPEN), NOWHERE, ReplayLinks("/"), WORDS).deal.hands
        for frame in frames_of(match, deal):
            held = [
                face
                for hand, states in zip(faces, frame.hands, strict=True)
                for face, state in zip(hand, states, strict=True)
                if state in {HELD, CAN}
            ]
            played = {action["card"] for action in source.record_actions[: frame.play] if action["do"] == "play"}
            assert len(held) == len(set(held))
            assert not played & set(held)


@pytest.mark.parametrize("variant", PRESETS)
def test_points_run_to_the_totals_of_the_record(variant: str) -> None:
    """The last frame of the last deal shows the record's totals, and says that the deal is over."""
    match = match_of(variant)
    last = frames_of(match, len(match.record["deals"]))[-1]
    assert [plate.points for plate in last.plates] == match.record["totals"]
    assert last.over
    assert last.turn is None
    assert "The deal is over" in last.said


@pytest.mark.parametrize(
    "variant", ["russian-14", "turkish-20", "classic[redemption=talon]", "classic[redemption=praise]"]
)
def test_one_seat_sees_its_own_cards_and_backs(variant: str) -> None:
    """In a seat's view its own hand is as in the open view; of another hand only cards it has seen have faces."""
    match = match_of(variant)
    for deal in some_deals(match):
        for seat in range(len(match.seats)):
            page = replay_page(match, Address(deal, 0, str(seat)), NOWHERE, ReplayLinks("/"), WORDS)
            opened = replay_page(match, Address(deal, 0, OPEN), NOWHERE, ReplayLinks("/"), WORDS)
            assert page.deal.hands[seat] == opened.deal.hands[seat]
            known = seen_by(match.record["deals"][deal - 1], seat)
            for other in range(len(match.seats)):
                if other != seat:
                    assert {face for face in page.deal.hands[other] if face} <= known


def seen_by(deal: dict[str, Any], seat: int) -> set[str]:
    """Cards of other hands that a seat has seen in a deal: what it gave, and what was shown to all."""
    given = {one["card"] for one in deal["actions"] if one["do"] == "give" and one["seat"] == seat}
    return given | ({deal["exposed"]} if deal["exposed"] else set())


def test_hidden_hands_have_as_many_backs_as_cards() -> None:
    """A hidden hand shows one back for each card held, and nothing is lifted in it."""
    match = match_of("russian-14")
    opened = frames_of(match, 1)
    for frame in frames_of(match, 1, view="2"):
        for seat, states in enumerate(frame.hands):
            open_states = opened[frame.play].hands[seat]
            held = sum(state in {HELD, CAN} for state in open_states)
            assert sum(state in {HELD, CAN} for state in states) == held
            if seat != 2:
                assert CAN not in states


def test_a_gift_is_seen_by_giver_and_receiver_only() -> None:
    """The giver goes on seeing the card it gave; a third seat sees a back, and no card in the list."""
    match = match_of("classic[redemption=talon]")
    deal = next(one for one in match.record["deals"] if any(action["do"] == "give" for action in one["actions"]))
    gift = next(action for action in deal["actions"] if action["do"] == "give")
    third = next(seat for seat in range(4) if seat not in {gift["seat"], gift["to"]})
    views = {
        seat: replay_page(match, Address(deal["number"], 0, str(seat)), NOWHERE, ReplayLinks("/"), WORDS).deal
        for seat in (gift["seat"], gift["to"], third)
    }
    assert gift["card"] in views[gift["seat"]].hands[gift["to"]]
    assert gift["card"] in views[gift["to"]].hands[gift["to"]]
    assert gift["card"] not in views[third].hands[gift["to"]]
    cards = {seat: [one.card for one in view.decisions] for seat, view in views.items()}
    assert gift["card"] in cards[gift["to"]]
    assert gift["card"] not in cards[third]


def test_thinking_times_of_others_are_hidden() -> None:
    """In a seat's view only its own times are told."""
    record = random_match(parse_variant("russian-14"), 5)
    for action in record["deals"][0]["actions"]:
        action.update(by="bot", ms=107, asked_with=3)
    page = replay_page(match_view(record), Address(1, 8, "1"), NOWHERE, ReplayLinks("/"), WORDS)
    times = {(play.seat, play.time) for trick in page.deal.tricks for play in trick.by_seat if play}
    assert times == {(0, ""), (1, "107 ms"), (2, ""), (3, "")}
    assert [bool(plate.thought) for plate in page.frame.plates] == [False, True, False, False]


def test_stand_in_plays_are_marked() -> None:
    """From a forfeit on the plate says so, and plays of the stand-in are marked in the list."""
    record = random_match(parse_variant("russian-14"), 5)
    actions = record["deals"][1]["actions"]
    first = next(number for number, action in enumerate(actions, start=1) if action["seat"] == 1)
    for action in actions:
        if action["seat"] == 1 and action["by"] != "forced":
            action["by"] = "stand_in"
    record["forfeits"] = [{"seat": 1, "kind": "exit", "deal": 2, "action": first, "detail": ""}]
    match = match_view(record)
    page = replay_page(match, Address(2, first, OPEN), NOWHERE, ReplayLinks("/"), WORDS)
    assert [plate.stand_in for plate in page.frame.plates] == [False, True, False, False]
    marked = [play for trick in page.deal.tricks for play in trick.by_seat if play and play.stand_in]
    assert {play.seat for play in marked} == {1}
    assert "forfeited" in page.forfeits[0]


def test_the_trick_stays_until_the_next_card() -> None:
    """A complete trick lies on the table with its taker marked; the next card begins a new one."""
    match = match_of("russian-14")
    complete, after = frames_of(match, 1)[4:6]
    taker = match.record["deals"][0]["tricks"][0]["taker"]
    assert [slot.seat for slot in complete.slots if slot and slot.wins] == [taker]
    assert all(complete.slots)
    assert sum(slot is not None for slot in after.slots) == 1
    assert (complete.trick, after.trick) == (1, 2)


def test_trick_steps_stop_where_tricks_end() -> None:
    """Trick by trick forward from the dealt cards stops after every fourth card, then at the next deal."""
    match = match_of("russian-14")
    frames = frames_of(match, 2)
    stops = []
    at = 0
    while (target := frames[at].steps["trick_forward"]) is not None and target.deal == 2:
        at = target.play
        stops.append(at)
    assert stops == [4 * (k + 1) for k in range(len(stops))]
    assert stops[-1] == len(frames) - 1


def test_steps_lead_over_the_ends_of_deals() -> None:
    """Back from the dealt cards leads to the end of the deal before; at the match's ends there is no step."""
    match = match_of("russian-14")
    back = frames_of(match, 2)[0].steps["back"]
    assert back is not None
    assert (back.deal, back.play) == (1, len(match.record["deals"][0]["actions"]))
    assert frames_of(match, 1)[0].steps["back"] is None
    assert frames_of(match, 14)[-1].steps["forward"] is None


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"deal": "15"}, "from 1 to 14"),
        ({"deal": "0"}, "from 1 to 14"),
        ({"deal": "1", "play": "33"}, "from 0 to 32"),
        ({"play": "-1"}, "from 0 to 32"),
        ({"play": "٣"}, "from 0 to 32"),
        ({"view": "4"}, "a seat from 0 to 3"),
        ({"view": "all"}, "use open, or a seat"),
    ],
)
def test_wrong_positions_name_what_would_be_right(query: dict[str, str], message: str) -> None:
    """An address that the match does not have is refused with the range that it has."""
    asked = {"deal": None, "play": None, "view": None, **query}
    with pytest.raises(AddressError, match=message):
        address(match_of("russian-14"), deal=asked["deal"], play=asked["play"], view=asked["view"])


def test_hands_are_sorted_as_players_hold_them() -> None:
    """Spades, hearts, clubs, diamonds; high to low."""
    assert in_hand_order(["2D", "TS", "AC", "KH", "AS", "3C"]) == ("AS", "TS", "KH", "AC", "3C", "2D")


def test_decisions_before_the_play_are_steps() -> None:
    """A choice is a step of its own: nothing is chosen at play 0, the choice stands in the middle at play 1."""
    match = match_of("turkish-20")
    dealt, chosen, led = frames_of(match, 1)[:3]
    assert (dealt.phase, dealt.contract, dealt.decided) == ("decisions", "", 0)
    assert "chooses a contract" in dealt.waiting
    assert (chosen.phase, chosen.decided) == ("decisions", 1)
    assert chosen.contract
    assert led.phase == "play"


def test_three_cards_are_held_while_a_praise_deal_pauses() -> None:
    """Before the rest is dealt every hand has three cards; then all thirteen."""
    match = match_of("classic[redemption=praise]")
    deal = next(one for one in match.record["deals"] if one["tricks"] and one["actions"][0]["do"] != "play")
    frames = frames_of(match, deal["number"])
    first_lead = sum(action["do"] != "play" for action in deal["actions"])
    assert [states.count(GONE) for states in frames[0].hands] == [10] * 4
    assert [states.count(GONE) for states in frames[first_lead].hands] == [0] * 4
    assert frames[-1].hands[0].count(PLAYED) == 13
