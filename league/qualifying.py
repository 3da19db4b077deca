"""How it stands with a remote bot that its owner runs: its token, whether it is there, whether it has qualified. Pure.

Owns these words, and what an account may have of remote bots. Who keeps them is `league.store.own_remotes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from league.model import RemoteBot
from league.unrated import UnratedBoard, UnratedState

REMOTES_AT_MOST: Final = 50
"""So many remote bots of one account may have a good token: all of them are told to the referee each second."""
REGISTERED_A_DAY: Final = 20


class Presence(StrEnum):
    """Whether a remote bot is there. `new`: it was never seen; `unknown`: the referee does not say."""

    NEW = "new"
    CONNECTED = "connected"
    ABSENT = "absent"
    UNKNOWN = "unknown"
    REVOKED = "revoked"


class Qualifying(StrEnum):
    """How far a remote bot is with its latest qualifying board; `none`: it was never asked for."""

    NONE = "none"
    WAITING = "waiting"
    PLAYING = "playing"
    PASSED = "passed"
    FAILED = "failed"
    VOID = "void"


@dataclass(frozen=True, kw_only=True)
class OwnRemote:
    """A remote bot as its owner sees it. `board`: its latest qualifying board, None without one."""

    remote: RemoteBot
    presence: Presence
    board: UnratedBoard | None

    @property
    def may_challenge(self) -> bool:
        """Whether it may play a challenge now."""
        return self.qualifying is Qualifying.PASSED and self.presence is Presence.CONNECTED

    @property
    def qualifying(self) -> Qualifying:
        """How far its qualifying is."""
        return Qualifying.NONE if self.board is None else qualifying_of(self.board)


def presence_of(one: RemoteBot, known_since: datetime) -> Presence:
    """Whether a remote bot is there. `known_since`: what was noted before is too old to be believed."""
    if one.token_hash is None:
        return Presence.REVOKED
    known = one.noted_at is not None and one.noted_at > known_since
    if known and one.connected:
        return Presence.CONNECTED
    if one.seen_at is None:
        return Presence.NEW
    return Presence.ABSENT if known else Presence.UNKNOWN


def qualifying_of(board: UnratedBoard) -> Qualifying:
    """What a qualifying board says of the bot that had to play it."""
    if board.state is UnratedState.DONE:
        return Qualifying.FAILED if board.outcome else Qualifying.PASSED
    return {
        UnratedState.PLANNED: Qualifying.WAITING,
        UnratedState.CLAIMED: Qualifying.PLAYING,
        UnratedState.VOID: Qualifying.VOID,
    }[board.state]
