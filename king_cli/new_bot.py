"""`king new-bot`: a starter kit in a folder of one's own."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("new-bot")(new_bot)


def new_bot(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder for it, new or empty.")],
    lang: Annotated[
        str, typer.Option("--lang", help="python, go, rust, java, node (TypeScript), cpp, or JSON lines: awk, tcl.")
    ],
    name: Annotated[str, typer.Option(help="What to call the bot; default: the folder's name.")] = "",
) -> None:
    """Write a bot to start from.

    It plays as it is. Everything it needs of the arena is in the folder.
    """
    from king_cli.kits import KITS, check_label, kit_named, label_from, write_kit

    language = kit_named(lang)
    label = name or label_from(folder)
    check_label(label)
    write_kit(language, folder, label)
    typer.echo(f"{label}, a bot in {KITS[language].title}, is in {folder}; its README.md says how it is made. Next:")
    typer.echo(f"  cd {shlex.quote(str(folder))}")
    typer.echo("  king match . greedy counter random")
    typer.echo("  king check .")
    _tell_what_is_missing(folder)


def _tell_what_is_missing(folder: Path) -> None:
    from workers.bots import BotError
    from workers.building import missing_tool
    from workers.manifests import read_manifest

    try:
        bot = read_manifest(folder)
    except BotError as error:  # all that can be missing of a kit is the program that runs it
        typer.echo(f"before that: {error}", err=True)
        return
    if tool := missing_tool(bot):
        typer.echo(f"before that: install {tool}, with which it is built (`{shlex.join(bot.build)}`)", err=True)
