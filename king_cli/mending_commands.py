"""`king season requeue`, `suspend`, `lift` and `withdraw`: what an organiser mends while a season is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from league.model import Season
    from league.store import Store

SeasonArgument = Annotated[str, typer.Argument(metavar="SEASON", help="The season's id or name.")]
BotArgument = Annotated[str, typer.Argument(metavar="BOT", help="The bot, as the season's ladder names it.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def requeue(
    season: SeasonArgument,
    sitting: Annotated[int | None, typer.Option(min=1, help="This sitting alone.")] = None,
    board_set: Annotated[int | None, typer.Option("--set", min=1, help="This set of boards alone.")] = None,
    json: JsonOption = False,
) -> None:
    """Have what hangs, or was given back, played in new attempts.

    What is stored stays. Whoever plays one of the sittings now loses its claim.
    """
    from king_cli.reporting import print_json
    from league.audit_log import SHELL

    store, found = _opened(season)
    sittings = store.organising.requeue(found.id, sitting=sitting, set_number=board_set, by=SHELL)
    if json:
        print_json({"season": found.id, "sittings": list(sittings)})
    else:
        typer.echo(f"{len(sittings)} sittings are to be played again, as soon as they come from the queue")


def suspend(
    season: SeasonArgument,
    bot: BotArgument,
    reason: Annotated[str, typer.Option(help="Why; its owner reads it.")],
    json: JsonOption = False,
) -> None:
    """Suspend a bot in a season, as too many faults would."""
    from league.audit_log import SHELL

    store, found = _opened(season)
    store.organising.suspend(found.id, bot, reason, by=SHELL)
    _print(found, bot, "suspended", json=json)


def lift(season: SeasonArgument, bot: BotArgument, json: JsonOption = False) -> None:
    """Have a suspended bot play again.

    What it did before is not held against it any more.
    """
    from league.audit_log import SHELL

    store, found = _opened(season)
    store.organising.lift(found.id, bot, by=SHELL)
    _print(found, bot, "active", json=json)


def withdraw(season: SeasonArgument, bot: BotArgument, json: JsonOption = False) -> None:
    """Pair a bot of a rolling season no more.

    An old version, say. It plays what is planned and keeps its rating. `king season enter` brings it back.
    """
    from league.audit_log import SHELL

    store, found = _opened(season)
    store.organising.withdraw(found.id, bot, by=SHELL)
    _print(found, bot, "withdrawn", json=json)


def _opened(season: str) -> tuple[Store, Season]:
    from king_cli.places import open_existing_league
    from king_cli.settings import read_settings

    store = open_existing_league(read_settings(), secrets=True)
    return store, store.seasons.find(season)


def _print(season: Season, bot: str, state: str, *, json: bool) -> None:
    from king_cli.reporting import print_json

    if json:
        print_json({"season": season.id, "bot": bot, "state": state})
    else:
        typer.echo(f"{bot} is {state} in season {season.id} ({season.name})")
