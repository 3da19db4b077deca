"""The store: seasons, sittings and results in SQL, and the only door to them.

Owns schema, migrations and queries. Open it without a vault where secrets must be out of reach (the dashboard).
Every part is synchronous and may be used from several threads and processes at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from league.accounts import PASSWORDS, Passwords
from league.errors import LeagueError
from league.store.accounts import AccountStore
from league.store.api_tokens import TokenStore
from league.store.archives import ArchiveStore
from league.store.audit_log import AuditLog
from league.store.database import Database
from league.store.entering import EntryStore
from league.store.gauges import GaugeStore
from league.store.histories import HistoryStore
from league.store.listing import ListingStore
from league.store.live import LiveStore
from league.store.migration import Fit, check_fit, fit_of, is_current, migrate
from league.store.orders import OrderStore
from league.store.organising import OrganisingStore
from league.store.own_remotes import OwnRemoteStore
from league.store.passwords import PasswordStore
from league.store.presence import PresenceStore
from league.store.remote_bots import RemoteBotStore
from league.store.results import ResultStore
from league.store.rolling import RollingStore
from league.store.searching import SearchStore
from league.store.seasons import SeasonStore
from league.store.sessions import SessionStore
from league.store.sittings import SittingStore
from league.store.submissions import SubmissionStore
from league.store.surroundings import SurroundingsStore
from league.store.unrated import UnratedStore
from league.store.vault import Vault, vault_url_beside

if TYPE_CHECKING:
    from league.store.standings import StandingsStore

__all__ = ["LEASE", "Store", "Vault", "utc_now", "vault_url_beside"]

LEASE = timedelta(seconds=10)
"""How long a claim is good without being renewed."""


def utc_now() -> datetime:
    """The time now, aware, in UTC."""
    return datetime.now(UTC)


class Store:
    """All that a league keeps, by subject: `bots`, `seasons`, `rolling`, `sittings`, `results`, `standings`.

    Of submitted bots `submissions`, `archives` and `unrated` boards; of remote ones `own_remotes`, for their owners.

    Of people `accounts`, `sessions`, `passwords` and `tokens`; of acts the `audit_log`.
    For organisers `organising` (with the vault) and `orders` (without it).
    """

    def __init__(
        self,
        database: Database,
        *,
        vault: Vault | None = None,
        lease: timedelta = LEASE,
        clock: Callable[[], datetime] = utc_now,
        passwords: Passwords = PASSWORDS,
    ) -> None:
        self._database = database
        self._vault = vault
        self.bots = RemoteBotStore(database, clock)
        self.seasons = SeasonStore(database, self._open_vault, clock)
        self.rolling = RollingStore(database, self._open_vault, clock)
        self.presence = PresenceStore(database, clock)
        self.sittings = SittingStore(database, self._open_vault, clock, lease)
        self.results = ResultStore(database, self._open_vault, clock)
        self.histories = HistoryStore(database)
        self.gauges = GaugeStore(database, clock, self.sittings)
        self.live = LiveStore(database)
        self.searching = SearchStore(database)
        self.archives = ArchiveStore(database)
        self.submissions = SubmissionStore(database, clock, lease, self.bots.register)
        self.unrated = UnratedStore(database, clock, lease)
        self.own_remotes = OwnRemoteStore(database, clock, self.bots, self.unrated)
        self.surroundings = SurroundingsStore(database, clock)
        self.entries = EntryStore(database, clock, self.seasons.enter)
        self.listing = ListingStore(database)
        self.accounts = AccountStore(database, clock, passwords)
        self.sessions = SessionStore(database, clock, passwords)
        self.passwords = PasswordStore(database, clock, passwords)
        self.tokens = TokenStore(database, clock)
        self.audit_log = AuditLog(database, clock)
        self.orders = OrderStore(database, clock)
        self.organising = OrganisingStore(database, self._open_vault, clock, self.seasons)

    @classmethod
    def open(
        cls,
        url: str,
        *,
        vault: Vault | None = None,
        lease: timedelta = LEASE,
        clock: Callable[[], datetime] = utc_now,
        passwords: Passwords = PASSWORDS,
    ) -> Store:
        """Opens the store at a database URL; call `migrate` before the first use.

        Raises LeagueError when the URL cannot be understood.
        """
        return cls(Database(url), vault=vault, lease=lease, clock=clock, passwords=passwords)

    @contextmanager
    def together(self) -> Iterator[None]:
        """What this thread does to the store within the block is one transaction: all of it is done, or nothing."""
        with self._database.together():
            yield

    @cached_property
    def standings(self) -> StandingsStore:
        """Ladder, crosstable and the like; imported when first used, for its numerics take long to load."""
        from league.store.standings import StandingsStore

        return StandingsStore(self._database)

    def migrate(self) -> None:
        """Brings the schema to the newest revision; harmless when it is there, and when several processes call it.

        One of a later version stays. Raises StoreUnusableError when this version cannot work on it.
        """
        migrate(self._database)

    def check_schema(self) -> None:
        """Raises StoreUnusableError when a later version has raised the schema and this one cannot work on it."""
        check_fit(self._database)

    def fit(self) -> Fit:
        """How the schema and this version go together."""
        return fit_of(self._database)

    def is_current(self) -> bool:
        """Whether the schema is the newest of this version."""
        return is_current(self._database)

    def close(self) -> None:
        """Closes the store's connections; the vault is closed by who opened it."""
        self._database.close()

    def _open_vault(self) -> Vault:
        if self._vault is None:
            raise LeagueError("this store was opened without its vault: only workers and the command line may do that")
        return self._vault
