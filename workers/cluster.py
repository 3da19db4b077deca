"""Speaks to the API server of a Kubernetes cluster: a few requests, and following one pod; in asyncio, over HTTPS.

Owns how one is let in: a folder with a token that is renewed, the authority to believe and the namespace. Knows nothing
of bots. One connection for each request: there are few.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import h11

ACCESS_FOLDER: Final = Path("/var/run/secrets/kubernetes.io/serviceaccount")
ADDRESS: Final = "https://kubernetes.default.svc"
ANSWER_LIMIT_S: Final = 30.0
ANSWER_BYTES: Final = 16 << 20
FOLLOW_S: Final = 240
"""How long one request that follows a pod may last; then it is made again."""
_CHUNK_BYTES: Final = 1 << 16
_TOKEN, _AUTHORITY, _NAMESPACE = "token", "ca.crt", "namespace"


class ClusterError(Exception):
    """The cluster did not do what was asked: the text says why. `status`: that of HTTP, 0 if there was no answer."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class NoClusterError(ClusterError):
    """There is no cluster here that lets us in: the text says what would be right."""


@dataclass(frozen=True)
class Cluster:
    """An API server, and one namespace of it."""

    address: str
    namespace: str
    access: Path
    context: ssl.SSLContext

    @classmethod
    def enter(cls, address: str = ADDRESS, access: Path = ACCESS_FOLDER) -> Cluster:
        """The cluster at `address` ("https://host:port"), as the files in the folder `access` let in.

        Raises:
            NoClusterError: files are missing or will not do, or it is no address.
        """
        parts = urlsplit(address)
        if parts.scheme != "https" or not parts.hostname:
            raise NoClusterError(f"{address!r} is no address of a cluster: write https://host:port, such as {ADDRESS}")
        try:
            namespace = (access / _NAMESPACE).read_text(encoding="utf-8").strip()
            (access / _TOKEN).read_text(encoding="utf-8")
            context = ssl.create_default_context(cafile=str(access / _AUTHORITY))
        except (OSError, ValueError) as error:
            raise NoClusterError(
                f"no pod of a cluster, or one that is not let in: {access} should have {_TOKEN}, {_AUTHORITY} and "
                f"{_NAMESPACE} ({error})"
            ) from None
        return cls(address, namespace, access, context)

    async def pod(self, name: str) -> dict[str, Any]:
        """A pod as it is now.

        Raises:
            ClusterError: there is none, or we may not see it.
        """
        return _object(await self._ask("GET", self._pods(name)))

    async def create_pod(self, pod: dict[str, Any]) -> None:
        """Make a pod.

        Raises:
            ClusterError: it is refused.
        """
        await self._ask("POST", self._pods(), body=pod)

    async def delete_pod(self, name: str, *, grace_s: int) -> None:
        """End a pod: SIGTERM, and SIGKILL after `grace_s` seconds; harmless if it is gone.

        Raises:
            ClusterError: it is refused.
        """
        try:
            await self._ask("DELETE", self._pods(name), query={"gracePeriodSeconds": str(grace_s)})
        except ClusterError as error:
            if error.status != 404:
                raise

    async def delete_pods(self, selector: str) -> None:
        """End all pods that a selector of labels means, at once.

        Raises:
            ClusterError: it is refused.
        """
        await self._ask("DELETE", self._pods(), query={"labelSelector": selector, "gracePeriodSeconds": "0"})

    async def log(self, name: str, container: str, *, lines: int) -> bytes:
        """The last lines that a container wrote; if they are very long, the beginning of them.

        Raises:
            ClusterError: there are none to be had.
        """
        query = {"container": container, "tailLines": str(lines), "limitBytes": str(ANSWER_BYTES)}
        return await self._ask("GET", self._pods(name, "log"), query=query)

    async def follow(self, name: str) -> AsyncGenerator[dict[str, Any] | None]:
        """Yield a pod as it is now, then after each change; None if it is gone. Ends when the server ends it.

        Raises:
            ClusterError: it cannot be followed, or no more.
        """
        try:
            pod = await self.pod(name)
        except ClusterError as error:
            if error.status != 404:
                raise
            yield None
            return
        yield pod
        query = {"watch": "true", "fieldSelector": f"metadata.name={name}", "timeoutSeconds": str(FOLLOW_S)}
        query["resourceVersion"] = str(pod["metadata"]["resourceVersion"])
        rest = b""
        async with self._answer("GET", self._pods(), query) as pieces:
            async for piece in pieces:
                *whole, rest = (rest + piece).split(b"\n")
                for line in filter(None, whole):
                    event = _object(line)
                    if event.get("type") == "ERROR":
                        raise ClusterError(f"the cluster ended the watch: {_message(event.get('object'))}")
                    yield None if event.get("type") == "DELETED" else event["object"]

    async def _ask(
        self, method: str, path: str, *, query: dict[str, str] | None = None, body: dict[str, Any] | None = None
    ) -> bytes:
        answer = b""
        try:
            async with asyncio.timeout(ANSWER_LIMIT_S), self._answer(method, path, query or {}, body) as pieces:
                async for piece in pieces:
                    answer += piece
                    if len(answer) > ANSWER_BYTES:
                        raise ClusterError(f"{method} {path}: the answer has more than {ANSWER_BYTES >> 20} MiB")
        except TimeoutError:
            raise ClusterError(f"{method} {path}: no answer from {self.address} in {ANSWER_LIMIT_S:g} s") from None
        return answer

    @asynccontextmanager
    async def _answer(
        self, method: str, path: str, query: dict[str, str], body: dict[str, Any] | None = None
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """Ask, and give the pieces of a good answer."""
        parts = urlsplit(self.address)
        assert parts.hostname is not None
        try:
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port or 443, ssl=self.context)
        except OSError as error:
            raise ClusterError(f"no cluster answers at {self.address}: {error.strerror or error}") from error
        try:
            speech = _Speech(reader, writer)
            target = f"{path}?{urlencode(query)}" if query else path
            token = (self.access / _TOKEN).read_text(encoding="utf-8").strip()  # it is renewed now and then
            status = await speech.ask(method, target, parts.netloc, token, body)
            if not 200 <= status < 300:
                told = b"".join([piece async for piece in speech.pieces()])
                raise ClusterError(f"{method} {path}: the cluster says {status}: {_message(told)}", status)
            yield speech.pieces()
        except (OSError, h11.RemoteProtocolError) as error:
            raise ClusterError(f"{method} {path}: the connection to {self.address} broke: {error}") from error
        finally:
            writer.transport.abort()

    def _pods(self, *names: str) -> str:
        return "/".join(["/api/v1/namespaces", quote(self.namespace, safe=""), "pods", *names])


class _Speech:
    """One request and its answer on a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._state = h11.Connection(h11.CLIENT)

    async def ask(self, method: str, target: str, host: str, token: str, body: dict[str, Any] | None) -> int:
        """Send the request; the status of the answer."""
        sent = b"" if body is None else json.dumps(body).encode()
        headers = [("Host", host), ("Authorization", f"Bearer {token}"), ("Accept", "*/*"), ("Connection", "close")]
        if body is not None:
            headers += [("Content-Type", "application/json"), ("Content-Length", str(len(sent)))]
        events = (h11.Request(method=method, target=target, headers=headers), h11.Data(sent), h11.EndOfMessage())
        self._writer.write(b"".join(self._state.send(event) or b"" for event in events if event != h11.Data(b"")))
        await self._writer.drain()
        while not isinstance(event := await self._next(), h11.Response):
            pass
        return event.status_code

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes."""
        while isinstance(event := await self._next(), h11.Data):
            yield bytes(event.data)

    async def _next(self) -> Any:
        while (event := self._state.next_event()) is h11.NEED_DATA:
            async with asyncio.timeout(FOLLOW_S + ANSWER_LIMIT_S):  # longer than any answer is silent
                self._state.receive_data(await self._reader.read(_CHUNK_BYTES))
        return event


def _object(text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        raise ClusterError("the cluster's answer is no JSON") from None
    if not isinstance(found, dict):
        raise ClusterError("the cluster's answer is no JSON object")
    return found


def _message(status: object) -> str:
    """What a Status object says, or the start of whatever else came."""
    if isinstance(status, bytes):
        try:
            return _message(json.loads(status))
        except ValueError:
            return status[:200].decode("utf-8", "replace")
    return str(status.get("message", "no reason")) if isinstance(status, dict) else str(status)[:200]
