"""The league that is struck: makes its seasons, and reads how it stands past all code of ours, with SQL of its own.

Owns the reading. What it reads is as of one moment each.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from king_cli.leagues import create_season
from king_cli.places import open_league
from king_cli.settings import Settings
from league.audit_log import SHELL
from referee.rules import parse_variant

VARIANTS = ("trump-11", "auction-11", "chooser-12[contracts=short]", "classic[seats=3]")
"""Short ones, with four and with three seats."""

TIME_CONTROL = "start=30s,inc=20ms,bank=2s"


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How far all seasons are together."""

    planned: int
    stored: int
    sittings_done: int
    seasons_open: int


@dataclass(frozen=True, kw_only=True)
class SeatOfBlame:
    """Who is blamed, or may be: a bot in one attempt of one sitting."""

    sitting: int
    attempt: int
    label: str


class League:
    """Seasons of a platform's store."""

    def __init__(self, settings: Settings, folders: Sequence[Path], boards: int, variants: Sequence[str]) -> None:
        """Each season is of some of the bots in `folders`, and of `boards` boards of one of the variants in turn."""
        self.settings = settings
        self.file = settings.data_dir / "league.sqlite3"
        self.vault_file = settings.data_dir / "league-vault.sqlite3"
        self._folders = folders
        self._boards = boards
        self._variants = variants
        self._made = 0

    def add_seasons(self, matches: int, seed: int) -> None:
        """Make and start seasons until at least so many matches are added to the plan.

        Raises:
            LeagueError, DatabaseError: the store cannot be written to at the moment.
        """
        store = open_league(self.settings, secrets=True)
        try:
            while matches > 0:
                lots = Random(f"{seed} {self._made}")
                variant = self._variants[self._made % len(self._variants)]
                seats = parse_variant(variant).seats
                season = create_season(
                    store,
                    name=f"Faults {self._made + 1}",
                    variant=variant,
                    bots=[str(folder) for folder in lots.sample(list(self._folders), seats)],
                    boards=self._boards,
                    time_control=TIME_CONTROL,
                    report=lambda text: None,
                )
                self._made += 1
                store.organising.start(season.id, by=SHELL)
                matches -= self._boards * seats
        finally:
            store.close()

    @contextmanager
    def reading(self, busy_s: float = 40.0) -> Iterator[sqlite3.Connection]:
        """The store as a plain file of SQLite."""
        with closing(sqlite3.connect(f"file:{self.file}?mode=rw", uri=True, timeout=busy_s)) as connection:
            connection.row_factory = sqlite3.Row
            yield connection

    def standing(self) -> Standing:
        """How far it is; a season that was made and not started counts as open."""
        with self.reading() as connection:
            (stored,) = connection.execute("select count(*) from matches").fetchone()
            planned, done = connection.execute(
                "select coalesce(sum(match_count), 0), coalesce(sum(state = 'done'), 0) from sittings"
            ).fetchone()
            (unfinished,) = connection.execute("select count(*) from seasons where state <> 'ended'").fetchone()
        return Standing(planned=planned, stored=stored, sittings_done=done, seasons_open=unfinished)

    def at_work(self, worker: str, label: str) -> SeatOfBlame | None:
        """What the bot of that name is playing under a worker's claim; None if the worker has none."""
        with self.reading() as connection:
            row = connection.execute(
                "select id, attempt from sittings where state = 'claimed' and worker = ?", (worker,)
            ).fetchone()
        return SeatOfBlame(sitting=row["id"], attempt=row["attempt"], label=label) if row else None

    def blamed(self) -> dict[SeatOfBlame, list[str]]:
        """Who has a fault that counts or a forfeit in a stored match, and the kinds and details of these."""
        found: dict[SeatOfBlame, list[str]] = {}
        with self.reading() as connection:
            for row in connection.execute(_FAULTS):
                seat = SeatOfBlame(sitting=row["sitting_id"], attempt=row["attempt"], label=row["label"])
                found.setdefault(seat, []).append(f"{row['kind']}: {row['detail']}")
            labels = {(row["season_id"], row["number"]): row["label"] for row in connection.execute(_LABELS)}
            for row in connection.execute("select * from matches where json_array_length(forfeits) > 0"):
                players = json.loads(row["players"])
                for forfeit in json.loads(row["forfeits"]):
                    label = labels[row["season_id"], players[forfeit["seat"]]]
                    seat = SeatOfBlame(sitting=row["sitting_id"], attempt=row["attempt"], label=label)
                    told = f"forfeit of {row['match_id']}: {forfeit['kind']}: {forfeit.get('detail', '')}"
                    found.setdefault(seat, []).append(told)
        return found

    def forfeited(self) -> set[SeatOfBlame]:
        """Who has a fault that counts and cost a forfeit."""
        with self.reading() as connection:
            rows = [row for row in connection.execute(_FAULTS) if row["forfeits"]]
        return {SeatOfBlame(sitting=row["sitting_id"], attempt=row["attempt"], label=row["label"]) for row in rows}

    def last_attempts(self) -> dict[int, int]:
        """The attempt in which each sitting was finished."""
        with self.reading() as connection:
            return dict(connection.execute("select id, attempt from sittings where state = 'done'").fetchall())

    def reasons_given_back(self) -> dict[str, int]:
        """Why attempts were last given back, and of how many sittings."""
        with self.reading() as connection:
            query = "select given_back, count(*) from sittings where given_back <> '' group by 1 order by 2 desc"
            return dict(connection.execute(query).fetchall())


_FAULTS = """
    select faults.*, entrants.label from faults
    join entrants on entrants.season_id = faults.season_id and entrants.number = faults.entrant
    where faults.counted
"""
_LABELS = "select season_id, number, label from entrants"
