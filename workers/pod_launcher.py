"""Starts each process of a bot as a pod of its own, where the cluster's walls stand for those of a sandbox.

Owns a pod from its making to its deletion. What is in it: `bot_pods`; how the cluster is spoken to: `cluster`. Nobody
is blamed for what the cluster does. How long a pod waited for a CPU is not known here, and is said to be nothing:
docs/kubernetes.md tells what to give pods so that it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import secrets
import signal
import socket
from contextlib import aclosing
from pathlib import Path
from typing import Final

from referee.addresses import Door, door_of, host_and_port
from workers.bot_pods import (
    CONTAINER,
    JOB_LABEL,
    WORKER_LABEL,
    Owner,
    Pod,
    TemplateError,
    end_of,
    is_over,
    is_running,
    pod_of,
    read_template,
    waits_for,
    was_not_started,
    was_taken,
)
from workers.bots import BotProgram
from workers.cluster import Cluster, ClusterError
from workers.launcher import LaunchError, Limits, Usage

__all__ = ["ClusterError", "PodLauncher", "PodLostError", "PodProcess", "TemplateError", "pod_launcher"]

START_LIMIT_S: Final = 120.0
"""How long a pod may take until its bot runs: for a node to be found, and an image to be fetched."""
GONE_LIMIT_S: Final = 60.0
AGAIN_S: Final = 0.5
"""The pause before a pod is followed again."""
LOG_LINES: Final = 2000

_LOG = logging.getLogger(__name__)


class PodLauncher:
    """Starts bots as pods of the cluster that this worker is in."""

    def __init__(
        self, address: str, cluster: Cluster, template: Pod, *, start_limit_s: float = START_LIMIT_S, job: str = ""
    ) -> None:
        """Bots dial the referee at `address`, "host:port". Pods are made after `template` (see `bot_pods`).

        `job`: which job of this worker it is; launchers of the same one leave each other's pods alone.
        """
        self._address = address
        self._cluster = cluster
        self._template = template
        self._start_limit_s = start_limit_s
        self._job = job or secrets.token_hex(6)
        self._turn = asyncio.Lock()
        self._owner: Owner | None = None

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> PodProcess:
        """As in `Launcher`."""
        name = f"king-bot-{secrets.token_hex(8)}"
        try:
            referee = await self._referee()
            owner = await self._own_pod()
            pod = pod_of(self._template, bot, name=name, referee=referee, token=token, limits=limits, owner=owner)
            await self._cluster.create_pod(pod)
        except (ClusterError, TemplateError, OSError, ValueError) as error:
            raise _cannot_start(bot, error) from error
        process = PodProcess(self._cluster, name, limits)
        try:
            await process.await_start(self._start_limit_s)
        except BaseException as error:
            with contextlib.suppress(PodLostError):
                await process.stop()
            if isinstance(error, PodLostError):
                raise _cannot_start(bot, error) from error
            raise
        return process

    async def _referee(self) -> str:
        """The referee's address by number: bots' pods can ask nobody for names."""
        if door_of(self._address) is not Door.PLAIN:
            raise ValueError(f"pods dial the referee at host:port in the cluster's network, not at {self._address}")
        host, port = host_and_port(self._address)
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, *_, where = found[0]
        return f"[{where[0]}]:{port}" if family is socket.AF_INET6 else f"{where[0]}:{port}"

    async def _own_pod(self) -> Owner:
        """This worker's pod. When first asked for, pods that an earlier job of this worker left behind are ended."""
        async with self._turn:
            if self._owner is None:
                name = socket.gethostname()
                mine = await self._cluster.pod(name)
                await self._cluster.delete_pods(f"{WORKER_LABEL}={name},{JOB_LABEL}!={self._job}")
                uid, image = mine["metadata"]["uid"], mine["spec"]["containers"][0]["image"]
                self._owner = Owner(pod=name, uid=uid, image=image, job=self._job)
            return self._owner


class PodLostError(Exception):
    """A pod does not run, or no more, by no doing of its bot or ours: the text says why."""


class PodProcess:
    """A bot that runs in a pod."""

    def __init__(self, cluster: Cluster, name: str, limits: Limits) -> None:
        """Follow the pod from now on; `await_start` tells when its bot runs."""
        self.name = name
        self._cluster = cluster
        self._limits = limits
        self._seen: Pod = {}
        self._begun = asyncio.Event()
        self._told = False
        self._written = b""
        self._more = ""
        self._following = asyncio.create_task(self._follow())

    async def await_start(self, limit_s: float) -> None:
        """Wait until the bot runs, or has run.

        Raises:
            PodLostError: it does not run within `limit_s` seconds, or cannot.
        """
        begun = asyncio.create_task(self._begun.wait())
        await asyncio.wait({begun, self._following}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        begun.cancel()
        if self._following.done():
            self._following.result()
        if reason := was_not_started(self._seen):
            raise PodLostError(reason)
        if not self._following.done() and not self._begun.is_set():
            raise PodLostError(f"pod {self.name} does not run after {limit_s:g} s: {waits_for(self._seen)}")

    async def wait(self) -> int:
        """As in `BotProcess`.

        Raises:
            PodLostError: the cluster ended it.
        """
        return await asyncio.shield(self._following)

    async def stop(self) -> int:
        """As in `BotProcess`. What it writes after it was told to end is not kept.

        Raises:
            PodLostError: the cluster had ended it.
        """
        if not self._following.done():
            self._told = True
            self._written = await self._read_log()
            await self._delete(math.ceil(self._limits.stop_grace.total_seconds()))
            await asyncio.wait({self._following}, timeout=GONE_LIMIT_S)
        await self._delete(0)
        if not self._following.done():
            self._following.cancel()
            await asyncio.wait({self._following})
            return -signal.SIGKILL
        return self._following.result()

    def usage(self) -> Usage:
        """As in `BotProcess`; nobody here can tell how long it waited for a CPU."""
        return Usage(cpu_wait_us=0)

    def stderr(self) -> str:
        """As in `BotProcess`."""
        written = self._written[-self._limits.stderr_bytes :].decode("utf-8", "replace")
        return f"{written.rstrip()}\n{self._more}\n" if self._more else written

    async def _follow(self) -> int:
        """Follow the pod until nothing of it runs; how it ended."""
        while True:
            try:
                async with aclosing(self._cluster.follow(self.name)) as changes:
                    async for pod in changes:
                        self._seen = pod or self._seen
                        if pod is None or is_over(pod):
                            return await self._ended(pod)
                        if is_running(pod):
                            self._begun.set()
            except ClusterError as error:
                _LOG.info("pod %s of a bot is followed again: %s", self.name, error)
            await asyncio.sleep(AGAIN_S)

    async def _ended(self, pod: Pod | None) -> int:
        end = None if pod is None else end_of(pod)
        if self._told:
            return -signal.SIGTERM if end is None else end.status
        if end is None:
            reason = "it is gone" if pod is None else was_taken(pod) or "it failed"
            raise PodLostError(f"the cluster ended pod {self.name} of a bot: {reason}")
        self._written, self._more = await self._read_log(), end.told
        return end.status

    async def _read_log(self) -> bytes:
        try:
            return await self._cluster.log(self.name, CONTAINER, lines=LOG_LINES)
        except ClusterError as error:
            _LOG.info("what a bot wrote is not to be had: %s", error)
            return b""

    async def _delete(self, grace_s: int) -> None:
        try:
            await self._cluster.delete_pod(self.name, grace_s=grace_s)
        except ClusterError as error:  # it goes with its worker's pod at the latest
            _LOG.warning("pod %s of a bot could not be deleted: %s", self.name, error)


def pod_launcher(address: str, *, template: Path, cluster: str, access: Path, job: str = "") -> PodLauncher:
    """The launcher of this worker, from its settings, for one `job` of it.

    Raises:
        ClusterError, TemplateError: this is no pod of a cluster, or the template will not do.
    """
    return PodLauncher(address, Cluster.enter(cluster, access), read_template(template), job=job)


def _cannot_start(bot: BotProgram, reason: object) -> LaunchError:
    return LaunchError(f"could not start bot {bot.name} as a pod: {reason}")
