"""Who may talk to whom: evaluates NetworkPolicies as a cluster with a controller for them would.

After https://kubernetes.io/docs/concepts/services-networking/network-policies/: a pod that no policy selects for a
direction is open in it; else what any of them allows is allowed; both ends must allow a connection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Any

from tests.k8s.manifests import NAMESPACE, Manifest, selects


@dataclass(frozen=True)
class Peer:
    """A pod, or an address outside of the cluster (then it has no labels and no namespace)."""

    name: str
    labels: Mapping[str, str] = field(default_factory=dict)
    namespace: str = ""
    address: str = ""

    @property
    def namespace_labels(self) -> dict[str, str]:
        """Those that every namespace has."""
        return {"kubernetes.io/metadata.name": self.namespace}


def may_talk(policies: Sequence[Manifest], source: Peer, target: Peer, port: int, protocol: str = "TCP") -> bool:
    """Whether `source` can open a connection to a port of `target`."""
    out = _allowed(policies, source, target, "Egress", port, protocol)
    return out and _allowed(policies, target, source, "Ingress", port, protocol)


def _allowed(policies: Sequence[Manifest], at: Peer, other: Peer, way: str, port: int, protocol: str) -> bool:
    if at.namespace != NAMESPACE:  # policies are of a namespace, and ours are of one
        return True
    mine = [
        policy["spec"]
        for policy in policies
        if selects(policy["spec"]["podSelector"], dict(at.labels)) and way in policy["spec"]["policyTypes"]
    ]
    rules = [rule for spec in mine for rule in spec.get(way.lower(), ())]
    side = "from" if way == "Ingress" else "to"
    fitting = (rule for rule in rules if _has_port(rule, port, protocol))
    return not mine or any(side not in rule or any(_is(each, other) for each in rule[side]) for rule in fitting)


def _has_port(rule: Manifest, port: int, protocol: str) -> bool:
    ports = rule.get("ports")
    return ports is None or any(each["port"] == port and each.get("protocol", "TCP") == protocol for each in ports)


def _is(description: dict[str, Any], peer: Peer) -> bool:
    assert set(description) <= {"podSelector", "namespaceSelector", "ipBlock"}, description
    if "ipBlock" in description:
        block = description["ipBlock"]
        assert set(block) == {"cidr"}, block
        return bool(peer.address) and ip_address(peer.address) in ip_network(block["cidr"])
    if not peer.namespace:
        return False
    here = "namespaceSelector" not in description
    fits = peer.namespace == NAMESPACE if here else selects(description["namespaceSelector"], peer.namespace_labels)
    return fits and selects(description.get("podSelector", {}), dict(peer.labels))
