"""Bots and their versions.

Owns the tables `bots` and `bot_versions`. A version is known by name, version and the hash of its contents: the same
version text with other contents is another version.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, insert, select, update

from league.errors import LeagueError, NotThereError, Thing
from league.model import BotSource, BotVersion, NewBot, SourceKind
from league.names import first_alike, label_fault, name_fault, seen_only
from league.store.database import Database
from league.store.schema import bot_versions, bots
from league.store.turns import Turn, take_turn

NAME_LENGTH_AT_MOST = 64
LANGUAGE_LENGTH_AT_MOST = 32


def version_columns() -> list[Any]:
    """The columns from which `version_from` reads a bot version; `version_id` is its id."""
    return [
        bot_versions.c.id.label("version_id"),
        bots.c.name.label("bot_name"),
        bots.c.owner,
        bots.c.house,
        bot_versions.c.version,
        bot_versions.c.version_hash,
        bot_versions.c.source_kind,
        bot_versions.c.source_location,
        bot_versions.c.language,
        bot_versions.c.registered_at,
    ]


def version_from(row: Row[Any]) -> BotVersion:
    """A bot version from a row that has `version_columns`."""
    return BotVersion(
        id=row.version_id,
        name=row.bot_name,
        version=row.version,
        source=BotSource(kind=SourceKind(row.source_kind), location=row.source_location),
        version_hash=row.version_hash,
        language=row.language,
        owner=row.owner,
        house=row.house,
        registered_at=row.registered_at,
    )


def _select_versions() -> Select[Any]:
    return select(*version_columns()).join_from(bot_versions, bots)


class BotStore:
    """Registers bots and finds them."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def register(self, bot: NewBot) -> BotVersion:
        """Registers a bot version; one known already is returned, with its source brought up to date.

        Raises LeagueError when a text does not fit or the name belongs to another owner.
        """
        with self._database.writing() as connection:
            version_id = self._find(connection, bot)
            if version_id is None:
                version_id = self._register(connection, bot)
            else:
                source = {"source_kind": bot.source.kind.value, "source_location": bot.source.location}
                connection.execute(update(bot_versions).where(bot_versions.c.id == version_id).values(**source))
            return version_of(connection, version_id)

    def _find(self, connection: Connection, bot: NewBot) -> int | None:
        """The id of this version if it is registered already; refuses texts that do not fit, and others' names."""
        _check(bot)
        take_turn(connection, Turn.BOT_NAMES)
        known = (
            select(bot_versions.c.id)
            .join(bots)
            .where(
                bots.c.id == self._bot_id(connection, bot),
                bot_versions.c.version == bot.version,
                bot_versions.c.version_hash == bot.version_hash,
            )
        )
        return connection.scalar(known)

    def _register(self, connection: Connection, bot: NewBot) -> int:
        new = insert(bot_versions).values(
            bot_id=self._bot_id(connection, bot),
            version=bot.version,
            version_hash=bot.version_hash,
            language=bot.language,
            registered_at=self._clock(),
            source_kind=bot.source.kind.value,
            source_location=bot.source.location,
        )
        return int(connection.execute(new.returning(bot_versions.c.id)).scalar_one())

    def get(self, version_id: int) -> BotVersion:
        """The bot version with this id; LeagueError when there is none."""
        with self._database.reading() as connection:
            return version_of(connection, version_id)

    def latest(self, name: str) -> BotVersion:
        """The version of a bot that was registered last; LeagueError names the bots there are."""
        with self._database.reading() as connection:
            newest = _select_versions().where(bots.c.name == name).order_by(bot_versions.c.id.desc()).limit(1)
            row = connection.execute(newest).one_or_none()
            if row is None:
                names = list(connection.scalars(select(bots.c.name).order_by(bots.c.name).limit(20)))
                known = f"registered are {', '.join(names)}" if names else "none is registered yet"
                raise NotThereError(Thing.BOT, name, f"{name!r}: {known}")
            return version_from(row)

    def all(self) -> tuple[BotVersion, ...]:
        """All versions, by name, then in the order of registration."""
        with self._database.reading() as connection:
            rows = connection.execute(_select_versions().order_by(bots.c.name, bot_versions.c.id))
            return tuple(map(version_from, rows))

    @staticmethod
    def _bot_id(connection: Connection, bot: NewBot) -> int:
        row = connection.execute(select(bots.c.id, bots.c.owner).where(bots.c.name == bot.name)).one_or_none()
        if row is None:
            _check_new_name(connection, bot)
            new = insert(bots).values(name=bot.name, owner=bot.owner, house=bot.house)
            return int(connection.execute(new.returning(bots.c.id)).scalar_one())
        if row.owner != bot.owner:
            raise LeagueError(f"the bot name {bot.name!r} belongs to {row.owner or 'the house'}: choose another name")
        return int(row.id)


def version_of(connection: Connection, version_id: int) -> BotVersion:
    """The bot version with this id; LeagueError when there is none."""
    row = connection.execute(_select_versions().where(bot_versions.c.id == version_id)).one_or_none()
    if row is None:
        raise LeagueError(f"no bot version {version_id}: register the bot first")
    return version_from(row)


def _check_new_name(connection: Connection, bot: NewBot) -> None:
    """Refuse a new name that looks as another bot's; the house calls its own as it likes."""
    if bot.house:
        return
    if fault := name_fault(bot.name):
        raise LeagueError(f"the name {bot.name!r} of a bot {fault}")
    alike = first_alike(bot.name, connection.scalars(select(bots.c.name)))
    if alike is not None:
        raise LeagueError(f"the bot name {bot.name!r} looks as that of the bot {alike!r}: choose another name")


def _check(bot: NewBot) -> None:
    for what, text in (("name", bot.name), ("version", bot.version)):
        if not 1 <= len(text) <= NAME_LENGTH_AT_MOST or any(ord(letter) < 32 for letter in text):
            raise LeagueError(f"the {what} {text!r} of a bot must have 1 to {NAME_LENGTH_AT_MOST} printable characters")
        if not bot.house and (fault := label_fault(text)):
            raise LeagueError(f"the {what} {text!r} of a bot {fault}")
    if not bot.house and (len(bot.language) > LANGUAGE_LENGTH_AT_MOST or seen_only(bot.language) != bot.language):
        raise LeagueError(
            f"the language of the bot {bot.name!r} has at most {LANGUAGE_LENGTH_AT_MOST} characters that can be seen"
        )
    if len(bot.version_hash) != 64 or not set(bot.version_hash) <= set("0123456789abcdef"):
        raise LeagueError(f"the version hash {bot.version_hash!r} of {bot.name} must be 64 hex digits in lower case")
    if not bot.house and not bot.owner:
        raise LeagueError(f"the bot {bot.name!r} is not a house bot: it needs an owner")
