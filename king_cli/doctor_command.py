"""`king doctor`: what this machine can do for submitted bots, and what to do about what it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from king_cli.settings import Settings
    from workers.doctor import Finding


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(rich_help_panel="Platform")(doctor)


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """See what this machine lacks for bots and secrets.

    Tells what it can do for submitted bots, and whether what leaves it is encrypted. One line a check: ok, warning (it
    works, with less protection) or missing, and what to do. Ends with 1 if submitted bots cannot be played here.
    """
    from itertools import chain

    from king_cli.reporting import print_json
    from king_cli.settings import read_settings
    from workers.doctor import State, examine

    settings = read_settings()
    findings = []
    plain_http = "" if settings.http_cert else settings.http
    examined = examine(settings.referee, settings.data_dir, plain_http=plain_http)
    for finding in chain(examined, [_certificates(settings)]):
        findings.append(finding)
        if not as_json:
            _print(finding)
    fit = not any(finding.needed and finding.state is State.MISSING for finding in findings)
    if as_json:
        print_json({"ok": fit, "checks": [_as_json(finding) for finding in findings]})
    elif not fit:
        typer.echo("submitted bots cannot be played here; bots of your own can")
    raise typer.Exit(0 if fit else 1)


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
