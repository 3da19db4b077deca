"""`king bots …`: the bots there are, and remote ones, which their owners run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from league.model import RemoteBot, RemoteRegistration
    from league.store import Store
    from league.unrated import UnratedBoard

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The bot's name.")]
VersionOption = Annotated[str, typer.Option(help="Its version; default: the one registered last.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    bots = typer.Typer(
        help="List bots; register remote ones and give them tokens.",
        rich_markup_mode=None,
        invoke_without_command=True,
    )
    bots.callback()(list_bots)
    bots.command()(register_remote)
    bots.command()(renew_token)
    bots.command()(revoke)
    app.add_typer(bots, name="bots")


def list_bots(context: typer.Context, json: JsonOption = False) -> None:
    """List the sample bots and those registered in the store; register remote ones."""
    from king_cli.places import has_store, open_existing_league
    from king_cli.reporting import print_json
    from king_cli.settings import read_settings
    from workers.bots import sample_names

    if context.invoked_subcommand is not None:
        return
    settings = read_settings()
    known: list[dict[str, Any]] = []
    if has_store(settings):
        store = open_existing_league(settings, secrets=False)
        remote = {each.bot.id: each for each in store.bots.remotes()}
        boards = store.unrated.qualifying_of(remote)
        for bot in store.bots.all():
            row = {"bot": bot.name, "version": bot.version, "language": bot.language, "source": bot.source.location}
            known.append(row | (_remote_json(remote[bot.id], boards.get(bot.id)) if bot.id in remote else {}))
    if json:
        print_json({"samples": list(sample_names()), "registered": known})
        return
    typer.echo(f"samples: {', '.join(sample_names())}")
    for each in known:
        typer.echo(f"{each['bot']} {each['version']}: {_where(each)}")


def register_remote(
    name: NameArgument,
    owner: Annotated[str, typer.Option(help="Who runs it.")],
    version: Annotated[str, typer.Option(help="Its version; each has a token of its own.")],
    language: Annotated[str, typer.Option(help="What it is written in.")] = "",
    json: JsonOption = False,
) -> None:
    """Register a bot that its owner runs, and print its token.

    The token is shown this once: only its hash is stored. The bot dials KING_REFEREE with it, as KING_TOKEN.
    """
    from league.audit_log import SHELL, Act

    store = _store(must_exist=False)
    with store.together():
        registered = store.bots.register_remote(owner=owner, name=name, version=version, language=language)
        store.audit_log.write(SHELL, Act.BOT_REGISTERED, f"{name}@{version}", {"owner": owner})
    _print_token(registered, json=json)


def renew_token(name: NameArgument, version: VersionOption = "", json: JsonOption = False) -> None:
    """Give a remote bot a new token, and print it.

    The old one is refused from now on.
    """
    from league.audit_log import SHELL, Act

    store = _store()
    found = store.bots.remote(name, version).bot
    with store.together():
        renewed = store.bots.renew_token(found.id)
        store.audit_log.write(SHELL, Act.REMOTE_TOKEN_RENEWED, f"{found.name}@{found.version}")
    _print_token(renewed, json=json)


def revoke(name: NameArgument, version: VersionOption = "", json: JsonOption = False) -> None:
    """Take a remote bot's token back.

    It is refused from now on, and its stream is closed.
    """
    from king_cli.reporting import print_json
    from league.audit_log import SHELL, Act

    store = _store()
    found = store.bots.remote(name, version).bot
    with store.together():
        store.bots.revoke_token(found.id)
        store.audit_log.write(SHELL, Act.REMOTE_TOKEN_REVOKED, f"{found.name}@{found.version}")
    if json:
        print_json({"bot": found.name, "version": found.version, "revoked": True})
    else:
        typer.echo(f"{found.name} {found.version} is refused from now on; `king bots renew-token` gives it a new token")


def _print_token(registered: RemoteRegistration, *, json: bool) -> None:
    """The token alone on standard output, so that a script can keep it."""
    from king_cli.reporting import print_json

    bot = registered.bot
    if json:
        told = {"bot": bot.name, "version": bot.version, "owner": bot.owner, "version_hash": bot.version_hash}
        print_json(told | {"token": registered.token})
        return
    typer.echo(f"the token of {bot.name} {bot.version}, shown this once; its bot finds it in KING_TOKEN:", err=True)
    typer.echo(registered.token)
    typer.echo(f"it enters open seasons as remote:{bot.name}", err=True)


def _remote_json(remote: RemoteBot, board: UnratedBoard | None) -> dict[str, Any]:
    """`qualifying`: how far it is with its latest qualifying board, None without one; `failure`: why it has failed."""
    from league.qualifying import qualifying_of

    told = {"remote": True, "owner": remote.bot.owner, "revoked": remote.token_hash is None}
    if board is None:
        return told | {"qualifying": None, "failure": None}
    return told | {"qualifying": qualifying_of(board).value, "failure": board.outcome or None}


def _where(row: dict[str, Any]) -> str:
    if not row.get("remote"):
        return str(row["source"])
    qualifying = f", qualifying: {row['qualifying']}" if row["qualifying"] else ""
    failure = f" ({row['failure']})" if row["failure"] else ""
    return f"remote, of {row['owner']}{qualifying}{failure}{', its token is revoked' if row['revoked'] else ''}"


def _store(*, must_exist: bool = True) -> Store:
    from king_cli.places import open_existing_league, open_league
    from king_cli.settings import read_settings

    return (open_existing_league if must_exist else open_league)(read_settings(), secrets=False)
