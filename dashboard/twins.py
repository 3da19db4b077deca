"""JSON twins that are not their page's model alone: lists under a name, and what a page shows beside its model.

Owns their shapes, which the OpenAPI document has. The models are those of the pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dashboard.pages.rules import VariantLine
from league.model import Entrant, ProcessLog, Season

ELSEWHERE: dict[int | str, dict[str, Any]] = {303: {"description": "What is asked for is at another address."}}
SIGN_IN: dict[int | str, dict[str, Any]] = {401: {"description": "Nobody is signed in, and no token was sent."}}
ORGANISERS: dict[int | str, dict[str, Any]] = {**SIGN_IN, 403: {"description": "It is for organisers."}}
NOT_YET: dict[int | str, dict[str, Any]] = {403: {"description": "The set of boards is still being played."}}
STREAM_ENDS: dict[int | str, dict[str, Any]] = {
    204: {"description": "There is nothing to tell, or no more: do not come again."},
    503: {"description": "As many listen as can be served."},
}
"""What twins and streams may answer beside their model, for the OpenAPI document."""


@dataclass(frozen=True, slots=True)
class VariantLines:
    """Every variant that has a name."""

    variants: tuple[VariantLine, ...]


@dataclass(frozen=True, slots=True)
class StandardError:
    """What a bot's processes wrote to standard error in a season."""

    season: Season
    entrant: Entrant
    logs: tuple[ProcessLog, ...]
