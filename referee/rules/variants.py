"""The table of variants, the presets, and the reading of variant ids.

Owns which variants there are; what they are is in `rows/`. Nothing falls back silently: what is unknown raises.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from referee.rules.errors import RulesError, quoted
from referee.rules.options import OptionValue
from referee.rules.rows import chooser, classic, thirty_two, turkish
from referee.rules.variant import Variant, VariantRow

_ROWS = (*thirty_two.ROWS, *classic.ROWS, *chooser.ROWS, *turkish.ROWS)

VARIANTS: Final[Mapping[str, VariantRow]] = MappingProxyType({row.id: row for row in _ROWS})
"""Base rows by id."""

PRESETS: Final = (
    "russian-14",
    "base-14",
    "base-14[boys=kings_and_jacks]",
    "base-14[king_discard=free]",
    "ordered-56",
    "auction-11",
    "trump-11",
    "classic",
    "classic[negatives=7]",
    "classic[redemption=praise]",
    "classic[negatives=7,redemption=praise]",
    "classic[redemption=talon]",
    "classic[seats=3]",
    "classic[redemption=praise,seats=3]",
    "classic[redemption=talon,seats=3]",
    "classic[pack=32]",
    "classic[pack=32,redemption=praise]",
    "chooser-12",
    "chooser-12[seats=3]",
    "chooser-12[bonus_trump=chooser]",
    "chooser-12[contracts=short]",
    "turkish-20",
    "turkish-20[limits=free]",
    "turkish-20[must_beat=trumps]",
)
"""The variants that every list, page and test carries."""

_ID: Final = re.compile(r"(?P<base>[^\[\]]*)(\[(?P<options>[^\[\]]*)\])?")


@lru_cache(maxsize=1024)  # of what people write there is no end
def parse_variant(text: str) -> Variant:
    """Read a variant id such as "turkish-20[limits=free]"; options in any order, defaults may be spelled out.

    Raises:
        RulesError: if the variant, an option or a value is unknown, or options do not go together; it names the
            valid ones.
    """
    match = _ID.fullmatch(text.strip())
    if match is None:
        raise RulesError(
            f"{quoted(text)} is not a variant id; write one such as 'russian-14' or 'turkish-20[limits=free]'"
        )
    row = variant_row(match["base"])
    return row.resolve(_parse_options(row, match["options"]))


def variant_row(base_id: str) -> VariantRow:
    """Return the row of a base id.

    Raises:
        RulesError: naming the variants there are.
    """
    row = VARIANTS.get(base_id)
    if row is None:
        raise RulesError(f"there is no variant {quoted(base_id)}; variants are {', '.join(VARIANTS)}")
    return row


def variant_with(base_id: str, options: Mapping[str, object]) -> Variant:
    """Make a variant from options as records have them: every one of them, resolved.

    Raises:
        RulesError: if an option is missing, unknown or has no such value.
    """
    row = variant_row(base_id)
    given = {name: row.option(name).check(value, row.id) for name, value in options.items()}
    missing = [option.name for option in row.options if option.name not in given]
    if missing:
        raise RulesError(f"options of {row.id} lack {', '.join(missing)}")
    return parse_variant(row.canonical(given))


def _parse_options(row: VariantRow, text: str | None) -> dict[str, OptionValue]:
    given: dict[str, OptionValue] = {}
    if text is None:
        return given
    for part in text.split(","):
        name, sign, value = part.partition("=")
        if not sign:
            raise RulesError(f"{quoted(part)} is not an option of {row.id}; write name=value, joined by commas")
        if name in given:
            raise RulesError(f"option {name} of {row.id} is given twice")
        given[name] = row.option(name).parse(value, row.id)
    return given
