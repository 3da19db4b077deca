"""From the words of a command to its exit status: starts it first, then loads what speaks to the referee."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from king_cli.bridge.command import Command

WRONG_USE = 2
INTERRUPTED = 130
REMOTE_TOKEN = "king-remote-"
"""How tokens of remote bots begin; no other bot has more than one referee."""


def run(words: Sequence[str]) -> int:
    """Run a command as a bot of the referee that `KING_REFEREE` names, with `KING_TOKEN`. Returns the exit status.

    A remote bot may have several referees, with commas between them or by one name: the command runs once for each.

    It is 0 when the referee is done and the command has ended well, 2 where the command or the referee's address is
    missing, 130 after Ctrl-C, otherwise the command's own if it ended too early, and else 1.
    """
    address, token = os.environ.get("KING_REFEREE", ""), os.environ.get("KING_TOKEN", "")
    if not words:
        return _refuse("no command is given: write it after --, as in king bridge -- awk -f bot.awk")
    if not address:
        return _refuse("KING_REFEREE is not set: it has the referee's address, such as 127.0.0.1:7700 or unix:/path")
    try:
        roots = _read_roots(os.environ.get("KING_TLS_ROOTS", ""))
    except OSError as error:
        return _refuse(f"KING_TLS_ROOTS: {error.filename} cannot be read: {error.strerror}")
    try:
        if token.startswith(REMOTE_TOKEN):
            return _play_everywhere(words, address, token, roots)
        return _play_at(Command(words), address, token, roots)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        return _refuse(f"cannot run {words[0]!r}: {reason}; programs are looked for on the PATH, those here are ./NAME")


def _play_at(command: Command, address: str, token: str, roots: bytes | None) -> int:
    try:
        # Only now: the command gets warm while gRPC, which takes longest, is loaded.
        from king_cli.bridge.session import Session

        return Session(command, address=address, token=token, roots=roots).play()
    except KeyboardInterrupt:
        command.stop()
        return INTERRUPTED


def _play_everywhere(words: Sequence[str], address: str, token: str, roots: bytes | None) -> int:
    from king_cli.bridge.several import has_several, play_at_all

    referees = [part.strip() for part in address.split(",")]
    if not has_several(referees):
        return _play_at(Command(words), address, token, roots)
    try:
        return play_at_all(words, referees, token=token, roots=roots)
    except KeyboardInterrupt:
        return INTERRUPTED


def _read_roots(path: str) -> bytes | None:
    """The authorities to believe where the referee is encrypted; None: the public ones."""
    return Path(path).read_bytes() if path else None


def _refuse(sentence: str) -> int:
    print(f"king bridge: {sentence}", file=sys.stderr, flush=True)  # noqa: T201
    return WRONG_USE
