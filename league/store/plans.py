"""Writes a season's plan: the salt, boards with their commitments, sets and sittings.

Owns the rows of `board_sets`, `boards` and `sittings` as they are planned; what becomes of them is `sittings.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert

from league.elo import START
from league.model import BotVersion, Entrant, SittingState
from league.pairing import PlannedBoard, SeasonPlan, plan_season
from league.store.schema import board_sets, boards, entrants, sittings
from league.store.sealing import commitment_of, deal_secret_of, salt_of


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


def owners_of(entered: Sequence[Entrant]) -> list[str]:
    """The owners of entrants as the planner wants them: empty for house bots, which may meet anybody."""
    return ["" if one.bot.house else one.bot.owner for one in entered]


def make_plan(season: Row[Any], entered: Sequence[Entrant]) -> SeasonPlan:
    """The plan of a season for its numbered entrants."""
    return plan_season(
        owners_of(entered),
        seats=season.seats,
        boards=season.boards,
        set_count=season.set_count,
        player_sets=season.player_sets,
    )


def late_label(bot: BotVersion, taken: Collection[str]) -> str:
    """What names a bot that enters while others, whose labels stay, are playing: with version, and hash, if it must."""
    full = f"{bot.name}@{bot.version}+{bot.version_hash[:8]}"
    return next((label for label in (bot.name, f"{bot.name}@{bot.version}") if label not in taken), full)


@dataclass(frozen=True, kw_only=True)
class SaltedEntries:
    """Who had entered when boards were planned, the salt that this gives, and how many results were stored."""

    count: int
    salt: str
    results_version: int = 0

    @classmethod
    def of(cls, entered: Sequence[Entrant], results_version: int = 0) -> SaltedEntries:
        """The entries of all who had entered."""
        salt = salt_of([one.bot.version_hash for one in entered])
        return cls(count=len(entered), salt=salt, results_version=results_version)


def write_boards(
    connection: Connection, season: Row[Any], planned: Sequence[PlannedBoard], entries: SaltedEntries, secret: str
) -> None:
    """Writes boards with their sets and sittings. Ids of sittings rise with the rotation: it is the order of play."""
    sizes = Counter(board.set_number for board in planned)
    connection.execute(
        insert(board_sets),
        [
            {
                "season_id": season.id,
                "number": number,
                "sittings_open": season.seats,
                "deal_salt": entries.salt,
                "entrant_count": entries.count,
                "results_version": entries.results_version,
            }
            for number in sorted(sizes)
        ],
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
            for board in planned
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
