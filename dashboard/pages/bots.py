"""The list of bots: each with its newest version and the latest season it takes part in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class BotList:
    """The model of the page. `more`: the name to go on after; None at the end."""

    bots: tuple[BotLine, ...]
    more: str | None


def bot_list(newest: Sequence[BotVersion], seasons: Mapping[str, Season], at_most: int) -> BotList:
    """The list of bots in their newest versions, of which one more than `at_most` may be given; `seasons` by name."""
    shown = newest[:at_most]
    lines = (
        BotLine(
            name=version.name,
            version=version.version,
            language=version.language,
            owner=version.owner,
            house=version.house,
            registered_at=version.registered_at,
            season=seasons.get(version.name),
        )
        for version in sorted(shown, key=lambda one: one.name.casefold())
    )
    return BotList(tuple(lines), shown[-1].name if len(newest) > at_most else None)
