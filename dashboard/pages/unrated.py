"""What the pages of unrated boards show: who took part, what each rotation brought, the form of a challenge. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from dashboard.words import Words
from league.model import BotVersion
from league.qualifying import OwnRemote
from league.submissions import Submission, SubmissionState
from league.unrated import Purpose, UnratedBoard, UnratedLog, UnratedState


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


_STATES: Final = {
    UnratedState.PLANNED: _("waiting"),
    UnratedState.CLAIMED: _("being played"),
    UnratedState.DONE: _("over"),
    UnratedState.VOID: _("void"),
}


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player: its totals by rotation, and their mean; `forfeits`: the fault in a rotation, or empty."""

    name: str
    version: str
    own: bool
    totals: tuple[int, ...]
    forfeits: tuple[str, ...]
    mean: float | None


@dataclass(frozen=True, slots=True)
class LogPart:
    """Standard error of a process of one's own."""

    name: str
    rotation: int
    process: int
    exit_status: int
    text: str


@dataclass(frozen=True, slots=True)
class UnratedPage:
    """The page of an unrated board. `matches`: the ids of its rotations; players by mean, the best first.

    `remote`: the version of its remote bot, with which the cards of no two rotations are alike.
    """

    id: int
    qualifying: bool
    submission: int | None
    remote: int | None
    variant: str
    time_control: str
    state: str
    state_word: str
    waiting: bool
    outcome: str
    title: str
    players: tuple[PlayerLine, ...]
    matches: tuple[str, ...]
    logs: tuple[LogPart, ...]
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class ChallengeLine:
    """A challenge in a list."""

    id: int
    title: str
    variant: str
    state: str
    state_word: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ChallengesPage:
    """One's challenges, and what one can choose: bots (version id, text) and variants (id, text)."""

    challenges: tuple[ChallengeLine, ...]
    own: tuple[tuple[str, str], ...]
    opponents: tuple[tuple[str, str], ...]
    variants: tuple[tuple[str, str], ...]
    waiting: bool


def unrated_page(board: UnratedBoard, logs: Sequence[UnratedLog], words: Words) -> UnratedPage:
    """The page of an unrated board; `logs` are those of the owner's own processes."""
    return UnratedPage(
        id=board.id,
        qualifying=board.purpose is Purpose.QUALIFYING,
        submission=board.submission,
        variant=board.variant,
        time_control=board.time_control,
        state=board.state.value,
        state_word=words.say(_STATES[board.state]),
        waiting=board.waiting,
        remote=next((player.version_id for player in board.players if player.remote), None),
        outcome=board.outcome,
        title=_title(board, words),
        players=_players(board),
        matches=tuple(match.match_id for match in board.matches),
        logs=tuple(
            LogPart(board.players[log.player].label, log.rotation, log.process, log.exit_status, log.text)
            for log in logs
        ),
        created_at=board.created_at,
        ended_at=board.ended_at,
    )


def challenges_page(
    boards: Sequence[UnratedBoard],
    submissions: Sequence[Submission],
    remotes: Sequence[OwnRemote],
    opponents: Sequence[BotVersion],
    variants: Sequence[str],
    words: Words,
) -> ChallengesPage:
    """One's challenges, newest first, and the choices of a new one."""
    active = [one for one in submissions if one.state is SubmissionState.ACTIVE and one.version_id is not None]
    here = [one.remote.bot for one in remotes if one.may_challenge]
    return ChallengesPage(
        challenges=tuple(_challenge(board, words) for board in boards),
        own=(
            *((str(one.version_id), f"{one.bot} {one.version}") for one in active),
            *((str(bot.id), f"{bot.name} {bot.version}") for bot in here),
        ),
        opponents=tuple((str(bot.id), f"{bot.name} {bot.version}") for bot in opponents),
        variants=tuple((variant, variant) for variant in variants),
        waiting=any(board.waiting for board in boards),
    )


def _challenge(board: UnratedBoard, words: Words) -> ChallengeLine:
    return ChallengeLine(
        id=board.id,
        title=_title(board, words),
        variant=board.variant,
        state=board.state.value,
        state_word=words.say(_STATES[board.state]),
        created_at=board.created_at,
    )


def _title(board: UnratedBoard, words: Words) -> str:
    first, *others = [player.label for player in board.players]
    if not others:
        return first
    return words.say(_("%(bot)s against %(others)s"), bot=first, others=", ".join(others))


def _players(board: UnratedBoard) -> tuple[PlayerLine, ...]:
    lines = []
    for place, player in enumerate(board.players):
        seats = [(match, match.players.index(place)) for match in board.matches]
        lines.append(
            PlayerLine(
                name=player.label,
                version=player.version,
                own=player.own,
                totals=tuple(match.totals[seat] for match, seat in seats),
                forfeits=tuple(match.forfeited[seat] for match, seat in seats),
                mean=board.means[place] if board.matches else None,
            )
        )
    return tuple(sorted(lines, key=lambda line: -(line.mean or 0.0)))
