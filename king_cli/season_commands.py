"""`king season …` and `king ladder`: leagues from the shell."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from king_cli.audit_command import audit
from king_cli.errors import UsageError, naming
from king_cli.mending_commands import lift, requeue, suspend, withdraw
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
DEFAULT_ABSENT_AFTER = "60s"
OPEN_NOTE = (
    "An open season: each board is played once, so the luck of the deal is not cancelled, and differences take more "
    "boards to show; the intervals, clustered by board, still hold."
)
BOTS_HELP = (
    "The bots, separated by commas: samples, folders, cmd:…, or in open seasons remote:NAME, remote:NAME@VERSION."
)

SeasonArgument = Annotated[str, typer.Argument(metavar="SEASON", help="The season's id or name.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    seasons = typer.Typer(help="Create, run and end seasons.", no_args_is_help=True, rich_markup_mode=None)
    for command in (create, sizes, enter, start, pause, status, end, export, audit, requeue, suspend, lift, withdraw):
        seasons.command()(command)
    app.add_typer(seasons, name="season")
    app.command()(ladder)


def create(
    name: Annotated[str, typer.Argument(help="What to call it.")],
    variant: Annotated[str, typer.Option(help="The variant, with its options; see `king variants`.")],
    bots: Annotated[str, typer.Option(help=BOTS_HELP)],
    boards: Annotated[int | None, typer.Option(min=1, max=BOARDS_LIMIT, help=BOARDS_HELP)] = None,
    player_sets: Annotated[
        int | None,
        typer.Option(min=1, max=BOARDS_LIMIT, help="How many sets of players meet; see `king season sizes`."),
    ] = None,
    rolling: Annotated[
        bool,
        typer.Option(
            "--rolling", help="Plan ever more boards until `king season end`, and take bots in while it runs."
        ),
    ] = False,
    is_open: Annotated[
        bool, typer.Option("--open", help="Take remote bots too; each board is played once, so luck is not cancelled.")
    ] = False,
    absent_after: Annotated[
        str, typer.Option(help=f"How long a sitting waits for a remote bot; default {DEFAULT_ABSENT_AFTER}.")
    ] = "",
    time_control: Annotated[str, typer.Option(help="The clock of each bot.")] = DEFAULT_TIME_CONTROL,
    json: JsonOption = False,
) -> None:
    """Create a season, and print its id.

    Entries are closed and the cards fixed when it starts. A rolling one goes on until `king season end`, and until
    then takes bots in by `king season enter`. An open one has a ladder of its own.
    """
    from king_cli.durations import milliseconds
    from king_cli.leagues import create_season
    from king_cli.reporting import print_json
    from king_cli.season_balance import balance_line

    if boards is None and not rolling:
        raise UsageError("--boards is missing: say how many boards each set of players that meets plays")
    if rolling and player_sets is not None:
        raise UsageError("--player-sets is for closed seasons: a rolling one chooses its boards as it goes")
    if absent_after and not is_open:
        raise UsageError("--absent-after is for open seasons: no other has remote bots")
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
        open_to_remotes=is_open,
        absent_after_ms=milliseconds(absent_after or DEFAULT_ABSENT_AFTER, "--absent-after"),
    )
    uneven = balance_line(season, [one.bot.rated_owner for one in store.seasons.entrants(season.id)])
    if uneven is not None:
        typer.echo(f"king: {uneven}", err=True)
    if json:
        print_json({"season": season.id})
    else:
        typer.echo(f'{{"season": {season.id}}}')
        closes = "begins it, until `king season end`" if rolling else "closes the entries"
        typer.echo(
            f"next: `king season start {shlex.quote(name)}` {closes}; `king up` plays it, or workers elsewhere do",
            err=True,
        )


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

    from king_cli.reporting import counted, print_json
    from league.pairing import offered_sizes
    from referee.rules import parse_variant

    rules = parse_variant(variant)
    offered = [asdict(size) for size in offered_sizes(bots, rules.seats)]
    if json:
        print_json({"bots": bots, "variant": rules.id, "sizes": offered})
        return
    for size in offered:
        typer.echo(
            f"--player-sets {size['player_sets']}: {counted(size['boards_per_bot'], 'board')} for each bot, "
            f"{size['meetings']} shared by each pair"
        )


def enter(
    season: SeasonArgument,
    bots: Annotated[str, typer.Option(help=BOTS_HELP)],
    json: JsonOption = False,
) -> None:
    """Enter bots in a season not yet begun, or a rolling one.

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

    `king up` plays what is started, or does so as soon as it runs; so do workers on other hosts. A rolling season goes
    on growing and is played until `king season end`.
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
        return
    of_kind = ", open" if chosen.kind.value == "open" else ""
    print_ladder(found, of=f"season {chosen.id} ({chosen.name}, {chosen.variant}{of_kind})")
    if of_kind:
        typer.echo(OPEN_NOTE)


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
