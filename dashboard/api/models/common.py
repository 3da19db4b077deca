"""Small parts that many models share: digests, estimates, names.

Owns their descriptions and bounds in the document.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import Path
from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, Field

from dashboard.api.front import unescaped
from league.estimates import Estimate

LARGEST_ID = 2_147_483_647
_PRINTABLE = r"^[^\x00-\x1f\x7f]+$"

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="64 hex digits.")]
"""A SHA-256, or a secret of as many bytes."""

SeasonId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The season's id.")]
MatchId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$", description="The match's id: 16 hex digits.")]
Name = Annotated[
    str,
    Path(min_length=1, max_length=160, pattern=_PRINTABLE, description="A name, percent-encoded: a slash as %2F."),
    AfterValidator(unescaped),
]


_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")


def _told_as_moment(value: Any) -> Any:
    if not isinstance(value, str) or not _RFC_3339.fullmatch(value):
        raise ValueError("write a moment with its offset from UTC, such as 2026-11-29T20:00:00Z")
    return value


Moment = Annotated[AwareDatetime, BeforeValidator(_told_as_moment)]
"""A moment as RFC 3339 has it; a bare number is none."""


class Interval(BaseModel):
    """An estimate with its 95 % interval; the ends are null where boards cannot tell."""

    value: float
    low: float | None
    high: float | None

    @classmethod
    def of(cls, estimate: Estimate) -> Interval:
        """The model of an estimate."""
        return cls(value=estimate.value, low=estimate.low, high=estimate.high)

    @classmethod
    def of_known(cls, estimate: Estimate | None) -> Interval | None:
        """The same of an estimate that there may not be."""
        return None if estimate is None else cls.of(estimate)
