"""The dashboard by HTTPS: its certificate, what browsers keep for HTTPS alone, and what they are told to keep to."""

from __future__ import annotations

import asyncio
import ssl
import time
from pathlib import Path

import httpx
import pytest

from dashboard.app import create_app
from king_cli.serving import encryption
from tests.dashboard.conftest import PlayedLeague
from tests.e2e.arena import DEADLINE_S, Arena
from tests.protocol.certificates import ArenaFiles

pytestmark = pytest.mark.slow


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    return Arena(tmp_path)


KEPT_TO = "strict-transport-security"


def answers(played: PlayedLeague, site: str, *paths: str) -> list[httpx.Response]:
    """What a dashboard says at a site by that name."""

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(create_app(played.store))
        async with httpx.AsyncClient(transport=transport, base_url=site) as client:
            return [await client.get(path) for path in paths]

    return asyncio.run(ask())


PATHS = ("/", "/?lang=ru", "/nowhere", "/static/base.css", "/api/v1/seasons", "/api/v1/nowhere", "/health")


def test_browsers_keep_to_https(played: PlayedLeague) -> None:
    """Every answer by HTTPS, of pages, files, API and errors, says to ask for nothing else; by plain HTTP none does."""
    for answer in answers(played, "https://arena.example", *PATHS):
        assert answer.headers[KEPT_TO] == "max-age=31536000", answer.url
    for site in ("http://arena.example", "https://localhost"):
        for answer in answers(played, site, *PATHS):
            assert KEPT_TO not in answer.headers, answer.url


@pytest.mark.parametrize(("site", "secure"), [("https://arena.example", True), ("http://arena.example", False)])
def test_choices_are_kept_for_https_alone(played: PlayedLeague, site: str, *, secure: bool) -> None:
    """The cookies of a reader's choices that came by HTTPS go back by HTTPS alone."""
    (answer,) = answers(played, site, "/display/set?theme=dark&language=ru")
    cookies = answer.headers.get_list("set-cookie")
    assert [cookie.split("=")[0] for cookie in cookies] == ["language", "theme", "suits"]
    assert {"Secure" in cookie for cookie in cookies} == {secure}


def test_a_certificate_is_shown_and_nothing_said_in_the_clear(arena: Arena, tmp_path: Path) -> None:
    """`king dashboard` serves HTTPS with its certificate; who speaks plain HTTP or does not believe it gets nothing."""
    files = ArenaFiles(tmp_path)
    own = {"KING_HTTP_CERT": str(files.referee.certificate), "KING_HTTP_KEY": str(files.referee.key)}
    arena.environment |= own
    arena.king(
        "season", "create", "s", "--variant", "russian-14", "--bots", "lowest,highest,random,greedy", "--boards", "1"
    )
    with arena.running("dashboard"):
        believing = ssl.create_default_context(cafile=str(files.authority.path))
        with httpx.Client(verify=believing, base_url=f"https://{arena.http}", timeout=60) as client:
            assert wait_for(client).status_code == 200
            assert KEPT_TO in client.get("/").headers
        assert f"is at https://{arena.http}/ until Ctrl-C" in arena.output()
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://{arena.http}/", timeout=60)
        with pytest.raises(httpx.ConnectError, match="certificate verify failed"):
            httpx.get(f"https://{arena.http}/", verify=ssl.create_default_context(), timeout=60)


def wait_for(client: httpx.Client) -> httpx.Response:
    """The first answer, once there is somebody to give one."""
    deadline = time.monotonic() + DEADLINE_S
    while True:
        try:
            return client.get("/health")
        except httpx.ConnectError:
            assert time.monotonic() < deadline, "no dashboard came up"
            time.sleep(0.1)


def test_a_renewed_certificate_is_shown(tmp_path: Path) -> None:
    """When its files have changed the server shows the new certificate; files that will not do change nothing."""
    files = ArenaFiles(tmp_path)
    options = encryption(files.referee)
    context = options["ssl_context_factory"](None, None)
    first = shown_by(context)
    files.authority.sign("referee", "127.0.0.1")
    asyncio.run(options["callback_notify"]())
    second = shown_by(context)
    assert second != first
    files.authority.sign("referee", "127.0.0.1", expired=True)
    asyncio.run(options["callback_notify"]())
    assert shown_by(context) == second


def shown_by(context: ssl.SSLContext) -> bytes | None:
    """The certificate that a server with this context shows."""
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = client.wrap_bio(to_client, to_server), context.wrap_bio(to_server, to_client, server_side=True)
    for end in ends * 2:
        try:
            end.do_handshake()
        except ssl.SSLWantReadError:
            continue
    return ends[0].getpeercert(binary_form=True)
