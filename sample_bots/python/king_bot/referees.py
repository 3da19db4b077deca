"""Several referees at once, for a remote bot: a stream to each, and one bot that answers them in turn.

Owns which referees there are, and when there is no use in going on. What is said on a stream is `connection`'s. The
arena has a bot play one sitting at a time, over all referees.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Sequence

import grpc
from king.v1 import arena_pb2 as pb

from king_bot.bot import Bot
from king_bot.connection import (
    FATAL,
    FIRST_PAUSE_S,
    GIVE_UP_AFTER_S,
    LONGEST_PAUSE_S,
    BotFailedError,
    Session,
    fail,
)
from king_bot.dialling import Place, is_not_believed, places_of

LOOK_AGAIN_S = 5.0
"""How often the names of referees are asked for anew: some come, some go."""
ONE_OF_MANY = {grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.UNAUTHENTICATED}
"""What one referee may say where others take us: it is none, or has not been told of our token yet."""


def play_at_all(bot: Bot, referees: Sequence[str], token: str, roots: bytes | None = None) -> int:
    """Plays for all `referees`, each at every address of its name, until the token is refused; the exit status.

    Raises:
        BotFailedError: the bot's own code raised; the cause says what.
    """
    return _Everywhere(bot, referees, token, roots).play()


class _Everywhere:
    """All conversations of this process."""

    def __init__(self, bot: Bot, referees: Sequence[str], token: str, roots: bytes | None) -> None:
        self.bot = bot
        self.token = token
        self.turn = threading.Lock()
        """Who holds it has the bot think: it is asked by one referee at a time."""
        self.warm = False
        self._referees = referees
        self._roots = roots
        self._places: dict[str, tuple[Place, ...]] = {}
        self._talks: dict[Place, _Talk] = {}
        self._twice: set[Place] = set()
        """Places whose referee has a stream of ours already, at another of its addresses."""
        self._up: set[Place] = set()
        self._lost_at = time.monotonic()
        self._ends: queue.SimpleQueue[int | BotFailedError] = queue.SimpleQueue()

    def play(self) -> int:
        try:
            while True:
                self._talk_to_all()
                end = self._next_end()
                if isinstance(end, BotFailedError):
                    raise end
                if end is not None:
                    return end
        finally:
            self._end_talks()

    def _next_end(self) -> int | BotFailedError | None:
        try:
            return self._ends.get(timeout=LOOK_AGAIN_S)
        except queue.Empty:
            return self._end_if_lost()

    # What the conversations say

    def came_up(self, place: Place) -> None:
        self._up.add(place)

    def went_down(self, place: Place) -> None:
        if place in self._up:
            self._up.discard(place)
            self._lost_at = time.monotonic()

    def is_left(self, place: Place) -> bool:
        """Whether a place is no address of any referee any more."""
        return all(place not in there for there in self._places.values())

    def was_replaced(self, place: Place) -> bool:
        """A stream to a place was replaced. Returns whether by one of ours, it may be: to another of its addresses."""
        self._twice.add(place)
        return len(self._all_places()) > 1

    def goes_without(self, place: Place) -> bool:
        """Whether there are other referees than the one at this place."""
        return bool(self._up - {place})

    def end(self, how: int | BotFailedError) -> None:
        """End the process so."""
        self._ends.put(how)

    # Which there are

    def _talk_to_all(self) -> None:
        for referee in self._referees:
            try:
                self._places[referee] = places_of(referee)
            except (OSError, UnicodeError) as error:  # those known so far stay
                if not self._places.get(referee):
                    print(f"king_bot: {referee} has no address: {error}", file=sys.stderr, flush=True)
        if not self._up and self._lost_for_s() > LOOK_AGAIN_S:
            self._twice.clear()
        for place in self._all_places():
            talk = self._talks.get(place)
            if place not in self._twice and (talk is None or not talk.is_alive()):
                self._talks[place] = _Talk(self, place, self._roots)
                self._talks[place].start()

    def _all_places(self) -> Sequence[Place]:
        return tuple(dict.fromkeys(place for there in self._places.values() for place in there))

    def _lost_for_s(self) -> float:
        return time.monotonic() - self._lost_at

    def _end_if_lost(self) -> int | None:
        if self._up:
            return None
        if self._twice and self._twice.issuperset(self._all_places()):
            return fail(f"{FATAL[grpc.StatusCode.ABORTED]} ({', '.join(self._referees)})")
        if self._lost_for_s() <= GIVE_UP_AFTER_S:
            return None
        return fail(f"no referee at {', '.join(self._referees)} for {GIVE_UP_AFTER_S:.0f} s, giving up")

    def _end_talks(self) -> None:
        for talk in self._talks.values():
            talk.stop()
        for talk in self._talks.values():
            talk.join(LONGEST_PAUSE_S)


class _Talk(threading.Thread):
    """The conversation with the referee at one place, over its streams."""

    def __init__(self, home: _Everywhere, place: Place, roots: bytes | None) -> None:
        super().__init__(name=f"referee {place.address}", daemon=True)
        self._home = home
        self._place = place
        self._roots = roots
        self._session = _InTurn(home, place)
        self._stopped = threading.Event()
        self._heard_at = -GIVE_UP_AFTER_S

    def run(self) -> None:
        pause_s = FIRST_PAUSE_S
        while not self._stopped.is_set() and not self._is_left():
            try:
                self._session.play_stream(self._place, self._roots)
                self._home.end(0)
                return
            except grpc.RpcError as error:
                if self._stopped.is_set() or self._is_over(error):
                    return
                pause_s = min(LONGEST_PAUSE_S, 2 * pause_s)
                if self._session.welcomed:
                    pause_s, self._heard_at = FIRST_PAUSE_S, time.monotonic()
            except BotFailedError as failure:
                self._home.end(failure)
                return
            finally:
                self._home.went_down(self._place)
            self._stopped.wait(pause_s)

    def stop(self) -> None:
        """End it soon."""
        self._stopped.set()
        self._session.hang_up()

    def _is_left(self) -> bool:
        """Whether to dial no more: a referee that drains has left its name, and plays on, with us perhaps."""
        return self._home.is_left(self._place) and time.monotonic() - self._heard_at > GIVE_UP_AFTER_S

    def _is_over(self, error: grpc.RpcError) -> bool:
        """Whether a stream that broke was the last one to this place; says why, and what follows for the process."""
        code, details, address = error.code(), error.details(), self._place.address
        told = f"{FATAL.get(code, 'stream broken')} ({address}): {code.name}: {details}"
        if code is grpc.StatusCode.ABORTED and self._home.was_replaced(self._place):
            return True
        may_be_elsewhere = is_not_believed(error) or code in ONE_OF_MANY
        if code in FATAL and not (may_be_elsewhere and self._home.goes_without(self._place)):
            self._home.end(fail(told))
            return True
        if may_be_elsewhere and not self._home.goes_without(self._place):
            self._home.end(fail(f"{told}; KING_TLS_ROOTS names the authorities that are believed"))
            return True
        print(f"king_bot: {told}, dialling again", file=sys.stderr, flush=True)
        return False


class _InTurn(Session):
    """A session that has the bot think while no other does."""

    def __init__(self, home: _Everywhere, place: Place) -> None:
        super().__init__(home.bot, home.token)
        self._home = home
        self._place = place

    def _on_frame(self, messages: Sequence[pb.RefereeMessage]) -> None:
        with self._home.turn:
            super()._on_frame(messages)

    def _get_ready(self) -> None:
        self._warm = self._home.warm
        super()._get_ready()
        self._home.warm = True
        self._home.came_up(self._place)
