"""Unrated boards: one board outside of any season, in all its rotations. Pure words.

A qualifying board is played before a submitted bot becomes active, and by a remote bot once it has connected; a
challenge because its owner asked for it. They count nowhere, and only their owner sees them.

Nobody can clear a remote bot's memory: where one plays, each rotation has cards of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from league.model import BotVersion
from league.results import MatchResult

ATTEMPTS_AT_MOST: Final = 3
"""So often a challenge is taken up; then it is void."""
TIME_CONTROL: Final = "start=30s,inc=100ms,bank=10s"
REMOTE_TIME_CONTROL: Final = "start=30s,inc=300ms,bank=30s"
"""Longer where a remote bot plays: the whole way through the network is on its clock."""
QUALIFYING_VARIANT: Final = "russian-14"
"""What a qualifying board is of, if the bot plays it and nothing else was asked for."""
SPARRING: Final = ("greedy", "lowest", "random", "highest", "counter")
"""House bots for the other seats of a qualifying board, the first ones there are: quick ones, for somebody waits."""


class Purpose(StrEnum):
    """Why an unrated board is played."""

    QUALIFYING = "qualifying"
    CHALLENGE = "challenge"


class UnratedState(StrEnum):
    """Planned: waiting or given back; claimed: somebody plays it; done; void: it could not be played."""

    PLANNED = "planned"
    CLAIMED = "claimed"
    DONE = "done"
    VOID = "void"


@dataclass(frozen=True, kw_only=True)
class UnratedPlayer:
    """Who plays: a bot's name and version as records show them. `version_id` is None while it is not active yet.

    `own`: it belongs to who sees the board, so its standard error is shown. `remote`: its owner runs it.
    """

    label: str
    version: str
    version_id: int | None
    own: bool
    remote: bool = False


@dataclass(frozen=True, kw_only=True)
class UnratedMatch:
    """One rotation that was played. By seat: `players` (places in `UnratedBoard.players`), `totals`, `places`,
    `forfeited` (the kind of fault, or empty).
    """

    match_id: str
    rotation: int
    players: tuple[int, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]
    forfeited: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class UnratedLog:
    """Standard error of a process of one of the owner's bots. `player`: its place in `UnratedBoard.players`."""

    rotation: int
    process: int
    player: int
    exit_status: int
    text: str


@dataclass(frozen=True, kw_only=True)
class UnratedBoard:
    """An unrated board as stored. `players` in cyclic order.

    `outcome` says why it is void, or how a remote bot has failed on it, or is empty.
    """

    id: int
    owner: str
    purpose: Purpose
    submission: int | None
    variant: str
    time_control: str
    players: tuple[UnratedPlayer, ...]
    state: UnratedState
    attempt: int
    outcome: str
    matches: tuple[UnratedMatch, ...]
    created_at: datetime
    ended_at: datetime | None

    @property
    def remote(self) -> bool:
        """Whether a remote bot plays, and each rotation has cards of its own."""
        return any(player.remote for player in self.players)

    @property
    def waiting(self) -> bool:
        """Whether it is still to be played, or played just now."""
        return self.state in {UnratedState.PLANNED, UnratedState.CLAIMED}

    def as_told(self) -> UnratedBoard:
        """The board as its owner may see it: whom a remote bot meets is told when it is over."""
        if not (self.remote and self.waiting):
            return self
        return replace(self, players=tuple(player for player in self.players if player.own and player.remote))

    @property
    def means(self) -> tuple[float, ...]:
        """The mean total of each player over all rotations; none before it was played."""
        if not self.matches:
            return ()
        sums = [0] * len(self.players)
        for match in self.matches:
            for player, total in zip(match.players, match.totals, strict=True):
                sums[player] += total
        return tuple(total / len(self.matches) for total in sums)


@dataclass(frozen=True, kw_only=True)
class UnratedClaim:
    """The right to play a board. `bots`: the versions of its players, in the order of `board.players`."""

    board: UnratedBoard
    bots: tuple[BotVersion, ...]


@dataclass(frozen=True, kw_only=True)
class PlayedRotation:
    """One rotation as it was just played: its result, its record (secrets included), standard error by process."""

    result: MatchResult
    record: dict[str, Any]
    logs: tuple[UnratedLog, ...]


def unrated_json(board: UnratedBoard) -> dict[str, Any]:
    """The JSON of an unrated board, as pages and the API have it."""
    return {
        "id": board.id,
        "purpose": board.purpose.value,
        "submission": board.submission,
        "variant": board.variant,
        "time_control": board.time_control,
        "state": board.state.value,
        "outcome": board.outcome or None,
        "players": [
            {
                "bot": player.label,
                "version": player.version,
                "version_id": player.version_id,
                "own": player.own,
                "remote": player.remote,
            }
            for player in board.players
        ],
        "mean_totals": list(board.means),
        "matches": [_match_json(match, board.players) for match in board.matches],
        "created_at": board.created_at.isoformat(),
        "ended_at": None if board.ended_at is None else board.ended_at.isoformat(),
    }


def _match_json(match: UnratedMatch, players: Sequence[UnratedPlayer]) -> dict[str, Any]:
    seats = zip(match.players, match.totals, match.places, match.forfeited, strict=True)
    return {
        "match_id": match.match_id,
        "rotation": match.rotation,
        "seats": [
            {"bot": players[player].label, "total": total, "place": place, "forfeited": kind or None}
            for player, total, place, kind in seats
        ],
    }
