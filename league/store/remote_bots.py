"""Remote bots: bots that their owners run, known by a token.

Owns the table `remote_bots` but for who is connected, which is `presence.py`. A token is given out once and never
again; what is kept of it is its hash. Each version of a bot has a token of its own.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, Select, insert, select, update

from league.errors import LeagueError
from league.model import BotSource, BotVersion, NewBot, RemoteBot, RemoteRegistration, SourceKind
from league.remote_tokens import draw_token, token_hash
from league.store.bots import BotStore, version_columns, version_from, version_of
from league.store.schema import bot_versions, bots, remote_bots
from league.versions import command_hash


class RemoteBotStore(BotStore):
    """Registers bots, remote ones too, and finds them."""

    def register_remote(self, *, owner: str, name: str, version: str, language: str = "") -> RemoteRegistration:
        """Registers a version of a remote bot and draws its token, which is told here and never again.

        Its hash is that of owner, name and version. Raises LeagueError when a text does not fit, there is no owner, the
        name belongs to another owner, or this version is registered already.
        """
        new = NewBot(
            name=name,
            version=version,
            source=BotSource(kind=SourceKind.REMOTE, location=""),
            version_hash=command_hash(owner, name, version),
            language=language,
            owner=owner,
            house=False,
        )
        token = draw_token()
        with self._database.writing() as connection:
            if self._find(connection, new) is not None:
                raise LeagueError(
                    f"{name} {version} is registered already: renew its token if that is lost, or take another version"
                )
            version_id = self._register(connection, new)
            connection.execute(
                insert(remote_bots).values(
                    bot_version_id=version_id, token_hash=token_hash(token), issued_at=self._clock(), connected=False
                )
            )
            return RemoteRegistration(bot=version_of(connection, version_id), token=token)

    def renew_token(self, version_id: int) -> RemoteRegistration:
        """Draws a new token for a remote bot; the old one is refused from now on, also where it is in use.

        Raises LeagueError when this is no remote bot.
        """
        token = draw_token()
        with self._database.writing() as connection:
            self._change_token(
                connection, version_id, token_hash=token_hash(token), issued_at=self._clock(), revoked_at=None
            )
            return RemoteRegistration(bot=version_of(connection, version_id), token=token)

    def revoke_token(self, version_id: int) -> RemoteBot:
        """Has a remote bot refused from now on, also where it is connected. Twice: nothing happens.

        Raises LeagueError when this is no remote bot.
        """
        with self._database.writing() as connection:
            row = _remote_row(connection, version_id)
            if row.token_hash is not None:
                self._change_token(connection, version_id, token_hash=None, revoked_at=self._clock())
            return remote_from(_remote_row(connection, version_id))

    def remote(self, name: str, version: str = "") -> RemoteBot:
        """The remote bot of this name and version; without a version, the one that was registered last.

        Raises LeagueError naming the remote bots there are.
        """
        with self._database.reading() as connection:
            query = select_remotes().where(bots.c.name == name)
            if version:
                query = query.where(bot_versions.c.version == version)
            row = connection.execute(query.order_by(bot_versions.c.id.desc()).limit(1)).one_or_none()
            if row is None:
                known = connection.execute(select_remotes().order_by(bots.c.name, bot_versions.c.id).limit(20)).all()
                told = ", ".join(f"{one.bot_name} {one.version}" for one in known)
                wanted = f"{name} {version}".strip()
                raise LeagueError(
                    f"no remote bot {wanted!r}: {f'registered are {told}' if told else 'none is registered yet'}"
                )
            return remote_from(row)

    def remotes(self) -> tuple[RemoteBot, ...]:
        """All remote bots, by name, then in the order of registration; also those whose tokens are revoked."""
        with self._database.reading() as connection:
            rows = connection.execute(select_remotes().order_by(bots.c.name, bot_versions.c.id))
            return tuple(map(remote_from, rows))

    @staticmethod
    def _change_token(connection: Connection, version_id: int, **values: object) -> None:
        this_bot = remote_bots.c.bot_version_id == version_id
        if connection.execute(update(remote_bots).where(this_bot).values(values)).rowcount == 0:
            raise _no_remote(version_of(connection, version_id))


def lock_remote(connection: Connection, version_id: int) -> None:
    """Has nobody else change a remote bot, if it is one, before this transaction ends."""
    this_bot = remote_bots.c.bot_version_id == version_id
    connection.execute(select(remote_bots.c.bot_version_id).where(this_bot).with_for_update())


def select_remotes() -> Select[Any]:
    """Remote bots with their versions."""
    return select(remote_bots, *version_columns()).join_from(remote_bots, bot_versions).join(bots)


def remote_from(row: Row[Any]) -> RemoteBot:
    """A remote bot from a row of `select_remotes`."""
    return RemoteBot(
        bot=version_from(row),
        token_hash=row.token_hash,
        issued_at=row.issued_at,
        revoked_at=row.revoked_at,
        connected=row.connected,
        absent_since=row.absent_since,
        noted_at=row.noted_at,
        seen_at=row.seen_at,
    )


def _remote_row(connection: Connection, version_id: int) -> Row[Any]:
    row = connection.execute(select_remotes().where(remote_bots.c.bot_version_id == version_id)).one_or_none()
    if row is None:
        raise _no_remote(version_of(connection, version_id))
    return row


def _no_remote(bot: BotVersion) -> LeagueError:
    return LeagueError(f"{bot.name} {bot.version} is no remote bot: it is run by us and has no token")
