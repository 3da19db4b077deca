"""Who may play an unrated board: one's own bot, whom it may challenge, and the house for a qualifying board.

Reads bots and the states of submissions; writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select

from league.errors import LeagueError
from league.model import BotVersion, SourceKind
from league.qualifying import Qualifying, qualifying_of
from league.store.bots import version_columns, version_from, version_of
from league.store.presence import connected_of
from league.store.remote_boards import latest_qualifying, sparring
from league.store.schema import bot_versions, bots
from league.store.submission_schema import submissions
from league.store.unrated_rows import players_json
from league.submissions import SubmissionState, WrongStateError
from league.unrated import UnratedBoard, UnratedPlayer
from referee.rules import Variant, parse_variant

_STARTABLE = (SourceKind.FOLDER, SourceKind.COMMAND, SourceKind.ARCHIVE)


def own_bot(connection: Connection, version_id: int, owner: str, rules: Variant, now: datetime) -> BotVersion:
    """The owner's bot version, which may ask for a challenge now."""
    bot = version_of(connection, version_id)
    if not bot.remote:
        bot = startable_bot(connection, version_id, rules)
    if bot.owner != owner:
        raise LeagueError(f"{owner} has no bot version {version_id}")
    if bot.remote:
        latest = latest_qualifying(connection, [bot.id]).get(bot.id)
        if latest is None or qualifying_of(latest) is not Qualifying.PASSED:
            raise WrongStateError(f"{bot.name} {bot.version} has not qualified yet: then it plays challenges")
        if bot.id not in connected_of(connection, now, [bot.id]):
            raise WrongStateError(f"{bot.name} {bot.version} is not connected: start it, then challenge others with it")
    return bot


def startable_bot(connection: Connection, version_id: int, rules: Variant) -> BotVersion:
    """A bot version that can be started by us for a challenge of these rules."""
    bot = version_of(connection, version_id)
    if bot.house:
        return bot
    if bot.remote:
        raise LeagueError(f"{bot.name} is a remote bot: only its owner has it play challenges, at the first seat")
    query = select(submissions.c.state, submissions.c.variants).where(submissions.c.bot_version_id == version_id)
    row = connection.execute(query.order_by(submissions.c.id.desc())).first()
    if row is None or row.state != SubmissionState.ACTIVE:
        raise WrongStateError(f"{bot.name} {bot.version} is not active: only active bots play challenges")
    if "*" not in row.variants and rules.base_id not in row.variants:
        raise LeagueError(f"{bot.name} does not play {rules.base_id}; it plays {', '.join(row.variants)}")
    return bot


def players_of(bots: Sequence[BotVersion], owner: str) -> list[UnratedPlayer]:
    """The players of a board; a bot that comes again is `greedy#2`, then `greedy#3`."""
    seen: dict[str, int] = {}
    players = []
    for bot in bots:
        count = seen[bot.name] = seen.get(bot.name, 0) + 1
        label = bot.name if count == 1 else f"{bot.name}#{count}"
        own = bot.owner == owner and not bot.house
        new = UnratedPlayer(label=label, version=bot.version, version_id=bot.id, own=own, remote=bot.remote)
        players.append(new)
    return players


def against_the_house(connection: Connection, board: UnratedBoard) -> list[dict[str, Any]] | None:
    """The players of a qualifying board, drawn anew for each attempt; None if there are too few house bots."""
    own = next(player for player in board.players if player.own)
    others = sparring(connection, parse_variant(board.variant).seats - 1)
    if len(others) < parse_variant(board.variant).seats - 1:
        return None
    return players_json([own, *players_of(others, board.owner)])


def opponents(connection: Connection) -> tuple[BotVersion, ...]:
    """Whom one can challenge: the newest version of each house bot, and all active submitted versions, by name."""
    active = select(submissions.c.bot_version_id).where(submissions.c.state == SubmissionState.ACTIVE.value)
    newest = select(func.max(bot_versions.c.id)).join(bots).where(bots.c.house).group_by(bots.c.id)
    wanted = bot_versions.c.id.in_(active) | bot_versions.c.id.in_(newest)
    startable = bot_versions.c.source_kind.in_([kind.value for kind in _STARTABLE])
    query = select(*version_columns()).join_from(bot_versions, bots).where(wanted, startable)
    return tuple(map(version_from, connection.execute(query.order_by(bots.c.name, bot_versions.c.id))))
