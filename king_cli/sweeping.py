"""The sweep from the shell: once, or as a part that goes on until it is told to end.

Owns the putting together. What a sweep does is `workers.sweep`'s.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from datetime import timedelta
from functools import cached_property

from prometheus_client.registry import Collector

from king_cli.places import open_league, redis_url, vault_url
from king_cli.reaching import check_redis
from king_cli.reporting import teller_of_claims
from king_cli.settings import Settings
from king_cli.tls_settings import worker_tls
from league.metrics import LeagueMetrics
from league.store import Store
from league.store.gauges import LeagueGauges
from league.store.silence import TellTakenBack
from workers.finding import Referees
from workers.queue_metrics import QueueMetrics, read_queue
from workers.queueing import Piece, connect, work_queue
from workers.sweep import sweep, sweep_for_ever


class Sweeper:
    """A league with its queue and its referees, to be swept. Store and queue are first needed by the first sweep."""

    def __init__(self, settings: Settings) -> None:
        """The league that the settings name.

        Raises:
            UsageError: settings make no sense, or certificates are missing.
        """
        self._settings = settings
        tls = worker_tls(settings)
        vault_url(settings)
        self.referees = Referees(each=settings.all_referees, control_key=settings.control_key, tls=tls)
        self.queue = work_queue(connect(redis_url(settings)))

    @cached_property
    def store(self) -> Store:
        """Its store, opened when it is first needed.

        Raises:
            LeagueError: it cannot be.
        """
        return open_league(self._settings, secrets=True)

    def check(self) -> None:
        """Check that store and queue are there.

        Raises:
            UsageError: the queue is not.
            LeagueError: the store is not.
        """
        _ = self.store
        check_redis(self._settings, redis_url(self._settings))

    def collectors(self) -> tuple[Collector, ...]:
        """What tells how league and queue stand."""
        return LeagueMetrics(self._gauges), QueueMetrics(lambda: read_queue(self.queue))

    def _gauges(self) -> LeagueGauges:
        return self.store.gauges.read()

    def sweep(self, *, patient: bool, tell: TellTakenBack) -> tuple[Piece, ...]:
        """Sweep once. Returns what was queued; `patient` and `tell` as in `workers.sweep`."""
        return sweep(self.store, self.queue, patient=patient, referees=self.referees, tell=tell)

    def sweep_until_told_to_end(
        self, every: timedelta, report: Callable[[str], None], warn: Callable[[str], None]
    ) -> None:
        """Sweep again and again until SIGTERM or SIGINT, whatever goes wrong.

        `report` and `warn` take lines for people, as in `workers.sweep`.
        """
        asyncio.run(self._sweep_on(every, report, warn))

    async def _sweep_on(self, every: timedelta, report: Callable[[str], None], warn: Callable[[str], None]) -> None:
        told_to_end = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, told_to_end.set)
        tell = teller_of_claims(report)
        sweeping: asyncio.Task[None] = asyncio.create_task(
            sweep_for_ever(lambda: self.sweep(patient=True, tell=tell), report, warn, every)
        )
        await told_to_end.wait()
        sweeping.cancel()
        await asyncio.wait({sweeping})
