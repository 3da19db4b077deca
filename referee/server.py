"""The referee as a server: where it listens, how it starts and stops.

Owns the gRPC server with its options, health checking and reflection, and the process around it.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import grpc.aio
import structlog
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from referee.addresses import (
    ENCRYPTED,
    FORMS,
    Door,
    door_of,
    host_and_port,
    is_readable_on_the_way,
    plain_warning,
    target_of,
)
from referee.certificates import CertificateError, Pair
from referee.doors import ServerTls, credentials
from referee.health import HealthServicer
from referee.loops import run_loop
from referee.runs import Referee
from referee.service import add_services
from referee.table import Deputize
from referee.watching import StreamWatch

SITTING_LIMIT: Final = 64
SOCKET_PATH_BYTES: Final = 107
STOP_GRACE_S: Final = 1.0
DRAIN_S: Final = 60.0
"""How long a referee that is told to end goes on with the tables that are open."""
TRANSPORT_FRAME_LIMIT_BYTES: Final = 24 << 20
"""Longer frames break the stream unread; up to here they are held in memory, seen and judged as a flood."""
_OPTIONS: Final = (
    ("grpc.so_reuseport", 0),  # a second referee on a port in use fails instead of sharing it
    ("grpc.max_receive_message_length", TRANSPORT_FRAME_LIMIT_BYTES),
    ("grpc.max_send_message_length", -1),
    # Remote bots wait on silent streams: what is gone without a word, on either side, is to be noticed.
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 30_000),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 20_000),
    ("grpc.http2.max_ping_strikes", 0),
    ("grpc.server_handshake_timeout_ms", 10_000),  # who dials and says nothing holds a connection no longer
)


class AddressError(OSError):
    """An address that the referee cannot listen on: the text says why, and what would be right."""


class RefereeServer:
    """Serves bots and workers at an address (see `referee.addresses`; port 0 takes a free one), or at several."""

    def __init__(
        self,
        address: str,
        *,
        control_key: str = "",
        sitting_limit: int = SITTING_LIMIT,
        watch: StreamWatch | None = None,
        deputize: Deputize = lambda table: None,
        holds_tables: bool = True,
        more_addresses: Sequence[str] = (),
        tls: ServerTls | None = None,
    ) -> None:
        """Prepare; workers must know `control_key`, and an empty one lets everybody run sittings.

        Addresses that are encrypted need `tls`.
        For `king check`, `watch` sees what passes on bots' streams, `deputize` gives tables their deputies, and with
        `holds_tables` false all tables begin at once, however late the referee is.
        """
        self.address = address
        """Where it listens; after `start` with the port that it took."""
        self.more_addresses = tuple(more_addresses)
        """Where else it listens, in the same way."""
        self._tls = tls
        self._control_key = control_key
        self._sitting_limit = sitting_limit
        self._watch = watch
        self._deputize = deputize
        self._holds_tables = holds_tables
        self._log = structlog.get_logger("referee")

    async def start(self) -> None:
        """Begin to serve.

        Raises:
            AddressError: if the address makes no sense or is in use, or has no certificate to show.
        """
        for address in (self.address, *self.more_addresses):
            _check_free(address)
        self._referee = Referee(
            sitting_limit=self._sitting_limit,
            deputize=self._deputize,
            holds_tables=self._holds_tables,
            soon=asyncio.get_running_loop().call_soon,
        )
        self._server = grpc.aio.server(options=_OPTIONS)
        self._add_services()
        self.address = _bind(self._server, self.address, self._tls)
        self.more_addresses = tuple(_bind(self._server, address, self._tls) for address in self.more_addresses)
        await self._server.start()
        _open_sockets((self.address, *self.more_addresses))
        self._beat = asyncio.create_task(self._referee.keep_time())
        if not self._control_key:
            self._log.warning("no control key: whoever can dial the referee can have it play sittings")
        for address in filter(is_readable_on_the_way, (self.address, *self.more_addresses)):
            self._log.warning(plain_warning(address))
        self._log.info("referee ready", addresses=[self.address, *self.more_addresses])

    async def drain(self) -> None:
        """Say that it is going away, begin nothing more, and wait until what is being played is over."""
        await self._health.enter_graceful_shutdown()
        self._referee.drain()
        await self._referee.drained()

    @property
    def referee(self) -> Referee:
        """What it serves, once it has started."""
        return self._referee

    async def stop(self, grace_s: float = STOP_GRACE_S) -> None:
        """Give up the sittings, tell everybody, and end within `grace_s` seconds."""
        self._referee.go_away()
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace_s)
        self._beat.cancel()
        await asyncio.wait({self._beat})

    async def wait_closed(self) -> None:
        """Wait until the server has stopped, or its beat has failed."""
        ended = asyncio.create_task(self._server.wait_for_termination())
        done, _ = await asyncio.wait({ended, self._beat}, return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        for task in done:
            if not task.cancelled():
                task.result()

    def _add_services(self) -> None:
        names = add_services(self._server, self._referee, control_key=self._control_key, watch=self._watch)
        self._health = HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection((*names, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server)


def _check_free(address: str) -> None:
    if address.startswith("unix:"):
        _check_unix_free(address)
        return
    try:
        host, port = host_and_port(address)
    except ValueError:
        raise AddressError(f"{address!r} is no address; write {FORMS}") from None
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(where)
    except OSError as error:
        raise _cannot_listen(address, error) from error


def _check_unix_free(address: str) -> None:
    # gRPC unlinks whatever socket is at the path, so a living server there would be robbed of it.
    path = Path(address.removeprefix("unix:"))
    length = len(os.fsencode(path))
    if length > SOCKET_PATH_BYTES:
        raise AddressError(
            f"cannot listen on {address}: the socket's path has {length} bytes, the system allows {SOCKET_PATH_BYTES}; "
            "choose a shorter one"
        )
    if not path.parent.is_dir():
        raise AddressError(f"cannot listen on {address}: there is no folder {path.parent}")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
        if trial.connect_ex(str(path)) == 0:
            raise _cannot_listen(address, OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE)))


def _cannot_listen(address: str, error: OSError) -> AddressError:
    reason = error.strerror or str(error)
    return AddressError(f"cannot listen on {address}: {reason.lower()}; choose another address, or end what uses it")


def _bind(server: grpc.aio.Server, address: str, tls: ServerTls | None) -> str:
    door, target = door_of(address), target_of(address)
    try:
        if door not in ENCRYPTED:
            port = server.add_insecure_port(target)
        elif tls is None:
            raise AddressError(f"cannot listen on {address}: it has no certificate; set KING_TLS_CERT and KING_TLS_KEY")
        else:
            port = server.add_secure_port(target, credentials(tls, door))
    except CertificateError as error:
        raise AddressError(f"cannot listen on {address}: {error}") from error
    except RuntimeError as error:
        raise AddressError(f"cannot listen on {address}: gRPC says {error}") from error
    return address if door is Door.SOCKET else f"{address.rpartition(':')[0]}:{port}"


def _open_sockets(addresses: Sequence[str]) -> None:
    """Let every user dial, as over the network: bots in sandboxes have users of their own. Tokens say who may play."""
    for address in addresses:
        if address.startswith("unix:"):
            Path(address.removeprefix("unix:")).chmod(0o666)


async def run(
    address: str,
    *,
    control_key: str = "",
    sitting_limit: int = SITTING_LIMIT,
    tls: ServerTls | None = None,
    drain_s: float = DRAIN_S,
    ready: Callable[[RefereeServer], object] | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; call `ready` once it does, or say so, with the address, on standard output.

    Then tables that are open are played to their end, for at most `drain_s` seconds, or until a second signal.
    Several addresses are separated by commas; the first is the one that is said.

    Raises:
        AddressError: if the address makes no sense or is in use.
    """
    _raise_file_limit()
    signals: asyncio.Queue[int] = asyncio.Queue()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, signals.put_nowait, number)
    first, *more = (part.strip() for part in address.split(","))
    server = RefereeServer(first, control_key=control_key, sitting_limit=sitting_limit, more_addresses=more, tls=tls)
    await server.start()
    (ready or say_ready)(server)
    closed = asyncio.create_task(server.wait_closed())
    await _first_of(closed, asyncio.create_task(signals.get()))
    if not closed.done():
        draining, again = asyncio.create_task(server.drain()), asyncio.create_task(signals.get())
        await _first_of(closed, draining, again, within_s=drain_s)
    await server.stop()
    await closed


def say_ready(server: RefereeServer) -> None:
    """Say on standard output where it serves, for who waits for that."""
    sys.stdout.write(f"referee ready on {server.address}\n")
    sys.stdout.flush()


async def _first_of(kept: asyncio.Task[None], *others: asyncio.Task[Any], within_s: float | None = None) -> None:
    """Wait for the first of them that ends, or for so long; all but `kept` are then cancelled."""
    await asyncio.wait({kept, *others}, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
    for task in others:
        task.cancel()
    await asyncio.wait(others)
    for task in others:
        if not task.cancelled():
            task.result()


def _raise_file_limit() -> None:
    """Take as many open files as the system lets us: each bot that is connected needs one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main() -> int:
    """Run from the shell: `python -m referee.server --address ADDRESS`; the control key is KING_CONTROL_KEY's."""
    parser = argparse.ArgumentParser(description="The King Arena referee.")
    parser.add_argument("--address", default="127.0.0.1:7700", help=f"{FORMS}; several with commas")
    for name, what in (
        ("certificate", "its certificate, for tls:// and mtls://"),
        ("key", "the key of its certificate"),
        ("client-ca", "whose certificates workers show at mtls://"),
    ):
        parser.add_argument(f"--{name}", type=Path, help=f"a PEM file: {what}")
    arguments = parser.parse_args()
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    tls = None
    if arguments.certificate and arguments.key:
        pair = Pair(certificate=arguments.certificate, key=arguments.key)
        tls = ServerTls(pair=pair, client_ca=arguments.client_ca)
    try:
        run_loop(run(arguments.address, control_key=os.environ.get("KING_CONTROL_KEY", ""), tls=tls))
    except AddressError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
