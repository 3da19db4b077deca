"""What commands that speak with an arena have in common: its address, the token, and patience."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from king_cli.errors import UsageError, naming

if TYPE_CHECKING:
    from king_cli.arena_client import ArenaClient

TOKEN_VARIABLE = "KING_API_TOKEN"
DEFAULT_SERVER = "http://127.0.0.1:8000"
LOOK_EVERY_S = 1.0
_TOKEN_FILE_BYTES = 4096
PATIENCE_S = 60.0
"""For so long an arena that was there may not answer while something is followed: it may be starting again."""

ServerOption = Annotated[str, typer.Option(envvar="KING_SERVER", help="The arena's address.")]
TokenOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help=f"A file with a personal API token; else {TOKEN_VARIABLE} has it."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def arena_at(server: str, token_file: Path | None) -> ArenaClient:
    """The arena at an address, with the token of the file or the environment.

    Raises:
        UsageError: the address is none, or there is no token.
    """
    from king_cli.arena_client import ArenaClient

    return ArenaClient(server, _token(token_file))


def looked_again(look: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What is seen a moment later.

    Raises:
        ArenaUnreachableError: nobody has answered for a minute.
    """
    from king_cli.arena_client import ArenaUnreachableError

    began_at = time.monotonic()
    while True:
        time.sleep(LOOK_EVERY_S)
        try:
            return look()
        except ArenaUnreachableError:
            if time.monotonic() - began_at > PATIENCE_S:
                raise


def _token(file: Path | None) -> str:
    if file is not None:
        with naming(file), file.open("rb") as opened:
            token = opened.read(_TOKEN_FILE_BYTES).decode("ascii", "replace").strip()
    else:
        token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if not token:
        raise UsageError(
            f"there is no token: put one into {TOKEN_VARIABLE}, or name a file with --token-file; the page of your "
            "account on the arena makes one"
        )
    if not token.isascii() or not token.isprintable() or " " in token:
        raise UsageError("the token is no token: it is one word of letters, digits and signs")
    return token
