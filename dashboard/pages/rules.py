"""The rules pages: every variant, and one in words, as the rules' own rows describe themselves."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.words import Words
from referee.rules import LANGUAGES, PRESETS, Description, Title, Variant, describe, parse_variant


@dataclass(frozen=True, slots=True)
class VariantLine:
    """A variant in the list."""

    id: str
    title: str
    seats: int
    deals: int
    pack: int


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules of one variant: its line, the described sections, and what a forfeit costs."""

    line: VariantLine
    rules_version: int
    forfeit_points: int
    description: Description


def _titled(title: Title, words: Words) -> str:
    return title.ru if words.language == "ru" else title.en


def _variant_line(variant: Variant, words: Words) -> VariantLine:
    return VariantLine(
        id=variant.id,
        title=_titled(variant.title, words),
        seats=variant.seats,
        deals=variant.deal_count,
        pack=len(variant.pack),
    )


def variant_lines(words: Words) -> tuple[VariantLine, ...]:
    """Every named preset."""
    return tuple(_variant_line(parse_variant(preset), words) for preset in PRESETS)


def rules_page(text: str, words: Words) -> RulesPage:
    """The rules of a variant given by its id.

    Raises:
        RulesError: if there is none such; it names those there are.
    """
    variant = parse_variant(text)
    return RulesPage(
        line=_variant_line(variant, words),
        rules_version=variant.rules_version,
        forfeit_points=variant.forfeit_points,
        description=describe(variant, words.language if words.language in LANGUAGES else "en"),
    )
