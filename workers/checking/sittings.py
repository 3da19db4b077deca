"""Plays a sitting of the bot with fillers at a referee of its own, and keeps all that a check wants to know of it.

The sitting ends at the bot's first fault: the check has its answer then.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from referee.dealing import LOCAL_SALT, local_secret
from referee.rules import Variant
from referee.server import RefereeServer
from workers.bots import BotProgram
from workers.checking.cutting import CuttingProxy
from workers.checking.decisions import needs_leading
from workers.checking.processes import CheckLauncher, Launching, WatchedProcess
from workers.checking.steering import Steering
from workers.checking.traffic import Traffic
from workers.launcher import LocalLauncher
from workers.referee_client import FaultSeen, PlayerPlan, SittingError, SittingPlan, TablePlan
from workers.sitting import Stage, play_sitting
from workers.socket_folder import socket_folder

SEED: Final = 1
CUTS_AT: Final = (10, 30)
"""The frames with requests, from 1, at which the bot's connection is cut."""

_KEY: Final = "check"
_RECENT: Final = 2


class FaultFoundError(Exception):
    """The bot had a fault, so the sitting is dropped."""


@dataclass(kw_only=True)
class Run:
    """One sitting of the bot, as far as it went. Times are in seconds of the monotonic clock.

    Attributes:
        asked: how often the bot was asked each kind of decision.
        recently_asked: the last two of them, and their deals.
        cuts: when its connection was cut.
    """

    variant: str
    traffic: Traffic
    asked: Counter[str] = field(default_factory=Counter)
    recently_asked: deque[str] = field(default_factory=lambda: deque(maxlen=_RECENT))
    processes: list[WatchedProcess] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    cuts: list[float] = field(default_factory=list)
    fault: FaultSeen | None = None
    fault_at: float = 0.0
    launch_error: str = ""
    tables_over: int = 0
    began_at: float = field(default_factory=time.monotonic)
    seconds: float = 0.0

    def note_asked(self, decision: str, deal: int) -> None:
        """The bot is asked a decision of this kind, in this deal."""
        self.asked[decision] += 1
        self.recently_asked.append(f"{decision} in deal {deal}")

    @property
    def seconds_to_fault(self) -> float:
        """The seconds from the beginning to the fault; to the end, if there was none."""
        return self.fault_at - self.began_at if self.fault is not None else self.seconds

    @property
    def failed(self) -> bool:
        """Whether the bot had a fault, or did not even start."""
        return self.fault is not None or bool(self.launch_error)


class CheckSink:
    """Takes what comes of a sitting."""

    def __init__(self, run: Run) -> None:
        self._run = run

    async def keep_result(self, match_id: str, record: bytes) -> None:
        """As in `workers.sitting.Sink`."""
        self._run.tables_over += 1

    async def keep_fault(self, number: int, fault: FaultSeen) -> None:
        """As in `workers.sitting.Sink`."""
        if fault.player != 0:
            raise SittingError(f"the check itself failed: a filler had the fault {fault.kind}: {fault.detail}")
        self._run.fault, self._run.fault_at = fault, time.monotonic()
        raise FaultFoundError

    async def keep_log(self, *, process: int, player: int, exit_status: int, text: str) -> None:
        """As in `workers.sitting.Sink`."""


@dataclass(frozen=True, kw_only=True)
class CheckStage:
    """Where the bot is checked: its program, the clock it plays by, and what starts it.

    `sealed` is as in `BotCheck`.
    """

    bot: BotProgram
    time_control: str
    launching: Launching = LocalLauncher
    sealed: bool = False

    async def play(self, variant: Variant, *, tables: int = 1, cuts: bool = False) -> Run:
        """Play so many tables at once, and one that is led where decisions could stay away; `cuts` breaks the stream.

        Raises:
            SittingError: the check itself failed; the bot is not to blame.
        """
        filler_tokens: set[str] = set()
        with socket_folder("king-check-") as place:
            proxy = CuttingProxy(place / "referee.sock")
            traffic = Traffic(filler_tokens, _cutter(proxy) if cuts else lambda number: None)
            run = Run(variant=variant.id, traffic=traffic, cuts=proxy.cuts)
            address, dialled = f"unix:{place}/referee.sock", f"unix:{place}/{'bot' if cuts else 'referee'}.sock"
            launcher = CheckLauncher(
                self.bot,
                launching=self.launching,
                sealed=self.sealed,
                referee=address,
                dialled=dialled,
                traffic=traffic,
                filler_tokens=filler_tokens,
            )
            run.processes, run.tokens = launcher.processes, launcher.tokens
            plan = self._plan(variant, tables)
            led = {table.match_id for table in plan.tables[tables:]}
            server = RefereeServer(
                address, control_key=_KEY, watch=traffic, deputize=_deputize(run, led), holds_tables=False
            )
            await server.start()
            try:
                async with proxy.listening(place / "bot.sock"):
                    await self._play(plan, launcher, address, run)
            finally:
                await server.stop()
        run.seconds = time.monotonic() - run.began_at
        return run

    async def _play(self, plan: SittingPlan, launcher: CheckLauncher, address: str, run: Run) -> None:
        stage = Stage(referee=address, control_key=_KEY, launcher=launcher, tell_last_words=True)
        programs = [self.bot, *(replace(self.bot) for _ in plan.players[1:])]
        try:
            await play_sitting(plan, programs, stage=stage, sink=CheckSink(run))
        except FaultFoundError:
            pass
        except SittingError:
            if not launcher.launch_error:
                raise
        run.launch_error = launcher.launch_error

    def _plan(self, variant: Variant, tables: int) -> SittingPlan:
        others = [PlayerPlan(f"filler {seat}", "1") for seat in range(1, variant.seats)]
        boards = range(1, tables + 1 + needs_leading(variant))
        return SittingPlan(
            sitting="check",
            attempt=1,
            variant=variant.id,
            time_control=self.time_control,
            players=(PlayerPlan(self.bot.name, self.bot.version), *others),
            tables=tuple(_table(board, variant.seats) for board in boards),
        )


def _table(board: int, seats: int) -> TablePlan:
    secret = local_secret(SEED, board)
    rotation = (board - 1) % seats
    return TablePlan(
        match_id=hashlib.sha256(b"king-check" + secret).hexdigest()[:16],
        season=None,
        board=board,
        rotation=rotation,
        deal_secret=secret,
        deal_salt=LOCAL_SALT,
        players=tuple((seat - rotation) % seats for seat in range(seats)),
    )


def _deputize(run: Run, led: set[str]) -> Callable[[TablePlan], Steering]:
    def deputy(table: TablePlan) -> Steering:
        seed = hashlib.sha256(b"king-check lots" + table.deal_secret).digest()
        is_led = table.match_id in led
        return Steering(seat=table.players.index(0), seed=seed, is_led=is_led, note=run.note_asked)

    return deputy


def _cutter(proxy: CuttingProxy) -> Callable[[int], None]:
    def cut(number: int) -> None:
        if number in CUTS_AT:
            proxy.cut()

    return cut
