"""`king doctor`: what this machine can do for submitted bots, and what to do about what it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from king_cli.settings import Settings
    from workers.doctor import Finding
    from workers.doctor_league import LeagueAt


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(rich_help_panel="Platform")(doctor)


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """See what is wrong here, and what to do about it.

    Tells what the machine can do for submitted bots, whether what leaves it is encrypted, and how store, secrets,
    queue, referees, sweep and disks are that the settings name. One line a check: ok, warning (it works, with less
    protection, or is about to fail) or missing, and what to do. Ends with 1 if submitted bots cannot be played here, or
    the league cannot be.
    """
    from itertools import chain

    from king_cli.reporting import print_json
    from king_cli.settings import read_settings
    from workers.addresses import addresses
    from workers.doctor import State, examine
    from workers.doctor_league import examine_league

    settings = read_settings()
    findings, of_league = [], []
    listening = (*addresses(settings.referee), *(() if settings.http_cert else (settings.http,)))
    examined = examine(settings.all_referees, settings.data_dir, listening=listening)
    for finding in chain(examined, [_certificates(settings)]):
        findings.append(finding)
        if not as_json:
            _print(finding)
    for finding in examine_league(_league(settings)):
        of_league.append(finding)
        if not as_json:
            _print(finding)
    fit = not any(finding.needed and finding.state is State.MISSING for finding in findings)
    playable = not any(finding.state is State.MISSING for finding in of_league)
    if as_json:
        print_json({"ok": fit and playable, "checks": [_as_json(finding) for finding in (*findings, *of_league)]})
    if not fit and not as_json:
        typer.echo("submitted bots cannot be played here; bots of your own can")
    if not playable and not as_json:
        typer.echo("the league cannot be played as it is")
    raise typer.Exit(0 if fit and playable else 1)


def _league(settings: Settings) -> LeagueAt:
    from king_cli.errors import UsageError
    from king_cli.places import is_made, redis_url, vault_url
    from king_cli.tls_settings import worker_tls
    from workers.client_tls import PUBLIC_ROOTS
    from workers.doctor_league import LeagueAt
    from workers.finding import Referees

    try:
        tls = worker_tls(settings)
    except UsageError:  # the check of certificates, or the referee, says what is wrong
        tls = PUBLIC_ROOTS
    queue = redis_url(settings) if settings.redis_url or settings.data_dir.is_dir() else ""  # else it made a folder
    return LeagueAt(
        database_url=settings.database_url,
        vault_url=vault_url(settings),
        has_store=is_made(settings.database_url),
        has_vault=is_made(vault_url(settings)),
        redis_url=queue,
        own_redis=not settings.redis_url,
        referees=Referees(each=settings.all_referees, control_key=settings.control_key, tls=tls),
        data_dir=settings.data_dir,
    )


def _certificates(settings: Settings) -> Finding:
    from king_cli.tls_settings import certificate_fault
    from workers.doctor import Finding, State

    fault = certificate_fault(settings)
    if fault:
        return Finding("certificates", State.MISSING, fault, "a part that is to show it or believe it does not start")
    return Finding("certificates", State.OK, "those that are set can be used, and none has expired")


def _print(finding: Finding) -> None:
    advice = f" – {finding.advice}" if finding.advice else ""
    typer.echo(f"{finding.state:<8} {finding.name}: {finding.detail}{advice}")


def _as_json(finding: Finding) -> dict[str, object]:
    return {
        "name": finding.name,
        "state": finding.state.value,
        "detail": finding.detail,
        "advice": finding.advice,
        "needed": finding.needed,
    }
