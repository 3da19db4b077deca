"""Makes seasons out of bots: finds and registers them, checks that they fit, enters them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from king_cli.errors import UsageError
from king_cli.reporting import report_line
from workers.bots import BotProgram, find_bot
from workers.building import build_bots

if TYPE_CHECKING:
    from league.model import BotVersion, Entrant, Season
    from league.store import Store
    from referee.rules import Variant


REMOTE = "remote:"
"""How a registered remote bot is named among bots."""


def create_season(
    store: Store,
    *,
    name: str,
    variant: str,
    bots: Sequence[str],
    boards: int,
    time_control: str,
    player_sets: int | None = None,
    rolling: bool = False,
    open_to_remotes: bool = False,
    absent_after_ms: int = 60_000,
    report: Callable[[str], None] = report_line,
) -> Season:
    """Create a season and enter `bots`, each as `find_bot` takes it, built if need be; `report` is told of that.

    `boards`, `player_sets`, `rolling` and `absent_after_ms` are as in `NewSeason`. `open_to_remotes`: an open season,
    in which remote bots take part, `remote:NAME` or `remote:NAME@VERSION`; they may also enter until it starts.

    Raises:
        UsageError: the name is taken, a bot comes twice, does not play the variant, or there are too few.
        BotError, RulesError, LeagueError: a bot, the variant or another setting is wrong; a bot cannot be built.
    """
    from league.audit_log import SHELL
    from league.model import NewSeason, SeasonKind
    from referee.clock import TimeControl
    from referee.rules import parse_variant

    rules = parse_variant(variant)
    try:
        TimeControl.parse(time_control)
    except ValueError as error:
        raise UsageError(str(error)) from None
    namesake = next((season for season in store.seasons.all() if season.name == name), None)
    if namesake is not None:  # told before bots are built
        raise UsageError(f"there is a season {name!r} already: its id is {namesake.id}; choose another name")
    entries = _register_all(store, bots, rules, report, at_least=int(open_to_remotes))
    new = NewSeason(
        name=name,
        variant=rules.id,
        boards=boards,
        time_control=time_control,
        player_sets=player_sets,
        rolling=rolling,
        kind=SeasonKind.OPEN if open_to_remotes else SeasonKind.MANAGED,
        absent_after_ms=absent_after_ms,
    )
    return store.organising.create(new, [entry.id for entry in entries], by=SHELL)


def enter_bots(
    store: Store, season: Season, bots: Sequence[str], report: Callable[[str], None] = report_line
) -> tuple[Entrant, ...]:
    """Enter more bots in a season, as `create_season` does; those that have entered already stay as they are.

    Raises:
        UsageError: a bot comes twice or does not play the season's variant, or none is given.
        BotError, LeagueError: a bot is wrong or cannot be built; the season takes no entries.
    """
    from league.audit_log import SHELL
    from referee.rules import parse_variant

    if not bots:
        raise UsageError("--bots names no bot: give at least one")
    entries = _register_all(store, bots, parse_variant(season.variant), report, at_least=1)
    return store.organising.enter(season.id, [entry.id for entry in entries], by=SHELL)


def is_season_of(
    store: Store,
    season: Season,
    *,
    variant: str,
    bots: Sequence[str],
    boards: int,
    report: Callable[[str], None] = report_line,
) -> bool:
    """Whether a season is one of just these bots, as they are now, and just so many boards of the variant.

    Raises:
        UsageError, BotError, RulesError, LeagueError: as `create_season`.
    """
    from referee.rules import parse_variant

    rules = parse_variant(variant)
    wanted = {entry.id for entry in _register_all(store, bots, rules, report)}
    entered = {entrant.bot.id for entrant in store.seasons.entrants(season.id)}
    return (season.variant, season.boards, entered) == (rules.id, boards, wanted)


def _register_all(
    store: Store, bots: Sequence[str], rules: Variant, report: Callable[[str], None], *, at_least: int = 0
) -> list[BotVersion]:
    from workers.registering import register_bot

    remotes = [_remote(store, text.removeprefix(REMOTE)) for text in bots if text.startswith(REMOTE)]
    programs = [find_bot(text) for text in bots if not text.startswith(REMOTE)]
    _check([*(program.name for program in programs), *(bot.name for bot in remotes)], rules, at_least or rules.seats)
    for program in programs:
        check_plays(program, rules.base_id)
    build_bots(programs, report)  # before they are known by their hashes: a build may add a file, such as a lock
    return [*(register_bot(store, program) for program in programs), *remotes]


def _remote(store: Store, text: str) -> BotVersion:
    name, _, version = text.partition("@")
    return store.bots.remote(name, version).bot


def _check(names: Sequence[str], rules: Variant, at_least: int) -> None:
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"bot {name} is given twice: a season has a bot once")
    if len(names) < at_least:
        raise UsageError(
            f"{rules.base_id} needs at least {at_least} bots, not {len(names)}: {', '.join(names) or 'none'}"
        )


def check_plays(program: BotProgram, base_id: str) -> None:
    """Check that a bot plays a variant.

    Raises:
        UsageError: it does not.
    """
    if not program.plays(base_id):
        raise UsageError(f"bot {program.name} does not play {base_id}; it plays {', '.join(program.variants)}")
