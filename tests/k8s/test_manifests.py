"""Both overlays build, are what the API server takes, and say nothing that is not there."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml

from king_cli.settings import Settings
from referee.server import STOP_GRACE_S
from tests.k8s.manifests import (
    COMPONENT,
    K8S,
    NAMESPACE,
    OVERLAYS,
    ROOT,
    Manifest,
    build,
    changed,
    of_kind,
    overlay,
    selects,
    workloads,
)
from tests.k8s.pod_security import violations
from workers.bot_pods import SCRATCH, SUBMITTED
from workers.queueing import QUEUE_NAME

pytestmark = pytest.mark.slow

SCHEMAS = Path(__file__).parent / "schemas"
VERSIONS = ("1.30", "1.37")
"""The oldest Kubernetes that is promised, and the newest that there are schemas of."""

OWN_NAME = "statefulset.kubernetes.io/pod-name"
"""The label by which a StatefulSet's controller tells its pods apart."""
_OURS = re.compile(
    r"(?P<kind>scaledobject|triggerauthentication)-keda\.sh-v1alpha1\.json"
    r"|(?P<watching>podmonitor|prometheusrule)-monitoring\.coreos\.com-v1\.json"
)
_DRAWN = ("king-control", "king-queue")
_GIVEN = {"king-tls", "king-store"}
"""Secrets of those who run it; docs/kubernetes.md tells of them."""


def check(manifest: Manifest, version: str) -> None:
    """Raise unless a manifest is what its schema says, with no field that is not known."""
    group, _, number = manifest["apiVersion"].partition("/")
    ours = SCHEMAS / f"{manifest['kind'].lower()}-{group}-{number}.json"
    if ours.exists():
        jsonschema.Draft202012Validator(json.loads(ours.read_text(encoding="utf-8"))).validate(manifest)
    else:
        kubernetes_validate.validate(manifest, version, strict=True)


@pytest.mark.parametrize("name", OVERLAYS)
@pytest.mark.parametrize("version", VERSIONS)
def test_manifests_are_valid(name: str, version: str) -> None:
    """Each manifest has the fields of its kind, and no others."""
    for manifest in overlay(name):
        check(manifest, version)


@pytest.mark.parametrize(
    ("kind", "place", "value"),
    [
        ("Deployment", ("spec", "template", "spec", "containers", 0, "comand"), ["king"]),
        ("StatefulSet", ("spec", "replicas"), "one"),
        ("CronJob", ("spec", "jobTemplate", "spec", "template", "spec", "restartpolicy"), "Never"),
        ("NetworkPolicy", ("spec", "ingres"), []),
        ("ScaledObject", ("spec", "minReplicas"), 0),
        ("ScaledObject", ("spec", "triggers", 0, "metadata", "listName"), None),
        ("TriggerAuthentication", ("spec", "secretTargetRef", 0, "secret"), "x"),
    ],
)
def test_mistakes_are_found(kind: str, place: tuple[str | int, ...], value: Any) -> None:
    """A misspelt field, a value of another type and a missing one are found, in core and in custom kinds."""
    manifest = changed(next(iter(of_kind(overlay("one-node"), kind).values())), place, value)
    with pytest.raises(jsonschema.ValidationError):
        check(manifest, VERSIONS[0])


@pytest.mark.parametrize("name", OVERLAYS)
def test_everything_is_there(name: str) -> None:
    """What the arena is made of, by kind and name."""
    manifests = overlay(name)
    kinds = {kind: set(of_kind(manifests, kind)) for kind in {each["kind"] for each in manifests}}
    assert kinds["StatefulSet"] == {"king-referee"}
    assert kinds["Deployment"] >= {"king-worker", "king-dashboard", "king-organiser"}
    assert kinds["Job"] == {"king-migrate"}
    assert kinds["CronJob"] == {"king-sweep", "king-backup"}
    assert kinds["ScaledObject"] == {"king-worker"}
    assert kinds["HorizontalPodAutoscaler"] == {"king-dashboard"}
    assert kinds["PodDisruptionBudget"] == {"king-referee", "king-worker", "king-dashboard"}
    assert kinds["Ingress"] == {"king-dashboard", "king-referee"}
    assert all(each["metadata"].get("namespace", NAMESPACE) == NAMESPACE for each in manifests)


def pods_by_name(manifests: Sequence[Manifest]) -> set[str]:
    """The pods of StatefulSets, whose controller labels each with its name."""
    return {
        f"{name}-{number}"
        for name, each in of_kind(manifests, "StatefulSet").items()
        for number in range(each["spec"]["replicas"])
    }


@pytest.mark.parametrize("name", OVERLAYS)
def test_selectors_select_pods_of_one_part(name: str) -> None:
    """Services, budgets and controllers mean the pods of one part, which are there."""
    manifests = overlay(name)
    components = {each.component: each.labels for each in workloads(manifests)}
    for manifest in manifests:
        if manifest["kind"] in {"Service", "PodDisruptionBudget", "Deployment", "StatefulSet"}:
            selector = manifest["spec"]["selector"]
            if manifest["kind"] == "Service":
                assert selector.get(OWN_NAME, "king-referee-0") in pods_by_name(manifests), manifest["metadata"]["name"]
                selector = {"matchLabels": {key: value for key, value in selector.items() if key != OWN_NAME}}
            chosen = [part for part, labels in components.items() if selects(selector, labels)]
            assert chosen == [manifest["metadata"]["labels"][COMPONENT]], manifest["metadata"]["name"]


@pytest.mark.parametrize("name", OVERLAYS)
def test_references_lead_somewhere(name: str) -> None:
    """ConfigMaps, volumes, services and ports that are named are there; secrets are drawn, or told of in the guide."""
    manifests = overlay(name)
    claims, maps = of_kind(manifests, "PersistentVolumeClaim"), of_kind(manifests, "ConfigMap")
    secrets = set(_DRAWN) | _GIVEN
    for each in workloads(manifests):
        for volume in each.pod["spec"].get("volumes", ()):
            if "persistentVolumeClaim" in volume:
                assert volume["persistentVolumeClaim"]["claimName"] in claims
            if "configMap" in volume:
                assert volume["configMap"]["name"] in maps
            if "secret" in volume:
                assert volume["secret"]["secretName"] in secrets
        account = each.pod["spec"].get("serviceAccountName", "default")
        assert account == "default" or account in of_kind(manifests, "ServiceAccount")
        container = each.container()
        assert all(one["configMapRef"]["name"] in maps for one in container.get("envFrom", ()))
        ports = {port["name"] for port in container.get("ports", ())}
        for service in of_kind(manifests, "Service").values():
            if selects({"matchLabels": service["spec"]["selector"]}, each.labels):
                assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports
    for ingress in of_kind(manifests, "Ingress").values():
        assert ingress["spec"]["tls"][0]["secretName"] in secrets
        for rule in ingress["spec"]["rules"]:
            backend = rule["http"]["paths"][0]["backend"]["service"]
            service = of_kind(manifests, "Service")[backend["name"]]
            assert backend["port"]["name"] in {port["name"] for port in service["spec"]["ports"]}
    for scaled in of_kind(manifests, "ScaledObject", "HorizontalPodAutoscaler").values():
        target = scaled["spec"]["scaleTargetRef"]["name"]
        assert "replicas" not in of_kind(manifests, "Deployment")[target]["spec"], "the scaler alone says how many"


@pytest.mark.parametrize("name", OVERLAYS)
def test_settings_are_known(name: str) -> None:
    """Every KING_ variable is a setting; secrets come by reference; the dashboard gets none that it must not have."""
    known = {f"KING_{field.upper()}" for field in Settings.model_fields}
    manifests = overlay(name)
    (settings,) = (each for name, each in of_kind(manifests, "ConfigMap").items() if name.startswith("king-settings"))
    secret = {"KING_CONTROL_KEY", "KING_REDIS_URL", "KING_DATABASE_URL", "KING_VAULT_URL"}
    assert {key for key in settings["data"] if key.startswith("KING_")} <= known - secret
    assert not of_kind(manifests, "Secret")
    for each in workloads(manifests):
        variables = {one["name"]: one for one in each.container().get("env", ())}
        assert {key for key in variables if key.startswith("KING_")} <= known, each.name
        assert all("secretKeyRef" in variables[key]["valueFrom"] for key in secret & set(variables)), each.name
        if each.component == "dashboard":
            assert not {"KING_CONTROL_KEY", "KING_VAULT_URL"} & set(variables)
            assert variables["KING_REDIS_URL"]["valueFrom"]["secretKeyRef"]["key"] == "dashboard-url"


@pytest.mark.parametrize("name", OVERLAYS)
def test_images_have_versions(name: str) -> None:
    """Each image has a version; ours is that of the package."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    for each in workloads(overlay(name)):
        image, _, tag = each.container()["image"].rpartition(":")
        assert image and re.fullmatch(r"\d+\.\d+(\.\d+)?(-[a-z]+)?", tag), each.name
        if "king-arena" in image:
            assert tag == version, each.name


@pytest.mark.parametrize("name", OVERLAYS)
def test_workers_follow_the_queue(name: str) -> None:
    """KEDA counts what waits in the queue of workers and what they are at, and comes down to none."""
    from rq import Queue
    from rq.registry import StartedJobRegistry

    scaled = of_kind(overlay(name), "ScaledObject")["king-worker"]["spec"]
    lists = {each["name"]: each["metadata"]["listName"] for each in scaled["triggers"]}
    waiting, playing = f"{Queue.redis_queue_namespace_prefix}{QUEUE_NAME}", StartedJobRegistry.key_template
    assert lists == {"waiting": waiting, "playing": playing.format(QUEUE_NAME)}
    assert scaled["advanced"]["scalingModifiers"]["formula"] == " + ".join(lists)
    assert scaled["minReplicaCount"] == 0


def test_a_patch_that_deletes_stands_alone() -> None:
    """The kustomize in kubectl 1.32 falls over a file of several patches of which one deletes."""
    for file in K8S.rglob("*.yaml"):
        patches = list(yaml.safe_load_all(file.read_text(encoding="utf-8")))
        assert len(patches) == 1 or not any(each and "$patch" in each for each in patches), file


@pytest.mark.parametrize("name", OVERLAYS)
def test_a_referee_is_not_killed_while_it_drains(name: str) -> None:
    """The cluster waits for longer than a referee says that it takes to end."""
    pod = of_kind(overlay(name), "StatefulSet")["king-referee"]["spec"]["template"]["spec"]
    (drain,) = (each["value"] for each in pod["containers"][0]["env"] if each["name"] == "KING_DRAIN_SECONDS")
    assert pod["terminationGracePeriodSeconds"] >= float(drain) + STOP_GRACE_S + 10


@pytest.mark.parametrize("name", OVERLAYS)
def test_remote_bots_are_told_every_referee(name: str) -> None:
    """Each name that they dial leads to a door, and where there are several referees each door leads to one of them."""
    manifests = overlay(name)
    (settings,) = (each for name, each in of_kind(manifests, "ConfigMap").items() if name.startswith("king-settings"))
    ingress = of_kind(manifests, "Ingress")["king-referee"]["spec"]
    hosts = [rule["host"] for rule in ingress["rules"]]
    assert settings["data"]["KING_PUBLIC_REFEREE"] == ",".join(f"tls://{host}:443" for host in hosts)
    assert ingress["tls"][0]["hosts"] == hosts
    services = of_kind(manifests, "Service")
    doors = [services[rule["http"]["paths"][0]["backend"]["service"]["name"]] for rule in ingress["rules"]]
    replicas = of_kind(manifests, "StatefulSet")["king-referee"]["spec"]["replicas"]
    assert len(hosts) == replicas
    if replicas > 1:
        assert {door["spec"]["selector"][OWN_NAME] for door in doors} == pods_by_name(manifests)


@pytest.mark.parametrize("name", OVERLAYS)
def test_the_ingress_opens_the_bots_service_alone(name: str) -> None:
    """Nobody outside gives the referee orders: the paths are those of the bots' service."""
    from king.control.v1 import control_pb2
    from king.v1 import arena_pb2

    ingress = of_kind(overlay(name), "Ingress")["king-referee"]
    paths = [(path["path"], path["pathType"]) for rule in ingress["spec"]["rules"] for path in rule["http"]["paths"]]
    (service,) = arena_pb2.DESCRIPTOR.services_by_name.values()
    assert set(paths) == {(f"/{service.full_name}", "Prefix")}
    orders = next(iter(control_pb2.DESCRIPTOR.services_by_name.values())).full_name
    assert not f"/{orders}".startswith(paths[0][0])


def test_bots_pods_are_what_a_cluster_takes() -> None:
    """The template, filled in, is a valid pod, restricted, with no way to names; it goes where workers look for it."""
    manifests = overlay("production")
    (text,) = (
        each["data"]["bot-pod.json"]
        for each in of_kind(manifests, "ConfigMap").values()
        if "bot-pod.json" in each["data"]
    )
    pod = json.loads(text)
    pod["spec"]["containers"][0]["image"] = "i:1"
    for version in VERSIONS:
        check(pod, version)
    assert violations(pod["spec"]) == []
    assert pod["spec"]["automountServiceAccountToken"] is False
    assert pod["spec"]["dnsPolicy"] == "None"
    claims = of_kind(manifests, "PersistentVolumeClaim")
    named = [each["persistentVolumeClaim"]["claimName"] for each in pod["spec"]["volumes"] if SUBMITTED in each["name"]]
    assert named
    assert set(named) <= set(claims)
    assert {"tmp": SCRATCH}.items() <= {
        mount["name"]: mount["mountPath"] for mount in pod["spec"]["containers"][0]["volumeMounts"]
    }.items()
    worker = next(each for each in workloads(manifests) if each.component == "worker")
    mounts = {each["name"]: each["mountPath"] for each in worker.container()["volumeMounts"]}
    assert mounts["submitted"] == f"{mounts['data']}/submitted"


def test_gvisor_is_a_component(tmp_path: Path) -> None:
    """With the component, workers run in gVisor, and all is as valid as before."""
    lines = [
        "apiVersion: kustomize.config.k8s.io/v1beta1",
        "kind: Kustomization",
        f"resources: [{os.path.relpath(K8S / 'overlays/production', tmp_path.resolve())}]",
        f"components: [{os.path.relpath(K8S / 'components/gvisor', tmp_path.resolve())}]",
    ]
    (tmp_path / "kustomization.yaml").write_text("\n".join(lines), encoding="utf-8")
    manifests = build(tmp_path)
    for manifest in manifests:
        check(manifest, VERSIONS[-1])
    classes = {each.component: each.pod["spec"].get("runtimeClassName") for each in workloads(manifests)}
    assert classes.pop("worker") in of_kind(manifests, "RuntimeClass")
    assert set(classes.values()) == {None}


def test_the_schemas_kept_here_are_schemas() -> None:
    """Each says which kind it is of, and is one itself."""
    files = sorted(SCHEMAS.iterdir())
    assert files
    for file in files:
        assert (found := _OURS.fullmatch(file.name)), file
        schema = json.loads(file.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["properties"]["kind"]["const"].lower() == (found["kind"] or found["watching"])
