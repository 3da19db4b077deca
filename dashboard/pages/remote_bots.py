"""What the pages of one's own remote bots show: whether they are there, whether they have qualified, how to run them.

Pure. Owns how the referee's address is told to who dials from elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from dashboard.words import Words
from league.model import Season
from league.qualifying import OwnRemote, Presence, Qualifying, qualifying_of
from league.unrated import QUALIFYING_VARIANT, UnratedBoard


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


_PRESENCE: Final[Mapping[Presence, str]] = {
    Presence.NEW: _("was never connected"),
    Presence.CONNECTED: _("connected"),
    Presence.ABSENT: _("not connected"),
    Presence.UNKNOWN: _("not known at the moment"),
    Presence.REVOKED: _("revoked"),
}
_QUALIFYING: Final[Mapping[Qualifying, str]] = {
    Qualifying.NONE: _("did not have to qualify"),
    Qualifying.WAITING: _("qualifies once it is connected"),
    Qualifying.PLAYING: _("is qualifying"),
    Qualifying.PASSED: _("has qualified"),
    Qualifying.FAILED: _("has not qualified"),
    Qualifying.VOID: _("qualifying board void"),
}
_LEADS: Final[Mapping[Qualifying, str]] = {
    Qualifying.NONE: _("An organiser can enter it. Once it has qualified, you can, and have it challenge others."),
    Qualifying.WAITING: _("Start it with its token: once it is connected it plays a board against bots of the house."),
    Qualifying.PLAYING: _("It plays its qualifying board. Which bots of the house it meets is told when that is over."),
    Qualifying.PASSED: _("It has qualified: enter it in an open season, or have it play a challenge."),
    Qualifying.FAILED: _("It has not qualified. Mend it, start it again, and have it qualify again."),
    Qualifying.VOID: _("Its qualifying board could not be played, through no fault of its own. Have it qualify again."),
}
_SOON: Final = _("It is connected, and is about to play its qualifying board against bots of the house.")
_REVOKED: Final = _("Its token is revoked, and it is refused wherever it dials. A new token brings it back.")
_ANY_HOST: Final = frozenset({"0.0.0.0", "[::]", "::"})
_UNIX: Final = "unix:"
_FOR_WORKERS: Final = "mtls://"
_SCHEME: Final = "://"


def dialled_address(referee: str, host: str) -> str:
    """The address that a remote bot dials, an encrypted one if there is one; empty if none can be told.

    `referee`: where it listens, with commas between several addresses; several referees have semicolons between them,
    and the bot is told one address of each. `host`: by which name the dashboard is known.
    """
    told = [_dialled(each.split(","), host) for each in referee.split(";")]
    return ",".join(dict.fromkeys(filter(None, told)))


def _dialled(listens_at: Sequence[str], host: str) -> str:
    parts = [part.strip() for part in listens_at]
    theirs = [part for part in parts if part and not part.startswith((_UNIX, _FOR_WORKERS))]
    address = next((part for part in theirs if _SCHEME in part), theirs[0] if theirs else "")
    scheme, separator, place = address.rpartition(_SCHEME)
    listens, _colon, port = place.rpartition(":")
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}{separator}{shown}:{port}" if listens in _ANY_HOST else address


@dataclass(frozen=True, slots=True)
class RemoteLine:
    """A version of a remote bot in a list. `seen_at`: when it was last connected, None if it is now or never was.

    `qualifying_word` is empty for one that is refused before it had to qualify; `failure`: why it has not qualified.
    """

    id: int
    name: str
    version: str
    language: str
    presence: str
    presence_word: str
    seen_at: datetime | None
    qualifying: str
    qualifying_word: str
    failure: str


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A season that takes entries."""

    id: int
    name: str
    variant: str
    entered: bool


@dataclass(frozen=True, slots=True)
class RemotePage:
    """The page of a remote bot. `board`: its qualifying board; `address`: what it dials, empty if that is not known."""

    line: RemoteLine
    lead: str
    waiting: bool
    board: int | None
    variant: str
    issued_at: datetime
    revoked_at: datetime | None
    address: str
    seasons: tuple[SeasonLine, ...]
    may: tuple[str, ...]


def remote_line(own: OwnRemote, words: Words) -> RemoteLine:
    """A remote bot in a list."""
    bot = own.remote.bot
    is_pointless = own.presence is Presence.REVOKED and own.qualifying in {Qualifying.NONE, Qualifying.WAITING}
    return RemoteLine(
        id=bot.id,
        name=bot.name,
        version=bot.version,
        language=bot.language,
        presence=own.presence.value,
        presence_word=words.say(_PRESENCE[own.presence]),
        seen_at=None if own.presence is Presence.CONNECTED else own.remote.seen_at,
        qualifying=own.qualifying.value,
        qualifying_word="" if is_pointless else qualifying_word(own.board, words),
        failure="" if own.board is None else own.board.outcome,
    )


def qualifying_word(board: UnratedBoard | None, words: Words) -> str:
    """How far a remote bot is with its latest qualifying board, in the reader's language."""
    return words.say(_QUALIFYING[Qualifying.NONE if board is None else qualifying_of(board)])


def remote_page(own: OwnRemote, seasons: Sequence[tuple[Season, bool]], address: str, words: Words) -> RemotePage:
    """The page of a remote bot; `seasons` that it could enter, with whether it has."""
    return RemotePage(
        line=remote_line(own, words),
        lead=words.say(_lead(own)),
        waiting=is_awaited(own),
        board=None if own.board is None else own.board.id,
        variant=QUALIFYING_VARIANT if own.board is None else own.board.variant,
        issued_at=own.remote.issued_at,
        revoked_at=own.remote.revoked_at,
        address=address,
        seasons=season_lines(seasons),
        may=_may(own),
    )


def is_at_work(own: OwnRemote) -> bool:
    """Whether a remote bot plays its qualifying board, or is about to."""
    is_there = own.presence is Presence.CONNECTED
    return own.qualifying is Qualifying.PLAYING or (is_there and own.qualifying is Qualifying.WAITING)


def is_awaited(own: OwnRemote) -> bool:
    """Whether a remote bot has to play its qualifying board, and may."""
    return own.qualifying in {Qualifying.WAITING, Qualifying.PLAYING} and own.presence is not Presence.REVOKED


def season_lines(seasons: Sequence[tuple[Season, bool]]) -> tuple[SeasonLine, ...]:
    """The seasons that a bot could enter, with whether it has."""
    return tuple(SeasonLine(season.id, season.name, season.variant, entered) for season, entered in seasons)


def _lead(own: OwnRemote) -> str:
    if own.presence is Presence.REVOKED:
        return _REVOKED
    if own.presence is Presence.CONNECTED and own.qualifying is Qualifying.WAITING:
        return _SOON
    return _LEADS[own.qualifying]


def _may(own: OwnRemote) -> tuple[str, ...]:
    """What its owner can do with it now."""
    if own.presence is Presence.REVOKED:
        return ("renew",)
    acts = ["renew", "revoke"]
    if own.qualifying is Qualifying.PASSED:
        acts += ["challenge"] if own.may_challenge else []
    elif own.qualifying not in {Qualifying.WAITING, Qualifying.PLAYING}:
        acts.append("qualify")
    return tuple(acts)
