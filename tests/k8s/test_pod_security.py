"""Every pod of both overlays is one that a namespace with Pod Security *restricted* takes, and a bit stricter still."""

from __future__ import annotations

from typing import Any

import pytest

from tests.k8s.manifests import NAMESPACE, OVERLAYS, Workload, changed, of_kind, overlay, workloads
from tests.k8s.pod_security import violations

pytestmark = pytest.mark.slow

GOOD: dict[str, Any] = {
    "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
    "containers": [
        {"name": "c", "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}}
    ],
}
POD, CONTAINER = ("securityContext",), ("containers", 0, "securityContext")
WRONG: list[tuple[tuple[str | int, ...], Any, str]] = [
    (("hostNetwork",), True, "hostNetwork"),
    (("hostPID",), True, "hostPID"),
    (("volumes",), [{"name": "v", "hostPath": {"path": "/"}}], "hostPath"),
    ((*POD, "runAsNonRoot"), None, "c may run as root"),
    ((*POD, "runAsUser"), 0, "runs as root"),
    ((*CONTAINER, "runAsNonRoot"), False, "may run as root"),
    ((*POD, "seccompProfile"), {"type": "Unconfined"}, "no seccomp profile"),
    ((*POD, "sysctls"), [{"name": "kernel.msgmax", "value": "1"}], "sysctl"),
    ((*CONTAINER, "allowPrivilegeEscalation"), None, "escalate"),
    ((*CONTAINER, "capabilities"), {"drop": ["NET_RAW"]}, "drop all"),
    ((*CONTAINER, "capabilities"), {"drop": ["ALL"], "add": ["SYS_ADMIN"]}, "adds capabilities"),
    ((*CONTAINER, "privileged"), True, "privileged"),
    ((*CONTAINER, "procMount"), "Unmasked", "procMount"),
    ((*CONTAINER, "appArmorProfile"), {"type": "Unconfined"}, "AppArmor"),
    ((*CONTAINER, "seLinuxOptions"), {"type": "spc_t"}, "SELinux"),
    (("containers", 0, "ports"), [{"containerPort": 1, "hostPort": 1}], "port of the host"),
    (("initContainers",), [{"name": "first"}], "first may escalate"),
]


@pytest.mark.parametrize(("place", "value", "told"), WRONG, ids=[str(case[2]) for case in WRONG])
def test_what_is_refused(place: tuple[str | int, ...], value: Any, told: str) -> None:
    """A pod is good, and each change that the profile forbids is found."""
    assert violations(GOOD) == []
    assert any(told in found for found in violations(changed(GOOD, place, value)))


@pytest.mark.parametrize("name", OVERLAYS)
def test_pods_are_restricted(name: str) -> None:
    """The namespace enforces the profile, and no pod breaks it."""
    manifests = overlay(name)
    labels = of_kind(manifests, "Namespace")[NAMESPACE]["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"
    found = {each.name: violations(each.pod["spec"]) for each in workloads(manifests)}
    assert found
    assert not {pod: told for pod, told in found.items() if told}


@pytest.mark.parametrize("name", OVERLAYS)
def test_pods_are_closed(name: str) -> None:
    """Pods have no token of the cluster, write nothing but volumes with a limit, and say what they need."""
    for each in workloads(overlay(name)):
        spec, container = each.pod["spec"], each.container()
        assert spec["automountServiceAccountToken"] is False, each.name
        assert container["securityContext"]["readOnlyRootFilesystem"] is True, each.name
        assert {"cpu", "memory"} <= set(container["resources"]["requests"]), each.name
        assert "memory" in container["resources"]["limits"], each.name
        assert "cpu" not in container["resources"]["limits"], f"{each.name}: clocks run while it is throttled"
        _check_volumes(each)


def _check_volumes(workload: Workload) -> None:
    volumes = {each["name"]: each for each in workload.pod["spec"].get("volumes", ())}
    mounted = {each["name"] for each in workload.container().get("volumeMounts", ())}
    assert mounted == set(volumes), workload.name
    assert all("sizeLimit" in each["emptyDir"] for each in volumes.values() if "emptyDir" in each), workload.name
