"""The command `king`: gathers the commands and turns known errors into one clear line and an exit status.

Exit status 0: done; 1: the answer is no; 2: wrong use. Imports are lazy throughout, so that `king --help` is quick.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import typer

from king_cli import (
    account_commands,
    ask_commands,
    backup_commands,
    bot_commands,
    bridge_command,
    check_commands,
    doctor_command,
    league_commands,
    match_commands,
    new_bot,
    part_commands,
    rate_commands,
    rules_commands,
    season_commands,
    store_commands,
    submit_command,
)
from king_cli.ending import TERMINATED_STATUS, TerminatedError
from king_cli.errors import is_known, one_line

WRONG_USE = 2
INTERRUPTED = 130

app = typer.Typer(
    name="king",
    help="A tournament platform for bots that play the card game King.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for commands in (
    match_commands,
    ask_commands,
    check_commands,
    new_bot,
    bridge_command,
    rules_commands,
    season_commands,
    bot_commands,
    account_commands,
    part_commands,
    backup_commands,
    store_commands,
    doctor_command,
    league_commands,
    rate_commands,
    submit_command,
):
    commands.register(app)


def main() -> NoReturn:
    """Run the command given on the command line, and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command that `arguments` give. Returns the exit status."""
    try:
        return int(app(arguments, prog_name="king", standalone_mode=False) or 0)
    except typer.TyperException as error:
        return _explain_usage(error)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except TerminatedError:
        return TERMINATED_STATUS
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the flush at exit does not fail too
        return 1
    except Exception as error:
        if not is_known(error):
            raise
        typer.echo(f"king: {one_line(error)}", err=True)
        return WRONG_USE


def _explain_usage(error: typer.TyperException) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(error.format_message())
        return WRONG_USE
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "king"
    typer.echo(f"{command}: {' '.join(message.split())} (see {command} --help)", err=True)
    return WRONG_USE
