"""One run: makes the season, strikes while it is played, waits for its end, checks.

Owns the order of things. One thread does all of it, and waits for nothing that a fault could hold up.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks.faults.players import Players
from king_cli.leagues import create_season
from league.audit_log import SHELL
from league.errors import StoreUnusableError
from league.model import Progress, SeasonState
from league.store import Store, Vault
from referee.rules import parse_variant
from tests.hosts.arena import ManyHosts
from tests.hosts.checks import check_dashboards, check_league
from tests.hosts.network import Network
from tests.hosts.schedule import Strike, Way

VARIANT = "classic[seats=3]"
TIME_CONTROL = "start=30s,inc=20ms,bank=2s"
_SEASONS = 2
_THINKS_S = 0.005
"""Slow enough to play for a while, so that there is somebody to strike, without much to compute."""
_LOOK_EVERY_S = 0.1
_ASK_EVERY_S = 1.0
_TELL_EVERY_S = 15.0
_STANDSTILL_S = 240.0
_SHOWN_WITHIN_S = 150.0
_END_WITHIN_S = 60.0

Undo = Callable[[], None]


@dataclass
class Run:
    """Leagues on many hosts, in a folder; `report` takes lines for people while it goes on."""

    folder: Path
    boards: int
    report: Callable[[str], None]
    told: list[str] = field(default_factory=list)
    """What there is to tell at the end."""

    def __post_init__(self) -> None:
        """Plug everything in."""
        said = self.folder / "said"
        said.mkdir()
        self.network = Network(self.folder)
        self.arena = ManyHosts(self.network, said, secrets.token_hex(16))
        self._players = Players(self.folder / "bots", thinks_s=_THINKS_S)
        self._seasons: list[int] = []
        self._made: list[Strike] = []
        self._undo: list[tuple[float, Strike, Undo]] = []

    def play(self, planned: Iterable[Strike]) -> list[str]:
        """Play seasons until all is struck and they are over. Returns what is wrong then."""
        began = time.monotonic()
        self.arena.start_database()
        with self._opened_store() as store:
            self._begin_seasons(store)
            self.arena.start()
            self.report(f"{len(self.network.hosts)} hosts run")
            wrong = self._play_to_the_end(store, list(planned))
            self.report("all is played; now it is checked")
            for season in self._seasons:
                wrong += check_league(store, season)
                wrong += self._check_shown(season)
            self._tell(store)
        self.report("all is told to end")
        wrong += self.arena.end(_END_WITHIN_S)
        self.network.remove()
        wrong += [f"interface {name} is left" for name in self.network.left()]
        self.told.append(f"{time.monotonic() - began:.0f} s in all")
        return wrong

    def _check_shown(self, season: int) -> list[str]:
        """All dashboards show the same; one that was struck a moment ago is waited for."""
        deadline = time.monotonic() + _SHOWN_WITHIN_S
        while True:
            self.arena.services.look()
            try:
                return check_dashboards(self.arena, season)
            except OSError as error:
                if time.monotonic() > deadline:
                    return [f"a dashboard does not answer: {error}"]
            time.sleep(_LOOK_EVERY_S)

    def _opened_store(self) -> closing[Store]:
        store = Store.open(self.arena.store_url, vault=Vault.open(self.arena.vault_url))
        store.migrate()
        return closing(store)

    def _begin_seasons(self, store: Store) -> None:
        """Begin some side by side: of one of them, two sittings can be played at the same time."""
        for _ in range(_SEASONS):
            season = create_season(
                store,
                name=f"Many hosts {len(self._seasons) + 1}",
                variant=VARIANT,
                bots=[str(folder) for folder in self._players.folders[: parse_variant(VARIANT).seats]],
                boards=self.boards,
                time_control=TIME_CONTROL,
                report=lambda text: None,
            )
            store.organising.start(season.id, by=SHELL)
            self._seasons.append(season.id)

    def _play_to_the_end(self, store: Store, planned: list[Strike]) -> list[str]:
        """Strike while it is played; hosts run again when this returns. Returns what is wrong: that it stands still."""
        stored, changed_at, asked_at = 0, time.monotonic(), 0.0
        strike_at, tell_at = float("inf"), time.monotonic() + _TELL_EVERY_S
        while True:
            self.arena.services.look()
            self._undo_until(time.monotonic())
            if planned and time.monotonic() >= strike_at and self._may_strike(planned[0]):
                self._strike(planned.pop(0))
                strike_at = time.monotonic() + (planned[0].pause_s if planned else 0)
            if time.monotonic() >= asked_at:
                asked_at = time.monotonic() + _ASK_EVERY_S
                progress = self._progress(store)
                now_stored = sum(each.matches_stored for each in progress)
                if progress and time.monotonic() >= tell_at:
                    tell_at = time.monotonic() + _TELL_EVERY_S
                    self.report(f"{now_stored} of {sum(each.matches_planned for each in progress)} matches")
                if now_stored > stored:
                    stored, changed_at = now_stored, time.monotonic()
                    if strike_at == float("inf") and planned:  # only now it is really played
                        self.report("the first matches are stored")
                        strike_at = time.monotonic() + planned[0].pause_s
                if progress and all(each.state == SeasonState.ENDED for each in progress):
                    if planned:
                        self._begin_seasons(store)
                    elif not self._undo:
                        return []
            if time.monotonic() - changed_at > _STANDSTILL_S:
                return [f"nothing was stored for {_STANDSTILL_S:g} s: {self._progress(store)}"]
            time.sleep(_LOOK_EVERY_S)

    def _progress(self, store: Store) -> list[Progress]:
        """How far all seasons are; nothing while their database does not run."""
        try:
            return [store.seasons.progress(season) for season in self._seasons]
        except StoreUnusableError:
            return []

    # Strikes

    def _may_strike(self, strike: Strike) -> bool:
        """Whether the host, and the other, are as they should be now."""
        struck = {name for _, each, _ in self._undo for name in (each.host, each.towards)}
        return not struck & {strike.host, strike.towards} - {""}

    def _strike(self, strike: Strike) -> None:
        self.report(f"fault {len(self._made) + 1}: {strike}")
        self._made.append(strike)
        host = self.arena.host(strike.host)
        match strike.way:
            case Way.UNPLUG:
                host.unplug()
                undo: Undo = host.plug_in
            case Way.DEAFEN:
                address = self.arena.host(strike.towards).address
                host.lose_what_goes_to(address)
                undo = partial(host.reach_again, address)
            case Way.POWER_OFF:
                host.lose_power()
                undo = host.boot
            case Way.CRASH:
                host.crash()
                return
        self._undo.append((time.monotonic() + strike.lasting_s, strike, undo))

    def _undo_until(self, now: float) -> None:
        for entry in [entry for entry in self._undo if entry[0] <= now]:
            entry[2]()
            self._undo.remove(entry)

    def _tell(self, store: Store) -> None:
        counted = Counter(strike.way.value for strike in self._made)
        self.told.append(f"{len(self._made)} faults: {', '.join(f'{way} {count}' for way, count in counted.items())}")
        sittings = [sitting for season in self._seasons for sitting in store.sittings.of_season(season)]
        played = Counter(sitting.worker.partition(":")[0] for sitting in sittings)
        matches = sum(store.seasons.progress(season).matches_stored for season in self._seasons)
        again = sum(sitting.attempt > 1 for sitting in sittings)
        shares = ", ".join(f"{name} {count}" for name, count in sorted(played.items()))
        self.told.append(
            f"{matches} matches in {len(sittings)} sittings, {again} in more than one attempt; by {shares}"
        )
        for reason, count in Counter(sitting.given_back for sitting in sittings if sitting.given_back).most_common(12):
            self.told.append(f"given back last: {count} × {reason}")
