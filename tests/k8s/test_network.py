"""The whole table of who may talk to whom, read off the policies of each overlay."""

from __future__ import annotations

import json
from itertools import product

import pytest

from tests.k8s.manifests import K8S, NAMESPACE, OVERLAYS, of_kind, overlay, workloads
from tests.k8s.network import Peer, may_talk

pytestmark = pytest.mark.slow

REFEREE, DASHBOARD, QUEUE, STORE, NAMES, CLUSTER = 7700, 8000, 6379, 5432, 53, 6443
PORTS = (REFEREE, DASHBOARD, QUEUE, STORE, NAMES, CLUSTER, 80, 443)
DNS = Peer("dns", {"k8s-app": "kube-dns"}, "kube-system")
KEDA = Peer("keda", {"app": "keda-operator"}, "keda")
STRANGER = Peer("stranger", {"app.kubernetes.io/component": "worker"}, "somebody-else")
UNKNOWN = Peer("unknown", {"app.kubernetes.io/component": "something"}, NAMESPACE)
INTERNET = Peer("internet", address="192.0.2.1")
OUTSIDE = Peer("outside", address="10.1.2.3")
"""Where the store, the queue and the API server of the production overlay are."""

CONTROLLERS = {
    "one-node": Peer("ingress", {"app.kubernetes.io/name": "traefik"}, "kube-system"),
    "production": Peer("ingress", {"app.kubernetes.io/name": "traefik"}, "traefik"),
}
ASKS_NAMES = ("worker", "dashboard", "sweep", "migrate", "backup", "organiser")
DIALS_REFEREE = ("worker", "sweep", "organiser", "ingress")
USES_QUEUE = ("worker", "dashboard", "sweep", "organiser")
COMMON = {
    *((name, "referee", REFEREE) for name in DIALS_REFEREE),
    ("ingress", "dashboard", DASHBOARD),
    *((name, "dns", NAMES) for name in ASKS_NAMES),
}
EXPECTED = {
    "one-node": COMMON | {(name, "valkey", QUEUE) for name in (*USES_QUEUE, "keda")},
    "production": COMMON
    | {(name, "outside", QUEUE) for name in USES_QUEUE}
    | {(name, "outside", STORE) for name in ASKS_NAMES}
    | {("worker", "outside", CLUSTER), ("worker", "outside", 443)}
    | {("bot", "referee", REFEREE)},
}


def peers(name: str) -> list[Peer]:
    """All that could talk: our pods, and who is around."""
    ours = {each.component: Peer(each.component, each.labels, NAMESPACE) for each in workloads(overlay(name))}
    template = json.loads((K8S / "components/bot-pods/bot-pod.json").read_text(encoding="utf-8"))
    bot = Peer("bot", template["metadata"]["labels"], NAMESPACE)
    return [*ours.values(), bot, CONTROLLERS[name], DNS, KEDA, STRANGER, UNKNOWN, INTERNET, OUTSIDE]


@pytest.mark.parametrize("name", OVERLAYS)
def test_who_may_talk_to_whom(name: str) -> None:
    """What needs to talk can, and nobody else: bots reach the referee alone, the referee nobody, strangers not us."""
    policies = list(of_kind(overlay(name), "NetworkPolicy").values())
    everybody = peers(name)
    ours = {each.name for each in everybody if each.namespace == NAMESPACE}
    found = {
        (source.name, target.name, port)
        for source, target, port in product(everybody, everybody, PORTS)
        if source is not target and ours & {source.name, target.name} and may_talk(policies, source, target, port)
    }
    assert found == EXPECTED[name]


@pytest.mark.parametrize("name", OVERLAYS)
def test_names_are_asked_by_udp_too(name: str) -> None:
    """DNS is by UDP; nothing else is."""
    policies = list(of_kind(overlay(name), "NetworkPolicy").values())
    asking = {
        (source.name, target.name)
        for source, target in product(peers(name), repeat=2)
        if source.namespace == NAMESPACE and any(may_talk(policies, source, target, port, "UDP") for port in PORTS)
    }
    assert asking == {(name, "dns") for name in ASKS_NAMES}


def test_a_pod_without_policies_is_open() -> None:
    """The evaluator knows that a cluster is open where nothing is said."""
    assert may_talk([], UNKNOWN, INTERNET, 443)
    closed = {"spec": {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}}
    assert not may_talk([closed], UNKNOWN, INTERNET, 443)
    assert not may_talk([closed], INTERNET, UNKNOWN, 443)
    opened = {"spec": {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": [{}]}}
    assert may_talk([closed, opened], INTERNET, UNKNOWN, 443)
    assert not may_talk([closed, opened], UNKNOWN, INTERNET, 443)
