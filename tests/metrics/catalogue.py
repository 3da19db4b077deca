"""All metrics that there are: what every part's collectors describe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from prometheus_client.core import Metric

from dashboard.metrics import DashboardMetrics, RequestCounts
from king_cli.metrics_serving import BuildMetrics
from league.metrics import LeagueMetrics
from league.store.gauges import LeagueGauges
from referee.metrics import RefereeMetrics
from workers.counts import WorkerCounts
from workers.metrics import WorkerMetrics
from workers.queue_metrics import QueueGauges, QueueMetrics


class Describing(Protocol):
    """A collector that says what it tells."""

    def describe(self) -> Iterable[Metric]:
        """Every metric."""


COLLECTORS: tuple[Describing, ...] = (
    BuildMetrics("referee"),
    RefereeMetrics(),
    WorkerMetrics(WorkerCounts()),
    DashboardMetrics(RequestCounts()),
    LeagueMetrics(LeagueGauges),
    QueueMetrics(QueueGauges),
)
_SUFFIXES: Mapping[str, tuple[str, ...]] = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}


def families() -> Iterator[Metric]:
    """Every metric, with its kind and help."""
    for collector in COLLECTORS:
        yield from collector.describe()


def told_as(family: Metric) -> str:
    """The name of a metric in documents: as a query has it, of a histogram without its endings."""
    return f"{family.name}_total" if family.type == "counter" else str(family.name)


def series() -> frozenset[str]:
    """Every name that a query may have."""
    return frozenset(f"{family.name}{end}" for family in families() for end in _SUFFIXES.get(family.type, ("",)))
