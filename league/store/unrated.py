"""Unrated boards: challenges as work, qualifying boards as they come in, and both as their owners look them up.

Owns the tables `unrated_boards`, `unrated_records` and `unrated_logs`. They are kept apart from seasons: nothing here
counts for a rating. A board is stored as a whole, with all its rotations, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from league.audit_log import Act, Actor
from league.errors import LeagueError
from league.model import BotVersion, SourceKind
from league.store.account_schema import accounts
from league.store.audit_log import write_entry
from league.store.bots import version_columns, version_from, version_of
from league.store.database import Database
from league.store.leases import Leases
from league.store.schema import bot_versions, bots
from league.store.submission_schema import submissions, unrated_boards, unrated_logs, unrated_records
from league.store.submission_work import submission_leases
from league.store.unrated_rows import board_from, log_from, players_json, unpacked, write_played
from league.submissions import (
    DAY,
    Limit,
    LimitError,
    SubmissionClaim,
    SubmissionState,
    WrongStateError,
)
from league.unrated import (
    ATTEMPTS_AT_MOST,
    TIME_CONTROL,
    PlayedRotation,
    Purpose,
    UnratedBoard,
    UnratedClaim,
    UnratedLog,
    UnratedPlayer,
    UnratedState,
)
from referee.rules import RulesError, Variant, parse_variant

CHALLENGES_A_DAY = 50
_STARTABLE = (SourceKind.FOLDER, SourceKind.COMMAND, SourceKind.ARCHIVE)
AT_ONCE = 1
"""So many challenges are played at a time: seasons come first."""


class UnratedStore:
    """Keeps unrated boards."""

    def __init__(self, database: Database, clock: Callable[[], datetime], lease: timedelta) -> None:
        self._database = database
        self._clock = clock
        self._submission_leases = submission_leases(database, clock, lease)
        self._leases = Leases(
            database=database,
            table=unrated_boards,
            what="unrated board",
            free=UnratedState.PLANNED.value,
            held=(UnratedState.CLAIMED.value,),
            at_once=AT_ONCE,
            clock=clock,
            lease=lease,
        )

    def ask(self, *, owner: str, version_id: int, opponents: Sequence[int], variant: str, by: Actor) -> UnratedBoard:
        """Asks for a challenge: the owner's bot version against `opponents` (version ids), a board in all rotations.

        Raises LimitError while another one of the owner is not over, WrongStateError for a bot that is not active,
        LeagueError for an unknown bot or variant, or too few opponents.
        """
        rules = _variant(variant)
        if len(opponents) != rules.seats - 1:
            raise LeagueError(f"{rules.id} has {rules.seats} seats: choose {rules.seats - 1} opponents")
        with self._database.writing() as connection:
            connection.execute(select(accounts.c.id).where(accounts.c.name == owner).with_for_update())
            self._check_limits(connection, owner)
            bots = [_playing(connection, version, rules) for version in (version_id, *opponents)]
            if bots[0].owner != owner:
                raise LeagueError(f"{owner} has no bot version {version_id}")
            players = players_json(_players(bots, owner))
            board_id = self._insert(connection, owner, rules.id, players, Purpose.CHALLENGE, UnratedState.PLANNED)
            write_entry(connection, self._clock(), by, Act.CHALLENGE_ASKED, str(board_id), {"bot": bots[0].name})
            return board_from(self._leases.row(connection, board_id))

    def keep_qualifying(
        self,
        claim: SubmissionClaim,
        *,
        variant: str,
        players: Sequence[UnratedPlayer],
        played: Sequence[PlayedRotation],
    ) -> int:
        """Stores the qualifying board of a submission as it was played. Returns its id.

        Raises StaleAttemptError when the claim of the submission is lost, as by its deletion.
        """
        with self._database.writing() as connection:
            self._submission_leases.held_row(connection, claim.submission, claim.attempt)
            kept = players_json(players)
            board_id = self._insert(
                connection, claim.owner, variant, kept, Purpose.QUALIFYING, UnratedState.DONE, claim.submission
            )
            values = {"matches": write_played(connection, board_id, played), "ended_at": self._clock()}
            connection.execute(update(unrated_boards).where(unrated_boards.c.id == board_id).values(values))
            return board_id

    def due(self) -> tuple[int, ...]:
        """The challenges that could be claimed now, in the order of asking; not more than may run at once."""
        return self._leases.due()

    def claim(self, board_id: int, worker: str) -> UnratedClaim | None:
        """Takes up a challenge for the length of a lease, as a new attempt; None when there is nothing to do."""
        with self._database.writing() as connection:
            row = self._leases.row(connection, board_id, lock=True)
            if row.state != UnratedState.PLANNED:
                return None
            values = {"state": UnratedState.CLAIMED.value, **self._leases.taken(row, worker)}
            connection.execute(update(unrated_boards).where(unrated_boards.c.id == board_id).values(values))
            board = board_from(self._leases.row(connection, board_id))
            ids = [player.version_id for player in board.players if player.version_id is not None]
            return UnratedClaim(board=board, bots=tuple(version_of(connection, version) for version in ids))

    def renew(self, claim: UnratedClaim) -> None:
        """Makes the lease last from now on. Raises StaleAttemptError when the claim is lost."""
        self._leases.renew(claim.board.id, claim.board.attempt)

    def finish(self, claim: UnratedClaim, played: Sequence[PlayedRotation]) -> None:
        """Stores all that was played. Raises StaleAttemptError when the claim is lost."""
        with self._database.writing() as connection:
            row = self._leases.held_row(connection, claim.board.id, claim.board.attempt)
            self._end(connection, row, UnratedState.DONE, matches=write_played(connection, row.id, played))

    def void(self, claim: UnratedClaim, outcome: str) -> None:
        """Ends a challenge that cannot be played. Raises StaleAttemptError when the claim is lost."""
        with self._database.writing() as connection:
            row = self._leases.held_row(connection, claim.board.id, claim.board.attempt)
            self._end(connection, row, UnratedState.VOID, outcome=outcome)

    def release(self, claim: UnratedClaim, reason: str, *, failed: bool) -> None:
        """Gives a challenge back: it is due again at once, or void after too many failures. Lost: nothing happens."""
        with self._database.writing() as connection:
            row = self._leases.row_if_held(connection, claim.board.id, claim.board.attempt)
            if row is not None:
                self._give_back(connection, row, reason, failed=failed)

    def sweep(self, *, patient: bool = False) -> None:
        """Takes back what has gone silent, as the sweep of sittings does. Twice: harmless."""
        self._leases.end_silences(self._end_silence, patient=patient)

    def mine(self, board_id: int, owner: str) -> UnratedBoard:
        """The owner's unrated board with this id; LeagueError when he has none such."""
        query = select(unrated_boards).where(unrated_boards.c.id == board_id, unrated_boards.c.owner == owner)
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise LeagueError(f"{owner} has no unrated board {board_id}")
        return board_from(row)

    def challenges_of(self, owner: str, limit: int = 20) -> tuple[UnratedBoard, ...]:
        """The owner's latest challenges, the newest first."""
        mine = (unrated_boards.c.owner == owner) & (unrated_boards.c.purpose == Purpose.CHALLENGE.value)
        query = select(unrated_boards).where(mine).order_by(unrated_boards.c.id.desc()).limit(limit)
        with self._database.reading() as connection:
            return tuple(map(board_from, connection.execute(query)))

    def board_of(self, match_id: str, owner: str) -> UnratedBoard:
        """The owner's unrated board of which a match is a rotation; LeagueError when he has none such."""
        query = select(unrated_records.c.board_id).where(unrated_records.c.match_id == match_id)
        with self._database.reading() as connection:
            board_id = connection.scalar(query)
        if board_id is None:
            raise LeagueError(f"{owner} has no unrated match {match_id}")
        return self.mine(board_id, owner)

    def record(self, match_id: str, owner: str) -> dict[str, Any]:
        """The record of one of the owner's unrated matches, secrets included; LeagueError when he has none such."""
        self.board_of(match_id, owner)
        with self._database.reading() as connection:
            packed = connection.scalar(select(unrated_records.c.packed).where(unrated_records.c.match_id == match_id))
        if packed is None:
            raise LeagueError(f"{owner} has no unrated match {match_id}")
        return unpacked(packed)

    def logs(self, board_id: int, owner: str) -> tuple[UnratedLog, ...]:
        """Standard error of the owner's own processes on one of his boards, by rotation."""
        board = self.mine(board_id, owner)
        own = {place for place, player in enumerate(board.players) if player.own}
        query = select(unrated_logs).where(unrated_logs.c.board_id == board_id)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(unrated_logs.c.rotation, unrated_logs.c.process))
            return tuple(log_from(row) for row in rows if row.player in own)

    def opponents(self) -> tuple[BotVersion, ...]:
        """Whom one can challenge: the newest version of each house bot, and all active submitted versions, by name."""
        with self._database.reading() as connection:
            return _opponents(connection)

    def _insert(
        self,
        connection: Connection,
        owner: str,
        variant: str,
        players: list[dict[str, Any]],
        purpose: Purpose,
        state: UnratedState,
        submission: int | None = None,
    ) -> int:
        new = insert(unrated_boards).values(
            owner=owner,
            purpose=purpose.value,
            submission_id=submission,
            variant=variant,
            time_control=TIME_CONTROL,
            players=players,
            matches=[],
            state=state.value,
            created_at=self._clock(),
        )
        return int(connection.execute(new.returning(unrated_boards.c.id)).scalar_one())

    def _check_limits(self, connection: Connection, owner: str) -> None:
        mine = (unrated_boards.c.owner == owner) & (unrated_boards.c.purpose == Purpose.CHALLENGE.value)
        open_ones = mine & unrated_boards.c.state.in_((UnratedState.PLANNED.value, UnratedState.CLAIMED.value))
        if _count(connection, open_ones):
            told = "one of your challenges is not over yet: one is played at a time"
            raise LimitError(Limit.CHALLENGES, told, retry_after=timedelta(seconds=30))
        since = self._clock() - DAY
        if _count(connection, mine & (unrated_boards.c.created_at > since)) >= CHALLENGES_A_DAY:
            told = f"you had {CHALLENGES_A_DAY} challenges in 24 hours, which is all that are played: try again later"
            raise LimitError(Limit.CHALLENGES, told, retry_after=timedelta(hours=1))

    def _end_silence(self, connection: Connection, row: Row[Any]) -> None:
        self._give_back(connection, row, f"{row.worker} has not been heard of", failed=True)

    def _give_back(self, connection: Connection, row: Row[Any], reason: str, *, failed: bool) -> None:
        if row.failures + failed >= ATTEMPTS_AT_MOST:
            told = f"it was tried {ATTEMPTS_AT_MOST} times through no fault of the bots; the last time: {reason}"
            self._end(connection, row, UnratedState.VOID, outcome=told)
            return
        values = {"state": UnratedState.PLANNED.value, **self._leases.given_back(row, reason, failed=failed)}
        connection.execute(update(unrated_boards).where(unrated_boards.c.id == row.id).values(values))

    def _end(self, connection: Connection, row: Row[Any], state: UnratedState, **values: Any) -> None:
        ended = {"state": state.value, "ended_at": self._clock(), "worker": "", "lease_until": None, **values}
        connection.execute(update(unrated_boards).where(unrated_boards.c.id == row.id).values(ended))


def _variant(text: str) -> Variant:
    try:
        return parse_variant(text)
    except RulesError as error:
        raise LeagueError(str(error)) from None


def _count(connection: Connection, wanted: Any) -> int:
    return connection.scalar(select(func.count()).select_from(unrated_boards).where(wanted)) or 0


def _playing(connection: Connection, version_id: int, rules: Variant) -> BotVersion:
    """A bot version that may play a challenge of these rules."""
    bot = version_of(connection, version_id)
    if bot.house:
        return bot
    query = select(submissions.c.state, submissions.c.variants).where(submissions.c.bot_version_id == version_id)
    row = connection.execute(query.order_by(submissions.c.id.desc())).first()
    if row is None or row.state != SubmissionState.ACTIVE:
        raise WrongStateError(f"{bot.name} {bot.version} is not active: only active bots play challenges")
    if "*" not in row.variants and rules.base_id not in row.variants:
        raise LeagueError(f"{bot.name} does not play {rules.base_id}; it plays {', '.join(row.variants)}")
    return bot


def _players(bots: Sequence[BotVersion], owner: str) -> list[UnratedPlayer]:
    """The players of a board; a bot that comes again is `greedy#2`, then `greedy#3`."""
    seen: dict[str, int] = {}
    players = []
    for bot in bots:
        count = seen[bot.name] = seen.get(bot.name, 0) + 1
        label = bot.name if count == 1 else f"{bot.name}#{count}"
        own = bot.owner == owner and not bot.house
        players.append(UnratedPlayer(label=label, version=bot.version, version_id=bot.id, own=own))
    return players


def _opponents(connection: Connection) -> tuple[BotVersion, ...]:
    active = select(submissions.c.bot_version_id).where(submissions.c.state == SubmissionState.ACTIVE.value)
    newest = select(func.max(bot_versions.c.id)).join(bots).where(bots.c.house).group_by(bots.c.id)
    wanted = bot_versions.c.id.in_(active) | bot_versions.c.id.in_(newest)
    startable = bot_versions.c.source_kind.in_([kind.value for kind in _STARTABLE])
    query = select(*version_columns()).join_from(bot_versions, bots).where(wanted, startable)
    return tuple(map(version_from, connection.execute(query.order_by(bots.c.name, bot_versions.c.id))))
