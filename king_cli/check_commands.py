"""`king check`: whether a bot does all that a league will ask of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from king_cli.errors import UsageError, naming
from king_cli.season_commands import DEFAULT_TIME_CONTROL

if TYPE_CHECKING:
    from workers.checking.checks import BotCheck
    from workers.checking.findings import Step

BOT_FAILS = 1


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(check)


def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A sample's name, a bot folder, a manifest, or cmd:…")],
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
    """Check step by step whether a bot is fit for a league.

    It starts, is ready, plays every kind of decision, resumes, exits. Exit status 0 if every step passes, 1 if the bot
    fails one, 2 on wrong use.
    """
    import logging

    from king_cli.ending import run_clearing_up
    from king_cli.reporting import log_to_stderr, print_json, report_line
    from workers.building import build_bots

    log_to_stderr(logging.WARNING)
    plan = _plan(bot, variant, time_control, show=_hide if json else _show)
    if junit is not None and not junit.parent.is_dir():
        raise UsageError(f"there is no folder {junit.parent} to write {junit.name} to")
    build_bots([plan.bot], report_line)
    if not json:
        typer.echo(f"{plan.bot.name} {plan.bot.version}, {len(plan.variants)} variants, {plan.control}")
    report = run_clearing_up(plan.run())
    if junit is not None:
        with naming(junit):
            junit.write_text(report.to_junit(), encoding="utf-8")
    if json:
        print_json(report.to_json())
    elif not report.passed and report.stderr:
        typer.echo(f"the end of its standard error:\n{report.stderr}")
    if not report.passed:
        raise typer.Exit(BOT_FAILS)


def _plan(bot: str, variants: list[str] | None, time_control: str, show: Callable[[Step], None]) -> BotCheck:
    """What the command line asks for.

    Raises:
        UsageError, BotError, RulesError: a part of it makes no sense.
    """
    from referee.clock import TimeControl, TimeControlError
    from referee.rules import parse_variant
    from workers.bots import find_bot
    from workers.checking.checks import BotCheck
    from workers.checking.decisions import declared_variants

    program = find_bot(bot)
    try:
        control = TimeControl.parse(time_control)
    except TimeControlError as error:
        raise UsageError(str(error)) from None
    ids = variants or declared_variants(program.variants)
    rules = {each.id: each for each in map(parse_variant, ids)}
    return BotCheck(bot=program, variants=tuple(rules.values()), control=control, show=show)


def _show(step: Step) -> None:
    from workers.checking.findings import exchange_lines, step_line

    typer.echo(step_line(step))
    if step.finding.passed is False:
        for line in exchange_lines(step.finding):
            typer.echo(f"     {line}")


def _hide(_: Step) -> None:
    """Show nothing: the JSON has it all."""
