"""A referee that follows a script: a real gRPC server that says what a test wants, stream after stream."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc
from king.v1 import arena_pb2 as pb
from king.v1 import arena_pb2_grpc

from referee.certificates import Pair
from workers.bots import SEARCH_PATH

DEADLINE_S = 120


class Talk:
    """One stream, seen from the referee."""

    def __init__(self, frames: Iterator[pb.PlayRequest], context: grpc.ServicerContext) -> None:
        self.context = context
        self._frames = frames

    def hear(self) -> list[pb.BotMessage]:
        """The next frame of the bot."""
        return list(next(self._frames).messages)


Script = Callable[[Talk], Iterator[pb.PlayResponse]]


class ScriptedReferee(arena_pb2_grpc.ArenaServiceServicer):
    """Plays one generator function for each stream, in order: it yields frames and reads from its `Talk`."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = list(scripts)

    def Play(  # noqa: N802  # the protocol's name
        self, request_iterator: Iterator[pb.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.PlayResponse]:
        """Follows the next script."""
        script = self._scripts.pop(0)
        yield from script(Talk(request_iterator, context))


@contextmanager
def serving(referee: ScriptedReferee, folder: Path, *, pair: Pair | None = None) -> Iterator[str]:
    """Serves a script; gives its address. With a certificate it is one of the loopback, for TLS."""
    server = grpc.server(ThreadPoolExecutor(4))
    arena_pb2_grpc.add_ArenaServiceServicer_to_server(referee, server)
    if pair is None:
        address = f"unix:{folder}/script.sock"
        server.add_insecure_port(address)
    else:
        port = server.add_secure_port("localhost:0", grpc.ssl_server_credentials([pair.read()]))
        address = f"tls://localhost:{port}"
    server.start()
    try:
        yield address
    finally:
        server.stop(None).wait()


def run_bot(bot: Path, address: str, *, token: str = "token") -> subprocess.CompletedProcess[str]:
    """Runs a bot's process to its end."""
    environment = {**os.environ, "KING_REFEREE": address, "KING_TOKEN": token}
    command = [sys.executable, bot.name]
    return subprocess.run(
        command, cwd=bot.parent, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def run_program(
    command: Sequence[str], folder: Path, address: str, *, token: str = "token", roots: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a bot's command to its end, with no more of an environment than a launched bot has.

    Raises:
        subprocess.TimeoutExpired: it goes on for too long; it is killed.
    """
    with TemporaryDirectory(prefix="king-") as scratch:
        environment = {"KING_REFEREE": address, "KING_TOKEN": token, "PATH": SEARCH_PATH}
        environment |= {"HOME": scratch, "TMPDIR": scratch}
        environment |= {"KING_TLS_ROOTS": str(roots)} if roots else {}
        return subprocess.run(
            list(command),
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )
