"""Whether this process can go on: not where a later version has raised the schema beyond what this one can work with.

Asks the store now and then, however often it is asked itself. A database that does not answer is no reason to end: it
comes back, and readers are told meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from league.errors import StoreUnusableError
from league.store.migration import Fit

LOOK_EVERY_S: Final = 10.0


class Health:
    """What whoever watches over this process is told."""

    def __init__(self, fit: Callable[[], Fit], *, seconds: Callable[[], float] = time.monotonic) -> None:
        """`fit` says how the schema and this version go together."""
        self._fit = fit
        self._seconds = seconds
        self._turn = threading.Lock()
        self._looked_at: float | None = None
        self._goes_on = True

    def goes_on(self) -> bool:
        """Whether this version can work on the store."""
        with self._turn:
            if self._looked_at is None or self._seconds() - self._looked_at >= LOOK_EVERY_S:
                self._look()
            return self._goes_on

    def _look(self) -> None:
        self._looked_at = self._seconds()
        try:
            self._goes_on = self._fit() is not Fit.TOO_NEW
        except StoreUnusableError:
            return  # it is as it was when the store could last be read
