"""Writes a season's plan: the salt, boards with their commitments, sets and sittings.

Owns the rows of `board_sets`, `boards` and `sittings` as they are planned; what becomes of them is `sittings.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from league.elo import START
from league.model import BotVersion, Entrant, SeasonKind, SittingState
from league.pairing import PlannedBoard, SeasonPlan, balance_of, plan_season
from league.seating import seated_once
from league.store.rows import entrants_of
from league.store.schema import board_sets, boards, entrants, seasons, sitting_remotes, sittings
from league.store.sealing import commitment_of, deal_secret_of, deal_seed_of, salt_of


def renumber(connection: Connection, season_id: int, entered: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Numbers and labels the entrants as `numbered` says."""
    new = numbered(season_id, entered)
    connection.execute(delete(entrants).where(entrants.c.season_id == season_id))
    connection.execute(insert(entrants), [entrant_row(season_id, one.number, one.bot.id, one.label) for one in new])
    return new


def numbered(season_id: int, entered: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The entrants by name, version and hash, so that the plan does not hang on who came first."""
    ordered = sorted(entered, key=lambda one: (one.bot.name, one.bot.version, one.bot.version_hash))
    return tuple(
        Entrant(season=season_id, number=number, label=label, bot=one.bot)
        for number, (one, label) in enumerate(zip(ordered, labels_for(ordered), strict=True))
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
    return [one.bot.rated_owner for one in entered]


def tell_balance(connection: Connection, season_id: int) -> None:
    """Writes down the balance of the boards that are in the plan now."""
    of_season = (boards.c.season_id == season_id) & ~boards.c.void
    orders = [tuple(players) for players in connection.scalars(select(boards.c.players).where(of_season))]
    balance = balance_of(orders, owners_of(entrants_of(connection, season_id)))
    connection.execute(update(seasons).where(seasons.c.id == season_id).values(balance=str(balance)))


def make_plan(season: Row[Any], entered: Sequence[Entrant], secret: str) -> SeasonPlan:
    """The plan of a season for its numbered entrants; `secret` is the season's, for open ones."""
    if season.kind == SeasonKind.OPEN:
        return _planned_unseen(season, entered, secret)
    return _planned(season, entered)


def _planned_unseen(season: Row[Any], entered: Sequence[Entrant], secret: str) -> SeasonPlan:
    """A plan that nobody can make before the season's secret is out, for then he would know whom a remote bot meets.

    The planner takes the entrants in the order of SHA-256 over the secret and their version hashes.
    """
    order = sorted(entered, key=lambda one: deal_seed_of(secret, one.bot.version_hash))
    plan = _planned(season, order)
    boards = [replace(board, players=tuple(order[at].number for at in board.players)) for board in plan.boards]
    return replace(plan, boards=seated_once(boards))


def _planned(season: Row[Any], entered: Sequence[Entrant]) -> SeasonPlan:
    sizes = (season.seats, season.boards, season.set_count, season.player_sets)
    return _planned_for(tuple(owners_of(entered)), *sizes)


@lru_cache(maxsize=1)
def _planned_for(
    owners: tuple[str, ...], seats: int, boards: int, set_count: int | None, player_sets: int | None
) -> SeasonPlan:
    """A plan takes seconds of search, so it is made before the transaction that writes it, and found again there."""
    return plan_season(owners, seats=seats, boards=boards, set_count=set_count, player_sets=player_sets)


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
    connection: Connection,
    season: Row[Any],
    planned: Sequence[PlannedBoard],
    entered: Sequence[Entrant],
    entries: SaltedEntries,
    secret: str,
) -> None:
    """Writes boards with their sets and sittings. Ids of sittings rise with the rotation: it is the order of play."""
    rotations = SeasonKind(season.kind).rotations(season.seats)
    sizes = Counter(board.set_number for board in planned)
    connection.execute(
        insert(board_sets),
        [
            {
                "season_id": season.id,
                "number": number,
                "sittings_open": rotations,
                "deal_salt": entries.salt,
                "entrant_count": entries.count,
                "results_version": entries.results_version,
            }
            for number in sorted(sizes)
        ],
    )
    connection.execute(insert(boards), [board_row(season.id, board, secret) for board in planned])
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
            for rotation in range(rotations)
            for number in sorted(sizes)
        ],
    )
    _write_remotes(connection, season.id, planned, entered)


def next_board_number(connection: Connection, season_id: int) -> int:
    """The lowest number of a board that was never used in a season."""
    highest = connection.scalar(select(func.max(boards.c.number)).where(boards.c.season_id == season_id)) or 0
    floor = connection.scalar(select(seasons.c.board_floor).where(seasons.c.id == season_id)) or 0
    return max(highest, floor) + 1


def board_row(season_id: int, board: PlannedBoard, secret: str, *, replaces: int | None = None) -> dict[str, Any]:
    """A row of `boards` for a board that has not been played; `secret` is the season's."""
    return {
        "season_id": season_id,
        "number": board.number,
        "set_number": board.set_number,
        "players": list(board.players),
        "commitment": commitment_of(deal_secret_of(secret, board.number)),
        "stored": 0,
        "void": False,
        "replaces": replaces,
    }


def _write_remotes(
    connection: Connection, season_id: int, planned: Sequence[PlannedBoard], entered: Sequence[Entrant]
) -> None:
    """Notes which remote bots take part in the sittings of new boards."""
    remote = {one.number: one.bot.id for one in entered if one.bot.remote}
    by_set: dict[int, set[int]] = {}
    for board in planned:
        by_set.setdefault(board.set_number, set()).update(remote[one] for one in board.players if one in remote)
    of_sets = (sittings.c.season_id == season_id) & sittings.c.set_number.in_(sorted(by_set))
    rows = [
        {"sitting_id": sitting.id, "bot_version_id": version}
        for sitting in connection.execute(select(sittings.c.id, sittings.c.set_number).where(of_sets))
        for version in sorted(by_set[sitting.set_number])
    ]
    if rows:
        connection.execute(insert(sitting_remotes), rows)
