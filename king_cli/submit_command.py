"""`king submit`: sends a bot to an arena and follows it until it is active or refused."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from king_cli.errors import UsageError, naming

if TYPE_CHECKING:
    from king_cli.arena_client import ArenaClient

TOKEN_VARIABLE = "KING_API_TOKEN"
REFUSED = 1
LOOK_EVERY_S = 1.0
PATIENCE_S = 60.0
"""For so long an arena that was there may not answer while it is followed: it may be starting again."""

_WAITING = frozenset({"received", "building", "checking", "qualifying"})
_LOGS = {"build": "build", "check": "stderr", "qualifying": "stderr"}
"""By the step at which it was refused, the log that says more."""
_TAIL_LINES = 20


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(submit)


def submit(
    bot: Annotated[Path, typer.Argument(metavar="FOLDER|ZIP", help="The bot's folder, or a zip of it.")],
    server: Annotated[str, typer.Option(envvar="KING_SERVER", help="The arena's address.")] = "http://127.0.0.1:8000",
    token_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"A file with a personal API token; else {TOKEN_VARIABLE} has it."),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Send what builds leave behind as well: node_modules, target, build, dist.")
    ] = False,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Follow it to its answer.")] = True,
    json: Annotated[bool, typer.Option("--json", help="Print the submission as JSON at the end.")] = False,
) -> None:
    """Send a bot to an arena, where it is built, checked and tried.

    Exit status 0 if it is active (without waiting: if it was taken in), 1 if it is refused, 2 on wrong use.
    """
    from king_cli.arena_client import ArenaClient
    from king_cli.packing import archive_of
    from king_cli.reporting import print_json

    client = ArenaClient(server, _token(token_file))
    archive = archive_of(bot, whole=whole)
    name = bot.name if bot.is_file() else f"{bot.resolve().name}.zip"
    found = client.send_archive(archive, name)
    follower = _Follower(client, quiet=json)
    follower.tell(found)
    if wait:
        found = follower.follow(found)
    if json:
        print_json(found)
    else:
        _tell_end(client, found)
    if found["state"] not in {*_WAITING, "active"}:
        raise typer.Exit(REFUSED)


class _Follower:
    """Says each state of a submission once, as it comes."""

    def __init__(self, client: ArenaClient, *, quiet: bool) -> None:
        self._client = client
        self._quiet = quiet
        self._told = 0
        self._put_off = ""

    def follow(self, found: dict[str, Any]) -> dict[str, Any]:
        """Look again and again until there is an answer; returns the last look."""
        from king_cli.arena_client import ArenaUnreachableError

        heard_at = time.monotonic()
        while found["state"] in _WAITING:
            time.sleep(LOOK_EVERY_S)
            try:
                found = self._client.submission(found["id"])
            except ArenaUnreachableError:
                if time.monotonic() - heard_at > PATIENCE_S:
                    raise
                continue
            heard_at = time.monotonic()
            self.tell(found)
        return found

    def tell(self, found: dict[str, Any]) -> None:
        """Say what is new."""
        steps = found["steps"]
        for step in steps[self._told :]:
            self._say(f"{step['state']}{': ' + step['detail'] if step['detail'] else ''}")
        self._told = len(steps)
        given_back = found["given_back"] or ""
        if found["state"] == "received" and given_back != self._put_off:
            self._say(f"it waits: {given_back}")
            self._put_off = given_back

    def _say(self, line: str) -> None:
        if not self._quiet:
            typer.echo(line)


def _tell_end(client: ArenaClient, found: dict[str, Any]) -> None:
    name = f"{found['bot']} {found['version']}" if found["bot"] else found["file_name"]
    page = client.page(found["id"])
    if found["state"] != "refused":
        typer.echo(f"{name}: {found['state']}; {page}")
        return
    kind = _LOGS.get(found["cause"] or "")
    tail = client.log(found["id"], kind).strip().splitlines()[-_TAIL_LINES:] if kind else []
    for line in tail:
        typer.echo(f"  | {line}")
    typer.echo(f"{name} was refused: {found['reason']}")
    typer.echo(f"all of it: {page}")


def _token(file: Path | None) -> str:
    import os

    if file is not None:
        with naming(file):
            token = file.read_text(encoding="utf-8").strip()
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
