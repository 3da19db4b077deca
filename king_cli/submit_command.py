"""`king submit`: sends a bot to an arena and follows it until it is active or refused.

Owns sending. What else owners do with what they have sent is in `king_cli.submission_commands`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from king_cli.arena_options import DEFAULT_SERVER, JsonOption, ServerOption, TokenOption, arena_at, looked_again

if TYPE_CHECKING:
    from king_cli.arena_client import ArenaClient

REFUSED = 1

_WAITING = frozenset({"received", "building", "checking", "qualifying"})
_LOGS = {"build": "build", "check": "stderr", "qualifying": "stderr"}
"""By the step at which it was refused, the log that says more."""
_TAIL_LINES = 20


class _SendingByDefault(TyperGroup):
    """A group in which a folder or zip where a command would stand is one to be sent."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command in that was left out."""
        asks_for_help = set(args[:1]) <= set(ctx.help_option_names)
        named = [*args] if asks_for_help or args[0] in self.commands else ["send", *args]
        return list(super().parse_args(ctx, named))


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    from king_cli import submission_commands

    group = typer.Typer(
        cls=_SendingByDefault,
        help="Send a bot to an arena: king submit FOLDER.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command()(send)
    submission_commands.register(group)
    app.add_typer(group, name="submit")


def send(
    bot: Annotated[Path, typer.Argument(metavar="FOLDER|ZIP", help="The bot's folder, or a zip of it.")],
    server: ServerOption = DEFAULT_SERVER,
    token_file: TokenOption = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Send what builds leave behind as well: node_modules, target, build, dist.")
    ] = False,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Follow it to its answer.")] = True,
    json: JsonOption = False,
) -> None:
    """Send a bot to an arena, where it is built, checked and tried.

    Exit status 0 if it is active (without waiting: if it was taken in), 1 if it is refused, 2 on wrong use.
    """
    from king_cli.packing import archive_of
    from king_cli.reporting import print_json

    client = arena_at(server, token_file)
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
        number = found["id"]
        while found["state"] in _WAITING:
            found = looked_again(lambda: self._client.submission(number))
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
