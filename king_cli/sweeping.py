"""The sweep from the shell: once, or as a part that goes on until it is told to end.

Owns the putting together. What a sweep does is `workers.sweep`'s.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from prometheus_client.registry import Collector
from rq import Queue

from king_cli.places import open_league, redis_url
from king_cli.reaching import check_redis
from king_cli.settings import Settings
from king_cli.tls_settings import worker_tls
from league.metrics import LeagueMetrics
from league.store import Store
from workers.finding import Referees
from workers.queue_metrics import QueueMetrics, read_queue
from workers.queueing import Piece, connect, work_queue
from workers.sweep import sweep, sweep_for_ever


@dataclass(frozen=True, kw_only=True)
class Sweeper:
    """A league with its queue and its referees, to be swept."""

    store: Store
    queue: Queue
    referees: Referees

    @classmethod
    def of(cls, settings: Settings) -> Sweeper:
        """The league that the settings name.

        Raises:
            UsageError: its store or queue is not there, or certificates are missing.
        """
        tls = worker_tls(settings)
        store = open_league(settings, secrets=True)
        check_redis(settings, redis_url(settings))
        return cls(
            store=store,
            queue=work_queue(connect(redis_url(settings))),
            referees=Referees(each=settings.all_referees, control_key=settings.control_key, tls=tls),
        )

    def sweep(self, *, patient: bool) -> tuple[Piece, ...]:
        """Sweep once. Returns what was queued; `patient` as in `workers.sweep`."""
        return sweep(self.store, self.queue, patient=patient, referees=self.referees)

    def sweep_until_told_to_end(self, every: timedelta, report: Callable[[str], None]) -> None:
        """Sweep again and again until SIGTERM or SIGINT, whatever goes wrong; `report` takes lines for people."""
        asyncio.run(self._sweep_on(every, report))

    async def _sweep_on(self, every: timedelta, report: Callable[[str], None]) -> None:
        told_to_end = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, told_to_end.set)
        sweeping: asyncio.Task[None] = asyncio.create_task(
            sweep_for_ever(lambda: self.sweep(patient=True), report, every)
        )
        await told_to_end.wait()
        sweeping.cancel()
        await asyncio.wait({sweeping})


def collectors(store: Store, queue: Queue) -> tuple[Collector, ...]:
    """What tells how a league and its queue stand."""
    return LeagueMetrics(store.gauges.read), QueueMetrics(lambda: read_queue(queue))
