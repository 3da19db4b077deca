"""The rules of a variant in words, written from its row, in English and Russian.

Owns the order of sections and what goes into them. Must not know a variant: whatever the row says is described, nothing
else.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from referee.rules.cards import CARD_TEXTS, RANKS, SUITS, card_text, rank_of
from referee.rules.contracts import Contract, Scored, ScoreRow, TrumpRule
from referee.rules.describing.english import ENGLISH
from referee.rules.describing.phrases import Phrases
from referee.rules.describing.russian import RUSSIAN
from referee.rules.errors import RulesError
from referee.rules.options import Option
from referee.rules.variant import DealPlan, Variant
from referee.rules.variants import variant_row

LANGUAGES: Final[Mapping[str, Phrases]] = {"en": ENGLISH, "ru": RUSSIAN}
SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of cells under headings, all texts."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Section:
    """A heading, sentences, and perhaps a table."""

    heading: str
    sentences: tuple[str, ...] = ()
    table: Table | None = None


@dataclass(frozen=True, kw_only=True)
class Description:
    """The rules of one variant in one language."""

    variant: str
    title: str
    sections: tuple[Section, ...]


def describe(variant: Variant, language: str = "en") -> Description:
    """Put the rules of a variant into words.

    Raises:
        RulesError: if the language is not known.
    """
    phrases = LANGUAGES.get(language)
    if phrases is None:
        raise RulesError(f"there are no rules in {language!r}; languages are {', '.join(LANGUAGES)}")
    sections = (
        Section(heading=phrases.headings.cards, sentences=tuple(_cards(variant, phrases))),
        _contracts(variant, phrases, language),
        Section(heading=phrases.headings.deals, sentences=tuple(_deals(variant, phrases))),
        Section(heading=phrases.headings.before_play, sentences=tuple(_before_play(variant, phrases))),
        Section(heading=phrases.headings.play, sentences=tuple(_play(variant, phrases))),
        Section(heading=phrases.headings.end, sentences=tuple(_end(variant, phrases))),
        _options(variant, phrases),
    )
    filled = tuple(section for section in sections if section.sentences or (section.table and section.table.rows))
    return Description(
        variant=variant.id, title=variant.title.ru if language == "ru" else variant.title.en, sections=filled
    )


def description_text(description: Description) -> str:
    """Write a description as plain text; every table cell that would be empty is a dash."""
    lines = [f"{description.title} ({description.variant})"]
    for section in description.sections:
        lines += ["", section.heading, "-" * len(section.heading), *section.sentences]
        if section.table:
            lines += _table_lines(section.table)
    return "\n".join(lines) + "\n"


def _table_lines(table: Table) -> Iterator[str]:
    rows = [table.headings, *(tuple(cell or "-" for cell in row) for row in table.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.headings))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _cards(variant: Variant, phrases: Phrases) -> Iterator[str]:
    lowest = min(rank_of(card) for card in variant.pack)
    possible = {text for text in CARD_TEXTS if RANKS.index(text[0]) >= lowest}
    missing = possible - {card_text(card) for card in variant.pack}
    whole_suits = [suit for suit in SUITS if sum(text[1] == suit for text in missing) == len(RANKS) - lowest]
    single = sorted((text for text in missing if text[1] not in whole_suits), key=CARD_TEXTS.index)
    left_out = " ".join([*single, *(SUIT_SIGNS[suit] for suit in whole_suits)])
    yield phrases.pack(variant.seats, len(variant.pack), variant.tricks, RANKS[lowest], left_out)
    yield phrases.clockwise(variant.clockwise)
    if variant.has_dealer:
        yield phrases.dealer
    elif variant.first_holder is None:
        yield phrases.chooser_by_lot
    else:
        yield phrases.chooser_by_card(card_text(variant.first_holder))


def contract_name(contract: Contract, language: str) -> str:
    """Return a contract's name: the game's own first, where it has one."""
    name = contract.title.ru if language == "ru" else contract.title.en
    return f"{contract.title.own} ({name})" if contract.title.own else name


def contract_scores(contract: Contract, language: str) -> str:
    """Return what is counted in a contract, as its row of the rules has it: "each trick -2"."""
    return _scores(contract, LANGUAGES[language])


def contract_rules(contract: Contract, language: str) -> tuple[str, ...]:
    """Return the special rules of a contract, as its row of the rules has them: trump, lead, discard, and so on."""
    return tuple(_contract_rules(contract, LANGUAGES[language]))


def _contracts(variant: Variant, phrases: Phrases, language: str) -> Section:
    headings = phrases.headings
    rows = tuple(
        (
            str(contract.number),
            contract.id,
            contract_name(contract, language),
            _scores(contract, phrases),
            f"{contract.total:+d}",
            "; ".join(_contract_rules(contract, phrases)),
        )
        for contract in variant.contracts.values()
    )
    columns = (headings.number, headings.id, headings.name, headings.scores, headings.total, headings.rules)
    limits = ", ".join(phrases.groups[group].format(limit) for group, limit in variant.seat_limits.items())
    return Section(
        heading=headings.contracts,
        sentences=(phrases.group_limits(limits),) if limits else (),
        table=Table(headings=columns, rows=rows),
    )


def _scores(contract: Contract, phrases: Phrases) -> str:
    if not contract.is_played:
        return phrases.flat_points(contract.flat_points)
    return ", ".join(f"{_scored(row, phrases)} {row.points:+d}" for row in contract.rows)


def _scored(row: ScoreRow, phrases: Phrases) -> str:
    if row.scored is Scored.NUMBERED_TRICK:
        return phrases.numbered(", ".join(map(str, row.tricks)))
    return phrases.scored[row.scored]


def _contract_rules(contract: Contract, phrases: Phrases) -> Iterator[str]:
    said = (
        phrases.trumps[contract.trump],
        phrases.leads[contract.lead],
        phrases.voids[contract.void],
        phrases.follows[contract.follow],
        phrases.must_beat if contract.must_beat else "",
        phrases.early_end if contract.early_end else "",
        phrases.prices[contract.price],
        phrases.marks_king if contract.marks_king else "",
        "" if contract.match_limit is None else phrases.match_limit(contract.match_limit),
        "" if contract.seat_limit is None else phrases.seat_limit(contract.seat_limit),
    )
    yield from filter(None, said)


def _deals(variant: Variant, phrases: Phrases) -> Iterator[str]:
    numbered = list(enumerate(variant.deals, 1))
    for is_fixed, run in groupby(numbered, key=lambda entry: _run_key(entry[1])):
        plans = list(run)
        first, last = plans[0][0], plans[-1][0]
        if is_fixed == "fixed":
            yield phrases.deals_fixed(first, last, ", ".join(plan.contracts[0] for _, plan in plans))
        else:
            yield phrases.deals_open(first, last, ", ".join(plans[0][1].contracts))
    if variant.extra_deals:
        yield phrases.extra_deals(variant.extra_deals)


def _run_key(plan: DealPlan) -> str:
    return ",".join(plan.opening.steps) or "fixed"


def _before_play(variant: Variant, phrases: Phrases) -> Iterator[str]:
    for opening in dict.fromkeys(plan.opening for plan in variant.deals):
        if opening.talon:
            yield phrases.talon(opening.talon, (len(variant.pack) - opening.talon) // variant.seats)
        if opening.first_cards is not None:
            yield phrases.first_cards(opening.first_cards)
        for step in opening.steps:
            yield phrases.steps[step]


def _play(variant: Variant, phrases: Phrases) -> Iterator[str]:
    yield phrases.leaders[variant.leader]
    yield phrases.follow
    yield phrases.taker
    if any(contract.trump is not TrumpRule.NONE for contract in variant.contracts.values()):
        yield phrases.trump_taker
    if not any(contract.early_end for contract in variant.contracts.values()):
        yield phrases.no_early_end


def _end(variant: Variant, phrases: Phrases) -> Iterator[str]:
    yield phrases.winners[variant.winner]
    yield phrases.ties
    if variant.settles:
        yield phrases.settlement


def _options(variant: Variant, phrases: Phrases) -> Section:
    row = variant_row(variant.base_id)
    rows = tuple(cells for option in row.options for cells in _option_rows(option, phrases))
    headings = phrases.headings
    return Section(
        heading=headings.options,
        table=Table(headings=(headings.options, headings.value, headings.meaning), rows=rows),
    )


def _option_rows(option: Option, phrases: Phrases) -> Iterator[tuple[str, str, str]]:
    name = f"{option.name}: {phrases.option_names[option.name]}"
    for value in option.values:
        text = option.text(value)
        note = f" ({phrases.default})" if value == option.default else ""
        yield name, text, phrases.option_values[option.name][text] + note
        name = ""
    if option.lists:
        yield "", "n+n+…", phrases.number_list
