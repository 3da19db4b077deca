"""A remote bot behind the bridge where there are several referees: the command runs once for each, in its own session.

Owns which referees there are, and what the end of one session means for the others. The names of referees are asked for
once, at the start.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from king_cli.bridge.command import Command
from king_cli.bridge.session import Session
from referee.addresses import host_and_port
from workers.client_tls import PUBLIC_ROOTS
from workers.finding import NoAddressError, RefereeAt, at_each_address
from workers.last_words import BRIDGE

AGAIN_AFTER_S: Final = 5.0
"""The pause before a referee that was not there for a minute is looked for again."""
CANNOT_RUN: Final = 2


def has_several(referees: Sequence[str]) -> bool:
    """Whether a bot has several referees, or a name that may be that of several."""
    return len(referees) > 1 or _is_name(referees[0])


def play_at_all(words: Sequence[str], referees: Sequence[str], *, token: str, roots: bytes | None) -> int:
    """Run a command once for each referee, until one has no more for it, or all are gone. Returns the exit status.

    Raises:
        OSError: the command cannot be run.
    """
    places = _places_of(referees)
    if not places:
        return 1
    sessions = Sessions(words, places, token=token, roots=roots)
    try:
        return sessions.play()
    finally:
        sessions.stop()


class Sessions:
    """All sessions of this bot."""

    def __init__(self, words: Sequence[str], places: Sequence[RefereeAt], *, token: str, roots: bytes | None) -> None:
        self._words = words
        self._places = places
        self._token = token
        self._roots = roots
        self._running: dict[RefereeAt, Session] = {}
        self._ends: queue.SimpleQueue[tuple[RefereeAt, int]] = queue.SimpleQueue()

    def play(self) -> int:
        """Play until the end of one session is that of all."""
        for place in self._places:
            self._begin(place)
        while True:
            place, status = self._ends.get()
            session = self._running.pop(place, None)
            if session is None or not (session.was_replaced or session.found_nobody) or not self._running:
                return status
            # Replaced: by our own session with another address of the same referee, or else they end one by one.
            if session.found_nobody:
                again = threading.Timer(AGAIN_AFTER_S, self._begin_again, [place])
                again.daemon = True
                again.start()

    def stop(self) -> None:
        """End all commands."""
        for session in tuple(self._running.values()):
            session.stop()

    def _begin_again(self, place: RefereeAt) -> None:
        try:
            self._begin(place)
        except OSError as error:  # nobody would hear it in this thread
            _tell(f"{self._words[0]!r} cannot be run again: {error.strerror or error}")
            self._ends.put((place, CANNOT_RUN))

    def _begin(self, place: RefereeAt) -> None:
        command = Command(self._words)
        session = Session(command, address=place.addresses, token=self._token, roots=self._roots, name=place.tls.name)
        self._running[place] = session
        threading.Thread(target=lambda: self._ends.put((place, session.play())), daemon=True).start()


def _places_of(referees: Sequence[str]) -> tuple[RefereeAt, ...]:
    found: list[RefereeAt] = []
    for referee in referees:
        try:
            found += at_each_address(referee, PUBLIC_ROOTS)
        except (NoAddressError, ValueError) as error:
            _tell(str(error))
    return tuple(dict.fromkeys(found))


def _tell(text: str) -> None:
    print(f"{BRIDGE}{text}", file=sys.stderr, flush=True)  # noqa: T201


def _is_name(referee: str) -> bool:
    try:
        host, _ = host_and_port(referee)
    except ValueError:  # a socket, or no address at all
        return False
    try:
        ip_address(host)
    except ValueError:
        return True
    return False
