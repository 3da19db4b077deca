"""The rules pages: every variant, and one with its contracts and options, drawn from the rules' own rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.words import Words
from referee.rules import PRESETS, VARIANTS, Contract, LeadRule, Title, Variant, VoidRule, parse_variant


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


@dataclass(frozen=True, slots=True)
class VariantLine:
    """A variant in the list."""

    id: str
    title: str
    seats: int
    deals: int
    pack: int


@dataclass(frozen=True, slots=True)
class ContractLine:
    """A contract: its place in the table, id, name, what counts, the sum of all seats, and its special rules."""

    number: int
    id: str
    name: str
    meaning: str
    scoring: str
    total: int
    sign: str
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionLine:
    """An option: its values as texts, the one that holds here, the default first."""

    name: str
    values: tuple[str, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules of one variant."""

    line: VariantLine
    base_id: str
    clockwise: bool
    has_dealer: bool
    tricks: int
    rules_version: int
    contracts: tuple[ContractLine, ...]
    options: tuple[OptionLine, ...]
    forfeit_points: int


def _titled(title: Title, words: Words) -> str:
    text = title.ru if words.language == "ru" else title.en
    return text if title.own is None else f"{title.own} ({text})"


def variant_line(variant: Variant, words: Words) -> VariantLine:
    """A variant in one line."""
    return VariantLine(
        id=variant.id,
        title=_titled(variant.title, words),
        seats=variant.seats,
        deals=variant.deal_count,
        pack=len(variant.pack),
    )


def variant_lines(words: Words) -> tuple[VariantLine, ...]:
    """Every named preset."""
    return tuple(variant_line(parse_variant(preset), words) for preset in PRESETS)


def rules_page(text: str, words: Words) -> RulesPage:
    """The rules of a variant given by its id.

    Raises:
        RulesError: if there is none such; it names those there are.
    """
    variant = parse_variant(text)
    row = VARIANTS[variant.base_id]
    return RulesPage(
        line=variant_line(variant, words),
        base_id=variant.base_id,
        clockwise=variant.clockwise,
        has_dealer=variant.has_dealer,
        tricks=variant.tricks,
        rules_version=variant.rules_version,
        contracts=tuple(_contract_line(contract, words) for contract in variant.contracts.values()),
        options=tuple(
            OptionLine(
                name=option.name,
                values=tuple(option.text(value) for value in option.values),
                chosen=option.text(variant.options[option.name]),
            )
            for option in row.options
        ),
        forfeit_points=variant.forfeit_points,
    )


def _contract_line(contract: Contract, words: Words) -> ContractLine:
    return ContractLine(
        number=contract.number,
        id=contract.id,
        name=words.contract(contract),
        meaning=contract.title.ru if words.language == "ru" else contract.title.en,
        scoring=words.scoring(contract),
        total=contract.total,
        sign="minus" if contract.total < 0 else "plus",
        remarks=_remarks(contract, words),
    )


_LEADS = {
    LeadRule.NO_HEARTS: _("no heart lead"),
    LeadRule.NO_HEARTS_UNTIL_BROKEN: _("no heart lead until broken"),
    LeadRule.NO_TRUMPS_UNTIL_BROKEN: _("no trump lead until broken"),
}
_VOIDS = {
    VoidRule.FORCED_KING: _("void: the king of hearts must be played"),
    VoidRule.PENALTY_CARD: _("void: a penalty card must be played"),
    VoidRule.KING_OR_HEART: _("void: the king’s holder may play any heart"),
    VoidRule.TRUMP: _("void: must trump"),
}


def _remarks(contract: Contract, words: Words) -> tuple[str, ...]:
    found: Sequence[str | None] = (
        _LEADS.get(contract.lead),
        _VOIDS.get(contract.void),
        _("must beat if able") if contract.must_beat else None,
        _("ends early, when all is taken") if contract.early_end else None,
    )
    return tuple(words.say(text) for text in found if text is not None)
