"""What owners do with what they have sent: see it, enter it, challenge others with it, withdraw and delete it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from king_cli.arena_options import DEFAULT_SERVER, JsonOption, ServerOption, TokenOption, arena_at, looked_again
from king_cli.errors import UsageError

if TYPE_CHECKING:
    from king_cli.arena_client import ArenaClient

SHOWN_AT_MOST = 1000
NO = 1
NAMED_AT_MOST = 20

IdArgument = Annotated[int, typer.Argument(metavar="ID", help="The submission's id.", min=1)]


class LogKind(StrEnum):
    """What is kept of the work on a submission."""

    BUILD = "build"
    STDERR = "stderr"
    REPORT = "report"


def register(group: typer.Typer) -> None:
    """Add the commands to `king submit`."""
    group.command("list")(list_submissions)
    for command in (status, log, seasons, enter, activate, withdraw, delete, opponents, challenge, challenges):
        group.command()(command)


def list_submissions(
    server: ServerOption = DEFAULT_SERVER, token_file: TokenOption = None, json: JsonOption = False
) -> None:
    """List what your account has sent, the newest first."""
    found = arena_at(server, token_file).submissions(SHOWN_AT_MOST)
    if json:
        _print({"submissions": found})
        return
    for one in found:
        typer.echo(_line(one))


def status(
    submission: IdArgument,
    server: ServerOption = DEFAULT_SERVER,
    token_file: TokenOption = None,
    json: JsonOption = False,
) -> None:
    """Say where a submission stands, and how it came there. Exit status 1 if it is refused."""
    client = arena_at(server, token_file)
    found = client.submission(submission)
    if json:
        _print(found)
    else:
        for step in found["steps"]:
            typer.echo(f"{step['at'][:19]}Z {step['state']}{': ' + step['detail'] if step['detail'] else ''}")
        typer.echo(f"{_line(found)}; {client.page(submission)}")
    if found["state"] == "refused":
        raise typer.Exit(NO)


def log(
    submission: IdArgument,
    kind: Annotated[
        LogKind,
        typer.Argument(help="What the build wrote, the bot's standard error in its check, or the report of the check."),
    ] = LogKind.BUILD,
    server: ServerOption = DEFAULT_SERVER,
    token_file: TokenOption = None,
    json: JsonOption = False,
) -> None:
    """Print what is kept of the work on a submission."""
    client = arena_at(server, token_file)
    if kind is LogKind.REPORT:
        report = client.report(submission)
        if json:
            _print({"report": report})
        else:
            _print_report(report)
        return
    text = client.log(submission, kind.value)
    if json:
        _print({"text": text})
    else:
        typer.echo(text, nl=bool(text) and not text.endswith("\n"))


def seasons(
    submission: IdArgument,
    server: ServerOption = DEFAULT_SERVER,
    token_file: TokenOption = None,
    json: JsonOption = False,
) -> None:
    """List the seasons that take entries of a version."""
    found = arena_at(server, token_file).seasons_to_enter(submission, SHOWN_AT_MOST)
    if json:
        _print({"seasons": found})
        return
    for one in found:
        typer.echo(f"{one['season']} {one['name']} ({one['variant']}){'; entered' if one['entered'] else ''}")


def enter(
    submission: IdArgument,
    season: Annotated[int, typer.Argument(metavar="SEASON", help="The season's id.", min=1)],
    server: ServerOption = DEFAULT_SERVER,
    token_file: TokenOption = None,
    json: JsonOption = False,
) -> None:
    """Enter an active version in a season."""
    entrant = arena_at(server, token_file).enter(submission, season)
    if json:
        _print(entrant)
    else:
        typer.echo(f"{entrant['label']} is entered in season {season}")


def activate(
    submission: IdArgument,
    server: ServerOption = DEFAULT_SERVER,
    token_file: TokenOption = None,
    json: JsonOption = False,
) -> None:
    """Have a version that was withdrawn enter seasons again."""
    _tell_act(arena_at(server, token_file).act(submission, "activate"), json=json)


def withdraw(
    submission: IdArgument,
    server: ServerOption = DEFAULT_SERVER,
    token_file: TokenOption = None,
    json: JsonOption = False,
) -> None:
    """Have an active version enter nothing more; rolling seasons pair it no more."""
    _tell_act(arena_at(server, token_file).act(submission, "withdraw"), json=json)


def delete(
    submission: IdArgument,
    server: ServerOption = DEFAULT_SERVER,
    token_file: TokenOption = None,
    json: JsonOption = False,
) -> None:
    """Delete a submission: archive, logs and qualifying board go, results of seasons stay."""
    client = arena_at(server, token_file)
    client.delete(submission)
    _tell_act(client.submission(submission), json=json)


def opponents(server: ServerOption = DEFAULT_SERVER, token_file: TokenOption = None, json: JsonOption = False) -> None:
    """List the bots that you can challenge."""
    found = arena_at(server, token_file).opponents(SHOWN_AT_MOST)
    if json:
        _print({"opponents": found})
        return
    for one in found:
        typer.echo(f"{_called(one)}{' (house)' if one['house'] else ''}")


def challenge(
    submission: IdArgument,
    names: Annotated[
        list[str], typer.Argument(metavar="OPPONENT…", help="For each other seat a bot: NAME or NAME@VERSION.")
    ],
    variant: Annotated[str, typer.Option(help="The variant.")] = "russian-14",
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Follow it to its result.")] = True,
    server: ServerOption = DEFAULT_SERVER,
    token_file: TokenOption = None,
    json: JsonOption = False,
) -> None:
    """Play an unrated board of an active version against others, in all rotations. Exit status 1 if it is void."""
    client = arena_at(server, token_file)
    known = client.opponents(SHOWN_AT_MOST)
    versions = [_opponent(name, known) for name in names]
    found = client.ask_challenge(_version_of(client, submission), versions, variant)
    number = found["id"]
    while wait and found["ended_at"] is None:
        found = looked_again(lambda: client.challenge(number))
    if json:
        _print(found)
    else:
        _print_challenge(found)
        typer.echo(client.board_page(found["id"]))
    if found["state"] == "void":
        raise typer.Exit(NO)


def challenges(server: ServerOption = DEFAULT_SERVER, token_file: TokenOption = None, json: JsonOption = False) -> None:
    """List your latest challenges, with their results."""
    found = arena_at(server, token_file).challenges()
    if json:
        _print({"challenges": found})
        return
    for one in found:
        _print_challenge(one)


def _print(value: dict[str, Any]) -> None:
    from king_cli.reporting import print_json

    print_json(value)


def _line(one: dict[str, Any]) -> str:
    name = f"{one['bot']} {one['version']}" if one["bot"] else one["file_name"]
    return f"{one['id']} {name}: {one['state']}{'; ' + one['reason'] if one['reason'] else ''}"


def _tell_act(found: dict[str, Any], *, json: bool) -> None:
    if json:
        _print(found)
    else:
        typer.echo(_line(found))


def _called(version: dict[str, Any]) -> str:
    return f"{version['bot']}@{version['version']}"


def _opponent(name: str, known: list[dict[str, Any]]) -> int:
    """The id of the bot version that is called so; of a name alone the newest."""
    found = [one["id"] for one in known if name in {one["bot"], _called(one)}]
    if found:
        return int(max(found))
    there = ", ".join([_called(one) for one in known[:NAMED_AT_MOST]] + ["…"][: len(known) > NAMED_AT_MOST]) or "none"
    raise UsageError(f"no bot {name!r} can be challenged: there are {there}")


def _version_of(client: ArenaClient, submission: int) -> int:
    found = client.submission(submission)
    if found["version_id"] is None:
        raise UsageError(f"submission {submission} is {found['state']}: only active versions play challenges")
    return int(found["version_id"])


def _print_challenge(one: dict[str, Any]) -> None:
    why = f": {one['outcome']}" if one["outcome"] else ""
    typer.echo(f"challenge {one['id']}, {one['variant']}, is {one['state']}{why}")
    for player, mean in zip(one["players"], one["mean_totals"], strict=False):
        typer.echo(f"  {mean:8.1f} {player['bot']}{' (yours)' if player['own'] else ''}")


def _print_report(report: dict[str, Any] | None) -> None:
    if report is None:
        typer.echo("there is no report: it was not checked yet")
        return
    for step in report["steps"]:
        passed = {True: "ok", False: "FAILED", None: "not reached"}[step["passed"]]
        typer.echo(f"{step['number']:2} {passed:11} {step['name']}{': ' + step['message'] if step['message'] else ''}")
