"""The league's metrics for Prometheus: what a scrape is told. docs/operations.md says what each is for.

Owns their names, and for how long what was read is told again: a scrape costs the store a page, but not every scrape.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, Generic, TypeVar

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from league.errors import in_one_line
from league.store.gauges import LeagueGauges

KEEP_S: Final = 10.0
"""For how long what was read is told again."""

_LOG = logging.getLogger(__name__)
_Read = TypeVar("_Read")


class Kept(Generic[_Read]):
    """What was read a short while ago, or now. May be used from several threads; one reads, others wait for it."""

    def __init__(
        self,
        read: Callable[[], _Read],
        *,
        keep_s: float = KEEP_S,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._read = read
        self._keep_s = keep_s
        self._seconds = seconds
        self._lock = threading.Lock()
        self._kept: tuple[float, _Read | None] | None = None
        self._reason = ""

    def get(self) -> _Read | None:
        """What was read; None if it could not be: the log says why, once for each reason."""
        with self._lock:
            if self._kept is None or self._seconds() - self._kept[0] >= self._keep_s:
                self._kept = (self._seconds(), self._attempt())
            return self._kept[1]

    def _attempt(self) -> _Read | None:
        try:
            read = self._read()
        except Exception as error:  # a scrape is to say that it fails, not to fail
            reason = in_one_line(error)
            if reason != self._reason:
                _LOG.warning("metrics cannot be read: %s", reason)
            self._reason = reason
            return None
        self._reason = ""
        return read


class LeagueMetrics(Collector):
    """Tells how a league stands."""

    def __init__(self, read: Callable[[], LeagueGauges], *, keep_s: float = KEEP_S) -> None:
        """As `read` tells, of which every scrape within `keep_s` is told the same."""
        self._kept = Kept(read, keep_s=keep_s)

    @staticmethod
    def describe() -> Iterator[Metric]:
        """Every metric, without its values."""
        return families(LeagueGauges())

    def collect(self) -> Iterator[Metric]:
        """Every metric as it was read; only that it cannot be, while the store cannot be used."""
        return families(self._kept.get())


def families(gauges: LeagueGauges | None) -> Iterator[Metric]:
    """The metrics of a league that stands so; None: of one that cannot be looked at."""
    yield GaugeMetricFamily("king_league_up", "1 if the store can be read.", float(gauges is not None))
    if gauges is None:
        return
    yield GaugeMetricFamily("king_league_seasons_running", "Seasons being played.", gauges.seasons_running)
    yield CounterMetricFamily("king_league_matches_stored", "Matches stored, ever.", gauges.matches_stored)
    yield GaugeMetricFamily("king_league_sittings_due", "Sittings that could be taken up now.", gauges.sittings_due)
    yield GaugeMetricFamily("king_league_sittings_claimed", "Sittings that workers are at.", gauges.sittings_claimed)
    yield GaugeMetricFamily(
        "king_league_leases_expired", "Claims that have run out and were not taken back.", gauges.leases_expired
    )
    yield GaugeMetricFamily(
        "king_league_standstill_seconds",
        "The longest time without a result of a season that has something to play.",
        gauges.standstill.total_seconds(),
    )
    yield GaugeMetricFamily(
        "king_league_submissions_waiting", "Submitted bots not done with.", gauges.submissions_waiting
    )
    yield GaugeMetricFamily(
        "king_league_submission_wait_seconds",
        "How long the oldest of them has waited.",
        gauges.submission_wait.total_seconds(),
    )
    yield GaugeMetricFamily(
        "king_league_unrated_boards_waiting", "Challenges and qualifying boards not over.", gauges.unrated_waiting
    )
    yield GaugeMetricFamily(
        "king_league_ratings_age_seconds",
        "How long ratings that are due have not been written.",
        gauges.ratings_age.total_seconds(),
    )
    yield GaugeMetricFamily(
        "king_league_remote_bots_connected", "Remote bots connected, as last seen.", gauges.remotes_connected
    )
