"""Tells the log when a dashboard's queue goes away, and when it is back: readers see only that nothing is live.

Owns the looking and the words. Pages do without the queue, so nothing else follows from it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

import structlog
from redis.exceptions import RedisError

from league.errors import in_one_line

LOOK_EVERY_S: Final = 10.0
_LOG = structlog.get_logger(__name__)


class QueueWatch:
    """Looks now and then, in a thread, for the length of a block."""

    def __init__(self, look: Callable[[], object], *, every_s: float = LOOK_EVERY_S) -> None:
        """`look` raises RedisError while the queue is away."""
        self._look = look
        self._every_s = every_s
        self._over = threading.Event()
        self._away = False
        self._thread = threading.Thread(target=self._watch, name="queue watch", daemon=True)

    def __enter__(self) -> QueueWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.is_set():
            self._look_once()
            self._over.wait(self._every_s)

    def _look_once(self) -> None:
        try:
            self._look()
        except RedisError as error:
            if not self._away:
                _LOG.warning("the queue is away: no table can be watched", error=in_one_line(error))
            self._away = True
        else:
            if self._away:
                _LOG.info("the queue is back: tables can be watched again")
            self._away = False
