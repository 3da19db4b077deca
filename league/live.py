"""Tables that can be watched while they are played: which, under whose names, how word of them passes through Redis.

Pure. Owns the rule about names, and the keys and texts that workers write and the dashboard reads; neither knows the
other. That no rotation is still to be played is the store's to say (`SittingStore.may_be_watched`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from league.model import Claim, TablePlan

SITTINGS = "king:live:sittings"
"""A sorted set of the sittings that are being shown, by the time (seconds since 1970) of their last word."""

LIST_SECONDS = 10
"""How long a sitting's list of tables is believed without a new word of its worker."""

PICTURE_SECONDS = 20
"""How long the last picture of a table is kept."""

WANTED_SECONDS = 15
"""How long a reader's wish to watch a table lasts without being renewed."""


def tables_key(sitting: int) -> str:
    """Where the list of a sitting's tables is: the text of a `LiveSitting`."""
    return f"king:live:tables:{sitting}"


def wanted_key(sitting: int) -> str:
    """Where the set of match ids is that somebody watches of a sitting."""
    return f"king:live:wanted:{sitting}"


def picture_key(match_id: str) -> str:
    """Where the last picture of a table is, and the name of the channel on which new ones are published."""
    return f"king:live:picture:{match_id}"


@dataclass(frozen=True, kw_only=True)
class LiveTable:
    """A table that is being played. By seat, `names` are the bots' labels.

    Board and names are None unless every seat is managed: who meets on a board is published with the plan, and the
    owner of a remote bot must not know whom it plays.
    """

    match_id: str
    board: int | None
    names: tuple[str, ...] | None


@dataclass(frozen=True, kw_only=True)
class LiveSitting:
    """A sitting that may be watched, with the tables that are being played now."""

    sitting: int
    attempt: int
    season: int
    rotation: int
    variant: str
    tables: tuple[LiveTable, ...]

    def text(self) -> str:
        """The sitting as it passes through Redis."""
        return json.dumps(asdict(self), separators=(",", ":"), ensure_ascii=False)


def read_sitting(text: str | bytes) -> LiveSitting:
    """The sitting of a text."""
    form: dict[str, Any] = json.loads(text)
    tables = tuple(_table(one) for one in form.pop("tables"))
    return LiveSitting(**form, tables=tables)


def _table(form: dict[str, Any]) -> LiveTable:
    names = form["names"]
    return LiveTable(match_id=form["match_id"], board=form["board"], names=None if names is None else tuple(names))


def live_table(claim: Claim, table: TablePlan) -> LiveTable:
    """What may be told of a table of a claimed sitting."""
    seated = [claim.players[place] for place in table.players]
    open_to_all = not any(player.bot.remote for player in seated)
    return LiveTable(
        match_id=table.match_id,
        board=table.board if open_to_all else None,
        names=tuple(player.label for player in seated) if open_to_all else None,
    )


def in_order(tables: Iterable[LiveTable]) -> tuple[LiveTable, ...]:
    """Tables as they are listed: by board, where that may be told. The others by their ids, which chance has made:
    tables begin in the order of boards, and the plan tells who plays on which.
    """
    return tuple(sorted(tables, key=lambda one: (one.board is None, one.board or 0, one.match_id)))


def find_table(sittings: Sequence[LiveSitting], match_id: str) -> tuple[LiveSitting, LiveTable] | None:
    """The sitting and table of a match, if it is being played."""
    return next(((one, table) for one in sittings for table in one.tables if table.match_id == match_id), None)
