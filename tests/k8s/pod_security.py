"""Pod Security Standards, profile *restricted*: what a pod has that a namespace which enforces it would refuse.

After https://kubernetes.io/docs/concepts/security/pod-security-standards/, *baseline* and *restricted* both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

PodSpec = dict[str, Any]

_VOLUMES: Final = frozenset(
    {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}
)
_SYSCTLS: Final = frozenset(
    {
        "kernel.shm_rmid_forced",
        "net.ipv4.ip_local_port_range",
        "net.ipv4.ip_local_reserved_ports",
        "net.ipv4.ip_unprivileged_port_start",
        "net.ipv4.ping_group_range",
        "net.ipv4.tcp_fin_timeout",
        "net.ipv4.tcp_keepalive_intvl",
        "net.ipv4.tcp_keepalive_probes",
        "net.ipv4.tcp_keepalive_time",
        "net.ipv4.tcp_rmem",
        "net.ipv4.tcp_syncookies",
        "net.ipv4.tcp_wmem",
    }
)
_PROFILES: Final = frozenset({"RuntimeDefault", "Localhost"})
_SELINUX_TYPES: Final = frozenset(
    {None, "", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"}
)


def violations(spec: PodSpec) -> list[str]:
    """Everything in the spec of a pod that is not allowed, in words."""
    return [*_of_pod(spec), *(found for each in _containers(spec) for found in _of_container(each, spec))]


def _containers(spec: PodSpec) -> list[dict[str, Any]]:
    return [each for kind in ("initContainers", "containers", "ephemeralContainers") for each in spec.get(kind, ())]


def _of_pod(spec: PodSpec) -> Iterator[str]:
    for name in ("hostNetwork", "hostPID", "hostIPC"):
        if spec.get(name):
            yield f"{name} is set"
    for volume in spec.get("volumes", ()):
        kinds = set(volume) - {"name"}
        if not kinds <= _VOLUMES:
            yield f"volume {volume['name']} is a {', '.join(sorted(kinds - _VOLUMES))}"
    context = spec.get("securityContext", {})
    for sysctl in context.get("sysctls", ()):
        if sysctl["name"] not in _SYSCTLS:
            yield f"sysctl {sysctl['name']}"
    yield from _of_context("the pod", context)


def _of_container(container: dict[str, Any], spec: PodSpec) -> Iterator[str]:
    name, own, pods = container["name"], container.get("securityContext", {}), spec.get("securityContext", {})
    yield from _of_context(name, own)
    if not own.get("runAsNonRoot", pods.get("runAsNonRoot")):
        yield f"{name} may run as root: runAsNonRoot is not true"
    if own.get("seccompProfile", pods.get("seccompProfile", {})).get("type") not in _PROFILES:
        yield f"{name} has no seccomp profile"
    if own.get("allowPrivilegeEscalation", True):
        yield f"{name} may escalate privileges"
    capabilities = own.get("capabilities", {})
    if "ALL" not in capabilities.get("drop", ()):
        yield f"{name} does not drop all capabilities"
    if not set(capabilities.get("add", ())) <= {"NET_BIND_SERVICE"}:
        yield f"{name} adds capabilities"
    if own.get("privileged"):
        yield f"{name} is privileged"
    if own.get("procMount", "Default") != "Default":
        yield f"{name} has another procMount"
    if any(port.get("hostPort") for port in container.get("ports", ())):
        yield f"{name} takes a port of the host"
    for hook in (*container.get("lifecycle", {}).values(), *(container.get(f"{kind}Probe", {}) for kind in _PROBES)):
        if hook.get("httpGet", {}).get("host") or hook.get("tcpSocket", {}).get("host"):
            yield f"{name} has a probe or hook of another host"


_PROBES: Final = ("startup", "readiness", "liveness")


def _of_context(who: str, context: dict[str, Any]) -> Iterator[str]:
    """What is refused in the context of a pod as in that of a container."""
    if context.get("runAsUser") == 0:
        yield f"{who} runs as root"
    if context.get("runAsNonRoot") is False:
        yield f"{who} may run as root"
    if context.get("seccompProfile", {"type": "RuntimeDefault"})["type"] not in _PROFILES:
        yield f"{who} has no seccomp profile"
    selinux = context.get("seLinuxOptions", {})
    if selinux.get("type") not in _SELINUX_TYPES or selinux.get("user") or selinux.get("role"):
        yield f"{who} has other SELinux options"
    if context.get("appArmorProfile", {"type": "RuntimeDefault"})["type"] not in _PROFILES:
        yield f"{who} has no AppArmor profile"
    if context.get("windowsOptions", {}).get("hostProcess"):
        yield f"{who} is a process of the host"
