"""Every metric is documented, with its kind, and nothing is documented that is not there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.metrics.catalogue import families, told_as

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"
ROW = re.compile(
    r"^\| `(?P<name>king_\w+)`(?: \{(?P<labels>[\w, `]+)\})? \| (?P<kind>\w+) \| (?P<text>.+) \|$", re.MULTILINE
)


def test_every_metric_is_documented() -> None:
    """The page on operations has a row for each metric, with its kind; a metric that is gone has none."""
    rows = {row["name"]: row["kind"] for row in ROW.finditer(PAGE.read_text(encoding="utf-8"))}
    assert rows == {told_as(family): family.type for family in families()}


def test_labels_are_documented() -> None:
    """The row of a metric names its labels."""
    rows = {
        row["name"]: re.findall(r"\w+", row["labels"] or "") for row in ROW.finditer(PAGE.read_text(encoding="utf-8"))
    }
    for family in families():
        labels = {label for sample in family.samples for label in sample.labels} - {"le"}
        assert labels <= set(rows[told_as(family)]), told_as(family)


def test_metrics_are_named_as_prometheus_wants() -> None:
    """Names begin with `king_`, times are seconds, and each has a line of help."""
    for family in families():
        assert family.name.startswith("king_")
        assert not re.search(r"_(ms|us|ns|minutes|total)$", family.name)
        assert re.fullmatch(r"[A-Z0-9].*\.", family.documentation), family.name
