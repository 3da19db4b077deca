"""Who takes a trick and what it is worth: the worked cases of the sources."""

from typing import NamedTuple

import pytest

from referee.rules import Play, Stake
from tests.rules.positions import cards, play_tricks, rules_of


class Case(NamedTuple):
    """A trick led by seat `leader`; `before` is the number of tricks before it."""

    id: str
    variant: str
    contract: str
    trick: str
    taker: int
    leader: int = 0
    trump: str | None = None
    misere: bool = False
    points: int | None = None
    before: int = 0


A, B, C, D = range(4)
PRAISE = "classic[redemption=praise]"
PRAISE_OF_THREE = "classic[redemption=praise,seats=3]"
C_FOR_3 = Stake(declarer=C, eldest=A, price=3)

CASES = [
    Case("000-13", "russian-14", "tricks", "TS AH KS 7S", D, leader=B, points=2),
    Case("000-22", "russian-14", "no_jumble", "KH KS QD AH", D, points=-34, before=2),
    Case("000 §05", "russian-14", "no_jumble", "KH QH JS 7C", A, points=-38, before=7),
    Case("000 §05, plus", "russian-14", "jumble", "KH QH JS 7C", A, points=38, before=7),
    Case("003-05", "base-14", "no_boys", "KS JS JD 7S", A, points=-4),
    Case("003-05 Мальчики", "base-14[boys=kings_and_jacks]", "no_boys", "KS JS JD 7S", A, points=-6),
    Case("003-07", "base-14", "no_jumble", "KH QH 8S 7C", A, points=-38, before=7),
    Case("003-07 Мальчики", "base-14[boys=kings_and_jacks]", "no_jumble", "KH QH 8S 7C", A, points=-36, before=7),
    Case("003-22", "auction-11", "trumps", "9D 7S AD 8S", D, trump="S", points=6),
    Case("003-29", "base-14", "king", "AD KH 7D 9D", C, leader=C, points=16, before=1),
    Case("001-01", "classic", "no_tricks", "KC 7C 8C QC", A, points=-20),
    Case("001-02", "classic", "no_tricks", "KC QD 7H QS", A, points=-20),
    Case("001-13", "classic[last=two,negatives=7,seats=3]", "no_jumble", "KH QH JS", A, points=-385, before=16),
    Case("001-20", "classic", "trumps", "9D 2C AD 3D", B, trump="C", points=25),
    Case("001-23", "classic[redemption=praise]", "trumps", "9S 2S AS KH", B, misere=True, points=30),
    Case("misère with 32 cards", "classic[pack=32,redemption=praise]", "trumps", "9S 7S AS KH", B, misere=True),
    Case("002-19", "chooser-12", "tricks", "9D KD AS 2D", B, points=2),
    Case("004-34", "turkish-20", "trumps", "9D AD 2S KD", C, trump="S", points=50),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_taker(case: Case) -> None:
    """The trick goes to the card that the rules put highest, with everything in it that scores."""
    rules = rules_of(case.variant, case.contract, trump=case.trump, misere=case.misere)
    blank = " ".join(["9C", "8C", "7C", "TC"][: rules.seats])
    play = play_tricks(rules, [((case.taker + 1) % rules.seats, blank)] * case.before)
    before = play.points()
    play.leader = play.to_play = case.leader
    for card in cards(case.trick):
        play.play(card)
    assert (play.last_taker, play.to_play) == (case.taker, case.taker)
    if case.points is not None:
        assert play.points()[case.taker] - before[case.taker] == case.points


@pytest.mark.parametrize(
    ("case", "stake", "tricks", "points"),
    [
        ("003-19 i", Stake(declarer=A, eldest=A, price=3), (3, 5, 0, 0), (0, 30, 0, 0)),
        ("003-19 ii", Stake(declarer=A, eldest=A, price=3), (2, 3, 2, 1), (0, 18, 12, 6)),
        ("above the bid", Stake(declarer=D, eldest=A, price=3), (0, 0, 0, 8), (0, 0, 0, 30)),
    ],
)
def test_tricks_above_the_bid(case: str, stake: Stake, tricks: tuple[int, ...], points: tuple[int, ...]) -> None:
    """The declarer of an auction scores only the tricks above the bid, never less than 0."""
    assert case
    assert _points_of_tricks("auction-11", "trumps", tricks, trump="S", stake=stake) == points


@pytest.mark.parametrize(
    ("case", "variant", "stake", "tricks", "points"),
    [
        (
            "001-25",
            "classic[redemption=praise]",
            Stake(declarer=C, eldest=A, price=3),
            (2, 3, 7, 1),
            (150, 90, 120, 30),
        ),
        (
            "001-26",
            "classic[redemption=praise]",
            Stake(declarer=C, eldest=A, price=3),
            (6, 3, 2, 2),
            (270, 90, -30, 60),
        ),
        (
            "001-40",
            "classic[redemption=praise,seats=3]",
            Stake(declarer=B, eldest=A, price=4),
            (5, 9, 3),
            (270, 150, 90),
        ),
        ("talon", "classic[redemption=talon]", Stake(declarer=B, eldest=A, price=2), (5, 3, 3, 2), (175, 25, 75, 50)),
        ("kept", "classic[redemption=talon]", Stake(declarer=A, eldest=A), (5, 3, 3, 2), (125, 75, 75, 50)),
    ],
)
def test_buyer_pays_eldest(
    case: str, variant: str, stake: Stake, tricks: tuple[int, ...], points: tuple[int, ...]
) -> None:
    """The buyer pays the price to eldest, below zero if need be."""
    assert case
    assert _points_of_tricks(variant, "trumps", tricks, trump="S", stake=stake) == points


def _points_of_tricks(
    variant: str, contract: str, tricks: tuple[int, ...], *, trump: str | None = None, stake: Stake | None = None
) -> tuple[int, ...]:
    """Let each seat take a number of tricks; nothing but tricks must score."""
    rules = rules_of(variant, contract, trump=trump, stake=stake)
    blank = " ".join(["AC", "8C", "7C", "TC"][: rules.seats])
    play: Play = play_tricks(rules, [(seat, blank) for seat, count in enumerate(tricks) for _ in range(count)])
    return tuple(play.points())
