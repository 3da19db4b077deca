"""`king account …`: who may enter bots and run leagues. The first organiser is made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from league.accounts import Account, DrawnLink
    from league.store import Store

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
UndoOption = Annotated[bool, typer.Option("--undo", help="The other way round.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    accounts = typer.Typer(help="Make, list and disable accounts.", no_args_is_help=True, rich_markup_mode=None)
    accounts.command()(create)
    accounts.command()(reset)
    accounts.command("list")(list_accounts)
    accounts.command()(disable)
    accounts.command()(organiser)
    app.add_typer(accounts, name="account")


def create(
    name: NameArgument,
    organiser: Annotated[bool, typer.Option("--organiser", help="It may run leagues.")] = False,
    prompt: Annotated[bool, typer.Option("--prompt", help="Ask for the password here, instead of a link.")] = False,
    json: JsonOption = False,
) -> None:
    """Make an account, and print a link by which its owner sets the password.

    The link works once, for two days. A name that owns bots already gets them.
    """
    from league.audit_log import SHELL

    store = _store(must_exist=False)
    password = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True) if prompt else None
    with store.together():
        made = store.accounts.create(name, organiser=organiser, password=password, by=SHELL)
        link = None if prompt else store.passwords.make_link(made.id, by=SHELL)
    _print_made(made, link, json=json)


def reset(name: NameArgument, json: JsonOption = False) -> None:
    """Print a link by which the owner of an account sets a new password.

    It works once, for two days; an earlier one is no longer good. The password stays until the link is used.
    """
    from league.audit_log import SHELL

    store = _store()
    link = store.passwords.make_link(store.accounts.find(name).id, by=SHELL)
    _print_made(link.account, link, json=json)


def list_accounts(json: JsonOption = False) -> None:
    """List all accounts."""
    from king_cli.reporting import print_json

    found = _store().accounts.all()
    if json:
        print_json({"accounts": [_account_json(each) for each in found]})
        return
    for each in found:
        typer.echo(f"{each.id} {each.name}{_state(each)}")


def disable(name: NameArgument, undo: UndoOption = False, json: JsonOption = False) -> None:
    """Shut an account: its password, sessions and tokens open nothing any more."""
    from league.audit_log import SHELL

    store = _store()
    found = store.accounts.find(name)
    _print_account(store.accounts.set_disabled(found.id, disabled=not undo, by=SHELL), json=json)


def organiser(name: NameArgument, undo: UndoOption = False, json: JsonOption = False) -> None:
    """Have an account run leagues."""
    from league.audit_log import SHELL

    store = _store()
    found = store.accounts.find(name)
    _print_account(store.accounts.set_organiser(found.id, organiser=not undo, by=SHELL), json=json)


def _store(*, must_exist: bool = True) -> Store:
    from king_cli.places import open_existing_league, open_league
    from king_cli.settings import read_settings

    return (open_existing_league if must_exist else open_league)(read_settings(), secrets=False)


def _state(account: Account) -> str:
    told = [
        *(["organiser"] if account.organiser else []),
        *(["disabled"] if account.disabled else []),
        *(["no password yet"] if not account.has_password else []),
    ]
    return f" ({', '.join(told)})" if told else ""


def _account_json(account: Account) -> dict[str, Any]:
    return {
        "id": account.id,
        "name": account.name,
        "organiser": account.organiser,
        "disabled": account.disabled,
        "has_password": account.has_password,
        "created_at": account.created_at.isoformat(),
    }


def _print_account(account: Account, *, json: bool) -> None:
    from king_cli.reporting import print_json

    if json:
        print_json(_account_json(account))
    else:
        typer.echo(f"{account.id} {account.name}{_state(account)}")


def _print_made(account: Account, link: DrawnLink | None, *, json: bool) -> None:
    from dashboard.links import set_password
    from king_cli.reporting import print_json
    from king_cli.settings import read_settings

    if link is None:
        _print_account(account, json=json)
        return
    path = set_password(link.text)
    if json:
        told = {"link": path, "expires_at": link.expires_at.isoformat()}
        print_json({**_account_json(account), **told})
        return
    typer.echo(f"{read_settings().http_url}{path}")
    typer.echo(
        f"give this link to {account.name}: it sets the password once, until {link.expires_at:%d %B, %H:%M} UTC; "
        "put the dashboard’s own address before /set-password where it has another",
        err=True,
    )
