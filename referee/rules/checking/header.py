"""Checking what a record says of itself: variant, options, rules, seats, players."""

from referee.rules.checking.examination import Examination, compare
from referee.rules.errors import RulesError, printable
from referee.rules.record import Record
from referee.rules.shape import at, shown
from referee.rules.variant import Variant
from referee.rules.variants import VARIANTS, variant_row, variant_with


def check_header(record: Record, found: Examination) -> Variant | None:
    """Return the variant of a record whose head is right, else None."""
    variant = _check_variant(record, found)
    if variant is None:
        return None
    compare(variant.rules_version, record["rules_version"], "rules_version", found)
    compare(variant.seats, record["seats"], "seats", found)
    compare([{"seat": seat} for seat in range(variant.seats)], record["players"], "players", found)
    return None if found.problems else variant


def _check_variant(record: Record, found: Examination) -> Variant | None:
    base_id, options = record["variant"], record["options"]
    if base_id not in VARIANTS:
        found.note("variant", f"is {shown(base_id)}, should be one of {', '.join(VARIANTS)}")
        return None
    row = variant_row(base_id)
    for option in row.options:
        if option.name not in options:
            found.note(at("options", option.name), "is missing")
    for name, value in options.items():
        try:
            row.option(name).check(value, row.id)
        except RulesError as error:
            found.note(at("options", printable(name[:60])), str(error))
    if found.problems:
        return None
    try:
        return variant_with(base_id, options)
    except RulesError as error:
        found.note("options", str(error))
        return None
