"""The table of variants: ids, options, packs, prices, the sums that the rules promise."""

import re
from dataclasses import replace

import pytest

from referee.rules import (
    LANGUAGES,
    PRESETS,
    VARIANTS,
    FollowRule,
    LeadRule,
    PriceRule,
    RulesError,
    Scored,
    Step,
    TrumpRule,
    Variant,
    VoidRule,
    WinnerRule,
    card_text,
    describe,
    description_text,
    option_texts,
    options_json,
    parse_variant,
    variant_with,
    variants_json,
)
from referee.rules.variant import LeaderRule, VariantRow


def every_single_option() -> list[str]:
    """Return the ids of all variants that differ from a base row in one option."""
    texts = [
        f"{row.id}[{option.name}={option.text(value)}]"
        for row in VARIANTS.values()
        for option in row.options
        for value in option.values[1:]
    ]
    return [*VARIANTS, *texts, "chooser-12[contracts=1+2+3+4+5+12]"]


@pytest.mark.parametrize("text", [*PRESETS, *every_single_option()])
def test_ids_are_canonical(text: str) -> None:
    """A variant is called by its id, and its options as records have them give the same variant."""
    variant = parse_variant(text)
    assert variant.id == text
    assert variant_with(variant.base_id, options_json(variant)) is parse_variant(text)
    assert option_texts(variant).keys() == options_json(variant).keys()


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("turkish-20[must_beat=trumps,limits=free]", "turkish-20[limits=free,must_beat=trumps]"),
        ("turkish-20[limits=3+2,must_beat=no]", "turkish-20"),
        ("classic[seats=4,pack=32]", "classic[pack=32]"),
        ("chooser-12[contracts=1+2+3+5+8+9+10+11]", "chooser-12[contracts=short]"),
        ("chooser-12[contracts=all]", "chooser-12"),
    ],
)
def test_any_order_and_spelled_out_defaults(given: str, canonical: str) -> None:
    """Options may come in any order and defaults may be spelled out."""
    assert parse_variant(given).id == canonical


@pytest.mark.parametrize("text", ["x" * 5000, "russian-14" + "[" * 5000, "classic[" + "x" * 5000 + "=1]"])
def test_a_long_id_is_quoted_by_its_start(text: str) -> None:
    """What is said of an id that is as long as a book is a sentence all the same."""
    with pytest.raises(RulesError) as error:
        parse_variant(text)
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("russian", "russian-14, base-14"),
        ("", "variants are"),
        ("russian-14[seats=3]", "it has no options"),
        ("turkish-20[limit=free]", "heart_lead, limits, must_beat, rifki_void, trump_lead"),
        ("turkish-20[limits=none]", "3+2, free"),
        ("turkish-20[limits]", "name=value"),
        ("turkish-20[]", "name=value"),
        ("turkish-20[limits=free,limits=free]", "given twice"),
        ("turkish-20[limits=free", "not a variant id"),
        ("turkish-20]limits=free[", "not a variant id"),
        ("classic[pack=33]", "52, 32"),
        ("classic[pack=32,redemption=talon]", "pack=52"),
        ("chooser-12[contracts=1+2+3]", "6 to 8"),
        ("chooser-12[contracts=6+5+4+3+2+1]", "rising"),
        ("chooser-12[contracts=1+2+3+4+5+13]", "1 to 12"),
        ("chooser-12[contracts=1+2+3+4+5+5]", "different"),
        ("chooser-12[contracts=1+2+3+4+5+06]", "no value"),
    ],
)
def test_what_is_unknown_is_refused(text: str, words: str) -> None:
    """An unknown id, option or value is an error that names what there is."""
    with pytest.raises(RulesError) as error:
        parse_variant(text)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "lack"),
        ({"limits": 3}, "no value"),
        ({"limits": ["3+2"]}, "no value"),
        ({"nonsense": 1}, "no option"),
    ],
)
def test_options_of_records_are_checked(options: dict[str, object], words: str) -> None:
    """Options of records must be complete, known, and of the right type."""
    with pytest.raises(RulesError, match=words):
        variant_with("turkish-20", options)


def test_numbers_are_numbers_in_records() -> None:
    """Options that are numbers are numbers in records, true is none, and contracts are a list."""
    assert options_json(parse_variant("classic"))["pack"] == 52
    assert options_json(parse_variant("chooser-12[contracts=short]"))["contracts"] == [1, 2, 3, 5, 8, 9, 10, 11]
    options = options_json(parse_variant("chooser-12"))
    for wrong in (True, 4.0, "4"):
        with pytest.raises(RulesError, match="seats"):
            variant_with("chooser-12", {**options, "seats": wrong})
    with pytest.raises(RulesError, match="contracts"):
        variant_with("chooser-12", {**options, "contracts": [True, 2, 3, 4, 5, 6]})


def test_presets_and_options_are_listed() -> None:
    """The list for programs has every preset, and every option with its values and default."""
    listed = variants_json()
    assert listed["presets"] == list(PRESETS)
    assert [row["id"] for row in listed["variants"]] == list(VARIANTS)
    options = {option["name"]: option for option in listed["variants"][list(VARIANTS).index("chooser-12")]["options"]}
    assert options["contracts"]["values"] == ["all", "short"]
    assert options["contracts"]["default"] == "all"
    assert "6 to 8" in options["contracts"]["pattern"]
    assert options["seats"] == {"name": "seats", "values": [4, 3], "default": 4}


def test_every_base_variant_is_a_preset() -> None:
    """Every base variant is among the presets with its defaults."""
    assert set(VARIANTS) <= set(PRESETS)


@pytest.mark.parametrize(
    ("case", "text", "cards", "hand"),
    [
        ("000", "russian-14", 32, 8),
        ("001-04", "classic[seats=3]", 51, 17),
        ("001-38", "classic[pack=32]", 32, 8),
        ("001 three seats, 32 cards", "classic[pack=32,seats=3]", 30, 10),
        ("002-16", "chooser-12[seats=3]", 39, 13),
        ("004", "turkish-20", 52, 13),
    ],
)
def test_packs(case: str, text: str, cards: int, hand: int) -> None:
    """Packs have the size that the sources give them."""
    assert case
    variant = parse_variant(text)
    assert (len(variant.pack), variant.tricks) == (cards, hand)


def test_cards_left_out() -> None:
    """Three players of classic play without 2C, or without 7S and 7C; of chooser-12 without diamonds."""
    left_out = {
        text: {card_text(card) for card in parse_variant(whole).pack} - {card_text(c) for c in parse_variant(text).pack}
        for text, whole in (
            ("classic[seats=3]", "classic"),
            ("classic[pack=32,seats=3]", "classic[pack=32]"),
            ("chooser-12[seats=3]", "chooser-12"),
        )
    }
    assert left_out["classic[seats=3]"] == {"2C"}
    assert left_out["classic[pack=32,seats=3]"] == {"7S", "7C"}
    assert left_out["chooser-12[seats=3]"] == {f"{rank}D" for rank in "23456789TJQKA"}


def negatives(variant: Variant) -> int:
    """Add up the negative deals of a match whose deals are fixed."""
    fixed = [variant.contracts[plan.fixed_contract] for plan in variant.deals if plan.fixed_contract]
    return sum(contract.total for contract in fixed if contract.total < 0)


def fixed_total(variant: Variant) -> int:
    """Add up all deals of a match whose points do not depend on what is chosen; prices move between seats only."""
    return sum(variant.contracts[plan.contracts[0]].total for plan in variant.deals)


@pytest.mark.parametrize(
    ("case", "text", "negative", "net", "deals"),
    [
        ("000", "russian-14", -192, 0, 14),
        ("003", "base-14[boys=kings_and_jacks]", -192, 0, 14),
        ("trump-11", "trump-11", -192, 0, 11),
        ("001-16 001-17 six", "classic", -1380, -80, 10),
        ("001-16 001-17 seven", "classic[negatives=7]", -2760, -160, 15),
        ("001-17 three, six", "classic[seats=3]", -1275, 0, 9),
        ("001-17 three, seven", "classic[negatives=7,seats=3]", -2550, 0, 13),
        ("001-29", "classic[negatives=7,redemption=praise]", -2760, 570, 13),
        ("001-38", "classic[pack=32]", -1180, -380, 10),
        ("001 32 and 3", "classic[pack=32,seats=3]", -1070, -320, 9),
        ("two last", "classic[last=two,negatives=7]", -2760, -160, 15),
        ("talon three", "classic[redemption=talon,seats=3]", -1275, 0, 9),
        ("talon four", "classic[redemption=talon]", -1380, -80, 10),
    ],
)
def test_sums_of_a_match(case: str, text: str, negative: int, net: int, deals: int) -> None:
    """A match has the deals, the negative points and the net that the rules give it."""
    assert case
    variant = parse_variant(text)
    assert (negatives(variant), fixed_total(variant), variant.deal_count) == (negative, net, deals)


def test_001_29_sequence() -> None:
    """001-29: after 7 negative deals come 5 of praise, then the positive jumble."""
    variant = parse_variant("classic[negatives=7,redemption=praise]")
    assert [plan.contracts for plan in variant.deals[6:]] == [
        ("no_jumble",),
        *[("trumps", "two_tricks_each")] * 5,
        ("jumble",),
    ]
    assert parse_variant("classic[redemption=praise,seats=3]").deal_count == 6 + 5 + 1


@pytest.mark.parametrize(("last", "points"), [(8, -24), (12, -24)])
def test_sum_of_chooser(last: int, points: int) -> None:
    """A match of all twelve contracts comes to -24, with three seats to -22."""
    assert sum(c.total for c in parse_variant(f"chooser-12[last_points={last}]").contracts.values()) == points
    assert sum(c.total for c in parse_variant(f"chooser-12[last_points={last},seats=3]").contracts.values()) == -22


def test_002_16_totals_of_three_seats() -> None:
    """002-16: with three seats queens and jacks come to -12, -6 and +12; four choices each."""
    variant = parse_variant("chooser-12[seats=3]")
    assert [variant.contracts[name].total for name in ("no_girls", "no_jacks", "girls")] == [-12, -6, 12]
    assert variant.deal_count // variant.seats == 4


def test_short_lists() -> None:
    """A short match has a deal for each contract of its list, in the table's order."""
    assert list(parse_variant("chooser-12[contracts=2+4+6+8+10+12]").contracts) == [
        "no_hearts",
        "no_jacks",
        "no_last",
        "tricks",
        "girls",
        "last",
    ]
    assert parse_variant("chooser-12[contracts=short]").deal_count == 8


def test_004_04_prices() -> None:
    """004-04: the penalties of 004 come to -650 -390 -480 -400 -320 -360 = -2600, trumps to +650."""
    variant = parse_variant("turkish-20")
    totals = [contract.total for contract in variant.contracts.values()]
    assert totals == [-650, -390, -480, -400, -320, -360, 650]
    assert 2 * sum(totals[:6]) + 8 * totals[6] == 0


def test_rows_check_themselves() -> None:
    """A row whose prices do not add up, or whose contracts are not used, cannot be made."""
    variant = parse_variant("russian-14")
    wrong = {**variant.contracts, "no_tricks": replace(variant.contracts["no_tricks"], total=-15)}
    with pytest.raises(ValueError, match="adds up to -16, not -15"):
        replace(variant, contracts=wrong)
    with pytest.raises(ValueError, match="used"):
        replace(variant, deals=variant.deals[:13])
    with pytest.raises(ValueError, match="divide"):
        replace(variant, seats=3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_its_phrase(language: str) -> None:
    """Every value of every list of rules, every option and value, can be put into words."""
    phrases = LANGUAGES[language]
    for enum, said in (
        (Step, phrases.steps),
        (LeaderRule, phrases.leaders),
        (LeadRule, phrases.leads),
        (VoidRule, phrases.voids),
        (FollowRule, phrases.follows),
        (TrumpRule, phrases.trumps),
        (PriceRule, phrases.prices),
        (Scored, phrases.scored),
        (WinnerRule, phrases.winners),
    ):
        assert set(said) == set(enum)
    for row in VARIANTS.values():
        for option in row.options:
            assert option.name in phrases.option_names
            assert set(phrases.option_values[option.name]) >= {option.text(value) for value in option.values}


@pytest.mark.parametrize("text", PRESETS)
def test_rules_in_words(text: str) -> None:
    """The rules of a preset name it, its contracts with their totals, and its options."""
    variant = parse_variant(text)
    for language in LANGUAGES:
        words = description_text(describe(variant, language))
        assert f"({variant.id})" in words.splitlines()[0]
        for contract in variant.contracts.values():
            (line,) = re.findall(rf"^\d+ +{contract.id} .*$", words, re.MULTILINE)
            assert f"{contract.total:+d}" in line
        for option in _row(variant).options:
            assert f"{option.name}: " in words


def test_unknown_language() -> None:
    """A language without rules is an error that names those there are."""
    with pytest.raises(RulesError, match="en, ru"):
        describe(parse_variant("russian-14"), "de")


def _row(variant: Variant) -> VariantRow:
    return VARIANTS[variant.base_id]
