"""The list of bots: each with its newest version and the latest season it takes part in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from league.model import BotVersion, Season


@dataclass(frozen=True, slots=True)
class BotLine:
    """A bot on the list; `season` is its latest, None where it has played in none."""

    name: str
    version: str
    language: str
    owner: str
    house: bool
    registered_at: datetime
    season: Season | None


def bot_lines(newest: Mapping[str, BotVersion], seasons: Mapping[str, Season]) -> tuple[BotLine, ...]:
    """The bots by name; `newest` versions and latest `seasons` by name."""
    return tuple(
        BotLine(
            name=name,
            version=version.version,
            language=version.language,
            owner=version.owner,
            house=version.house,
            registered_at=version.registered_at,
            season=seasons.get(name),
        )
        for name, version in sorted(newest.items(), key=lambda item: item[0].casefold())
    )
