"""Which backend starts which bot: submitted code goes into a sandbox, the organiser's own bots may run plainly.

In a cluster that is told to, each bot is a pod instead, whoever it is of.

Owns how each reaches the referee: directly, or by a relay where the way is encrypted, or leads out of a sandbox.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from league.model import SourceKind
from referee.addresses import ENCRYPTED, door_of
from workers.addresses import bots_address, socket_of
from workers.bots import BotProgram
from workers.client_tls import PUBLIC_ROOTS, ClientTls
from workers.launcher import BotProcess, Launcher, LaunchError, Limits, LocalLauncher, Usage
from workers.relay import Exit, RelayError, relaying
from workers.sandbox import Sandbox, SandboxError, SandboxLauncher, detect_sandbox
from workers.worker_settings import PodSettings


class MixedLauncher:
    """Starts submitted bots in sandboxes, and others plainly."""

    def __init__(self, plain: Launcher, sandboxed: Launcher) -> None:
        """`sandboxed` starts submitted bots, `plain` the others."""
        self._plain = plain
        self._sandboxed = sandboxed

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> BotProcess:
        """As in `Launcher`."""
        if bot.source.kind is not SourceKind.ARCHIVE:
            return await self._plain.start(bot, token, limits)
        return await self._sandboxed.start(bot, token, limits)


class RelayedLauncher:
    """Gives each process a relay of its own to the referee, which ends with it."""

    def __init__(self, address: str, tls: ClientTls, within: Callable[[Path], Launcher]) -> None:
        """Lead to a bots' `address`; `within` makes the launcher for a referee that listens at a socket."""
        self._address = address
        self._tls = tls
        self._within = within

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> BotProcess:
        """As in `Launcher`."""
        async with AsyncExitStack() as held:
            try:
                socket = await held.enter_async_context(relaying(Exit.to(self._address, self._tls)))
            except RelayError as error:
                raise LaunchError(f"bot {bot.name} has no way to the referee: {error}") from error
            process = await self._within(socket).start(bot, token, limits)
            return RelayedProcess(process, held.pop_all())


class RelayedProcess:
    """A bot's process and its relay."""

    def __init__(self, process: BotProcess, relay: AsyncExitStack) -> None:
        """Take both over."""
        self._process = process
        self._relay = relay

    async def wait(self) -> int:
        """As in `BotProcess`."""
        status = await self._process.wait()
        await self._relay.aclose()
        return status

    async def stop(self) -> int:
        """As in `BotProcess`."""
        try:
            return await self._process.stop()
        finally:
            await self._relay.aclose()

    def usage(self) -> Usage:
        """As in `BotProcess`."""
        return self._process.usage()

    def stderr(self) -> str:
        """As in `BotProcess`."""
        return self._process.stderr()


class Launchers:
    """The launchers of this machine, for all of its bots: one for each referee that they may have to dial."""

    def __init__(
        self, sandbox: Sandbox | None = None, *, hidden: Sequence[Path] = (), pods: PodSettings | None = None
    ) -> None:
        """Prepare.

        Args:
            sandbox: what there is for sandboxes; None: find out when a bot is started that needs one.
            hidden: folders that no sandbox may see, if it is to be found out.
            pods: start all bots as pods, and none on this machine.
        """
        self._sandboxes = _Sandboxes(sandbox, hidden)
        self._pods = pods
        self._job = secrets.token_hex(6)

    def at(self, referee: str, tls: ClientTls = PUBLIC_ROOTS) -> Launcher:
        """The launcher for bots that dial `referee`, its addresses with commas; `tls` says whom relays believe."""
        sandboxes, socket, address = self._sandboxes, socket_of(referee), bots_address(referee)
        if address is None:
            told = f"{referee} is for workers alone: add where bots dial to KING_REFEREE, such as tls://host:7700"
            return _NoWay(told)
        if self._pods is not None:
            return self._as_pods(address, self._pods)
        encrypted = door_of(address) in ENCRYPTED
        plain = RelayedLauncher(address, tls, _plain_at) if encrypted else LocalLauncher(address)
        if socket is not None:
            return MixedLauncher(plain, _Sandboxed(sandboxes, socket))
        return MixedLauncher(plain, RelayedLauncher(address, tls, lambda path: _Sandboxed(sandboxes, path)))

    def _as_pods(self, address: str, pods: PodSettings) -> Launcher:
        from workers.pod_launcher import ClusterError, TemplateError, pod_launcher  # here, for few are in a cluster

        try:
            return pod_launcher(
                address, template=pods.template, cluster=pods.cluster, access=pods.access, job=self._job
            )
        except (ClusterError, TemplateError) as error:
            return _NoWay(str(error))


def launcher_for(
    referee: str,
    sandbox: Sandbox | None = None,
    *,
    tls: ClientTls = PUBLIC_ROOTS,
    hidden: Sequence[Path] = (),
    pods: PodSettings | None = None,
) -> Launcher:
    """The launcher for one referee alone; arguments as of `Launchers`."""
    return Launchers(sandbox, hidden=hidden, pods=pods).at(referee, tls)


class _NoWay:
    """Starts no bot, since none would reach the referee."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> BotProcess:
        raise LaunchError(f"bot {bot.name} has no way to the referee: {self._reason}")


class _Sandboxes:
    """What there is for sandboxes here, found out when the first bot needs one."""

    def __init__(self, found: Sandbox | None, hidden: Sequence[Path]) -> None:
        self._found = found
        self._hidden = hidden

    async def get(self, bot: BotProgram) -> Sandbox:
        if self._found is None:
            try:
                self._found = await asyncio.to_thread(detect_sandbox, self._hidden)
            except SandboxError as error:
                raise _no_sandbox(bot, error) from error
        return self._found


class _Sandboxed:
    """Starts bots in sandboxes whose one way out is a socket."""

    def __init__(self, sandboxes: _Sandboxes, socket: Path) -> None:
        self._sandboxes = sandboxes
        self._socket = socket

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> BotProcess:
        return await SandboxLauncher(await self._sandboxes.get(bot), self._socket).start(bot, token, limits)


def _plain_at(socket: Path) -> Launcher:
    return LocalLauncher(f"unix:{socket}")


def _no_sandbox(bot: BotProgram, reason: object) -> LaunchError:
    return LaunchError(f"bot {bot.name} was submitted, and runs in a sandbox only: {reason}")
