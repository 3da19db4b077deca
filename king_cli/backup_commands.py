"""`king backup` and `king restore`: a whole league in one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from league.store.backups import Backup

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command(rich_help_panel="Platform")(backup)
    app.command(rich_help_panel="Platform")(restore)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, which is not there yet.")],
    as_json: JsonOption = False,
) -> None:
    """Write the league, its secrets included, into one file.

    It may go on meanwhile: the file has it as of one moment. Keep it as closely as the vault.
    """
    from king_cli.places import vault_url
    from king_cli.reporting import print_json
    from king_cli.settings import read_settings
    from league.store import utc_now
    from league.store.backups import write_backup

    settings = read_settings()
    made = write_backup(settings.database_url, vault_url(settings), file, utc_now)
    if as_json:
        print_json({"file": str(file), **_as_json(made)})
    else:
        size = sum(one.bytes for one in made.files.values())
        typer.echo(f"{file}: the league as of {made.made_at:%Y-%m-%d %H:%M:%S} UTC, {size / 2**20:.1f} MiB")
        typer.echo("it holds secrets of seasons: who reads it knows the cards to come")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `king backup` wrote.")],
    as_json: JsonOption = False,
) -> None:
    """Put a league from a backup into a data folder that has none.

    Then begin it with `king up`. What was played after the backup is played again.
    """
    from king_cli.places import vault_url
    from king_cli.reporting import print_json
    from king_cli.settings import read_settings
    from league.store import utc_now
    from league.store.backups import restore_backup
    from workers.data_folder import DataFolder

    settings = read_settings()
    with DataFolder(settings.data_dir).lock():
        done = restore_backup(file, settings.database_url, vault_url(settings), utc_now)
    counted = {"seasons": done.seasons, "matches": done.matches, "boards_dealt_anew": done.dealt_anew}
    if as_json:
        print_json({"file": str(file), **_as_json(done.backup), **counted})
        return
    typer.echo(
        f"restored into {settings.data_dir}, as of {done.backup.made_at:%Y-%m-%d %H:%M:%S} UTC: "
        f"seasons {done.seasons}, matches {done.matches}"
    )
    if done.dealt_anew:
        typer.echo(f"{done.dealt_anew} boards, which remote bots may have seen since, are dealt anew")
    typer.echo("passwords and tokens are those of then: take back again what was taken back since")


def _as_json(made: Backup) -> dict[str, object]:
    return {
        "made_at": made.made_at.isoformat(),
        "revision": made.revision,
        "bytes": {name: one.bytes for name, one in made.files.items()},
    }
