"""`king check`: whether a bot does all that a league will ask of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from king_cli.errors import UsageError, naming
from king_cli.season_commands import DEFAULT_TIME_CONTROL

BOT_FAILS = 1


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(check)


def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A sample's name, a bot folder, or cmd:…")],
    variant: Annotated[
        list[str] | None,
        typer.Option(help="A variant to check, with its options; may be repeated. Default: all that the bot declares."),
    ] = None,
    time_control: Annotated[str, typer.Option(help="The bot's clock.")] = DEFAULT_TIME_CONTROL,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", dir_okay=False, help="Write the steps to FILE as JUnit XML.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check a bot step by step: it starts, is ready, plays every kind of decision, resumes, exits.

    Exit status 0 if every step passes, 1 if the bot fails one, 2 on wrong use.
    """
    import asyncio
    import logging

    from king_cli.checking.checks import BotCheck
    from king_cli.checking.decisions import declared_variants
    from king_cli.checking.findings import Step, exchange_lines, step_line
    from king_cli.reporting import log_to_stderr, print_json
    from referee.clock import TimeControl, TimeControlError
    from referee.rules import parse_variant
    from workers.bots import find_bot

    log_to_stderr(logging.WARNING)
    program = find_bot(bot)
    try:
        control = TimeControl.parse(time_control)
    except TimeControlError as error:
        raise UsageError(str(error)) from None
    ids = list(dict.fromkeys(variant or declared_variants(program.variants)))
    if not ids:
        raise UsageError(f"{program.name} declares no variant that there is: {', '.join(program.variants)}")

    def show(step: Step) -> None:
        typer.echo(step_line(step))
        if step.finding.passed is False:
            for line in exchange_lines(step.finding):
                typer.echo(f"     {line}")

    if not json:
        typer.echo(f"{program.name} {program.version} in {program.folder}, {len(ids)} variants, {control}")
    variants = [parse_variant(each) for each in ids]
    report = asyncio.run(BotCheck(bot=program, variants=variants, control=control, show=_quiet if json else show).run())
    if junit is not None:
        with naming(junit):
            junit.write_text(report.to_junit(), encoding="utf-8")
    if json:
        print_json(report.to_json())
    elif not report.passed and report.stderr:
        typer.echo("the end of its standard error:")
        typer.echo(report.stderr)
    if not report.passed:
        raise typer.Exit(BOT_FAILS)


def _quiet(_: object) -> None:
    """Show nothing."""
