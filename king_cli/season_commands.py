"""`king season …`, `king ladder` and `king bots`: leagues from the shell."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from king_cli.audit_command import audit
from king_cli.errors import UsageError, naming
from king_cli.mending_commands import lift, requeue, suspend
from king_cli.reporting import record_name

if TYPE_CHECKING:
    from league.model import MatchRow, Season
    from league.store import Store

BOARDS_LIMIT = 1_000_000
ROLLING_BOARDS = 16
BOARDS_HELP = (
    "Boards that each set of players that meets plays; in a rolling season, boards by which the plan grows at a time "
    f"[default there: {ROLLING_BOARDS}]."
)
DEFAULT_TIME_CONTROL = "start=30s,inc=100ms,bank=10s"

SeasonArgument = Annotated[str, typer.Argument(metavar="SEASON", help="The season's id or name.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    seasons = typer.Typer(help="Create, run and end seasons.", no_args_is_help=True, rich_markup_mode=None)
    for command in (create, sizes, enter, start, pause, status, end, export, audit, requeue, suspend, lift):
        seasons.command()(command)
    app.add_typer(seasons, name="season")
    app.command()(ladder)
    app.command()(bots)


def create(
    name: Annotated[str, typer.Argument(help="What to call it.")],
    variant: Annotated[str, typer.Option(help="The variant, with its options; see `king variants`.")],
    bots: Annotated[str, typer.Option(help="The bots, separated by commas: samples, folders, or cmd:…")],
    boards: Annotated[int | None, typer.Option(min=1, max=BOARDS_LIMIT, help=BOARDS_HELP)] = None,
    player_sets: Annotated[
        int | None,
        typer.Option(min=1, max=BOARDS_LIMIT, help="How many sets of players meet; see `king season sizes`."),
    ] = None,
    rolling: Annotated[
        bool, typer.Option("--rolling", help="Plan ever more boards, and take bots in while it runs.")
    ] = False,
    time_control: Annotated[str, typer.Option(help="The clock of each bot.")] = DEFAULT_TIME_CONTROL,
    json: JsonOption = False,
) -> None:
    """Create a season, and print its id.

    Entries are closed and the cards fixed when it starts. A rolling one goes on until `king season end`, and until
    then takes bots in by `king season enter`.
    """
    from king_cli.leagues import create_season
    from king_cli.reporting import print_json

    if boards is None and not rolling:
        raise UsageError("--boards is missing: say how many boards each set of players that meets plays")
    if rolling and player_sets is not None:
        raise UsageError("--player-sets is for closed seasons: a rolling one chooses its boards as it goes")
    store = _store(must_exist=False)
    season = create_season(
        store,
        name=name,
        variant=variant,
        bots=_words(bots),
        boards=boards or ROLLING_BOARDS,
        time_control=time_control,
        player_sets=player_sets,
        rolling=rolling,
    )
    if json:
        print_json({"season": season.id})
    else:
        typer.echo(f'{{"season": {season.id}}}')
        closes = "begins it" if rolling else "closes the entries"
        typer.echo(f"next: `king season start {shlex.quote(name)}` {closes}; `king up` plays it", err=True)


def sizes(
    bots: Annotated[int, typer.Argument(min=1, max=200, help="How many bots.")],
    variant: Annotated[str, typer.Option(help="The variant, with its options; see `king variants`.")],
    json: JsonOption = False,
) -> None:
    """List the sizes of a season at which all pairs meet equally.

    Each pair of bots then shares the same number of boards. They are for --player-sets of `king season create`, for
    closed seasons; at any other size pairs meet at most two boards apart.
    """
    from dataclasses import asdict

    from king_cli.reporting import print_json
    from league.pairing import offered_sizes
    from referee.rules import parse_variant

    rules = parse_variant(variant)
    offered = [asdict(size) for size in offered_sizes(bots, rules.seats)]
    if json:
        print_json({"bots": bots, "variant": rules.id, "sizes": offered})
        return
    for size in offered:
        typer.echo(
            f"--player-sets {size['player_sets']}: {size['boards_per_bot']} boards for each bot, "
            f"{size['meetings']} shared by each pair"
        )


def enter(
    season: SeasonArgument,
    bots: Annotated[str, typer.Option(help="The bots, separated by commas: samples, folders, or cmd:…")],
    json: JsonOption = False,
) -> None:
    """Enter bots in a season that has not started, or in a rolling one.

    One that comes late is paired from the next set of boards on, and first, until it has as many boards as the others.
    A new version of a bot is an entrant of its own.
    """
    from king_cli.leagues import enter_bots

    store = _store()
    found = store.seasons.find(season)
    enter_bots(store, found, _words(bots))
    _print_status(store, found.id, json=json)


def start(season: SeasonArgument, json: JsonOption = False) -> None:
    """Start a season, or go on with a paused one.

    `king up` plays what is started, or does so as soon as it runs.
    """
    from league.audit_log import SHELL

    store = _store()
    found = store.seasons.find(season)
    go_on = store.organising.resume if found.state == "paused" else store.organising.start
    go_on(found.id, by=SHELL)
    _print_status(store, found.id, json=json)


def pause(season: SeasonArgument, json: JsonOption = False) -> None:
    """Hand out no more sittings of a season.

    Those under way are played to their end.
    """
    from league.audit_log import SHELL

    store = _store()
    found = store.seasons.find(season)
    store.organising.pause(found.id, by=SHELL)
    _print_status(store, found.id, json=json)


def status(season: SeasonArgument, json: JsonOption = False) -> None:
    """Say how far a season is."""
    store = _store()
    _print_status(store, store.seasons.find(season).id, json=json)


def end(
    season: SeasonArgument,
    void: Annotated[bool, typer.Option("--void", help="End at once; what is being played is void.")] = False,
    json: JsonOption = False,
) -> None:
    """End a season before all its matches are played.

    A rolling one ends when the sets of boards that have begun are over, unless --void is given; any other, at once.
    """
    from league.audit_log import SHELL

    store = _store()
    found = store.seasons.find(season)
    store.organising.end(found.id, void=void, by=SHELL)
    _print_status(store, found.id, json=json)


def export(
    season: SeasonArgument,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder for the records.")],
    json: JsonOption = False,
) -> None:
    """Write the records of a season, one file for each match.

    Only those that are public by now, with their secrets.
    """
    from king_cli.reporting import print_json
    from referee.rules import write_record

    store = _store(secrets=False)
    out.mkdir(parents=True, exist_ok=True)
    paths = []
    for match in _public_matches(store, store.seasons.find(season).id):
        path = out / record_name(match.board, match.rotation)
        record = store.results.record(match.match_id)
        with naming(path):
            write_record(path, record)
        paths.append(str(path))
    if json:
        print_json({"records": paths})
    else:
        typer.echo(f"{len(paths)} records in {out}")


def _public_matches(store: Store, season_id: int) -> Iterator[MatchRow]:
    before: int | None = None
    while page := store.results.matches(season_id, before=before):
        yield from (match for match in page if match.public)
        before = page[-1].number


def ladder(
    season: Annotated[
        str, typer.Argument(metavar="[SEASON]", help="The season's id or name; default: the newest with matches.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Print the ladder of a season.

    By default, of the newest one that has matches, or else the newest.
    """
    from king_cli.reporting import print_json, print_ladder
    from league.ladder import ladder_json

    store = _store(secrets=False)
    chosen = _one_season(store, season)
    found = ladder_json(store.standings.ladder(chosen.id))
    if json:
        print_json({"season": chosen.id, "name": chosen.name, **found})
    else:
        print_ladder(found, of=f"season {chosen.id} ({chosen.name}, {chosen.variant})")


def bots(json: JsonOption = False) -> None:
    """List the sample bots and those registered in the store."""
    from king_cli.places import has_store
    from king_cli.reporting import print_json
    from king_cli.settings import read_settings
    from workers.bots import sample_names

    known = _store(secrets=False).bots.all() if has_store(read_settings()) else ()
    registered = [
        {"bot": bot.name, "version": bot.version, "language": bot.language, "source": bot.source.location}
        for bot in known
    ]
    if json:
        print_json({"samples": list(sample_names()), "registered": registered})
        return
    typer.echo(f"samples: {', '.join(sample_names())}")
    for each in registered:
        typer.echo(f"{each['bot']} {each['version']}: {each['source']}")


def _store(*, secrets: bool = True, must_exist: bool = True) -> Store:
    from king_cli.places import open_existing_league, open_league
    from king_cli.settings import read_settings

    return (open_existing_league if must_exist else open_league)(read_settings(), secrets=secrets)


def _one_season(store: Store, text: str) -> Season:
    from king_cli.places import HOW_TO_BEGIN
    from king_cli.settings import read_settings

    if text:
        return store.seasons.find(text)
    seasons = store.seasons.all()
    if not seasons:
        raise UsageError(f"there is no season in {read_settings().data_dir} yet: {HOW_TO_BEGIN}")
    with_matches = (season for season in seasons if store.seasons.progress(season.id).matches_stored)
    return next(with_matches, seasons[0])


def _nobody_plays(season: Season) -> bool:
    """Whether a season waits for a `king up`; with a Redis of its own, workers may be anywhere."""
    from king_cli.places import is_played_here
    from king_cli.settings import read_settings

    settings = read_settings()
    return season.state.value == "running" and not settings.redis_url and not is_played_here(settings)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _print_status(store: Store, season_id: int, *, json: bool) -> None:
    from king_cli.reporting import print_json
    from king_cli.season_status import status_json, status_lines

    if json:
        print_json(status_json(store, season_id))
        return
    idle = _nobody_plays(store.seasons.get(season_id))
    for line in status_lines(store, season_id, nobody_plays=idle):
        typer.echo(line)
