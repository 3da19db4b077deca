"""A league as it is seen by who is signed in: orders in every state, submissions in every state, boards of one's own.

One account owns all and is an organiser, so that one session opens every page.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from league.accounts import Account
from league.audit_log import SHELL, Actor
from league.model import NewSeason
from league.orders import CreateSeason, PauseSeason
from league.store import Store, utc_now
from league.submissions import LogKind, Refusal, SubmissionClaim, SubmissionLimits, SubmissionState, SubmittedBot
from league.surroundings import Library, RoomLimits, Runtime, Surroundings
from league.unrated import UnratedBoard
from tests.dashboard.remote_owner import remote_pages
from tests.dashboard.reports import failed_report
from tests.dashboard.signing import CHEAP, PASSWORD
from tests.league.leagues import BOTS, VARIANT, claimed, database_url, open_store, planned, started
from tests.league.test_unrated import rotations

LONG = "Учредитель лиги с именем, которое длиннее всех полей на странице"
WRITTEN = "Traceback: 'utf-8' <b>can’t</b> decode byte 0xff in position 0: " + "invalid_start_byte_" * 12
REPORT = failed_report(version="3", received='{"hello": "' + "x" * 200 + '"}', stderr=WRITTEN)

LAID_OUT_ALIKE = {SubmissionState.CHECKING, SubmissionState.QUALIFYING, SubmissionState.WITHDRAWN}
"""As the page of one that is building, or active."""

ORGANISING = (
    "/organise",
    "/organise/seasons/new",
    "/organise/seasons/new?order=1",
    "/organise/seasons/1",
    "/organise/seasons/2",
    "/organise/orders",
    "/organise/orders/1",
    "/organise/orders/2",
    "/organise/accounts",
    "/organise/log",
    "/organise/log?actor=nobody",
    "/set-password",
)


@dataclass(frozen=True)
class SignedInLeague:
    """The stores of the dashboard and of the sweep, the account, and the addresses of what it owns."""

    store: Store
    sweeping: Store
    account: Account
    own: tuple[str, ...]
    alike: frozenset[str]

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of pages that are laid out alike one each."""
        return tuple(page for page in self.pages if page not in self.alike)

    @property
    def pages(self) -> tuple[str, ...]:
        """An address of every page that is for somebody, in each of its states."""
        return ("/account", "/mine", "/mine/submit", "/submitted-bots", "/mine/challenges", *self.own, *ORGANISING)

    def close(self) -> None:
        """Closes both stores."""
        self.store.close()
        self.sweeping.close()


def signed_in_league(folder: Path) -> SignedInLeague:
    """Makes it: a season that runs, one that waits, and whatever else the pages show."""
    sweeping = open_store(folder)
    store = Store.open(database_url(folder), passwords=CHEAP)
    store.submissions.limits = SubmissionLimits(waiting=20)
    olga = store.accounts.create(LONG, password=PASSWORD, organiser=True, by=SHELL)
    store.accounts.create("Boris", by=SHELL)
    store.tokens.create(olga.id, "laptop", by=SHELL)
    _organise(store, sweeping, Actor.of(olga))
    store.surroundings.report(surroundings(store.submissions.limits))
    made = _Owner(store, Actor.of(olga))
    submissions = made.submissions()
    alike = frozenset(path for path, state in submissions.items() if state in LAID_OUT_ALIKE)
    own = (*submissions, *made.boards(), *remote_pages(store, LONG, Actor.of(olga)))
    return SignedInLeague(store, sweeping, olga, own, alike)


def surroundings(limits: SubmissionLimits) -> Surroundings:
    """What a worker tells of its machine, on which some runtime says much of itself."""
    told = 'openjdk version "17.0.18" 2026-01-20 OpenJDK Runtime Environment (build 17.0.18+8-Debian-1deb12u1)'
    return Surroundings(
        host="arena-1.example",
        obstacle="",
        runtimes=(
            Runtime(name="python3", version="Python 3.11.7", runs=True),
            Runtime(name="java", version=told, runs=True),
            Runtime(name="cargo", version="cargo 1.88.0 (873a06493 2026-05-10)", runs=False),
        ),
        libraries=(Library(name="grpcio", version="1.80.0"), Library(name="numpy", version="2.4.1")),
        limits=RoomLimits(
            archive_mib=limits.archive_bytes >> 20,
            unpacked_mib=256,
            files=10_000,
            build_minutes=10,
            build_memory_mib=2048,
            build_disk_mib=1024,
            result_mib=512,
            memory_mib=1024,
            processes=64,
            open_files=1024,
            file_mib=64,
            scratch_mib=64,
            log_kib=256,
        ),
        found_at=utc_now(),
    )


def _organise(store: Store, sweeping: Store, by: Actor) -> None:
    season = started(sweeping, set_count=2)
    planned(sweeping, BOTS[:3], name="Winter")
    claimed(sweeping, sweeping.sittings.due()[0])
    sweeping.organising.requeue(season.id, by=by)
    claimed(sweeping, sweeping.sittings.due()[1])
    sweeping.organising.suspend(season.id, "greedy", "Играет в пользу другого", by=by)
    taken = CreateSeason(new=NewSeason(name="Autumn", variant=VARIANT, boards=1), versions=(1, 2))
    order = store.orders.ask(taken, by=by)
    sweeping.orders.carry_out(order.id, lambda asked: sweeping.organising.perform(asked.arguments, by=asked.by))
    store.orders.ask(PauseSeason(season=season.id), by=by)


@dataclass(frozen=True)
class _Owner:
    """Somebody who sends bots and challenges others."""

    store: Store
    by: Actor

    def submissions(self) -> dict[str, SubmissionState]:
        """A submission in each state, and those refused at steps that have something to show, by address."""
        self.store.submissions.put_off(self._sent("received"), "there is no bubblewrap here")
        building = self._claimed("building")
        self.store.submissions.keep_log(building, LogKind.BUILD, "compiling <owl>\n" * 3 + WRITTEN)
        self._advanced("checking", SubmissionState.CHECKING)
        self._advanced("qualifying", SubmissionState.CHECKING, SubmissionState.QUALIFYING)
        unread = self._claimed("unread", identified=False)
        self.store.submissions.refuse(unread, Refusal.ARCHIVE, "owl.zip has no bot.toml at its top")
        checked = self._advanced("checked", SubmissionState.CHECKING)
        self.store.submissions.keep_report(checked, REPORT)
        self.store.submissions.refuse(checked, Refusal.CHECK, "step 2 of the check, “hello”: the stream was refused")
        withdrawn = self._active("withdrawn")
        self.store.submissions.withdraw(withdrawn, LONG, by=self.by)
        self.store.submissions.delete(self._active("deleted"), LONG, by=self.by)
        self._active("active")
        return {f"/mine/submissions/{one.id}": one.state for one in self.store.submissions.of_owner(LONG)}

    def boards(self) -> tuple[str, ...]:
        """A qualifying board that was played, a challenge that waits, and the replay of a match."""
        claim = self._advanced("qualified", SubmissionState.CHECKING, SubmissionState.QUALIFYING)
        waiting = self._challenge()
        played = rotations(waiting)
        board = self.store.unrated.keep_qualifying(claim, variant=VARIANT, players=waiting.players, played=played)
        self.store.submissions.refuse(claim, Refusal.QUALIFYING, "it forfeited a match of its qualifying board")
        match = f"/mine/matches/{self.store.unrated.mine(board, LONG).matches[0].match_id}"
        own = (f"/mine/submissions/{claim.submission}", f"/mine/boards/{board}", f"/mine/boards/{waiting.id}")
        return (*own, match, f"{match}?deal=3&play=7&view=1")

    def _challenge(self) -> UnratedBoard:
        mine = next(one for one in self.store.submissions.of_owner(LONG) if one.state is SubmissionState.ACTIVE)
        assert mine.version_id is not None
        opponents = [bot.id for bot in self.store.unrated.opponents() if bot.house][:3]
        return self.store.unrated.ask(
            owner=LONG, version_id=mine.version_id, opponents=opponents, variant=VARIANT, by=self.by
        )

    def _sent(self, content: str) -> int:
        sent, _is_new = self.store.submissions.receive(
            owner=LONG, file_name="owl.zip", content=content.encode(), by=self.by
        )
        return sent.id

    def _claimed(self, content: str, *, identified: bool = True) -> SubmissionClaim:
        """Taken up by a worker, which has read its manifest if it is `identified`."""
        claim = self.store.submissions.claim(self._sent(content), "worker")
        assert claim is not None
        if identified:
            bot = SubmittedBot(name="owl", version=f"0.{claim.submission}", language="python", variants=("*",))
            self.store.submissions.identify(claim, bot)
        return claim

    def _advanced(self, content: str, *states: SubmissionState) -> SubmissionClaim:
        claim = self._claimed(content)
        for state in states:
            self.store.submissions.advance(claim, state)
        return claim

    def _active(self, content: str) -> int:
        claim = self._advanced(content, SubmissionState.CHECKING, SubmissionState.QUALIFYING)
        self.store.submissions.qualify(claim)
        return claim.submission
