"""Serves an ASGI application: on an address of the settings, or on a free port of the loopback."""

from __future__ import annotations

import contextlib
import errno
import logging
import signal
import socket
import ssl
from collections.abc import Callable
from typing import Any

from king_cli.errors import UsageError
from king_cli.settings import split_address
from referee.certificates import CertificateError, FreshFiles, Pair, check_pair, load_pair

_LOOK_AT_FILES_S = 10
_LAST_ANSWERS_S = 5
"""How long a server that ends waits for answers on their way: a reader that takes nothing would hold it for ever."""
_LOG = logging.getLogger(__name__)


def listen(address: str, variable: str) -> socket.socket:
    """A socket that listens on `address`, "host:port", which the setting `variable` gives.

    Raises:
        UsageError: somebody else listens there, or nobody can.
    """
    listener = _bound(address, variable)
    listener.listen(1024)
    return listener


def check_free(address: str, variable: str) -> None:
    """Check that one could listen on `address`, as `listen` would; of "unix:/path", nothing is checked.

    Raises:
        UsageError: one could not.
    """
    if not address.startswith("unix:"):
        _bound(address, variable).close()


def serve(app: Any, listener: socket.socket, pair: Pair | None = None) -> None:
    """Serve `app` on a socket that listens, until Ctrl-C or SIGTERM; by HTTPS with the certificate `pair`, if any.

    A certificate that is renewed is shown soon after.
    """
    import uvicorn

    options: dict[str, Any] = {} if pair is None else encryption(pair)
    config = uvicorn.Config(
        app,
        log_config=None,  # its words go the way of all others
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=_LAST_ANSWERS_S,
        **options,
    )
    server = uvicorn.Server(config)
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn has shut down by then, and says once more what ended it
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        server.run(sockets=[listener])


def encryption(pair: Pair) -> dict[str, Any]:
    """What uvicorn is told for HTTPS: a certificate, and to look from time to time whether it was renewed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2

    def load() -> None:
        check_pair(pair, is_server=True)
        load_pair(context, pair)

    fresh = FreshFiles((pair.certificate, pair.key), load)

    async def look_again() -> None:
        try:
            fresh.renewed()
        except CertificateError as error:
            _LOG.warning("a renewed certificate is of no use; the old one stays: %s", error)

    return {
        "ssl_context_factory": lambda _config, _default: context,
        "callback_notify": look_again,
        "timeout_notify": _LOOK_AT_FILES_S,
    }


def serve_on_free_port(app: Any, *, say: Callable[[str], None]) -> None:
    """Serve `app` until Ctrl-C; `say` is told the address, where requests are taken from then on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        say(f"http://127.0.0.1:{listener.getsockname()[1]}/")
        serve(app, listener)


def _bound(address: str, variable: str) -> socket.socket:
    host, port = split_address(address)
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise UsageError(f"{address}: {error.strerror}; {variable} sets it") from None
    bound = socket.socket(family, kind)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(where)
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            raise UsageError(
                f"{address} is in use: end what listens there, or choose another with {variable}"
            ) from None
        raise UsageError(f"cannot listen on {address}: {error.strerror}; choose another with {variable}") from None
    return bound
