"""Watches a league while the platform plays it: takes up or makes the season, shows progress, prints the ladder."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from king_cli.leagues import create_season, is_season_of
from king_cli.places import open_league
from king_cli.reporting import MatchProgress, print_ladder
from king_cli.season_commands import DEFAULT_TIME_CONTROL
from king_cli.settings import Settings
from league.audit_log import SHELL
from league.ladder import ladder_json
from league.model import Progress, Season, SeasonState, Sitting, SittingState

if TYPE_CHECKING:
    from rich.console import Console

    from league.store import Store

SEASON_NAME = "samples"
UNFINISHED_STATUS = 1
TRIES = 8
"""After so many attempts of one sitting without a new result, the league is given up."""
_POLL_S = 0.5


class LeagueWatch:
    """One season of the samples, from its start, or where it was left, to its ladder."""

    def __init__(
        self,
        *,
        settings: Settings,
        console: Console,
        report: Callable[[str], None],
        variant: str,
        bots: Sequence[str],
        boards: int,
        serve: bool,
        again: bool = False,
    ) -> None:
        """Play `bots` in `variant`, `boards` for each set of players; with `serve`, go on after the ladder.

        With `again`, play another season even if just this one is finished.
        """
        self._again = again
        self._settings = settings
        self._console = console
        self._report = report
        self._variant = variant
        self._bots = bots
        self._boards = boards
        self._serve = serve
        self._store: Store | None = None
        self._season: Season | None = None
        self._status = UNFINISHED_STATUS

    def prepare(self) -> None:
        """As in `Watch`: make the season, or find the one that was left unfinished."""
        self._store = open_league(self._settings, secrets=True)
        left = [season for season in self._store.seasons.all() if _is_ours(season)]
        unfinished = next((season for season in left if season.state is not SeasonState.ENDED), None)
        finished = None if unfinished or self._again else next((one for one in left[:1] if self._is_it(one)), None)
        self._season = unfinished or finished or self._create(self._store, {season.name for season in left})
        if unfinished:
            self._report(f"taking up season {unfinished.id} ({unfinished.name}) where it was left")
        if finished:
            self._report(f"season {finished.id} ({finished.name}) is played already; --again plays another one")

    def _is_it(self, season: Season) -> bool:
        """Whether a season that has ended is all that is asked for."""
        assert self._store is not None
        progress = self._store.seasons.progress(season.id)
        return 0 < progress.matches_planned == progress.matches_stored and is_season_of(
            self._store,
            season,
            variant=self._variant,
            bots=self._bots,
            boards=self._boards,
            report=self._report,
        )

    def _create(self, store: Store, taken: Collection[str]) -> Season:
        names = (SEASON_NAME if number == 1 else f"{SEASON_NAME} {number}" for number in itertools.count(1))
        return create_season(
            store,
            name=next(name for name in names if name not in taken),
            variant=self._variant,
            bots=self._bots,
            boards=self._boards,
            time_control=DEFAULT_TIME_CONTROL,
            report=self._report,
        )

    async def run(self) -> int:
        """As in `Watch`."""
        assert self._store is not None
        assert self._season is not None
        store, season_id = self._store, self._season.id
        await asyncio.to_thread(_begin, store, self._season)
        progress = await self._follow(store, season_id)
        if progress is None:
            return UNFINISHED_STATUS
        ladder = await asyncio.to_thread(store.standings.ladder, season_id)
        print_ladder(ladder_json(ladder), of=f"season {season_id} ({self._season.name}, {self._season.variant})")
        missing = progress.matches_planned - progress.matches_stored
        self._status = 0 if missing == 0 else UNFINISHED_STATUS
        if missing:
            self._report(f"the season ended with {missing} of {progress.matches_planned} matches not played")
        if self._serve:
            self._report(f"ladder, matches and replays are at {self._settings.http_url} until Ctrl-C")
            await asyncio.Event().wait()
        self._report("to look at matches and replays: `king dashboard`, or `make league` again without SERVE=0")
        return self._status

    def status_if_stopped(self) -> int:
        """As in `Watch`."""
        return self._status

    async def _follow(self, store: Store, season_id: int) -> Progress | None:
        """Watch the season until it ends, or until it is given up: None."""
        progress = await asyncio.to_thread(store.seasons.progress, season_id)
        patience = Patience(self._report)
        with MatchProgress(progress.matches_planned, self._console) as shown:
            while progress.state is not SeasonState.ENDED:
                shown.show(progress.matches_stored)
                await asyncio.sleep(_POLL_S)
                if not patience.look_at(await asyncio.to_thread(store.sittings.of_season, season_id)):
                    return None
                progress = await asyncio.to_thread(store.seasons.progress, season_id)
            shown.show(progress.matches_stored)
        return progress


class Patience:
    """Tells what was given back and why, and says when a sitting has been tried in vain too often."""

    def __init__(self, report: Callable[[str], None]) -> None:
        """Say to `report` what happens."""
        self._report = report
        self._vain: dict[int, tuple[int, set[int]]] = {}

    def look_at(self, sittings: Iterable[Sitting]) -> bool:
        """Whether it is worth while to go on."""
        return all(self._look_at(sitting) for sitting in sittings if _waits_again(sitting))

    def _look_at(self, sitting: Sitting) -> bool:
        stored, attempts = self._vain.get(sitting.id, (0, set()))
        if sitting.attempt in attempts:
            return True
        kept = attempts if stored == sitting.stored_count else set()
        self._vain[sitting.id] = sitting.stored_count, kept | {sitting.attempt}
        if len(kept) + 1 < TRIES:
            self._report(f"sitting {sitting.id} is played again: {sitting.given_back}")
            return True
        self._report(f"giving up: sitting {sitting.id} had {TRIES} attempts without a result: {sitting.given_back}")
        return False


def _waits_again(sitting: Sitting) -> bool:
    return sitting.state is SittingState.PLANNED and bool(sitting.given_back)


def _is_ours(season: Season) -> bool:
    return season.name == SEASON_NAME or season.name.startswith(f"{SEASON_NAME} ")


def _begin(store: Store, season: Season) -> None:
    if season.state is SeasonState.PAUSED:
        store.organising.resume(season.id, by=SHELL)
    elif season.state is not SeasonState.ENDED:
        store.organising.start(season.id, by=SHELL)
