"""`king match` and `king view`: matches on this machine without queue or store, and the replay of one record."""

from __future__ import annotations

import logging
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from king_cli.errors import UsageError
from king_cli.record_files import read_record_file
from king_cli.recorded import Recorded
from king_cli.rules_commands import HIGHEST_SEED
from king_cli.season_commands import BOARDS_LIMIT, DEFAULT_TIME_CONTROL

DEFAULT_VARIANT = "russian-14"
DEFAULT_OUT = Path("build/match")
PERSON_OUT = Path("build/match-human")
"""Where the records of a table with a person go, so that those of the last measurement stay."""
NEVER_PLAYED = 1
VERDICT_BOARDS = 400
"""How many boards a match that ends at a verdict has at most, unless the caller says."""
PERSON_TIME_CONTROL = "start=60s,inc=30m,bank=60m"
"""The clock of a table with a person, unless the caller says."""


class Until(StrEnum):
    """What ends a match before its boards are played."""

    VERDICT = "verdict"


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(match)
    app.command()(view)


def match(
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...", help="A sample's name, a bot folder, a manifest, cmd:…, or human; one a seat."
        ),
    ],
    variant: Annotated[str, typer.Option(help="The variant, with its options; see `king variants`.")] = DEFAULT_VARIANT,
    out: Annotated[
        Path | None,
        typer.Option(
            file_okay=False,
            help="The folder for the records; those of an earlier match are removed. "
            f"Default {DEFAULT_OUT}, with a person {PERSON_OUT}.",
        ),
    ] = None,
    boards: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=BOARDS_LIMIT,
            help=f"How many boards, each played in every rotation; default 1, with --until at most {VERDICT_BOARDS}.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=HIGHEST_SEED, help="The same seed gives the same cards.")] = 1,
    time_control: Annotated[
        str, typer.Option(help=f"The clock of each bot; default {DEFAULT_TIME_CONTROL}, longer with a person.")
    ] = "",
    until: Annotated[
        Until | None, typer.Option(help="verdict: end once the first bot is settled to be better, or not.")
    ] = None,
    record: Annotated[
        Recorded, typer.Option(help="Write all records, or only of matches that the first bot did not win.")
    ] = Recorded.ALL,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play boards among bots on this machine; print who is better. With human, sit down at the table yourself.

    Records are written to the folder OUT, and what bots wrote to their standard error to OUT/logs. Ends with status 1
    if a bot forfeited every match and never made a decision.
    """
    from king_cli.human.seat import HUMAN
    from king_cli.local_match import LocalMatch
    from king_cli.reporting import log_to_stderr, print_json, report_line

    log_to_stderr(logging.WARNING)
    folder = out or (PERSON_OUT if HUMAN in bots else DEFAULT_OUT)
    result = LocalMatch(
        bots=bots,
        variant=variant,
        boards=boards or (VERDICT_BOARDS if until else 1),
        seed=seed,
        time_control=time_control or (PERSON_TIME_CONTROL if HUMAN in bots else DEFAULT_TIME_CONTROL),
        out=folder,
        report=report_line,
        until_verdict=until is Until.VERDICT,
        recorded=record,
        person_reads=sys.stderr if json else None,
    ).play()
    if json:
        print_json(result)
    else:
        _print_result(result)
        typer.echo(f"{len(result['records'])} records in {folder}")
    if any(_never_played(bot) for bot in result["faults"]):
        raise typer.Exit(NEVER_PLAYED)


def _print_result(result: dict[str, Any]) -> None:
    from king_cli.match_score import verdict_line
    from king_cli.reporting import print_faults, print_ladder, print_matches

    if "matches" in result:
        print_matches(result["matches"])
    elif any(row["boards"] for row in result["bots"]):
        print_ladder(result)
    else:
        typer.echo("no ladder: no board was played in all its rotations")
    if "verdict" in result:
        typer.echo(verdict_line(result["verdict"]))
    print_faults(result["faults"])


def _never_played(faults: dict[str, Any]) -> bool:
    return bool(faults["decisions"] == 0 and faults["forfeited"] == faults["matches"])


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
