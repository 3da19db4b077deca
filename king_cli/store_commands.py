"""`king store copy`: a league moved to another database."""

from __future__ import annotations

from typing import Annotated

import typer

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    group = typer.Typer(help="The database of the league.", no_args_is_help=True)
    group.callback()(_group)
    group.command()(copy)
    app.add_typer(group, name="store", rich_help_panel="Platform")


def _group() -> None:
    """The database of the league."""


def copy(
    to: Annotated[str, typer.Argument(metavar="URL", help="The database to copy it to, which is empty.")],
    vault: Annotated[
        str, typer.Option(help="Where the secrets go; default: where they would be with that database.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Copy the league to another database, from SQLite to PostgreSQL or back.

    It must not be played meanwhile. The copy has all of it, or nothing; what is here stays.
    """
    from king_cli.places import has_store, vault_url
    from king_cli.reporting import print_json
    from king_cli.settings import read_settings
    from league.errors import LeagueError
    from league.store import utc_now, vault_url_beside
    from league.store.copying import copy_league
    from league.store.database import shown_url

    settings = read_settings()
    if not has_store(settings):
        raise LeagueError(f"there is no league in {settings.data_dir}: name it with KING_DATABASE_URL or KING_DATA_DIR")
    secrets = vault or settings.vault_url or vault_url_beside(to, settings.data_dir)
    sums = copy_league(
        settings.database_url,
        to,
        source_vault=vault_url(settings),
        target_vault=secrets,
        clock=utc_now,
        told=lambda table, rows: None if json else typer.echo(f"{table}: {rows}"),
    )
    if json:
        print_json(
            {"to": shown_url(to), "vault": shown_url(secrets), "rows": {name: one.rows for name, one in sums.items()}}
        )
    else:
        typer.echo(f"copied to {shown_url(to)}, its secrets to {shown_url(secrets)}, and read again: all is there")
        typer.echo("set KING_DATABASE_URL, and KING_VAULT_URL, to these before anything is started")
