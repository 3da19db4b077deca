"""The points of whole deals and where a deal ends: the worked cases of the sources."""

from typing import NamedTuple

import pytest

from referee.rules import Play, parse_card, parse_variant
from tests.rules.positions import play_tricks, rules_of

A, B, C, D = range(4)


class Case(NamedTuple):
    """Tricks, each with the seat that leads and takes it; those not given have no scoring card."""

    id: str
    variant: str
    contract: str
    tricks: list[tuple[int, str]]
    points: tuple[int, ...]
    over: bool = True


def _blank(seat: int, count: int, seats: int = 4) -> list[tuple[int, str]]:
    """Tricks without a scoring card."""
    return [(seat, " ".join(["TC", "9C", "8C", "7C"][:seats]))] * count


def _tricks(*counts: int) -> list[tuple[int, str]]:
    return [trick for seat, count in enumerate(counts) for trick in _blank(seat, count, len(counts))]


def _hearts(*counts: int) -> list[tuple[int, str]]:
    """Let each seat take a number of hearts in tricks of up to four."""
    tricks = []
    for seat, count in enumerate(counts):
        for taken in range(0, count, 4):
            hearts = min(4, count - taken)
            tricks.append((seat, " ".join(["TH", "9H", "8H", "7H"][:hearts] + ["7S", "8S", "9S"][: 4 - hearts])))
    return tricks


KINGS = [(B, "KS 7S 8S 9S"), (B, "KD 7D 8D 9D"), (A, "KC 7C 8C 9C")]
QUEENS = [(A, "QS 7S 8S 9S"), (A, "QD 7D 8D 9D"), (B, "QC 7C 8C 9C")]

CASES = [
    Case("000-14", "russian-14", "no_tricks", _tricks(3, 0, 4, 1), (-6, 0, -8, -2)),
    Case("000-16", "russian-14", "no_boys", [*KINGS, *_blank(A, 1), (D, "AH KH 7H 8H")], (-4, -8, 0, -4)),
    Case("000-17", "russian-14", "no_king", [(A, "AS KH 7S 8S")], (-16, 0, 0, 0)),
    Case("000-20", "russian-14", "no_last_two", [*_blank(A, 6), *_blank(B, 1), *_blank(D, 1)], (0, -8, 0, -8)),
    Case("000-20 variant", "russian-14", "no_last_two", [*_blank(A, 6), *_blank(D, 2)], (0, 0, 0, -16)),
    Case("003-04 game 1", "base-14", "no_tricks", _tricks(2, 0, 4, 2), (-4, 0, -8, -4)),
    Case("003-29", "base-14", "king", [*_blank(A, 1), (C, "AD KH 7D 9D")], (0, 0, 16, 0)),
    Case("001-05", "classic", "no_tricks", _tricks(5, 4, 3, 1), (-100, -80, -60, -20)),
    Case("001-08", "classic", "no_girls", [(A, "QS 7S 8S 9S"), (B, "QH QD QC 7H"), *_blank(C, 11)], (-60, -180, 0, 0)),
    Case("001-11", "classic", "no_last", [*_blank(A, 11), *_blank(B, 1), *_blank(C, 1)], (0, 0, -150, 0)),
    Case(
        "001-11 two", "classic[last=two]", "no_last", [*_blank(A, 11), *_blank(B, 1), *_blank(C, 1)], (0, -75, -75, 0)
    ),
    Case("001-14", "classic[seats=3]", "no_tricks", _tricks(9, 5, 3), (-135, -75, -45)),
    Case("002-07", "chooser-12", "no_hearts", [*_hearts(7, 0, 0, 6), *_blank(B, 9)], (-14, 0, 0, -12)),
    Case(
        "002-08",
        "chooser-12",
        "no_girls",
        [(A, "QS QD 7S 8S"), (B, "QH 7H 8H 9H"), (C, "QC 7C 8C 9C"), *_blank(D, 10)],
        (-8, -4, -4, 0),
    ),
    Case("002-10 early", "chooser-12", "no_king", [(D, "AH KH 7H 8H")], (0, 0, 0, -16), over=False),
    Case("002-10", "chooser-12", "no_king", [(D, "AH KH 7H 8H"), *_blank(A, 12)], (0, 0, 0, -16)),
    Case("002-11 8", "chooser-12", "no_last", [*_blank(A, 12), *_blank(B, 1)], (0, -8, 0, 0)),
    Case("002-11 12", "chooser-12[last_points=12]", "no_last", [*_blank(A, 12), *_blank(B, 1)], (0, -12, 0, 0)),
    Case(
        "002-13",
        "chooser-12",
        "no_7th_13th",
        [*_blank(B, 6), *_blank(A, 1), *_blank(C, 5), *_blank(A, 1)],
        (-16, 0, 0, 0),
    ),
    Case(
        "002-20",
        "chooser-12[seats=3]",
        "girls",
        [(A, "QS QH 7S"), (C, "QC 7C 8C"), *_blank(B, 11, 3)],
        (8, 0, 4),
    ),
    Case("004-26", "turkish-20", "no_girls", [*_blank(A, 2), *QUEENS, (D, "QH 7H 8H 9H")], (-200, -100, 0, -100)),
    Case("004-29", "turkish-20", "no_tricks", _tricks(6, 4, 3, 0), (-300, -200, -150, 0)),
    Case(
        "004-31",
        "turkish-20",
        "no_boys",
        [(B, "KS JS 7S 8S"), (B, "KH 7H 8H 9H"), (D, "KD JD JH 7D"), (D, "KC JC 7C 8C")],
        (0, -180, 0, -300),
    ),
    Case("004-32", "turkish-20", "no_hearts", _hearts(5, 8, 0, 0), (-150, -240, 0, 0)),
    Case(
        "004-46",
        "turkish-20",
        "no_girls",
        [(A, "QS 7S 8S 9S"), (B, "QD 7D 8D 9D"), (C, "QC 7C 8C 9C"), (D, "QH 7H 8H 9H")],
        (-100, -100, -100, -100),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_points_of_a_deal(case: Case) -> None:
    """A deal comes to the points that the prices give, and ends where it should."""
    play = play_tricks(rules_of(case.variant, case.contract), case.tricks)
    assert tuple(play.points()) == case.points
    assert play.over is case.over


def test_003_04_games_2_and_3() -> None:
    """003-04: kings 0/3/0/1 and queens 0/2/1/1 give the rows of the sample table."""
    kings = [(B, "KS 7S 8S 9S"), (B, "KD KC 7D 8D"), (D, "KH 7H 8H 9H")]
    queens = [(B, "QS QD 7S 8S"), (C, "QC 7C 8C 9C"), (D, "QH 7H 8H 9H")]
    assert play_tricks(rules_of("base-14", "no_boys"), kings).points() == [0, -12, 0, -4]
    assert play_tricks(rules_of("base-14", "no_girls"), queens).points() == [0, -8, -4, -4]


def test_003_08_eighth_boy() -> None:
    """003-08: with jacks as boys the deal goes on after seven of them and ends with the trick of the eighth."""
    rules = rules_of("base-14[boys=kings_and_jacks]", "no_boys")
    seven = [(A, "KS JS 7S 8S"), (B, "KD JD 7D 8D"), (C, "KC JC 7C 8C"), (D, "KH 7H 8H 9H"), *_blank(A, 1)]
    assert not play_tricks(rules, seven).over
    assert play_tricks(rules, [*seven, (D, "AH JH TH 7S")]).over


def test_000_17_the_trick_is_completed() -> None:
    """000-17: the deal of the King does not end before the trick in which it falls is complete."""
    rules = rules_of("russian-14", "no_king")
    play = play_tricks(rules, [])
    for card in ("AS", "KH", "7S"):
        play.play(parse_card(card))
        assert not play.over
    play.play(parse_card("8S"))
    assert play.over


@pytest.mark.parametrize(
    ("variant", "contracts", "tricks"),
    [
        ("russian-14", ("no_tricks", "no_last_two", "no_jumble", "tricks", "last_two", "jumble"), 8),
        ("turkish-20", ("no_tricks", "no_last_two", "trumps"), 13),
        ("classic", ("no_tricks", "no_hearts", "no_girls", "no_boys", "no_king", "no_last", "trumps"), 13),
        ("chooser-12", tuple(parse_variant("chooser-12").contracts), 13),
    ],
    ids=["000-19", "004-28", "001 no early end", "002 no early end"],
)
def test_no_early_end(variant: str, contracts: tuple[str, ...], tricks: int) -> None:
    """Contracts of tricks, and all contracts of variants without an early end, go on to the last trick."""
    everything = [(A, "AH KH QH JH"), (A, "KS QS JS AS"), (A, "KD QD JD AD"), (A, "KC QC JC AC")]
    for contract in contracts:
        rules = rules_of(variant, contract)
        assert not play_tricks(rules, [*everything, *_blank(A, tricks - 5)]).over
        assert play_tricks(rules, [*everything, *_blank(A, tricks - 4)]).over


@pytest.mark.parametrize(
    ("variant", "contract", "points"),
    [
        ("russian-14", "no_jumble", -96),
        ("russian-14", "jumble", 96),
        ("chooser-12", "tricks", 26),
        ("chooser-12", "hearts", 26),
        ("chooser-12", "girls", 16),
        ("chooser-12", "king", 16),
        ("chooser-12", "last", 8),
        ("turkish-20", "trumps", 650),
    ],
    ids=["000-23", "000-23 plus", "002-14 8", "002-14 9", "002-14 10", "002-14 11", "002-14 12", "004-35"],
)
def test_one_seat_takes_everything(variant: str, contract: str, points: int) -> None:
    """Whoever takes every trick gets the contract's whole total; the sign never flips."""
    pack = parse_variant(variant).pack
    rules = rules_of(variant, contract)
    play = Play(rules, [0] * 4, A)
    for first in range(len(pack) // 4):
        # In pack order 4 cards of a trick lie a quarter of the pack apart: one of each suit, so the lead takes it.
        for seat in range(4):
            play.play(pack[first + seat * len(pack) // 4])
    assert play.points() == [points, 0, 0, 0]
    assert play.over
