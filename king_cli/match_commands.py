"""`king match` and `king view`: matches on this machine without queue or store, and the replay of one record."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from king_cli.errors import UsageError
from king_cli.record_files import read_record_file
from king_cli.rules_commands import HIGHEST_SEED
from king_cli.season_commands import BOARDS_LIMIT, DEFAULT_TIME_CONTROL

DEFAULT_VARIANT = "russian-14"
DEFAULT_OUT = Path("build/match")


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(match)
    app.command()(view)


def match(
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT...", help="A sample's name, a bot folder, or cmd:…; one for each seat.")
    ],
    variant: Annotated[str, typer.Option(help="The variant, with its options; see `king variants`.")] = DEFAULT_VARIANT,
    out: Annotated[
        Path, typer.Option(file_okay=False, help="The folder for the records; those of an earlier match are removed.")
    ] = DEFAULT_OUT,
    boards: Annotated[
        int, typer.Option(min=1, max=BOARDS_LIMIT, help="How many boards; each is played once in every rotation.")
    ] = 1,
    seed: Annotated[int, typer.Option(min=0, max=HIGHEST_SEED, help="The same seed gives the same cards.")] = 1,
    time_control: Annotated[str, typer.Option(help="The clock of each bot.")] = DEFAULT_TIME_CONTROL,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play boards among bots on this machine; print who is better.

    Records are written to the folder OUT, and what bots wrote to their standard error to OUT/logs.
    """
    from king_cli.local_match import LocalMatch
    from king_cli.reporting import log_to_stderr, print_faults, print_json, print_ladder, report_line

    log_to_stderr(logging.WARNING)
    result = LocalMatch(
        bots=bots,
        variant=variant,
        boards=boards,
        seed=seed,
        time_control=time_control,
        out=out,
        report=report_line,
    ).play()
    if json:
        print_json(result)
    else:
        print_ladder(result)
        print_faults(result["faults"])
        typer.echo(f"{len(result['records'])} records in {out}")


def view(file: Annotated[Path, typer.Argument(help="A record, as `king match` and `king random` write them.")]) -> None:
    """Serve the replay page of a record until Ctrl-C.

    The port is a free one of the loopback.
    """
    from dashboard.view_app import create_view_app
    from king_cli.serving import serve_on_free_port
    from referee.rules import RulesError, parse_record

    text = read_record_file(file)
    try:
        app = create_view_app(parse_record(text))
    except RulesError as error:
        raise UsageError(f"{file} is no record that can be shown: {error}") from None
    serve_on_free_port(app, say=lambda url: typer.echo(f"{file} is shown at {url} until Ctrl-C"))
