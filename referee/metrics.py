"""The referee's metrics for Prometheus: what a scrape is told. docs/operations.md says what each is for.

Owns their names. Only reads, and only when asked; may be asked by another thread than the referee's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from referee.faults import FaultKind
from referee.runs import Referee
from referee.tally import Outcome, Sums

_NS: Final = 1e-9
_BOUNDS: Final = range(14, 38, 2)
"""Bounds of the latencies' buckets, as powers of two of a nanosecond: 16 µs to 69 s, each four times the one before."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How a referee stands at one moment."""

    sittings: int = 0
    sitting_limit: int = 0
    tables_open: int = 0
    tables_waiting: int = 0
    processes: int = 0
    remote_bots: int = 0
    lag_ns: int = 0
    behind: bool = False
    draining: bool = False
    sums: Sums = field(default_factory=Sums)


class RefereeMetrics(Collector):
    """Tells how a referee stands."""

    def __init__(self, referee: Referee | None = None) -> None:
        """Of `referee`; without one, only what there would be to tell."""
        self._referee = referee

    def describe(self) -> Iterator[Metric]:
        """Every metric, without its values."""
        return families(Standing())

    def collect(self) -> Iterator[Metric]:
        """Every metric as it is now."""
        return families(Standing() if self._referee is None else standing_of(self._referee))


def standing_of(referee: Referee) -> Standing:
    """How a referee stands now."""
    runs = referee.runs
    tables_open = sum(run.sitting.open_table_count for run in runs)
    return Standing(
        sittings=len(runs),
        sitting_limit=referee.sitting_limit,
        tables_open=tables_open,
        tables_waiting=max(0, sum(run.sitting.unfinished_table_count for run in runs) - tables_open),
        processes=sum(process.live for run in runs for process in run.tallied_processes),
        remote_bots=referee.remotes.connected_count,
        lag_ns=referee.lag_ns,
        behind=referee.behind,
        draining=referee.draining,
        sums=referee.tally.sums(),
    )


def families(state: Standing) -> Iterator[Metric]:
    """The metrics of a referee that stands so."""
    yield from _standing(state)
    yield from _done(state.sums)


def _standing(state: Standing) -> Iterator[Metric]:
    yield GaugeMetricFamily("king_referee_sittings", "Sittings in progress.", state.sittings)
    yield GaugeMetricFamily("king_referee_sittings_limit", "Sittings it takes at most.", state.sitting_limit)
    yield GaugeMetricFamily("king_referee_tables", "Tables being played.", state.tables_open)
    yield GaugeMetricFamily(
        "king_referee_tables_waiting", "Tables of sittings in progress that have not begun.", state.tables_waiting
    )
    yield GaugeMetricFamily("king_referee_bot_processes", "Processes of bots that play.", state.processes)
    yield GaugeMetricFamily("king_referee_remote_bots", "Remote bots that are connected.", state.remote_bots)
    yield GaugeMetricFamily(
        "king_referee_lag_seconds", "How late its beats are, averaged over a second.", state.lag_ns * _NS
    )
    yield GaugeMetricFamily("king_referee_behind", "1 while it is so late that tables wait.", float(state.behind))
    yield GaugeMetricFamily("king_referee_draining", "1 while it takes nothing up.", float(state.draining))


def _done(sums: Sums) -> Iterator[Metric]:
    ended = CounterMetricFamily("king_referee_sittings_ended", "Sittings that are over.", labels=["outcome"])
    for outcome in Outcome:
        ended.add_metric([outcome], sums.sittings[outcome])
    yield ended
    yield CounterMetricFamily("king_referee_tables_played", "Tables that are over, with a record.", sums.tables_played)
    yield CounterMetricFamily(
        "king_referee_decisions", "Requests that bots answered, or were taken from them.", sum(sums.latencies)
    )
    yield HistogramMetricFamily(
        "king_referee_decision_seconds",
        "How long decisions took on the bots' clocks: of a frame of requests, each its share.",
        buckets=_buckets(sums.latencies),
        sum_value=sums.thought_ns * _NS,
    )
    faults = CounterMetricFamily("king_referee_faults", "Faults of bots.", labels=["kind"])
    for kind in FaultKind:
        faults.add_metric([kind], sums.faults[kind])
    yield faults
    returned = CounterMetricFamily(
        "king_referee_time_returned_seconds", "Time that clocks of bots were given back.", labels=["reason"]
    )
    returned.add_metric(["cpu_wait"], sums.wait_returned_ns * _NS)
    returned.add_metric(["lag"], sums.lag_returned_ns * _NS)
    yield returned
    yield CounterMetricFamily("king_referee_failures", "Failures of its own code; the sitting is void.", sums.failures)


def _buckets(latencies: Sequence[int]) -> list[tuple[str, float]]:
    up_to = list(accumulate(latencies))
    return [*((repr(2**digits * _NS), up_to[digits]) for digits in _BOUNDS), ("+Inf", up_to[-1])]
