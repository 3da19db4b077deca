"""Makes bots known to the store: any that was found here, and those of the house that play without anything else.

Owns what a version's hash is made of. Harmless when it is known already.
"""

from __future__ import annotations

from league.model import BotVersion, NewBot, SourceKind
from league.store import Store
from league.versions import command_hash, folder_hash
from workers.bots import BotProgram, find_bot, house_names


def register_bot(store: Store, program: BotProgram) -> BotVersion:
    """Have the store know this version of a bot; harmless if it does.

    Raises:
        LeagueError: it knows another bot by this name and version.
    """
    if program.source.kind is SourceKind.FOLDER:
        version_hash = folder_hash(program.folder)
    else:
        version_hash = command_hash("", program.source.location, program.version)
    return store.bots.register(
        NewBot(
            name=program.name,
            version=program.version,
            source=program.source,
            version_hash=version_hash,
            language=program.language,
        )
    )


def register_house(store: Store) -> tuple[BotVersion, ...]:
    """Have the store know the house's bots, so that seasons can be made of them, and others be measured by them.

    Raises:
        LeagueError: it knows another bot by one of their names.
    """
    return tuple(register_bot(store, find_bot(name)) for name in house_names())
