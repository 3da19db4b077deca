"""The manifests as a cluster is given them: builds overlays with kustomize, and looks things up in what comes out."""

from __future__ import annotations

import copy
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
K8S = ROOT / "k8s"
OVERLAYS = ("one-node", "production")
NAMESPACE = "king"
COMPONENT = "app.kubernetes.io/component"
_BUILT_HERE = ROOT / "build" / "tools" / "kustomize"

Manifest = dict[str, Any]


@dataclass(frozen=True)
class Workload:
    """What has pods: its manifest, and the template of the pods."""

    manifest: Manifest
    pod: Manifest

    @property
    def name(self) -> str:
        """As the manifest has it."""
        return str(self.manifest["metadata"]["name"])

    @property
    def labels(self) -> dict[str, str]:
        """Those of its pods."""
        return dict(self.pod["metadata"]["labels"])

    @property
    def component(self) -> str:
        """Which part of the arena it is."""
        return self.labels[COMPONENT]

    def container(self) -> Manifest:
        """Its only container."""
        (only,) = self.pod["spec"]["containers"]
        assert isinstance(only, dict)
        return only


def kustomize() -> tuple[str, ...]:
    """The command that builds a folder: the one that `make kustomize` has built, or one on the PATH."""
    if _BUILT_HERE.is_file():
        return (str(_BUILT_HERE), "build")
    if (found := shutil.which("kustomize")) is not None:
        return (found, "build")
    if (found := shutil.which("kubectl")) is not None:
        return (found, "kustomize")
    pytest.skip("no kustomize: `make kustomize` builds it with Go")


def build(folder: Path) -> tuple[Manifest, ...]:
    """Build a folder with a kustomization."""
    done = subprocess.run([*kustomize(), str(folder)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr  # it warns of what is deprecated
    return tuple(yaml.safe_load_all(done.stdout))


@cache
def overlay(name: str) -> tuple[Manifest, ...]:
    """The manifests of an overlay."""
    return build(K8S / "overlays" / name)


def workloads(manifests: Sequence[Manifest]) -> Iterator[Workload]:
    """All that have pods."""
    for manifest in manifests:
        match manifest["kind"]:
            case "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "Job":
                yield Workload(manifest, manifest["spec"]["template"])
            case "CronJob":
                yield Workload(manifest, manifest["spec"]["jobTemplate"]["spec"]["template"])
            case "Pod":
                yield Workload(manifest, manifest)


def of_kind(manifests: Sequence[Manifest], *kinds: str) -> dict[str, Manifest]:
    """Those of some kinds, by name."""
    return {str(each["metadata"]["name"]): each for each in manifests if each["kind"] in kinds}


def changed(manifest: Manifest, place: Sequence[str | int], value: Any) -> Manifest:
    """A copy with another value at a place, or with nothing there if it is None."""
    copied: Any = copy.deepcopy(manifest)
    inner = copied
    for step in place[:-1]:
        inner = inner[step]
    if value is None:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return copied  # type: ignore[no-any-return]


def selects(selector: Manifest, labels: dict[str, str]) -> bool:
    """Whether a label selector matches; an empty one matches everything."""
    assert set(selector) <= {"matchLabels", "matchExpressions"}, selector
    if any(labels.get(key) != value for key, value in selector.get("matchLabels", {}).items()):
        return False
    return all(_agrees(each, labels) for each in selector.get("matchExpressions", ()))


def _agrees(expression: Manifest, labels: dict[str, str]) -> bool:
    key, values = expression["key"], expression.get("values", [])
    match expression["operator"]:
        case "In":
            return labels.get(key) in values
        case "NotIn":
            return labels.get(key) not in values
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
    raise AssertionError(f"no such operator: {expression}")
