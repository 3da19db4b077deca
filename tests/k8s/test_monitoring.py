"""The component with metrics and alerts: valid on both overlays, reached by Prometheus alone, and it runs as it is."""

from __future__ import annotations

import os
import urllib.request
from functools import cache
from itertools import product
from pathlib import Path

import jsonschema
import pytest

from tests.e2e.arena import free_port
from tests.k8s.containers import Node
from tests.k8s.manifests import (
    COMPONENT,
    K8S,
    NAMESPACE,
    OVERLAYS,
    Manifest,
    Workload,
    build,
    changed,
    of_kind,
    overlay,
    selects,
    workloads,
)
from tests.k8s.network import Peer, may_talk
from tests.k8s.pod_security import violations
from tests.k8s.test_manifests import VERSIONS, check
from tests.k8s.test_network import peers
from tests.workers.waiting import wait_until

pytestmark = pytest.mark.slow

METRICS = 9464
PROMETHEUS = Peer("prometheus", {"app.kubernetes.io/name": "prometheus"}, "monitoring")
WATCHED = {"referee", "worker", "dashboard", "sweep"}


@cache
def monitored(name: str, folder: Path) -> tuple[Manifest, ...]:
    """An overlay with the component, as who installs it writes it."""
    lines = [
        "apiVersion: kustomize.config.k8s.io/v1beta1",
        "kind: Kustomization",
        f"resources: [{os.path.relpath(K8S / 'overlays' / name, folder)}]",
        f"components: [{os.path.relpath(K8S / 'components/monitoring', folder)}]",
    ]
    (folder / "kustomization.yaml").write_text("\n".join(lines), encoding="utf-8")
    return build(folder)


@pytest.fixture(scope="module", params=OVERLAYS)
def manifests(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Manifest, ...]:
    """Both overlays with the component."""
    return monitored(request.param, tmp_path_factory.mktemp("monitored").resolve())


@pytest.fixture
def one_node(tmp_path_factory: pytest.TempPathFactory) -> tuple[Manifest, ...]:
    """The overlay for one node with the component."""
    return monitored("one-node", tmp_path_factory.mktemp("monitored").resolve())


def part(manifests: tuple[Manifest, ...], name: str) -> Workload:
    """What has this name and pods."""
    return next(each for each in workloads(manifests) if each.name == name)


def test_all_is_valid(manifests: tuple[Manifest, ...]) -> None:
    """Everything is what its schema says, and what Pod Security takes."""
    for manifest in manifests:
        check(manifest, VERSIONS[0])
    for each in workloads(manifests):
        assert violations(each.pod["spec"]) == [], each.name


@pytest.mark.parametrize(
    ("kind", "place", "value"),
    [
        ("PodMonitor", ("spec", "podMetricsEndpoints", 0, "port"), 9464),
        ("PodMonitor", ("spec", "selector"), None),
        ("PrometheusRule", ("spec", "groups", 0, "rules", 0, "expression"), "up"),
        ("PrometheusRule", ("spec", "groups", 0, "rules", 0, "for"), "2 minutes"),
    ],
)
def test_mistakes_are_found(
    kind: str, place: tuple[str | int, ...], value: object, one_node: tuple[Manifest, ...]
) -> None:
    """A misspelt field, a value of another form and a missing one are found."""
    manifest = changed(of_kind(one_node, kind)["king"], place, value)
    with pytest.raises(jsonschema.ValidationError):
        check(manifest, VERSIONS[0])


def test_each_part_tells_on_a_port_of_its_own(manifests: tuple[Manifest, ...]) -> None:
    """Watched pods have the setting and the port that the monitor names, and all else is as without the component."""
    monitor = of_kind(manifests, "PodMonitor")["king"]["spec"]
    (endpoint,) = monitor["podMetricsEndpoints"]
    (told,) = (each["data"] for name, each in of_kind(manifests, "ConfigMap").items() if "monitoring" in name)
    assert told == {"KING_METRICS": f"0.0.0.0:{METRICS}", "KING_LOG": "json"}
    names = set(of_kind(manifests, "ConfigMap"))
    telling = set()
    for each in workloads(manifests):
        container = each.container()
        ports = {port["name"]: port["containerPort"] for port in container.get("ports", ())}
        maps = [one["configMapRef"]["name"] for one in container.get("envFrom", ())]
        assert set(maps) <= names
        if endpoint["port"] in ports:
            assert ports[endpoint["port"]] == METRICS
            assert any("monitoring" in name for name in maps)
            assert selects(monitor["selector"], each.labels)
            telling.add(each.component)
    assert telling == WATCHED


def test_the_sweeper_has_what_the_cron_job_has(manifests: tuple[Manifest, ...]) -> None:
    """Image, store, vault, queue and key are those of the overlay; its pods are not the CronJob's."""
    steady, now_and_then = part(manifests, "king-sweeper"), part(manifests, "king-sweep")
    for what in ("image", "env", "volumeMounts"):
        assert steady.container()[what] == now_and_then.container()[what]
    assert steady.pod["spec"]["volumes"] == now_and_then.pod["spec"]["volumes"]
    assert steady.container()["envFrom"][0] == now_and_then.container()["envFrom"][0]
    selector = steady.manifest["spec"]["selector"]
    assert [each.name for each in workloads(manifests) if selects(selector, each.labels)] == ["king-sweeper"]
    assert steady.labels[COMPONENT] == "sweep"


@pytest.mark.parametrize("name", OVERLAYS)
def test_prometheus_reaches_the_metrics_and_nothing_else(name: str, tmp_path: Path) -> None:
    """Prometheus may dial the metrics of the parts, nobody else may, and what was closed stays closed."""
    policies = list(of_kind(monitored(name, tmp_path.resolve()), "NetworkPolicy").values())
    before = list(of_kind(overlay(name), "NetworkPolicy").values())
    everybody = [*peers(name), PROMETHEUS]
    opened = {
        (source.name, target.name, port)
        for source, target, port in product(everybody, everybody, (METRICS, 7700, 8000, 6379))
        if source is not target
        and NAMESPACE in {source.namespace, target.namespace}
        and may_talk(policies, source, target, port)
        and not may_talk(before, source, target, port)
    }
    assert opened == {("prometheus", component, METRICS) for component in WATCHED}


def test_the_sweeper_runs_and_tells(one_node: tuple[Manifest, ...], tmp_path: Path) -> None:
    """Its command, as the manifest has it, sweeps and serves metrics, and ends well on SIGTERM."""
    port = free_port()
    node = Node(
        tmp_path, one_node, ports={"king-referee": free_port(), "king-valkey": free_port(), "king-dashboard": 1}
    )
    node.draw_secrets()
    valkey = node.run(part(one_node, "king-valkey"))
    valkey.await_ready()
    sweeper = part(one_node, "king-sweeper")
    (settings,) = (each for name, each in of_kind(one_node, "ConfigMap").items() if "monitoring" in name)
    settings["data"]["KING_METRICS"] = f"127.0.0.1:{port}"
    running = node.run(sweeper)
    try:
        wait_until(lambda: "sweep begins" in running.said(), seconds=60, what="the sweeper's start")

        def told() -> str:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
                    return str(answer.read().decode())
            except OSError:
                return ""

        wait_until(lambda: "king_sweep_age_seconds" in told(), seconds=60, what="a sweep")
        text = told()
        assert "king_league_up 1.0" in text and "king_queue_up 1.0" in text
        assert running.end() == 0
    finally:
        running.kill()
        valkey.kill()
