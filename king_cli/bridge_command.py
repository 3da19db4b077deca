"""`king bridge`, as the help lists it; see `king_cli.entry` for how bots reach it faster."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    settings = {"ignore_unknown_options": True, "allow_interspersed_args": False}
    app.command(rich_help_panel="Bots", context_settings=settings)(bridge)


def bridge(words: Annotated[list[str], typer.Argument(metavar="-- CMD…", help="The command, after --.")]) -> None:
    """Let a command play by JSON lines, without gRPC.

    It gets each of the referee's frames as one line on its standard input, and what it writes is heard as the bot's
    frames, one a line. Its standard error is passed on. KING_REFEREE and KING_TOKEN are what the bot's process has.
    """
    from king_cli.bridge.run import run

    raise typer.Exit(run(words))
