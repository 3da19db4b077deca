"""Which remote bots are connected, and which sittings wait for one that is not.

Owns the columns `connected`, `absent_since`, `noted_at` and `seen_at` of `remote_bots`, and `waiting_since` of
`sittings`. Nobody is absent for want of our own knowledge: while the referee does not answer, no time counts against
anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    BigInteger,
    Connection,
    and_,
    cast,
    exists,
    false,
    func,
    literal,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.sql.elements import ColumnElement

from league.model import SeasonState, SittingState
from league.store.database import Database
from league.store.rows import season_row
from league.store.schema import remote_bots, seasons, sitting_remotes, sittings
from league.store.submission_schema import unrated_boards, unrated_remotes
from league.unrated import UnratedState

NOTE_LASTS = timedelta(seconds=30)
"""For how long what was seen of who is connected is taken for true."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class PresenceStore:
    """Keeps who is connected, as the referee tells it."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def has_remotes(self) -> bool:
        """Whether any remote bot was ever registered."""
        with self._database.reading() as connection:
            return connection.scalar(select(remote_bots.c.bot_version_id).limit(1)) is not None

    def tokens(self) -> Mapping[int, str]:
        """The hashes of all good tokens, by the bot version's id."""
        with self._database.reading() as connection:
            good = select(remote_bots.c.bot_version_id, remote_bots.c.token_hash).where(
                remote_bots.c.token_hash.is_not(None)
            )
            return {row.bot_version_id: row.token_hash for row in connection.execute(good)}

    def note(self, connected: Collection[int]) -> None:
        """The referee has told which remote bots are connected (ids of versions); the others are absent from now on."""
        now = self._clock()
        here = remote_bots.c.bot_version_id.in_(sorted(connected))
        known = remote_bots.c.noted_at > now - NOTE_LASTS
        with self._database.writing() as connection:
            _lock_all(connection)
            present = {"connected": True, "absent_since": None, "noted_at": now, "seen_at": now}
            connection.execute(update(remote_bots).where(here).values(present))
            # Absent since now, where it was not known to be absent before.
            newly = or_(remote_bots.c.absent_since.is_(None), remote_bots.c.noted_at.is_(None), ~known)
            connection.execute(update(remote_bots).where(~here, newly).values(absent_since=now))
            connection.execute(update(remote_bots).where(~here).values(connected=False, noted_at=now))
        self._note_waiting(now)

    def forget(self) -> None:
        """The referee does not answer: nobody is known to be connected or absent, and no sitting waits."""
        with self._database.writing() as connection:
            _lock_all(connection)
            known = remote_bots.c.noted_at.is_not(None)
            connection.execute(
                update(remote_bots).where(known).values(connected=False, absent_since=None, noted_at=None)
            )
        self._set_waiting(sittings.c.waiting_since.is_not(None), None)

    def _note_waiting(self, now: datetime) -> None:
        """Sittings wait from when they could be played but for a remote bot; those that need not wait forget it."""
        running = exists().where(seasons.c.id == sittings.c.season_id, seasons.c.state == SeasonState.RUNNING.value)
        lacks = exists().where(
            sitting_remotes.c.sitting_id == sittings.c.id,
            remote_bots.c.bot_version_id == sitting_remotes.c.bot_version_id,
            ~remote_bots.c.connected,
        )
        waits = and_(sittings.c.state == SittingState.PLANNED.value, running, lacks)
        self._set_waiting(and_(sittings.c.waiting_since.is_(None), waits), now)
        self._set_waiting(and_(sittings.c.waiting_since.is_not(None), ~waits), None)

    def _set_waiting(self, which: ColumnElement[bool], since: datetime | None) -> None:
        """Season by season, and apart from the bots: who claims a sitting locks its season, it, and then its bots."""
        with self._database.reading() as connection:
            ids = connection.scalars(select(sittings.c.season_id).where(which).distinct()).all()
        for season_id in ids:
            with self._database.writing() as connection:
                season_row(connection, season_id, lock=True)
                these = and_(sittings.c.season_id == season_id, which)
                connection.execute(update(sittings).where(these).values(waiting_since=since))


def _lock_all(connection: Connection) -> None:
    """Locks all remote bots, in the order in which those of a sitting are locked."""
    connection.execute(select(remote_bots.c.bot_version_id).order_by(remote_bots.c.bot_version_id).with_for_update())


def keeps_waiting(now: datetime) -> ColumnElement[bool]:
    """Whether a sitting, of a season in the same query, has to wait for a remote bot: one that plays elsewhere, or is
    absent for less time than the season allows.
    """
    known = remote_bots.c.noted_at > now - NOTE_LASTS
    longest = literal((now - _EPOCH) // timedelta(microseconds=1)) - cast(seasons.c.absent_after_ms, BigInteger) * 1000
    given_up = and_(
        type_coerce(remote_bots.c.absent_since, BigInteger) <= longest,
        type_coerce(sittings.c.waiting_since, BigInteger) <= longest,
    )
    decided = func.coalesce(and_(known, or_(remote_bots.c.connected, given_up)), false())
    undecided = exists().where(
        sitting_remotes.c.sitting_id == sittings.c.id,
        remote_bots.c.bot_version_id == sitting_remotes.c.bot_version_id,
        ~decided,
    )
    return or_(undecided, _plays_elsewhere(), _plays_unrated())


def _plays_elsewhere() -> ColumnElement[bool]:
    mine, theirs = sitting_remotes.alias("mine"), sitting_remotes.alias("theirs")
    other = sittings.alias("elsewhere")
    return exists().where(
        mine.c.sitting_id == sittings.c.id,
        theirs.c.bot_version_id == mine.c.bot_version_id,
        theirs.c.sitting_id != mine.c.sitting_id,
        other.c.id == theirs.c.sitting_id,
        other.c.state == SittingState.CLAIMED.value,
    )


def _plays_unrated() -> ColumnElement[bool]:
    return exists().where(
        sitting_remotes.c.sitting_id == sittings.c.id,
        unrated_remotes.c.bot_version_id == sitting_remotes.c.bot_version_id,
        unrated_boards.c.id == unrated_remotes.c.board_id,
        unrated_boards.c.state == UnratedState.CLAIMED.value,
    )


def has_to_wait(connection: Connection, sitting_id: int, now: datetime) -> bool:
    """Whether a sitting has to wait for a remote bot.

    Locks its remote bots, so that no two sittings of one are taken up at the same time.
    """
    locked = (
        select(remote_bots.c.bot_version_id).join(sitting_remotes).where(sitting_remotes.c.sitting_id == sitting_id)
    )
    connection.execute(locked.order_by(remote_bots.c.bot_version_id).with_for_update(of=remote_bots))
    season = seasons.c.id == sittings.c.season_id
    query = select(sittings.c.id).join(seasons, season).where(sittings.c.id == sitting_id, keeps_waiting(now))
    return connection.scalar(query) is not None


def absent_of(connection: Connection, sitting_id: int) -> frozenset[int]:
    """Those remote bots of a sitting that are not connected."""
    query = (
        select(remote_bots.c.bot_version_id)
        .join(sitting_remotes, sitting_remotes.c.bot_version_id == remote_bots.c.bot_version_id)
        .where(sitting_remotes.c.sitting_id == sitting_id, ~remote_bots.c.connected)
    )
    return frozenset(connection.scalars(query))


def connected_of(connection: Connection, now: datetime, versions: Collection[int]) -> frozenset[int]:
    """Of some remote bots (ids of versions) those that are connected."""
    query = select(remote_bots.c.bot_version_id).where(
        remote_bots.c.bot_version_id.in_(sorted(versions)),
        remote_bots.c.connected,
        remote_bots.c.noted_at > now - NOTE_LASTS,
    )
    return frozenset(connection.scalars(query))


def one_of_each(connection: Connection, due: Sequence[int]) -> tuple[int, ...]:
    """Of sittings that are due, in their order, those that can be played together: a remote bot plays one at a time."""
    rows = connection.execute(select(sitting_remotes).where(sitting_remotes.c.sitting_id.in_(due))).all()
    remotes: dict[int, set[int]] = {}
    for row in rows:
        remotes.setdefault(row.sitting_id, set()).add(row.bot_version_id)
    taken: set[int] = set()
    chosen = []
    for sitting in due:
        mine = remotes.get(sitting, set())
        if not mine & taken:
            chosen.append(sitting)
            taken |= mine
    return tuple(chosen)
