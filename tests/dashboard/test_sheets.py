"""Score sheets, the same cards in other hands, and the comparison of a board."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from bs4 import BeautifulSoup

from dashboard.links import ReplayLinks
from dashboard.pages.compare import BoardRecords, comparison, parting_tricks
from dashboard.pages.others import RotationRecord, heat, others
from dashboard.pages.replay import Address, MatchView, Where, match_view, replay_page
from dashboard.pages.seating import places, reading_order
from dashboard.pages.sheet import sheet
from dashboard.templating import Reader, Renderer
from dashboard.translate import translations
from dashboard.words import Words
from referee.random_match import random_match
from referee.rules import parse_variant

pytestmark = pytest.mark.slow

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


def test_ordered_deals_stand_in_a_block_for_each_contract() -> None:
    """Where each seat has each contract once, it is a block with a row for each seat, halves and total below."""
    variant = parse_variant("ordered-56")
    match = match_view(random_match(variant, 1))
    found = sheet(match.record, variant, match.seats, WORDS, 7)
    blocks = [group for group in found.groups if group.name]
    named = {contract.id: WORDS.contract(contract) for contract in variant.contracts.values()}
    assert [group.name for group in blocks] == list(named.values())
    deals = {(named[deal["contract"]], deal["declarer"]): deal for deal in match.record["deals"]}
    for group in blocks:
        assert [row.by for row in group.rows] == [0, 1, 2, 3]
        for row in group.rows:
            deal = deals[group.name, row.by]
            assert (row.number, [cell.points for cell in row.cells]) == (deal["number"], deal["points"])
            assert [cell.chose for cell in row.cells] == [seat == row.by for seat in range(4)]
    kinds = ["half" if not group.name else "block" for group in found.groups]
    assert kinds == [*["block"] * 7, "half", *["block"] * 7, "half", "half"]
    minus, plus, total = (row for row in found.rows if row.kind in {"half", "final"})
    assert (minus.total, plus.total, total.total) == (-768, 768, 0)
    assert [cell.points for cell in total.cells] == match.record["totals"]
    assert (found.tinted, found.grid) == (False, ())


def test_a_contract_not_ordered_yet_is_an_open_row() -> None:
    """Of a match in progress a block shows who has not ordered its contract yet, without points; sums leave it out."""
    variant = parse_variant("ordered-56")
    record = random_match(variant, 1)
    record["deals"] = record["deals"][:3]
    for field in ("totals", "places"):
        record[field] = None
    record["termination"] = {"kind": "unfinished", "detail": ""}
    match = match_view(record)
    found = sheet(match.record, variant, match.seats, WORDS, 3)
    rows = [row for group in found.groups if group.name for row in group.rows]
    assert [row.kind for row in rows].count("open") == 53
    assert sorted(row.number or 0 for row in rows if row.kind == "deal") == [1, 2, 3]
    assert all(row.until > 56 and {cell.points for cell in row.cells} == {None} for row in rows if row.kind == "open")
    assert found.rows[-1].total == sum(sum(deal["points"]) for deal in record["deals"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "in_blocks", "tinted"),
    [
        ("ordered-56", True, False),
        ("ordered-56[boys=kings_and_jacks]", True, False),
        ("chooser-12", False, True),
        ("turkish-20", False, True),
        ("russian-14", False, False),
    ],
)
def test_the_rules_say_which_sheet_it_is(variant: str, in_blocks: bool, tinted: bool) -> None:
    """Blocks where every seat orders every contract, rows in order of play where the table shares them."""
    match = match_view(random_match(parse_variant(variant), 2))
    found = sheet(match.record, match.replayed.variant, match.seats, WORDS, 1)
    assert (found.in_blocks, found.tinted, bool(found.grid)) == (in_blocks, tinted, tinted)


def drawn(match: MatchView, deal: int) -> BeautifulSoup:
    """The replay page at the beginning of a deal, as HTML."""
    where = Where(title="", heading="", here="", crumbs=(), record_link="/", board_link=None)
    page = replay_page(match, Address(deal, 0, "open"), where, ReplayLinks("/"), WORDS)
    renderer = Renderer(clock=lambda: datetime(2026, 11, 29, tzinfo=UTC), has_store=False)
    return BeautifulSoup(renderer.render("replay.html", Reader(), page=page), "html.parser")


def test_a_block_is_marked_up_as_one() -> None:
    """A block is a row group headed by its contract; each row links to its deal, and the current one is marked."""
    page = drawn(match_view(random_match(parse_variant("ordered-56"), 1)), 20)
    blocks = page.select("#sheet tbody.block")
    assert len(blocks) == 14
    for block in blocks:
        head = block.select_one("th[scope=rowgroup]")
        assert head is not None
        assert head["rowspan"] == "4"
        assert [len(block.select(part)) for part in ("tr", "th[scope=row] a", "td[data-chose]")] == [4, 4, 4]
    assert [str(row["data-until"]) for row in page.select("#sheet tr.now")] == ["20"]
    numbers = {str(link["data-deal"]) for link in page.select("#sheet tbody.block a")}
    assert numbers == {str(number) for number in range(1, 57)}


@pytest.mark.parametrize("variant", ["turkish-20", "chooser-12"])
def test_who_made_king_has_a_crown_in_the_cell(variant: str) -> None:
    """The seat that made King has a named crown in its cell of that deal, and nobody else."""
    match = match_view(random_match(parse_variant(variant), 1))
    match.record["deals"][3]["made_king"] = 2
    found = sheet(match.record, match.replayed.variant, match.seats, WORDS, 1)
    kings = [(row.number, seat) for row in found.rows for seat, cell in enumerate(row.cells) if cell.made_king]
    assert kings == [(4, 2)]
    crowns = drawn(match, 1).select("#sheet svg.crown")
    assert [str(crown["aria-label"]) for crown in crowns] == ["made King"]
    cell = crowns[0].find_parent("td")
    assert cell is not None
    assert len(cell.find_previous_siblings("td")) == 2


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
