"""Where the referee listens, and how it starts and stops as a process."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from referee.server import AddressError, RefereeServer
from tests.protocol.clients import TaskWorker
from tests.protocol.plans import sitting_plan

COMMAND = (sys.executable, "-m", "referee.server", "--address")


@pytest.mark.slow
def test_serves_on_a_unix_socket(tmp_path: Path) -> None:
    """Bots and workers reach the referee through a socket in the file system."""

    async def scenario() -> int:
        server = RefereeServer(f"unix:{tmp_path}/r.sock")
        await server.start()
        try:
            return len((await TaskWorker(server.address, {}).play(sitting_plan())).records)
        finally:
            await server.stop()

    assert asyncio.run(scenario()) == 1


@pytest.mark.slow
def test_serves_at_several_addresses(tmp_path: Path) -> None:
    """A socket besides the port leads to the same referee, and every user may dial it, as the port."""

    async def scenario() -> int:
        path = tmp_path / "r.sock"
        server = RefereeServer("127.0.0.1:0", more_addresses=(f"unix:{path}",))
        await server.start()
        try:
            assert path.stat().st_mode & 0o777 == 0o666
            return len((await TaskWorker(f"unix:{path}", {}).play(sitting_plan())).records)
        finally:
            await server.stop()

    assert asyncio.run(scenario()) == 1


def test_health_and_reflection_answer() -> None:
    """The server says that it is well, and names its services."""

    async def scenario() -> tuple[int, set[str]]:
        server = RefereeServer("127.0.0.1:0")
        await server.start()
        async with grpc.aio.insecure_channel(server.address) as channel:
            health = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
            asked = reflection_pb2.ServerReflectionRequest(list_services="")
            names: set[str] = set()
            async for answer in reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(iter([asked])):
                names |= {service.name for service in answer.list_services_response.service}
        await server.stop()
        return health.status, names

    status, names = asyncio.run(scenario())
    assert status == health_pb2.HealthCheckResponse.SERVING
    assert {"king.v1.ArenaService", "king.control.v1.ControlService", "grpc.health.v1.Health"} <= names


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", ":7700"])
def test_nonsense_is_no_address(address: str) -> None:
    """An address that cannot be read is refused with an example of a right one."""
    with pytest.raises(AddressError, match=r'write "host:port", such as 127\.0\.0\.1:7700'):
        asyncio.run(RefereeServer(address).start())


def test_socket_too_long_for_the_kernel_is_refused(tmp_path: Path) -> None:
    """A socket's path that the system cannot take is refused with the length that it can."""
    with pytest.raises(AddressError, match="the system allows 107; choose a shorter one"):
        asyncio.run(RefereeServer(f"unix:{tmp_path}/{'r' * 108}").start())


@pytest.mark.slow
def test_port_in_use_is_one_clear_line() -> None:
    """A second referee on a port in use ends with status 2 and one line, without a traceback."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        ended = subprocess.run((*COMMAND, address), capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr == (
        f"cannot listen on {address}: address already in use; choose another address, or end what uses it\n"
    )


def test_socket_in_use_is_not_taken_away(tmp_path: Path) -> None:
    """A second referee on a socket in use is refused, and one on a dead socket is not."""

    async def scenario() -> None:
        address = f"unix:{tmp_path}/r.sock"
        first = RefereeServer(address)
        await first.start()
        with pytest.raises(AddressError, match="address already in use"):
            await RefereeServer(address).start()
        await first.stop()
        with pytest.raises(AddressError, match="there is no folder"):
            await RefereeServer(f"unix:{tmp_path}/missing/r.sock").start()

    asyncio.run(scenario())
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "dead.sock"))

    async def over_a_dead_one() -> None:
        server = RefereeServer(f"unix:{tmp_path}/dead.sock")
        await server.start()
        await server.stop()

    asyncio.run(over_a_dead_one())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.slow
def test_process_says_where_it_listens_and_ends_on_a_signal(number: signal.Signals) -> None:
    """The process takes a free port, says which, and ends with status 0 when it is told to."""
    environment = {**os.environ, "KING_CONTROL_KEY": "secret-key"}
    with subprocess.Popen(
        (*COMMAND, "127.0.0.1:0"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as referee:
        assert referee.stdout is not None
        assert referee.stderr is not None
        line = referee.stdout.readline()
        assert line.startswith("referee ready on 127.0.0.1:")
        with socket.create_connection(("127.0.0.1", int(line.rpartition(":")[2])), timeout=30):
            pass
        referee.send_signal(number)
        assert referee.wait(30) == 0
        logged = referee.stderr.read()
    assert "referee ready" in logged
    assert "secret-key" not in logged
    assert "Traceback" not in logged
