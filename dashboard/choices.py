"""What the selects of forms offer: the newest seasons and variants, and whatever is chosen, however old it is.

Owns how many that are: a league of hundreds of seasons costs a page no more than one of a few.
"""

from __future__ import annotations

from typing import Final

from league.model import Season
from league.store import Store

SEASONS_OFFERED: Final = 50
VARIANTS_OFFERED: Final = 50


def seasons_offered(store: Store, chosen: Season | None, *, variant: str | None = None) -> tuple[Season, ...]:
    """The newest seasons, of a variant or of all, and the chosen one."""
    return with_chosen(store.listing.seasons(limit=SEASONS_OFFERED, variant=variant), chosen)


def seasons_of_bot_offered(store: Store, name: str, chosen: Season | None) -> tuple[Season, ...]:
    """The newest seasons that a bot has entered in any version, and the chosen one."""
    entered = store.listing.entries(name, limit=SEASONS_OFFERED)
    return with_chosen(tuple({season.id: season for season, _entrant in entered}.values()), chosen)


def variants_offered(store: Store, chosen: str) -> tuple[str, ...]:
    """The variants of the newest seasons that differ in them, and the chosen one, by name."""
    found = store.listing.variants(limit=VARIANTS_OFFERED)
    return tuple(sorted({*found, chosen} - {""}))


def with_chosen(offered: tuple[Season, ...], chosen: Season | None) -> tuple[Season, ...]:
    """What is offered, the chosen season last unless it is there."""
    if chosen is None or any(one.id == chosen.id for one in offered):
        return offered
    return (*offered, chosen)
