"""`king league`: a whole league of the sample bots with one command; what `make league` runs."""

from __future__ import annotations

from typing import Annotated

import typer

from king_cli.part_commands import WITH_PARENT_HELP
from king_cli.season_commands import BOARDS_LIMIT


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(league)


def league(
    boards: Annotated[int, typer.Option(min=1, max=BOARDS_LIMIT, help="Boards that each set of players plays.")] = 2,
    variant: Annotated[str, typer.Option(help="The variant, with its options.")] = "russian-14",
    bots: Annotated[str, typer.Option(help="The bots, separated by commas; default: the samples in Python.")] = "",
    workers: Annotated[int, typer.Option(min=0, help="Number of workers; 0: KING_WORKERS, or one per CPU.")] = 0,
    with_parent: Annotated[bool, typer.Option("--with-parent", help=WITH_PARENT_HELP)] = False,
    serve: Annotated[bool, typer.Option(envvar="SERVE", help="Serve the dashboard afterwards until Ctrl-C.")] = True,
    again: Annotated[bool, typer.Option("--again", help="Play another one even if just this one is finished.")] = False,
) -> None:
    """Play a whole league, print its ladder, then serve it.

    All real parts take part. An unfinished one is taken up; one that is finished already is only shown.
    """
    from king_cli.places import worker_count
    from king_cli.platform import Platform, end_with_parent
    from king_cli.reporting import report_on, stderr_console
    from king_cli.settings import read_settings
    from king_cli.watching import LeagueWatch
    from workers.bots import house_names

    if with_parent:
        end_with_parent()
    settings = read_settings()
    console = stderr_console()
    report = report_on(console)
    names = [word.strip() for word in bots.split(",") if word.strip()] or list(house_names())
    watch = LeagueWatch(
        settings=settings,
        console=console,
        report=report,
        variant=variant,
        bots=names,
        boards=boards,
        serve=serve,
        again=again,
    )
    count = workers or worker_count(settings)
    raise typer.Exit(Platform(settings=settings, worker_count=count, report=report, warn=report).run(watch))
