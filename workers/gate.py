"""What a submission passes through on this machine: workshop, sandbox, check and stage.

Owns the putting together, and that nobody passes without a sandbox. What is asked of a bot is in `submitting`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from league.unrated import TIME_CONTROL
from workers.bots import BotProgram
from workers.checking.processes import Launching
from workers.sandbox import SandboxLauncher, detect_sandbox
from workers.sitting import Venue
from workers.submitted import SubmittedBots


class Workshop(Protocol):
    """Makes programs of archives; `workers.submitted.SubmittedBots` is one."""

    async def manifest(self, sha256: str) -> BotProgram:
        """The bot of an archive as its manifest says, not built.

        Raises:
            ArchiveError: the archive is refused.
            BotError: the manifest is wrong.
        """

    async def program(self, sha256: str, report: Callable[[str], None]) -> BotProgram:
        """The bot of an archive, built.

        Raises:
            ArchiveError: the archive is refused.
            BotError: the manifest is wrong, or the bot cannot be built (`BuildError`).
            SandboxError: there is no sandbox here; the bot is not to blame.
        """

    def build_log(self, sha256: str) -> str:
        """What the last build wrote."""


@dataclass(frozen=True, kw_only=True)
class Gate:
    """What submissions pass through.

    Attributes:
        workshop: builds them.
        launching: gives the launcher of a check, which starts submitted bots in the sandbox.
        sealed: whether it does, so that the check need not look for files written elsewhere.
        stage: where the qualifying board is played.
        time_control: the bot's clock.
    """

    workshop: Workshop
    launching: Launching
    sealed: bool
    stage: Venue
    time_control: str = TIME_CONTROL


def gate_here(data_dir: Path, folder: Path, read: Callable[[str], bytes], stage: Venue) -> Gate:
    """The gate of this machine. It keeps bots in `folder`; nothing of `data_dir` can be seen in a sandbox.

    `read` gives the archive with a hash.

    Raises:
        SandboxError: there is no sandbox here; the text says what would be right.
    """
    sandbox = detect_sandbox((data_dir,))
    return Gate(
        workshop=SubmittedBots(folder, sandbox, read),
        launching=lambda address: SandboxLauncher(sandbox, Path(address.removeprefix("unix:"))),
        sealed=True,
        stage=stage,
    )
