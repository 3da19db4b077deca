"""Which cards may be played: the worked cases of the sources, and their rulings."""

from typing import NamedTuple

import pytest

from tests.rules.positions import legal_cards, rules_of


class Case(NamedTuple):
    """A hand after an open trick; `earlier` are tricks before it, each with the seat that led."""

    id: str
    variant: str
    contract: str
    hand: str
    legal: str
    trick: str = ""
    trump: str | None = None
    earlier: tuple[tuple[int, str], ...] = ()


HEART_THROWN = ((0, "7S 8S 9S 9H"),)
HEART_THROWN_52 = ((0, "2S 3S 4S 5H"),)

CASES = [
    Case("000-02", "russian-14", "no_tricks", "7S AS KH QD", "7S AS", trick="9S"),
    Case("000-04", "russian-14", "no_king", "KH QD AC 8H", "KH", trick="9S"),
    Case("000-05", "russian-14", "no_king", "KH 7H AS", "KH 7H", trick="QH"),
    Case("000-07", "russian-14", "no_hearts", "KH QD 7C", "KH QD 7C", trick="9S"),
    Case("000-07 deal 11", "russian-14", "hearts", "KH QD 7C", "KH QD 7C", trick="9S"),
    Case("000-08", "russian-14", "no_boys", "KH KD 8C", "KH KD 8C", trick="9S"),
    Case("000-10", "russian-14", "no_hearts", "7H AH 8C", "8C", earlier=HEART_THROWN),
    Case("000-11", "russian-14", "no_king", "KH 9H", "KH 9H"),
    Case("000-28", "russian-14", "hearts", "AH KH 7D", "7D"),
    Case("forced King in deal 7", "russian-14", "no_jumble", "KH QD AC 8H", "KH", trick="9S"),
    Case("forced King in deal 12", "russian-14", "king", "KH QD AC 8H", "KH", trick="9S"),
    Case("forced King in deal 14", "russian-14", "jumble", "KH QD AC 8H", "KH", trick="9S"),
    Case("003-01", "base-14", "no_king", "KH QD AC", "KH", trick="9S"),
    Case("003-01 option", "base-14[king_discard=free]", "no_king", "KH QD AC", "KH QD AC", trick="9S"),
    Case("003-02", "base-14", "no_jumble", "KH 7H 9C", "KH 7H", trick="8H"),
    Case("003-20", "auction-11", "trumps", "7S KS AH", "7S KS", trick="9D QS", trump="S"),
    Case("003-23", "auction-11", "trumps", "9H AH 7S", "9H AH 7S", trump="S"),
    Case("001-07 deal 1", "classic", "no_tricks", "3H AH 9C", "3H AH 9C"),
    Case("001-07 deal 2", "classic", "no_hearts", "3H AH 9C", "9C"),
    Case("001-07 deal 3", "classic", "no_girls", "3H AH 9C", "3H AH 9C"),
    Case("001-07 deal 4", "classic", "no_boys", "3H AH 9C", "3H AH 9C"),
    Case("001-07 deal 5", "classic", "no_king", "3H AH 9C", "9C"),
    Case("001-07 deal 6", "classic", "no_last", "3H AH 9C", "3H AH 9C"),
    Case("001-07 deal 7", "classic[negatives=7]", "no_jumble", "3H AH 9C", "9C"),
    Case("001-10", "classic", "no_king", "KH QD 4C", "KH QD 4C", trick="9S"),
    Case("001-10 option", "classic[king_discard=forced]", "no_king", "KH QD 4C", "KH", trick="9S"),
    Case(
        "001-10 option in the jumble",
        "classic[king_discard=forced,negatives=7]",
        "no_jumble",
        "KH QD 4C",
        "KH",
        trick="9S",
    ),
    Case(
        "001-10 option in the positive jumble",
        "classic[king_discard=forced,redemption=praise]",
        "jumble",
        "KH QD 4C",
        "KH",
        trick="9S",
    ),
    Case("001-19", "classic", "trumps", "7C AH 2S", "7C AH 2S", trick="9D", trump="C"),
    Case("001-43", "classic[redemption=praise]", "jumble", "AH 3C", "3C"),
    Case("001-44 B", "classic", "trumps", "2C AS", "2C", trick="KC", trump="C"),
    Case("001-44 C", "classic", "trumps", "9H QD", "9H QD", trick="KC 2C", trump="C"),
    Case("002-04", "chooser-12", "no_hearts", "5H AH 9C", "5H AH 9C"),
    Case("002-05", "chooser-12", "no_king", "KH QD 3C", "KH QD 3C", trick="9S"),
    Case("002 trump is free", "chooser-12[bonus_trump=chooser]", "tricks", "2C AH", "2C AH", trick="9D", trump="C"),
    Case("004-05", "turkish-20", "no_hearts", "3H KH QD 4C", "3H KH", trick="9S"),
    Case("004-07", "turkish-20", "no_girls", "QD KH 3C", "QD", trick="9S"),
    Case("004-08", "turkish-20", "no_girls", "KH 3C AD", "KH 3C AD", trick="9S"),
    Case("004-10", "turkish-20", "no_girls", "QS 4S", "QS 4S", trick="JS 9S"),
    Case("004-11", "turkish-20", "no_girls", "QS 4S", "QS 4S", trick="9S AD"),
    Case("004-13", "turkish-20", "no_boys", "JD KD 2D", "JD KD", trick="AD"),
    Case("004-14", "turkish-20", "no_boys", "JD AD 2D", "JD", trick="KD"),
    Case("004-16", "turkish-20[rifki_void=any_heart]", "no_king", "KH 4H QD", "KH 4H", trick="9S"),
    Case("004-17", "turkish-20", "no_king", "4H AH QD", "4H AH QD", trick="9S"),
    Case("004-17 option", "turkish-20[rifki_void=any_heart]", "no_king", "4H AH QD", "4H AH QD", trick="9S"),
    Case("004-19", "turkish-20", "no_king", "KH 2H", "KH 2H", trick="5H QH"),
    Case("Rıfkı under the ace", "turkish-20", "no_king", "KH 2H", "KH", trick="5H AH"),
    Case("004-20", "turkish-20", "no_hearts", "KH 2H", "KH 2H", trick="5H AH"),
    Case("004-22", "turkish-20", "no_king", "2H QH", "2H QH"),
    Case("004-23", "turkish-20", "no_girls", "2H 9C", "2H 9C"),
    Case("004-23 option", "turkish-20[heart_lead=all_penalties]", "no_girls", "2H 9C", "9C"),
    Case(
        "004-23 option, broken",
        "turkish-20[heart_lead=all_penalties]",
        "no_girls",
        "2H 9C",
        "2H 9C",
        earlier=HEART_THROWN_52,
    ),
    Case("004-25 El Almaz", "turkish-20", "no_tricks", "KH QD JC", "KH QD JC", trick="9S"),
    Case("004-25 Son İki", "turkish-20", "no_last_two", "KH QD JC", "KH QD JC", trick="9S"),
    Case("004-37", "turkish-20[must_beat=trumps]", "trumps", "3D QD AD", "QD AD", trick="9D JD", trump="S"),
    Case("004-37 off", "turkish-20", "trumps", "3D QD AD", "3D QD AD", trick="9D JD", trump="S"),
    Case("004-38", "turkish-20[must_beat=trumps]", "trumps", "3D AD", "3D AD", trick="9D 2S", trump="S"),
    Case("must beat a trump led", "turkish-20[must_beat=trumps]", "trumps", "3S QS AS", "QS AS", trick="JS", trump="S"),
    Case("must beat, cannot", "turkish-20[must_beat=trumps]", "trumps", "3D 4D", "3D 4D", trick="9D", trump="S"),
    Case("must beat not in penalties", "turkish-20[must_beat=trumps]", "no_tricks", "3D AD", "3D AD", trick="9D"),
    Case("must beat in penalties", "turkish-20[must_beat=always]", "no_tricks", "3D AD", "AD", trick="9D"),
    Case("004-40", "turkish-20[must_beat=always]", "no_girls", "QS AS", "QS", trick="KS"),
    Case("004-41", "turkish-20[trump_lead=after_broken]", "trumps", "AS 4S 9D", "9D", trump="S"),
    Case("004-41 only trumps", "turkish-20[trump_lead=after_broken]", "trumps", "AS 4S", "AS 4S", trump="S"),
    Case(
        "004-41 broken",
        "turkish-20[trump_lead=after_broken]",
        "trumps",
        "AS 4S 9D",
        "AS 4S 9D",
        trump="S",
        earlier=((0, "2C 3C 4C 2S"),),
    ),
    Case(
        "004-41 a trump led does not break",
        "turkish-20[trump_lead=after_broken]",
        "trumps",
        "AS 4S 9D",
        "9D",
        trump="S",
        earlier=((0, "2S 3S 5S 6S"),),
    ),
    Case("004-43", "turkish-20", "trumps", "AH 9C", "AH 9C", trump="H"),
    Case("004-44", "turkish-20", "no_boys", "JH KH 2H", "JH", trick="9H QH"),
    Case("void must trump, cannot win", "turkish-20", "trumps", "2S AH", "2S", trick="9D KS", trump="S"),
    Case("void without trumps", "turkish-20", "trumps", "2C AH", "2C AH", trick="9D KS", trump="S"),
    Case("X-02 000, discard", "russian-14", "no_king", "KH 9H 9C", "KH", trick="9S"),
    Case("X-02 000, lead", "russian-14", "no_king", "9H 9C", "9C", earlier=HEART_THROWN),
    Case("X-02 004, discard", "turkish-20", "no_king", "KH 4H 9C", "KH", trick="9S"),
    Case("X-02 004, lead", "turkish-20", "no_king", "4H 9C", "4H 9C", earlier=HEART_THROWN_52),
    Case("unbroken in Kupa", "turkish-20", "no_hearts", "4H 9C", "9C", earlier=((0, "2S 3S 4S 5S"),)),
    Case("hearts led by need do not break", "turkish-20", "no_hearts", "4H 9C", "9C", earlier=((0, "2H 3H 5H 6H"),)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_legal_cards(case: Case) -> None:
    """A hand may play exactly the cards that the rules of its contract leave it."""
    rules = rules_of(case.variant, case.contract, trump=case.trump)
    legal = legal_cards(rules, case.hand, trick=case.trick, earlier=case.earlier)
    assert legal == set(case.legal.split())
