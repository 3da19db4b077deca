"""Score sheets, the same cards in other hands, and the comparison of a board."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.pages.compare import BoardRecords, comparison, parting_tricks
from dashboard.pages.others import RotationRecord, heat, others
from dashboard.pages.replay import match_view
from dashboard.pages.seating import places, reading_order
from dashboard.pages.sheet import sheet
from dashboard.translate import translations
from dashboard.words import Words
from referee.random_match import random_match
from referee.rules import parse_variant

WORDS = Words(translations("en"))
RUSSIAN = parse_variant("russian-14")
PLACES = places(4, clockwise=True)


def board_of(seed: int = 1) -> BoardRecords:
    """Four matches on the same cards, the bots moving on one seat each."""
    names = ("a", "b", "c", "d")
    rotations = []
    for rotation in range(4):
        record = _on_the_cards_of(seed, rotation)
        for player in record["players"]:
            player["bot"] = names[(player["seat"] - rotation) % 4]
        rotations.append(RotationRecord(rotation, f"m{rotation}", record))
    return BoardRecords(rotations, RUSSIAN, PLACES)


def _on_the_cards_of(seed: int, rotation: int) -> dict[str, Any]:
    from hashlib import sha256

    from referee import dealing
    from referee.random_match import play_at_random
    from referee.rules import Match, Player, Secrets, match_record

    deal_seed = dealing.deal_seed(dealing.local_secret(seed, 1), dealing.LOCAL_SALT)
    match = Match(RUSSIAN, dealing.packs(deal_seed, RUSSIAN), dealing.first_seat(deal_seed, RUSSIAN))
    taken = play_at_random(match, sha256(bytes([rotation])).digest())
    players = [Player(bot="", version="1")] * 4
    return match_record(match, match_id=f"m{rotation}", players=players, context={}, secrets=Secrets(), taken=taken)


def test_halves_and_total_add_up() -> None:
    """A sheet of fixed deals has both halves and the total, each the sum of its rows; a match of it sums to zero."""
    match = match_view(random_match(RUSSIAN, 1))
    found = sheet(match.record, RUSSIAN, match.seats, WORDS, 1)
    kinds = [(row.kind, row.sign) for row in found.rows]
    assert kinds == [
        *[("deal", "minus")] * 7,
        ("half", "minus"),
        *[("deal", "plus")] * 7,
        ("half", "plus"),
        ("final", ""),
    ]
    minus, plus, total = (row for row in found.rows if row.kind != "deal")
    assert (minus.total, plus.total, total.total) == (-192, 192, 0)
    assert [cell.points for cell in total.cells] == match.record["totals"]
    assert not found.tinted
    assert not found.grid


def test_chosen_deals_mark_the_chooser_and_fill_the_grid() -> None:
    """Where contracts are chosen each row marks its chooser, and the grid counts the choices up to the current deal."""
    variant = parse_variant("turkish-20")
    match = match_view(random_match(variant, 1))
    found = sheet(match.record, variant, match.seats, WORDS, 7)
    for row, deal in zip(found.rows, match.record["deals"], strict=False):
        assert [cell.chose for cell in row.cells] == [seat == deal["declarer"] for seat in range(4)]
    chosen = sorted(number for row in found.grid for deals in row.by_seat for number in deals)
    assert chosen == [1, 2, 3, 4, 5, 6, 7]
    limits = [contract.match_limit or 0 for contract in variant.contracts.values()]
    assert sum(row.left or 0 for row in found.grid) == sum(limits) - 7
    assert found.tinted


def test_a_classic_sheet_tells_the_settlement() -> None:
    """A variant that settles says what each seat collects or pays."""
    variant = parse_variant("classic")
    match = match_view(random_match(variant, 1))
    found = sheet(match.record, variant, match.seats, WORDS, 1)
    assert found.settlement.startswith("The winner collects the differences.")


def test_an_unfinished_record_has_open_rows() -> None:
    """Of a deal in progress the sheet shows the row without points, and no total of it."""
    record = random_match(RUSSIAN, 1)
    record["deals"] = record["deals"][:2]
    last = record["deals"][1]
    last["actions"] = last["actions"][:5]
    last["tricks"] = [last["tricks"][0], {**last["tricks"][1], "cards": last["tricks"][1]["cards"][:1], "taker": None}]
    for field in ("points", "ended_early"):
        last[field] = None
    for field in ("totals", "places"):
        record[field] = None
    record["termination"] = {"kind": "unfinished", "detail": ""}
    match = match_view(record)
    found = sheet(match.record, RUSSIAN, match.seats, WORDS, 2)
    assert [row.kind for row in found.rows] == ["deal", "deal", "half", "final"]
    assert [cell.points for cell in found.rows[1].cells] == [None] * 4
    assert found.rows[-1].total == -16


@pytest.mark.parametrize(
    ("points", "mean", "step"), [(-4, -4, 0), (-4.1, -4, 0), (-3, -4, 1), (-6.5, -4, -2), (4, -4, 3), (-16, -4, -3)]
)
def test_heat_compares_with_the_mean_of_the_hand(points: float, mean: float, step: int) -> None:
    """Steps of heat grow with the distance from the mean, more points above, fewer below."""
    assert heat(points, mean, RUSSIAN.contracts["no_tricks"], 4) == step


def test_other_hands_follow_the_seat() -> None:
    """A row is a seat's cards; its cells name who held them in each rotation."""
    board = board_of()
    found = others(board.rotations, RUSSIAN, 3, "m2", PLACES, WORDS)
    assert found is not None
    assert [row.at for row in found.rows] == ["top", "left", "right", "bottom"]
    bottom = found.rows[-1]
    assert [cell.name for cell in bottom.cells] == ["a", "d", "c", "b"]
    assert [cell.this for cell in bottom.cells] == [False, False, True, False]
    assert [cell.points for cell in bottom.cells] == [one.record["deals"][2]["points"][0] for one in board.rotations]


def test_one_rotation_has_nothing_to_compare() -> None:
    """With one rotation there is no table of other hands."""
    assert others(board_of().rotations[:1], RUSSIAN, 1, "m0", PLACES, WORDS) is None


def test_a_comparison_adds_up() -> None:
    """Bots' means are zero-sum, each bot has every seat once, and hands' totals are the bots' points in that seat."""
    board = board_of()
    found = comparison(board, WORDS)
    assert sum(bot.to_mean for bot in found.bots) == pytest.approx(0)
    assert [bot.to_mean for bot in found.bots] == sorted((bot.to_mean for bot in found.bots), reverse=True)
    for column, bot in enumerate(found.bots):
        assert sorted(one.seat for one in bot.rotations) == [0, 1, 2, 3]
        by_seat = {one.seat: one.points for one in bot.rotations}
        assert [hand.totals[column] for hand in found.hands] == [by_seat[hand.seat] for hand in found.hands]


def test_the_detail_shows_the_asked_hand() -> None:
    """The hand asked for is shown as dealt, each way plays exactly its cards, and its row is marked."""
    board = board_of()
    found = comparison(board, WORDS, 1, 2)
    dealt = set(board.rotations[0].record["deals"][0]["hands"][2])
    assert set(found.detail.hand) == dealt
    for way in found.detail.ways:
        assert {card.card for trick in way.tricks for card in trick.cards if card.own} <= dealt
    shown = [(hand.seat, row.deal) for hand in found.hands for row in hand.rows if row.shown]
    assert shown == [(2, 1)]


@pytest.mark.parametrize(
    ("ways", "parts"),
    [
        (("AB", "AB", "AC", "DB"), ((), (), (1,), (0,))),
        (("AB", "AC"), ((1,), (1,))),
        (("A", "A", "A"), ((), (), ())),
        ((), ()),
        (("AX", "A"), ((), ())),
    ],
)
def test_ways_part_from_the_common_one(ways: tuple[str, ...], parts: tuple[tuple[int, ...], ...]) -> None:
    """Where equal ways split, all but the largest part are marked; of equal parts, all."""
    assert parting_tricks(ways) == tuple(frozenset(tricks) for tricks in parts)


def test_seats_follow_the_direction_of_play() -> None:
    """Seat 0 sits at the bottom; the next seat at the left, or at the right where play runs the other way."""
    assert places(4, clockwise=True) == ("bottom", "left", "top", "right")
    assert places(4, clockwise=False) == ("bottom", "right", "top", "left")
    assert places(3, clockwise=True) == ("bottom", "left", "right")
    assert reading_order(places(4, clockwise=False)) == (2, 3, 1, 0)
