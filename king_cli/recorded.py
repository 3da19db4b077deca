"""Which matches `king match` writes as records: apart from what writes them, so that the command line loads quickly."""

from __future__ import annotations

from enum import StrEnum


class Recorded(StrEnum):
    """Which matches are written as records: all, or those that the first bot did not win."""

    ALL = "all"
    LOSSES = "losses"
