"""Unrated boards: challenges and the qualifying boards of remote bots as work, those of submissions as they come in.

And all of them as their owners look them up: whom a remote bot meets is told when its board is over. Owns the tables
`unrated_boards`, `unrated_records` and `unrated_logs`; `remote_boards.py` says when a remote bot can play,
`unrated_players.py` who may play. They are kept apart from seasons: nothing here counts for a rating. A board is stored
as a whole, with all its rotations, or not at all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from league.audit_log import Act, Actor
from league.errors import LeagueError
from league.model import BotVersion
from league.store.account_schema import accounts
from league.store.audit_log import write_entry
from league.store.bots import version_of
from league.store.database import Database
from league.store.leases import Leases
from league.store.remote_boards import (
    can_be_played,
    given_up,
    is_ready,
    latest_qualifying,
    note_remote,
    with_remote,
)
from league.store.silence import TellTakenBack, tell_nobody
from league.store.submission_schema import unrated_boards, unrated_logs, unrated_records
from league.store.submission_work import submission_leases
from league.store.unrated_players import against_the_house, opponents, own_bot, players_of, startable_bot
from league.store.unrated_rows import board_from, log_from, players_json, unpacked, write_played
from league.submissions import (
    DAY,
    Limit,
    LimitError,
    SubmissionClaim,
    WrongStateError,
)
from league.unrated import (
    ATTEMPTS_AT_MOST,
    QUALIFYING_VARIANT,
    REMOTE_TIME_CONTROL,
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
_NO_HOUSE = "there are too few bots of the house to play against: `king up` registers them"
_GONE = "its remote bot was not connected for a minute: start it, and ask again"
AT_ONCE = 1
"""So many challenges are played at a time: seasons come first. Boards with a remote bot, which may let us wait, are
counted by themselves.
"""


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

        Raises LimitError while another one of the owner is not over, WrongStateError for a bot that is not active, or a
        remote one that has not qualified or is not connected, LeagueError for an unknown bot or variant, too few
        opponents, or remote ones.
        """
        rules = _variant(variant)
        if len(opponents) != rules.seats - 1:
            raise LeagueError(f"{rules.id} has {rules.seats} seats: choose {rules.seats - 1} opponents")
        with self._database.writing() as connection:
            connection.execute(select(accounts.c.id).where(accounts.c.name == owner).with_for_update())
            self._check_limits(connection, owner)
            mine = own_bot(connection, version_id, owner, rules, self._clock())
            others = [startable_bot(connection, version, rules) for version in opponents]
            if mine.remote:
                random.SystemRandom().shuffle(others)
            board_id = self._plan(connection, owner, [mine, *others], rules, Purpose.CHALLENGE)
            write_entry(connection, self._clock(), by, Act.CHALLENGE_ASKED, str(board_id), {"bot": mine.name})
            return board_from(self._leases.row(connection, board_id)).as_told()

    def ask_qualifying(self, bot: BotVersion, variant: str = QUALIFYING_VARIANT) -> UnratedBoard:
        """Has a remote bot play a qualifying board as soon as it is connected. Whom it meets is drawn then.

        Raises WrongStateError while another one of the bot is not over, LimitError after too many in a day, LeagueError
        for an unknown variant.
        """
        rules = _variant(variant)
        with self._database.writing() as connection:
            connection.execute(select(accounts.c.id).where(accounts.c.name == bot.owner).with_for_update())
            latest = latest_qualifying(connection, [bot.id]).get(bot.id)
            if latest is not None and latest.waiting:
                raise WrongStateError(
                    f"{bot.name} {bot.version} is about to qualify: its board {latest.id} is not over"
                )
            self._check_day(connection, bot.owner, Purpose.QUALIFYING, Limit.QUALIFYING)
            board_id = self._plan(connection, bot.owner, [bot], rules, Purpose.QUALIFYING)
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
                connection,
                claim.owner,
                variant,
                kept,
                Purpose.QUALIFYING,
                UnratedState.DONE,
                submission=claim.submission,
            )
            values = {"matches": write_played(connection, board_id, played), "ended_at": self._clock()}
            connection.execute(update(unrated_boards).where(unrated_boards.c.id == board_id).values(values))
            return board_id

    def due(self) -> tuple[int, ...]:
        """The boards that could be claimed now, in the order of asking; not more than may run at once.

        One with a remote bot is due when that is connected and plays nothing else.
        """
        return (*self._leases.due(~with_remote()), *self._leases.due(with_remote(), is_ready(self._clock())))

    def pending(self, ids: Collection[int]) -> frozenset[int]:
        """Those of these boards that wait, or are being played."""
        return self._leases.pending(ids)

    def claim(self, board_id: int, worker: str) -> UnratedClaim | None:
        """Takes up a board for the length of a lease, as a new attempt; None when there is nothing to do."""
        with self._database.writing() as connection:
            row = self._leases.row(connection, board_id, lock=True)
            if row.state != UnratedState.PLANNED or not can_be_played(connection, board_id, self._clock()):
                return None
            values = {"state": UnratedState.CLAIMED.value, **self._leases.taken(row, worker)}
            if row.purpose == Purpose.QUALIFYING:
                players = against_the_house(connection, board_from(row))
                if players is None:
                    self._end(connection, row, UnratedState.VOID, outcome=_NO_HOUSE)
                    return None
                values["players"] = players
            connection.execute(update(unrated_boards).where(unrated_boards.c.id == board_id).values(values))
            board = board_from(self._leases.row(connection, board_id))
            ids = [player.version_id for player in board.players if player.version_id is not None]
            return UnratedClaim(board=board, bots=tuple(version_of(connection, version) for version in ids))

    def renew(self, claim: UnratedClaim) -> None:
        """Makes the lease last from now on. Raises StaleAttemptError when the claim is lost."""
        self._leases.renew(claim.board.id, claim.board.attempt)

    def finish(self, claim: UnratedClaim, played: Sequence[PlayedRotation], outcome: str = "") -> None:
        """Stores all that was played. `outcome`: how a remote bot has failed, empty if it has not.

        Raises StaleAttemptError when the claim is lost.
        """
        with self._database.writing() as connection:
            row = self._leases.held_row(connection, claim.board.id, claim.board.attempt)
            kept = write_played(connection, row.id, played)
            self._end(connection, row, UnratedState.DONE, matches=kept, outcome=outcome)

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

    def sweep(self, *, patient: bool = False, tell: TellTakenBack = tell_nobody) -> None:
        """Takes back what has gone silent, as the sweep of sittings does. Twice: harmless.

        Challenges whose remote bot has gone are void, so that their owner can ask for others.
        """
        self._leases.end_silences(self._end_silence, patient=patient, tell=tell)
        with self._database.reading() as connection:
            waits = connection.execute(given_up(self._clock()).limit(1)).first() is not None
        if waits:
            with self._database.writing() as connection:
                for row in connection.execute(given_up(self._clock()).with_for_update()).all():
                    self._end(connection, row, UnratedState.VOID, outcome=_GONE)

    def mine(self, board_id: int, owner: str) -> UnratedBoard:
        """The owner's unrated board with this id; LeagueError when he has none such."""
        query = select(unrated_boards).where(unrated_boards.c.id == board_id, unrated_boards.c.owner == owner)
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise LeagueError(f"{owner} has no unrated board {board_id}")
        return board_from(row).as_told()

    def challenges_of(self, owner: str, limit: int = 20) -> tuple[UnratedBoard, ...]:
        """The owner's latest challenges, the newest first."""
        mine = (unrated_boards.c.owner == owner) & (unrated_boards.c.purpose == Purpose.CHALLENGE.value)
        query = select(unrated_boards).where(mine).order_by(unrated_boards.c.id.desc()).limit(limit)
        with self._database.reading() as connection:
            return tuple(board_from(row).as_told() for row in connection.execute(query))

    def qualifying_of(self, versions: Collection[int]) -> Mapping[int, UnratedBoard]:
        """The latest qualifying boards of remote bots, by their versions' ids; those that have none are left out."""
        with self._database.reading() as connection:
            found = latest_qualifying(connection, versions)
            return {version: board.as_told() for version, board in found.items()}

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
            return opponents(connection)

    def _plan(
        self, connection: Connection, owner: str, playing: Sequence[BotVersion], rules: Variant, purpose: Purpose
    ) -> int:
        remote = playing[0].remote
        players = players_json(players_of(playing, owner))
        clock = REMOTE_TIME_CONTROL if remote else TIME_CONTROL
        board_id = self._insert(connection, owner, rules.id, players, purpose, UnratedState.PLANNED, time_control=clock)
        if remote:
            note_remote(connection, board_id, playing[0].id)
        return board_id

    def _insert(
        self,
        connection: Connection,
        owner: str,
        variant: str,
        players: list[dict[str, Any]],
        purpose: Purpose,
        state: UnratedState,
        *,
        submission: int | None = None,
        time_control: str = TIME_CONTROL,
    ) -> int:
        new = insert(unrated_boards).values(
            owner=owner,
            purpose=purpose.value,
            submission_id=submission,
            variant=variant,
            time_control=time_control,
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
        self._check_day(connection, owner, Purpose.CHALLENGE, Limit.CHALLENGES)

    def _check_day(self, connection: Connection, owner: str, purpose: Purpose, limit: Limit) -> None:
        mine = (unrated_boards.c.owner == owner) & (unrated_boards.c.purpose == purpose.value)
        lately = mine & unrated_boards.c.submission_id.is_(None) & (unrated_boards.c.created_at > self._clock() - DAY)
        if _count(connection, lately) >= CHALLENGES_A_DAY:
            what = "challenges" if purpose is Purpose.CHALLENGE else "qualifying boards"
            told = f"you had {CHALLENGES_A_DAY} {what} in 24 hours, which is all that are played: try again later"
            raise LimitError(limit, told, retry_after=timedelta(hours=1))

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
