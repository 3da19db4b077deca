"""The encrypted doors of a referee: bots at one, workers at the other, and who is let in at neither."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from referee.addresses import Door, door_of, is_readable_on_the_way, target_of
from referee.doors import ServerTls
from referee.plans import StartProcess
from referee.server import AddressError, RefereeServer
from tests.protocol.arena import run
from tests.protocol.certificates import ArenaFiles, Authority
from tests.protocol.clients import TaskWorker, dial
from tests.protocol.plans import sitting_plan
from workers.client_tls import ClientTls
from workers.dialling import obstacle, open_channel
from workers.referee_client import CertificateRefusedError, PlanRefusedError, run_sitting, tell_remote_bots

pytestmark = pytest.mark.slow


@pytest.fixture
def files(tmp_path: Path) -> ArenaFiles:
    return ArenaFiles(tmp_path)


@asynccontextmanager
async def encrypted_referee(tls: ServerTls) -> AsyncIterator[tuple[str, str]]:
    """A referee with a door for bots and one for workers: their addresses."""
    server = RefereeServer(
        "tls://127.0.0.1:0", more_addresses=("mtls://127.0.0.1:0",), control_key="key", tls=tls, sitting_limit=4
    )
    await server.start()
    try:
        yield server.address, server.more_addresses[0]
    finally:
        await server.stop(0.2)


async def serves(address: str, tls: ClientTls) -> bool:
    async with open_channel(address, tls) as channel:
        answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=20)
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def test_a_sitting_over_tls(files: ArenaFiles) -> None:
    """Bots that believe the arena's authority play at tls://, under the orders of a worker at mtls://."""
    believing = ClientTls(roots=files.authority.path)

    async def bot(address: str, start: StartProcess) -> int:
        async with dial(address, start.token, believing) as client:
            await client.start()
            await client.play_on()
        return 0

    async def scenario() -> None:
        async with encrypted_referee(files.server) as (bots, workers):
            worker = TaskWorker(bots, dict.fromkeys(range(4), bot), control_address=workers, tls=files.client)
            outcome = await worker.play(sitting_plan(), control_key="key")
            assert (len(outcome.records), outcome.faults, outcome.void_reason) == (1, [], "")
            assert await asyncio.to_thread(tell_remote_bots, workers, {}, control_key="key", tls=files.client) == ()

    run(scenario())


def test_bots_may_dial_the_door_for_workers_only_with_a_certificate(files: ArenaFiles) -> None:
    """At mtls:// nobody is heard who shows no certificate, whatever it wants to say."""

    async def scenario() -> None:
        async with encrypted_referee(files.server) as (bots, workers):
            assert await serves(bots, ClientTls(roots=files.authority.path))
            assert await serves(workers, files.client)
            with pytest.raises(Exception, match="UNAVAILABLE"):
                await serves(f"tls://{target_of(workers)}", ClientTls(roots=files.authority.path))

    run(scenario())


@pytest.mark.parametrize("shows_certificate", [True, False])
def test_no_orders_at_the_door_for_bots(files: ArenaFiles, *, shows_certificate: bool) -> None:
    """With the control key, even with a worker's certificate in hand, nobody gives orders at tls://."""
    tls = files.client if shows_certificate else ClientTls(roots=files.authority.path)

    async def scenario() -> None:
        async with encrypted_referee(files.server) as (bots, _):
            with pytest.raises(PlanRefusedError, match=r"no orders are taken at tls://.* workers dial mtls://"):
                async with run_sitting(bots, sitting_plan(), control_key="key", tls=tls) as call:
                    async for _event in call.events():
                        pass
            with pytest.raises(PlanRefusedError, match="no orders are taken"):
                await asyncio.to_thread(tell_remote_bots, bots, {}, control_key="key", tls=tls)

    run(scenario())


def test_the_control_key_is_wanted_beside_the_certificate(files: ArenaFiles) -> None:
    """A worker's certificate without the control key gives no orders."""

    async def scenario() -> None:
        async with encrypted_referee(files.server) as (_, workers):
            with pytest.raises(PlanRefusedError, match="is not this referee's key"):
                await asyncio.to_thread(tell_remote_bots, workers, {}, control_key="wrong", tls=files.client)

    run(scenario())


def refused(files: ArenaFiles, case: str) -> ClientTls:
    """A worker that is not taken, or does not take the referee."""
    good = files.client
    stranger = Authority(files.authority.folder, "another")
    return {
        "no certificate": replace(good, pair=None),
        "expired": replace(good, pair=files.authority.sign("old", expired=True)),
        "wrong authority": replace(good, pair=stranger.sign("intruder")),
        "wrong roots": replace(good, roots=stranger.path),
        "public roots": replace(good, roots=None),
        "no such file": replace(good, roots=Path("/nowhere/roots.pem")),
    }[case]


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("no certificate", r"a worker shows a certificate there, and has none: set KING_WORKER_CERT"),
        ("expired", r"old\.crt is not taken by anybody now: certificate has expired; renew it"),
        ("wrong authority", r"does not take the certificate in KING_WORKER_CERT: it must be signed by an authority of"),
        ("wrong roots", r"the certificate of the referee at mtls.* is not believed: unable to get local issuer"),
        ("public roots", r"is not believed: .*it is judged by the authorities in KING_TLS_ROOTS"),
        ("no such file", r"/nowhere/roots\.pem cannot be read: no such file or directory"),
    ],
)
def test_a_worker_is_told_which_certificate_is_wrong(files: ArenaFiles, case: str, sentence: str) -> None:
    """Without a certificate, with an expired or a stranger's one, and with wrong roots, a worker is told just that."""

    async def scenario() -> None:
        tls = refused(files, case)
        async with encrypted_referee(files.server) as (_, workers):
            with pytest.raises(CertificateRefusedError, match=sentence):
                async with run_sitting(workers, sitting_plan(), control_key="key", tls=tls):
                    pass
            with pytest.raises(CertificateRefusedError, match=sentence):
                await asyncio.to_thread(tell_remote_bots, workers, {}, control_key="key", tls=tls)

    run(scenario())


def test_a_name_that_is_not_the_referee_s(files: ArenaFiles) -> None:
    """A certificate for another host is not believed, and the sentence says so."""
    tls = ServerTls(pair=files.authority.sign("elsewhere", "elsewhere.example"))

    async def scenario() -> None:
        server = RefereeServer("tls://127.0.0.1:0", control_key="key", tls=tls)
        await server.start()
        told = obstacle(server.address, files.client)
        await server.stop(0)
        assert "IP address mismatch, certificate is not valid for '127.0.0.1'" in told

    run(scenario())


def test_somebody_else_answers(files: ArenaFiles) -> None:
    """Where a plain referee listens, a worker that wants TLS is told that there is none; where nobody does, nothing."""

    async def scenario() -> None:
        server = RefereeServer("127.0.0.1:0", control_key="key")
        await server.start()
        assert "does not speak TLS as we do" in obstacle(f"tls://{server.address}", files.client)
        await server.stop(0)
        assert obstacle(f"tls://{server.address}", files.client) == ""

    run(scenario())


def test_a_certificate_is_renewed_while_it_serves(files: ArenaFiles) -> None:
    """New files are shown to who dials then; if they are of no use, the referee goes on with those it had."""
    roots = ClientTls(roots=files.authority.path)

    async def scenario() -> None:
        async with encrypted_referee(files.server) as (bots, workers):
            old = shown_at(bots)
            files.authority.sign("referee", "127.0.0.1")
            assert await serves(bots, roots)
            assert await serves(workers, files.client)
            new = shown_at(bots)
            assert new != old
            files.authority.sign("referee", "127.0.0.1", expired=True)
            assert await serves(bots, roots)
            files.referee.key.write_text("no key at all\n", encoding="utf-8")
            assert await serves(bots, roots)
            assert shown_at(bots) == new

    run(scenario())


def shown_at(address: str) -> str:
    """The certificate that is shown there."""
    host, _, port = target_of(address).rpartition(":")
    return ssl.get_server_certificate((host, int(port)))


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("nothing", "it has no certificate; set KING_TLS_CERT and KING_TLS_KEY"),
        ("no authority", "nobody's certificates are taken there: set KING_TLS_CLIENT_CA"),
        ("expired", "certificate has expired; renew it"),
        ("mixed up", "are not a PEM certificate and its key: key values mismatch"),
        ("a key as authority", "has no PEM certificates of authorities"),
        ("no file", "cannot be read: no such file"),
    ],
)
def test_a_referee_without_what_it_needs_does_not_start(files: ArenaFiles, case: str, sentence: str) -> None:
    """A referee that could not show a good certificate, or check others', does not listen, and says why."""
    good, pair = files.server, files.referee
    tls = {
        "nothing": None,
        "no authority": replace(good, client_ca=None),
        "expired": replace(good, pair=files.authority.sign("old", "127.0.0.1", expired=True)),
        "mixed up": replace(good, pair=replace(pair, key=files.worker.key)),
        "a key as authority": replace(good, client_ca=pair.key),
        "no file": replace(good, pair=replace(pair, certificate=Path("/nowhere.crt"))),
    }[case]

    async def scenario() -> None:
        server = RefereeServer("mtls://127.0.0.1:0", control_key="key", tls=tls)
        with pytest.raises(AddressError, match=sentence):
            await server.start()

    run(scenario())


@pytest.mark.parametrize(
    ("address", "door", "target", "readable"),
    [
        ("127.0.0.1:7700", Door.PLAIN, "127.0.0.1:7700", False),
        ("[::1]:7700", Door.PLAIN, "[::1]:7700", False),
        ("localhost:7700", Door.PLAIN, "localhost:7700", False),
        ("0.0.0.0:7700", Door.PLAIN, "0.0.0.0:7700", True),
        ("arena.example:7700", Door.PLAIN, "arena.example:7700", True),
        ("tls://0.0.0.0:7700", Door.TLS, "0.0.0.0:7700", False),
        ("mtls://[::]:7701", Door.MUTUAL, "[::]:7701", False),
        ("unix:/run/king/referee.sock", Door.SOCKET, "unix:/run/king/referee.sock", False),
    ],
)
def test_how_addresses_are_read(address: str, door: Door, target: str, *, readable: bool) -> None:
    """What an address begins with says which door it is; plain ones beyond the loopback can be read on the way."""
    assert (door_of(address), target_of(address), is_readable_on_the_way(address)) == (door, target, readable)
