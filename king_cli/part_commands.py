"""`king up`, and one command for each part of the platform."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import typer

WITH_PARENT_HELP = "End when the process that started this one ends."


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    for command in (up, referee, worker, dashboard, sweep):
        app.command(rich_help_panel="Platform")(command)


def up(
    workers: Annotated[int, typer.Option(min=0, help="Number of workers; 0: KING_WORKERS, or one per CPU.")] = 0,
    with_parent: Annotated[bool, typer.Option("--with-parent", help=WITH_PARENT_HELP)] = False,
) -> None:
    """Run everything on this machine until Ctrl-C.

    That is queue, referee, workers and dashboard; what dies is restarted.
    """
    from king_cli.places import worker_count
    from king_cli.platform import Forever, Platform, end_with_parent
    from king_cli.reporting import reporter
    from king_cli.settings import read_settings

    if with_parent:
        end_with_parent()
    settings = read_settings()
    count = workers or worker_count(settings)
    report, warn = reporter(settings, "up"), reporter(settings, "up", warning=True)
    raise typer.Exit(Platform(settings=settings, worker_count=count, report=report, warn=warn).run(Forever()))


def referee() -> None:
    """Run the referee alone, on KING_REFEREE.

    Bots and workers dial it there: bots at tls://, workers at mtls://, where it is not this machine. Told to end, it
    finishes the tables that are open, for KING_DRAIN_SECONDS at most; told twice, it ends at once.
    """
    from contextlib import ExitStack

    from king_cli.introducing import introduce
    from king_cli.metrics_serving import metrics
    from king_cli.serving import check_free
    from king_cli.settings import read_settings
    from king_cli.tls_settings import server_tls
    from referee.addresses import target_of
    from referee.loops import run_loop
    from referee.metrics import RefereeMetrics
    from referee.server import RefereeServer, run, say_ready
    from workers.addresses import addresses
    from workers.logs import LogStyle

    settings = read_settings()
    tls = server_tls(settings)
    for address in addresses(settings.referee):
        check_free(target_of(address), "KING_REFEREE")
    if settings.metrics:
        check_free(settings.metrics, "KING_METRICS")
    introduce(
        "referee",
        settings,
        addresses=addresses(settings.referee),
        control_key=bool(settings.control_key),
        drain_seconds=settings.drain_seconds,
    )
    with ExitStack() as serving:

        def tell(server: RefereeServer) -> None:
            serving.enter_context(metrics(settings.metrics, "referee", RefereeMetrics(server.referee)))
            if settings.log is not LogStyle.JSON:
                say_ready(server)

        drain_s = settings.drain_seconds
        run_loop(run(settings.referee, control_key=settings.control_key, tls=tls, drain_s=drain_s, ready=tell))


def worker() -> None:
    """Run one worker, which plays what is in the queue.

    It takes sittings from KING_REDIS_URL and has the referee at KING_REFEREE play them, or that of KING_REFEREES which
    is least busy. It does not start where one that answers does not take KING_CONTROL_KEY.
    """
    from datetime import timedelta
    from threading import Lock

    from king_cli.introducing import introduce, place
    from king_cli.metrics_serving import metrics
    from king_cli.places import open_league, redis_url, vault_url
    from king_cli.pods import pod_settings
    from king_cli.reaching import check_control_key, check_redis
    from king_cli.settings import read_settings
    from king_cli.tls_settings import worker_tls
    from workers.counts import WorkerCounts
    from workers.finding import REFEREES_APART, Referees
    from workers.metrics import WorkerMetrics
    from workers.worker import run_worker
    from workers.worker_settings import WorkerSettings

    settings = read_settings()
    tls, pods = worker_tls(settings), pod_settings(settings)
    open_league(settings, secrets=True).close()  # an early and clear answer if the store cannot be opened
    check_redis(settings, redis_url(settings))
    check_control_key(Referees(each=settings.all_referees, control_key=settings.control_key, tls=tls))
    surroundings = WorkerSettings(
        database_url=settings.database_url,
        vault_url=vault_url(settings),
        referees=REFEREES_APART.join(settings.all_referees),
        data_dir=settings.data_dir,
        control_key=settings.control_key,
        lease=timedelta(seconds=settings.lease_seconds),
        redis_url=redis_url(settings),
        tls=tls,
        pods=pods,
        log=settings.log,
    )
    introduce(
        "worker",
        settings,
        store=place(settings.database_url),
        vault=place(vault_url(settings)),
        queue=place(redis_url(settings)),
        referees=settings.all_referees,
        data_dir=str(settings.data_dir),
        bots="pods" if pods else "processes",
    )
    counts, guard = WorkerCounts(), Lock()
    with metrics(settings.metrics, "worker", WorkerMetrics(counts), guard=guard):
        run_worker(redis_url(settings), surroundings, counts=counts, guard=guard)


def dashboard() -> None:
    """Serve the pages and the API on KING_HTTP."""
    from dashboard.api.rate_limits import RateLimits
    from dashboard.app import create_app
    from dashboard.metrics import CountedApp, DashboardMetrics, RequestCounts
    from dashboard.queue_watch import QueueWatch
    from king_cli.introducing import introduce, league_place, place
    from king_cli.metrics_serving import metrics
    from king_cli.places import open_league
    from king_cli.serving import listen, serve
    from king_cli.settings import read_settings
    from king_cli.tls_settings import http_pair
    from league.metrics import LeagueMetrics
    from workers.finding import REFEREES_APART
    from workers.logs import LogStyle

    settings = read_settings()
    pair = http_pair(settings)
    with listen(settings.http, "KING_HTTP") as listener:
        limits = RateLimits.of(reads=settings.api_reads, writes=settings.api_writes)
        store, dialled = open_league(settings, secrets=False), REFEREES_APART.join(settings.dialled_by_bots)
        app = create_app(
            store, limits=limits, redis_url=settings.redis_url, referee=dialled, streams_each=settings.streams
        )
        introduce(
            "dashboard",
            settings,
            address=settings.http_url,
            store=place(settings.database_url),
            queue=place(settings.redis_url) or None,
            referee=dialled,
        )
        if settings.log is not LogStyle.JSON:
            typer.echo(f"the dashboard of {league_place(settings)} is at {settings.http_url}/ until Ctrl-C")
        counts = RequestCounts()
        told = metrics(settings.metrics, "dashboard", DashboardMetrics(counts), LeagueMetrics(store.gauges.read))
        with told, QueueWatch(app.state.live.check):
            serve(CountedApp(app, counts), listener, pair)


def sweep(
    every: Annotated[
        float, typer.Option(min=0, max=86_400, help="Sweep again and again, so many seconds after each end; 0: once.")
    ] = 0,
) -> None:
    """Queue again what the store says is not done.

    Twice is harmless. With `--every` it goes on until SIGTERM or Ctrl-C, also while store or queue are away, and serves
    KING_METRICS: how the league and its queue stand.
    """
    from king_cli.introducing import introduce, place
    from king_cli.metrics_serving import metrics
    from king_cli.places import redis_url
    from king_cli.reporting import reporter, teller_of_claims
    from king_cli.settings import read_settings
    from king_cli.sweeping import Sweeper

    settings = read_settings()
    sweeper = Sweeper(settings)
    if not every:
        sweeper.check()
        tell = teller_of_claims(reporter(settings, "sweep", warning=True))
        typer.echo(f"{len(sweeper.sweep(patient=False, tell=tell))} pieces of work queued")
        return
    introduce(
        "sweep",
        settings,
        store=place(settings.database_url),
        queue=place(redis_url(settings)),
        referees=settings.all_referees,
        every_seconds=every,
    )
    with metrics(settings.metrics, "sweep", *sweeper.collectors()):
        report, warn = reporter(settings, "sweep"), reporter(settings, "sweep", warning=True)
        sweeper.sweep_until_told_to_end(timedelta(seconds=every), report, warn)
