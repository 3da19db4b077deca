"""Every alert names metrics that there are, with labels that they have, and has a runbook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.metrics.catalogue import families, series
from workers.doctor_league import FAILED_TRIES_AT_MOST

ROOT = Path(__file__).parents[2]
OF_ANY_PROCESS = {"process_open_fds", "process_max_fds"}
"""What Prometheus' library tells of each process."""
OF_PROMETHEUS = {"up"}
"""What Prometheus itself says of each target."""
JOBS = {"king", "king/king", "king-test/king"}
"""What a job is called: as docs/operations.md says, and by the operator, after the PodMonitor's namespace and name."""
WORDS = {"absent", "and", "avg_over_time", "by", "histogram_quantile", "increase", "max", "min", "on", "or", "rate",
         "sum", "unless"}  # fmt: skip
"""Functions, operators and groupings of the expressions."""
OF_THE_TARGET = {"instance", "le"}
"""Labels that Prometheus or a histogram adds."""
MATCHER = re.compile(r'(\w+)(=~|!~|!=|=)"([^"]*)"')
OPEN = {"area": {"page", "api", "static", "health"}, "status": {"200", "404", "500", "503"}}
"""Values of labels that a metric has only once they occur."""


def alerts() -> Iterator[dict[str, Any]]:
    """Every alert of the component for monitoring."""
    rules = yaml.safe_load((ROOT / "k8s/components/monitoring/alerts.yaml").read_text(encoding="utf-8"))
    for group in rules["spec"]["groups"]:
        yield from group["rules"]


ALERTS = {alert["alert"]: alert for alert in alerts()}


def test_alerts_have_names_of_their_own() -> None:
    """No alert is there twice."""
    assert len(ALERTS) == len(list(alerts()))


@pytest.mark.parametrize("name", ALERTS)
def test_an_alert_names_metrics_that_are_there(name: str) -> None:
    """Each name in the expression is a metric, a function or a label; each value of a label can occur."""
    expression = ALERTS[name]["expr"]
    bare = re.sub(r"\[\w+\]|\{[^}]*\}|\((?=instance|le\b)\w+\)", " ", expression)
    names = set(re.findall(r"[a-zA-Z_]\w*", bare)) - WORDS
    assert names
    assert names <= series() | OF_ANY_PROCESS | OF_PROMETHEUS
    assert all(found in series() for found in re.findall(r"king_\w+", expression))
    for metric, matchers in re.findall(r"(\w+)\{([^}]*)\}", expression):
        known = labels_of(metric)
        for label, how, value in MATCHER.findall(matchers):
            assert label in known, f"{metric} has no label {label}"
            fits = [one for one in known[label] if (re.fullmatch(value, one) if "~" in how else one == value)]
            assert fits, f"{label} of {metric} is never {value}"


def labels_of(metric: str) -> dict[str, set[str]]:
    """The labels of a metric, with the values that they can have."""
    if metric == "up":
        return {"job": JOBS}
    if metric == "king_build_info":
        return {"part": {"referee", "worker", "dashboard", "sweep", "up"}}
    if metric.startswith("king_dashboard_"):
        return OPEN
    found: dict[str, set[str]] = {}
    for family in families():
        for sample in family.samples:
            if sample.name == metric:
                for label, value in sample.labels.items():
                    found.setdefault(label, set()).add(value)
    return found


def test_a_part_that_does_not_answer_is_noticed_whatever_its_job_is_called() -> None:
    """The alert is about targets of ours by every name that their job can have, and about nobody else's."""
    (pattern,) = [value for _, _, value in MATCHER.findall(ALERTS["KingPartUnreachable"]["expr"])]
    monitor = yaml.safe_load((ROOT / "k8s/components/monitoring/pod-monitor.yaml").read_text(encoding="utf-8"))
    assert f"king/{monitor['metadata']['name']}" in JOBS and "jobLabel" not in monitor["spec"]
    assert all(re.fullmatch(pattern, job) for job in JOBS)
    assert not any(re.fullmatch(pattern, job) for job in ("node", "king/postgres", "kingfisher"))


def test_doctor_and_alert_agree_on_failed_tries() -> None:
    """Neither warns of a piece of work that the other thinks well."""
    assert ALERTS["KingWorkFails"]["expr"].endswith(f"> {FAILED_TRIES_AT_MOST}")


@pytest.mark.parametrize("name", ALERTS)
def test_an_alert_has_a_runbook(name: str) -> None:
    """Each says how grave it is and what happens, and points to its section of the page on operations."""
    alert = ALERTS[name]
    assert alert["labels"]["severity"] in {"critical", "warning"}
    assert alert["annotations"]["summary"].endswith(".")
    assert alert["annotations"]["runbook"] == f"docs/operations.md#{name.lower()}"
    section = sections().get(name, "")
    assert "What it means" in section and "What to do" in section


def test_every_runbook_is_of_an_alert() -> None:
    """An alert that is gone leaves no runbook behind."""
    assert set(sections()) == set(ALERTS)


def sections() -> dict[str, str]:
    """The runbooks by the names of their alerts."""
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    parts = re.split(r"^### (King\w+)$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
