"""Writes a season's plan: the salt, boards with their commitments, sets and sittings.

Owns the rows of `board_sets`, `boards` and `sittings` as they are planned; what becomes of them is `sittings.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, insert

from league.elo import START
from league.model import Entrant, SittingState
from league.pairing import SeasonPlan, plan_season
from league.store.schema import board_sets, boards, entrants, sittings
from league.store.sealing import commitment_of, deal_secret_of


def renumber(connection: Connection, season_id: int, entered: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Numbers and labels the entrants by name, version and hash, so that the plan does not hang on who came first."""
    ordered = sorted(entered, key=lambda one: (one.bot.name, one.bot.version, one.bot.version_hash))
    labels = labels_for(ordered)
    connection.execute(delete(entrants).where(entrants.c.season_id == season_id))
    rows = [
        entrant_row(season_id, number, one.bot.id, label)
        for number, (one, label) in enumerate(zip(ordered, labels, strict=True))
    ]
    connection.execute(insert(entrants), rows)
    return tuple(
        Entrant(season=season_id, number=number, label=label, bot=one.bot)
        for number, (one, label) in enumerate(zip(ordered, labels, strict=True))
    )


def entrant_row(season_id: int, number: int, version_id: int, label: str) -> dict[str, Any]:
    """A row of `entrants` for a bot that has not played."""
    return {
        "season_id": season_id,
        "number": number,
        "bot_version_id": version_id,
        "label": label,
        "live_elo": START,
        "matches": 0,
        "faults": 0,
    }


def labels_for(entered: Sequence[Entrant]) -> tuple[str, ...]:
    """What names each entrant: the bot's name, with version, and hash, where it needs them."""
    names = Counter(one.bot.name for one in entered)
    versions = Counter((one.bot.name, one.bot.version) for one in entered)
    labels = []
    for one in entered:
        label = one.bot.name
        if names[one.bot.name] > 1:
            label += f"@{one.bot.version}"
        if versions[one.bot.name, one.bot.version] > 1:
            label += f"+{one.bot.version_hash[:8]}"
        labels.append(label)
    return tuple(labels)


def make_plan(season: Row[Any], entered: Sequence[Entrant]) -> SeasonPlan:
    """The plan of a season for its numbered entrants."""
    return plan_season(
        ["" if one.bot.house else one.bot.owner for one in entered],
        seats=season.seats,
        boards=season.boards,
        set_count=season.set_count,
        player_sets=season.player_sets,
    )


def write_plan(connection: Connection, season: Row[Any], plan: SeasonPlan, secret: str) -> None:
    """Writes sets, boards and sittings. Ids of sittings rise with the rotation: it is the order of play."""
    sizes = Counter(board.set_number for board in plan.boards)
    connection.execute(
        insert(board_sets),
        [{"season_id": season.id, "number": number, "sittings_open": season.seats} for number in sorted(sizes)],
    )
    connection.execute(
        insert(boards),
        [
            {
                "season_id": season.id,
                "number": board.number,
                "set_number": board.set_number,
                "players": list(board.players),
                "commitment": commitment_of(deal_secret_of(secret, board.number)),
                "stored": 0,
            }
            for board in plan.boards
        ],
    )
    connection.execute(
        insert(sittings),
        [
            {
                "season_id": season.id,
                "set_number": number,
                "rotation": rotation,
                "state": SittingState.PLANNED.value,
                "attempt": 0,
                "worker": "",
                "given_back": "",
                "match_count": sizes[number],
                "stored": 0,
            }
            for rotation in range(season.seats)
            for number in sorted(sizes)
        ],
    )
