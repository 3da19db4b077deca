"""Remote bots as their owners have them: registered, given new tokens, revoked, qualified.

The door for pages and the API; whatever is done here goes to the audit log in the same transaction. Tokens are
`remote_bots.py`'s, boards `unrated.py`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select

from league.audit_log import Act, Actor
from league.errors import LeagueError
from league.model import BotVersion, RemoteBot, RemoteRegistration
from league.qualifying import REGISTERED_A_DAY, REMOTES_AT_MOST, OwnRemote, presence_of
from league.store.account_schema import accounts
from league.store.audit_log import write_entry
from league.store.database import Database
from league.store.presence import NOTE_LASTS
from league.store.remote_boards import latest_qualifying
from league.store.remote_bots import RemoteBotStore, lock_remote, remote_from, select_remotes
from league.store.schema import bot_versions, bots, remote_bots
from league.store.turns import Turn, take_turn
from league.store.unrated import UnratedStore
from league.submissions import DAY, Limit, LimitError
from league.unrated import QUALIFYING_VARIANT, UnratedBoard


def _check_version(connection: Connection, owner: str, name: str, version: str) -> None:
    """Two versions of a bot with one text could not be told apart on any page."""
    mine = (bots.c.owner == owner) & (bots.c.name == name)
    known = select(bot_versions.c.id).join(bots).where(mine, bot_versions.c.version == version)
    if connection.scalar(known.limit(1)) is not None:
        raise LeagueError(
            f"{name} {version} is there already: renew its token if that is lost, or register another version"
        )


class OwnRemoteStore:
    """Keeps remote bots for their owners."""

    def __init__(
        self, database: Database, clock: Callable[[], datetime], registered: RemoteBotStore, unrated: UnratedStore
    ) -> None:
        self._database = database
        self._clock = clock
        self._registered = registered
        self._unrated = unrated

    def register(
        self,
        *,
        owner: str,
        name: str,
        version: str,
        language: str = "",
        variant: str = QUALIFYING_VARIANT,
        by: Actor,
    ) -> RemoteRegistration:
        """Registers a version of a remote bot; once it is connected it plays its qualifying board, of `variant`.

        Its token is told here and never again. Raises LimitError when the owner has too many, LeagueError as
        `RemoteBotStore.register_remote` and for an unknown variant.
        """
        with self._database.together() as connection:
            self._check_limits(connection, owner)
            take_turn(connection, Turn.BOT_NAMES)
            _check_version(connection, owner, name, version)
            made = self._registered.register_remote(owner=owner, name=name, version=version, language=language)
            self._unrated.ask_qualifying(made.bot, variant)
            self._log(connection, by, Act.BOT_REGISTERED, made.bot, {"remote": True})
            return made

    def of_owner(self, owner: str) -> tuple[OwnRemote, ...]:
        """An owner's remote bots, by name, the newest version of each first; also those whose tokens are revoked."""
        query = select_remotes().where(bots.c.owner == owner).order_by(bots.c.name, bot_versions.c.id.desc())
        with self._database.reading() as connection:
            found = [remote_from(row) for row in connection.execute(query)]
            boards = latest_qualifying(connection, [one.bot.id for one in found])
            return tuple(self._own(one, boards.get(one.bot.id)) for one in found)

    def mine(self, version_id: int, owner: str) -> OwnRemote:
        """The owner's remote bot with this version id; LeagueError when he has none such."""
        with self._database.reading() as connection:
            return self._mine(connection, version_id, owner)

    def renew(self, version_id: int, owner: str, *, by: Actor) -> RemoteRegistration:
        """Draws a new token; the old one is refused from now on. LeagueError when it is not the owner's."""
        with self._database.together() as connection:
            bot = self._mine(connection, version_id, owner).remote.bot
            self._log(connection, by, Act.REMOTE_TOKEN_RENEWED, bot)
            return self._registered.renew_token(version_id)

    def revoke(self, version_id: int, owner: str, *, by: Actor) -> None:
        """Has the bot refused from now on. Twice: nothing happens. LeagueError when it is not the owner's."""
        with self._database.together() as connection:
            lock_remote(connection, version_id)
            remote = self._mine(connection, version_id, owner).remote
            if remote.token_hash is not None:
                self._registered.revoke_token(version_id)
                self._log(connection, by, Act.REMOTE_TOKEN_REVOKED, remote.bot)

    def qualify(self, version_id: int, owner: str, variant: str = QUALIFYING_VARIANT, *, by: Actor) -> UnratedBoard:
        """Has the bot play another qualifying board, as soon as it is connected.

        Raises LeagueError when it is not the owner's, and as `UnratedStore.ask_qualifying`.
        """
        with self._database.together() as connection:
            bot = self._mine(connection, version_id, owner).remote.bot
            board = self._unrated.ask_qualifying(bot, variant)
            self._log(connection, by, Act.QUALIFYING_ASKED, bot, {"board": board.id})
            return board

    def _mine(self, connection: Connection, version_id: int, owner: str) -> OwnRemote:
        query = select_remotes().where(bots.c.owner == owner, remote_bots.c.bot_version_id == version_id)
        row = connection.execute(query).one_or_none()
        if row is None:
            raise LeagueError(f"{owner} has no remote bot with version id {version_id}")
        return self._own(remote_from(row), latest_qualifying(connection, [version_id]).get(version_id))

    def _own(self, remote: RemoteBot, board: UnratedBoard | None) -> OwnRemote:
        presence = presence_of(remote, self._clock() - NOTE_LASTS)
        return OwnRemote(remote=remote, presence=presence, board=None if board is None else board.as_told())

    def _check_limits(self, connection: Connection, owner: str) -> None:
        connection.execute(select(accounts.c.id).where(accounts.c.name == owner).with_for_update())
        mine = select(func.count()).select_from(remote_bots).join(bot_versions).join(bots).where(bots.c.owner == owner)
        if (connection.scalar(mine.where(remote_bots.c.token_hash.is_not(None))) or 0) >= REMOTES_AT_MOST:
            told = f"{REMOTES_AT_MOST} of your remote bots have a token, as many as may: revoke one first"
            raise LimitError(Limit.REMOTE_BOTS, told)
        lately = mine.where(bot_versions.c.registered_at > self._clock() - DAY)
        if (connection.scalar(lately) or 0) >= REGISTERED_A_DAY:
            told = (
                f"you have registered {REGISTERED_A_DAY} remote bots in 24 hours, as many as are taken: try again later"
            )
            raise LimitError(Limit.REMOTE_BOTS, told, retry_after=timedelta(hours=1))

    def _log(
        self, connection: Connection, by: Actor, act: Act, bot: BotVersion, details: dict[str, object] | None = None
    ) -> None:
        write_entry(connection, self._clock(), by, act, f"{bot.name}@{bot.version}", details or {})
