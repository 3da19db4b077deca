"""An API server of Kubernetes as far as a launcher needs one, over HTTPS; its pods are processes of this machine.

It is strict: it takes no pod that the schema or Pod Security *restricted* refuses, and no request without the token.
What happens to pods is told as a cluster tells it, each change with a version, to who follows them.
"""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.k8s.pod_security import violations
from tests.protocol.certificates import Authority
from tests.workers.waiting import wait_until

Manifest = dict[str, Any]

NAMESPACE, TOKEN = "king", "token-of-this-test"
WORKER_UID, WORKER_IMAGE = "uid-of-the-worker", "registry.example/king-arena-bots:0.1.0"
_PODS = f"/api/v1/namespaces/{NAMESPACE}/pods"
_CONTAINER = "bot"


@dataclass
class FakePod:
    """A pod, the process that it is, and what it wrote."""

    manifest: Manifest
    process: subprocess.Popen[bytes] | None = None
    log: Path = Path("/dev/null")


@dataclass
class ApiServer:
    """The server; `running` starts one.

    Attributes:
        access: a folder with what lets one in.
        volume: the folder that the volume `submitted` is.
        schedules: whether there is a node for pods; else they wait.
        made: every pod that was ever made, as it was asked for.
    """

    access: Path
    volume: Path
    port: int
    logs: Path
    schedules: bool = True
    made: list[Manifest] = field(default_factory=list)
    pods: dict[str, FakePod] = field(default_factory=dict)
    _version: int = 0
    _cuts: int = 0
    _events: list[tuple[int, str, Manifest]] = field(default_factory=list)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _loop: asyncio.AbstractEventLoop | None = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"https://127.0.0.1:{self.port}"

    def evict(self, name: str, message: str = "The node was low on resource: memory.") -> None:
        """End a pod as a node does, for what it says."""
        self._call(lambda: self._evict(name, message))

    def take_away(self, name: str) -> None:
        """Have a pod be gone at once, as when somebody deletes it by force."""
        self._call(lambda: self._remove(name))

    def kill(self, name: str, status: Manifest) -> None:
        """End a pod's process, and say of it what a runtime would."""
        pod = self.pods[name]
        assert pod.process is not None
        pod.manifest["killed"] = status
        pod.process.kill()

    def cut(self) -> None:
        """Break all connections that follow pods, as a server does that is replaced."""

        def break_all() -> None:
            self._cuts += 1
            self._wake()

        self._call(break_all)

    def _call(self, act: Callable[[], None]) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(act)

    def app(self) -> Starlette:
        """The requests that it knows."""
        routes = [
            Route(_PODS, self._list_or_watch, methods=["GET"]),
            Route(_PODS, self._create, methods=["POST"]),
            Route(_PODS, self._delete_some, methods=["DELETE"]),
            Route(f"{_PODS}/{{name}}", self._get, methods=["GET"]),
            Route(f"{_PODS}/{{name}}", self._delete, methods=["DELETE"]),
            Route(f"{_PODS}/{{name}}/log", self._log, methods=["GET"]),
        ]
        return Starlette(routes=routes)

    async def _create(self, request: Request) -> Response:
        if (refused := _stranger(request)) is not None:
            return refused
        pod = await request.json()
        name = pod["metadata"]["name"]
        try:
            kubernetes_validate.validate(pod, "1.37", strict=True)
        except jsonschema.ValidationError as error:
            return _status(422, f"Pod {name} is invalid: {error.message}")
        if found := violations(pod["spec"]):
            return _status(403, f'pods "{name}" is forbidden: violates PodSecurity "restricted": {"; ".join(found)}')
        if name in self.pods:
            return _status(409, f'pods "{name}" already exists')
        self.made.append(json.loads(json.dumps(pod)))
        pod["metadata"]["uid"] = f"uid-of-{name}"
        pod["status"] = {"phase": "Pending"}
        self.pods[name] = FakePod(pod, log=self.logs / f"{name}.log")
        self._tell("ADDED", name)
        asyncio.get_running_loop().create_task(self._run(name))
        return JSONResponse(pod, 201)

    async def _run(self, name: str) -> None:
        """Be the scheduler and the node of a pod, until it has ended."""
        pod = self.pods[name]
        if not self.schedules:
            no_node = {
                "type": "PodScheduled",
                "status": "False",
                "message": "0/3 nodes are available: 3 Insufficient cpu.",
            }
            pod.manifest["status"]["conditions"] = [no_node]
            self._tell("MODIFIED", name)
            return
        container = pod.manifest["spec"]["containers"][0]
        try:
            with pod.log.open("ab") as output:
                pod.process = subprocess.Popen(  # noqa: ASYNC220 (it does not wait for its end)
                    container["command"],
                    cwd=self._folder(container),
                    env={each["name"]: each["value"] for each in container["env"]},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                )
        except OSError as error:
            self._set(name, {"terminated": {"exitCode": 128, "reason": "StartError", "message": str(error)}}, "Failed")
            return
        self._set(name, {"running": {"startedAt": "2026-01-01T00:00:00Z"}}, "Running")
        status = await asyncio.to_thread(pod.process.wait)
        if name in self.pods and pod.manifest["status"]["phase"] == "Running":
            code = status if status >= 0 else 128 - status
            ended = pod.manifest.pop("killed", {"reason": "Error" if code else "Completed"})
            self._set(name, {"terminated": {"exitCode": code, **ended}}, "Failed" if code else "Succeeded")

    def _folder(self, container: Manifest) -> Path:
        """Where the container works: a folder of the image, which is this machine, or of the volume."""
        for mount in container.get("volumeMounts", ()):
            if mount["mountPath"] == container["workingDir"]:
                assert mount["readOnly"]
                return self.volume / str(mount["subPath"])
        return Path(container["workingDir"])

    def _set(self, name: str, state: Manifest, phase: str) -> None:
        status = self.pods[name].manifest["status"]
        status.update(phase=phase, containerStatuses=[{"name": _CONTAINER, "state": state}])
        self._tell("MODIFIED", name)

    def _evict(self, name: str, message: str) -> None:
        pod = self.pods[name]
        pod.manifest["status"].update(phase="Failed", reason="Evicted", message=message)
        self._tell("MODIFIED", name)
        if pod.process is not None:
            pod.process.kill()

    def _tell(self, kind: str, name: str) -> None:
        self._version += 1
        manifest = self.pods[name].manifest
        manifest["metadata"]["resourceVersion"] = str(self._version)
        self._events.append((self._version, kind, json.loads(json.dumps(manifest))))
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _get(self, request: Request) -> Response:
        if (refused := _stranger(request)) is not None:
            return refused
        name = request.path_params["name"]
        if name == socket.gethostname():  # the pod of the worker that asks
            spec = {"containers": [{"name": "worker", "image": WORKER_IMAGE}]}
            return JSONResponse({"metadata": {"name": name, "uid": WORKER_UID}, "spec": spec})
        return JSONResponse(self.pods[name].manifest) if name in self.pods else _missing(name)

    async def _list_or_watch(self, request: Request) -> Response:
        if (refused := _stranger(request)) is not None:
            return refused
        assert request.query_params["watch"] == "true"
        field_name, _, name = request.query_params["fieldSelector"].partition("=")
        assert field_name == "metadata.name"
        return StreamingResponse(self._watch(name, int(request.query_params["resourceVersion"])))

    async def _watch(self, name: str, since: int) -> AsyncIterator[bytes]:
        cuts = self._cuts
        while cuts == self._cuts:
            changed = self._changed
            for version, kind, manifest in self._events:
                if version > since and manifest["metadata"]["name"] == name:
                    since = version
                    yield json.dumps({"type": kind, "object": manifest}).encode() + b"\n"
            await changed.wait()

    async def _delete(self, request: Request) -> Response:
        if (refused := _stranger(request)) is not None:
            return refused
        name = request.path_params["name"]
        if name not in self.pods:
            return _missing(name)
        pod = self.pods[name]
        pod.manifest["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
        self._tell("MODIFIED", name)
        grace = int(request.query_params["gracePeriodSeconds"])
        asyncio.get_running_loop().create_task(self._end(name, grace))
        return JSONResponse(pod.manifest)

    async def _end(self, name: str, grace_s: int) -> None:
        process = self.pods[name].process
        if process is not None and process.poll() is None:
            if grace_s:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    await asyncio.to_thread(process.wait, grace_s)
            process.kill()
            await asyncio.to_thread(process.wait)
        self._remove(name)

    def _remove(self, name: str) -> None:
        if name in self.pods:
            self._tell("DELETED", name)
            pod = self.pods.pop(name)
            if pod.process is not None:
                pod.process.kill()

    async def _delete_some(self, request: Request) -> Response:
        if (refused := _stranger(request)) is not None:
            return refused
        for name, pod in list(self.pods.items()):
            if _fits(request.query_params["labelSelector"], pod.manifest["metadata"]["labels"]):
                await self._end(name, int(request.query_params["gracePeriodSeconds"]))
        return JSONResponse({"kind": "PodList", "items": []})

    async def _log(self, request: Request) -> Response:
        if (refused := _stranger(request)) is not None:
            return refused
        name = request.path_params["name"]
        if name not in self.pods:
            return _missing(name)
        assert request.query_params["container"] == _CONTAINER
        if self.pods[name].process is None:
            return _status(400, f'container "{_CONTAINER}" in pod "{name}" is waiting to start')
        lines = self.pods[name].log.read_text(encoding="utf-8").splitlines(keepends=True)
        return PlainTextResponse("".join(lines[-int(request.query_params["tailLines"]) :]))


def _fits(selector: str, labels: dict[str, str]) -> bool:
    for term in selector.split(","):
        key, _, value = term.partition("=")
        wanted = not key.endswith("!")
        if (labels.get(key.removesuffix("!")) == value) is not wanted:
            return False
    return True


def _stranger(request: Request) -> Response | None:
    known = request.headers.get("authorization") == f"Bearer {TOKEN}"
    return None if known else _status(401, "Unauthorized")


def _missing(name: str) -> Response:
    return _status(404, f'pods "{name}" not found')


def _status(code: int, message: str) -> Response:
    return JSONResponse({"kind": "Status", "status": "Failure", "message": message, "code": code}, code)


@contextmanager
def running(folder: Path) -> Iterator[ApiServer]:
    """A server of the test's own, and a folder with what lets one in."""
    access, logs = folder / "access", folder / "logs"
    access.mkdir()
    logs.mkdir()
    authority = Authority(folder, "cluster")
    pair = authority.sign("api-server", "127.0.0.1")
    (access / "ca.crt").write_bytes(authority.path.read_bytes())
    (access / "token").write_text(f"{TOKEN}\n", encoding="utf-8")
    (access / "namespace").write_text(NAMESPACE, encoding="utf-8")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        api = ApiServer(access, folder / "submitted", listener.getsockname()[1], logs)
        config = uvicorn.Config(
            api.app(),
            log_level="warning",
            ssl_certfile=str(pair.certificate),
            ssl_keyfile=str(pair.key),
            timeout_graceful_shutdown=1,
            lifespan="off",
        )
        server = uvicorn.Server(config)

        def serve() -> None:
            async def main() -> None:
                api._loop = asyncio.get_running_loop()
                await server.serve(sockets=[listener])

            asyncio.run(main())

        thread = threading.Thread(target=serve, name="api-server")
        thread.start()
        wait_until(lambda: server.started, what="the API server")
        try:
            yield api
        finally:
            for pod in list(api.pods.values()):
                if pod.process is not None:
                    pod.process.kill()
            server.should_exit = server.force_exit = True
            thread.join()
