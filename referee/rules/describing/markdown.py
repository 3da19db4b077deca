"""The rules of a variant as a Markdown page: the base rules, then what each of its presets changes."""

from collections.abc import Iterator, Sequence

from referee.rules.describing import Description, Section, Table, describe
from referee.rules.variant import Variant


def rules_page(base: Variant, presets: Sequence[Variant], language: str = "en") -> str:
    """Write a page: the rules of the base, and of each preset the sections that differ."""
    description = describe(base, language)
    lines = [f"# {description.title}: `{description.variant}`", *_sections(description.sections)]
    for preset in presets:
        other = describe(preset, language)
        lines += ["", f"## `{other.variant}`", *_sections(_changed(description, other), "###")]
    return "\n".join(lines) + "\n"


def _changed(base: Description, other: Description) -> tuple[Section, ...]:
    return tuple(section for section in other.sections if section not in base.sections)


def _sections(sections: Sequence[Section], level: str = "##") -> Iterator[str]:
    for section in sections:
        yield from ("", f"{level} {section.heading}", "")
        yield from (f"- {sentence}" for sentence in section.sentences)
        if section.table:
            yield from ([""] if section.sentences else [])
            yield from _table(section.table)


def _table(table: Table) -> Iterator[str]:
    yield _row(table.headings)
    yield _row(("---",) * len(table.headings))
    yield from map(_row, table.rows)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '·') for cell in cells)} |"
