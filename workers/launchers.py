"""Which backend starts which bot: submitted code goes into a sandbox, the organiser's own bots may run plainly."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from league.model import SourceKind
from workers.addresses import first_address, socket_of
from workers.bots import BotProgram
from workers.launcher import BotProcess, Launcher, LaunchError, Limits, LocalLauncher
from workers.sandbox import Sandbox, SandboxError, SandboxLauncher, detect_sandbox


class MixedLauncher:
    """Starts submitted bots in sandboxes, and others plainly."""

    def __init__(self, plain: Launcher, sandboxed: Launcher | str) -> None:
        """`sandboxed` starts submitted bots; or it says why they cannot be started here."""
        self._plain = plain
        self._sandboxed = sandboxed

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> BotProcess:
        """As in `Launcher`."""
        if bot.source.kind is not SourceKind.ARCHIVE:
            return await self._plain.start(bot, token, limits)
        if isinstance(self._sandboxed, str):
            raise LaunchError(f"bot {bot.name} was submitted, and runs in a sandbox only: {self._sandboxed}")
        return await self._sandboxed.start(bot, token, limits)


def launcher_for(referee: str, sandbox: Sandbox | None = None, *, hidden: Sequence[Path] = ()) -> Launcher:
    """The launcher for all bots of this machine.

    Args:
        referee: its addresses, separated by commas.
        sandbox: what there is for sandboxes; None: find out when a bot is started that needs one.
        hidden: folders that no sandbox may see, if it is to be found out.
    """
    plain = LocalLauncher(first_address(referee))
    socket = socket_of(referee)
    if socket is None:
        return MixedLauncher(
            plain,
            f"it reaches the referee through a socket alone, and {referee} is none; add one on this machine to "
            "KING_REFEREE, such as 127.0.0.1:7700,unix:/run/king/referee.sock",
        )
    return MixedLauncher(plain, SandboxLauncher(sandbox, socket) if sandbox else _LateLauncher(socket, hidden))


class _LateLauncher:
    """Starts bots in sandboxes, having found out at the first one whether that can be done."""

    def __init__(self, socket: Path, hidden: Sequence[Path]) -> None:
        self._socket = socket
        self._hidden = hidden
        self._found: SandboxLauncher | None = None

    async def start(self, bot: BotProgram, token: str, limits: Limits) -> BotProcess:
        if self._found is None:
            try:
                found = await asyncio.to_thread(detect_sandbox, self._hidden)
            except SandboxError as error:
                reason = f"bot {bot.name} was submitted, and runs in a sandbox only: {error}"
                raise LaunchError(reason) from error
            self._found = SandboxLauncher(found, self._socket)
        return await self._found.start(bot, token, limits)
