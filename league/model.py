"""The words of a league as frozen dataclasses: bots, seasons, boards, sittings, results.

Owns the shapes that store, workers and dashboard share; holds no behaviour and does no storage.
Deals, boards and sets count from 1; rotations, seats and entrants from 0. Times are aware UTC datetimes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

PROVISIONAL_BELOW_BOARDS = 20
"""A bot with fewer boards than this is shown as provisional."""


class SourceKind(StrEnum):
    """How a managed bot's program is given; of a remote bot, which dials by itself, there is none.

    An archive was submitted by somebody, and is run in a sandbox only.
    """

    FOLDER = "folder"
    COMMAND = "command"
    ARCHIVE = "archive"
    REMOTE = "remote"


class SeasonState(StrEnum):
    """Where a season stands. Entries are open while it is planned."""

    PLANNED = "planned"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


class SeasonKind(StrEnum):
    """Managed: bots run by us, duplicate boards. Open: remote bots too, each board played once; a ladder of its own."""

    MANAGED = "managed"
    OPEN = "open"

    def rotations(self, seats: int) -> int:
        """In how many rotations a board is played: in an open season in one, so that no bot meets cards twice."""
        return 1 if self is SeasonKind.OPEN else seats


class SittingState(StrEnum):
    """Planned: waiting or given back; claimed: somebody holds the lease; done: every match is stored."""

    PLANNED = "planned"
    CLAIMED = "claimed"
    DONE = "done"


class FaultKind(StrEnum):
    """The kinds of fault of a bot, as records and the protocol name them."""

    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    EXIT = "exit"
    PROTOCOL = "protocol"
    FLOOD = "flood"
    ABSENT = "absent"


@dataclass(frozen=True, kw_only=True)
class BotSource:
    """Where a bot's program is: a folder with `bot.toml`, the path of another manifest, a command line, or nothing."""

    kind: SourceKind
    location: str


@dataclass(frozen=True, kw_only=True)
class NewBot:
    """A bot version to be registered. `version_hash`: 64 hex digits, see `league.versions`."""

    name: str
    version: str
    source: BotSource
    version_hash: str
    language: str = ""
    owner: str = ""
    house: bool = True


@dataclass(frozen=True, kw_only=True)
class BotVersion:
    """A registered version of a bot. A house bot is ours: exempt from the rule of one bot per owner and table."""

    id: int
    name: str
    version: str
    source: BotSource
    version_hash: str
    language: str
    owner: str
    house: bool
    registered_at: datetime

    @property
    def rated_owner(self) -> str:
        """Whose bots it may not meet in rated matches; empty for house bots, which may meet anybody."""
        return "" if self.house else self.owner

    @property
    def remote(self) -> bool:
        """Whether its owner runs it, and it dials by itself."""
        return self.source.kind is SourceKind.REMOTE


@dataclass(frozen=True, kw_only=True)
class RemoteRegistration:
    """A remote bot with the token that it says when it dials: shown this once, for only its hash is stored."""

    bot: BotVersion
    token: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class RemoteBot:
    """How it stands with a remote bot.

    `token_hash`: SHA-256 of its token in hex, None when that is revoked. `connected`: whether it was when that was last
    looked at, which was at `noted_at` (None: not known, as while the referee is away); if not, since `absent_since`.
    `seen_at`: when it was last connected, None if it never was.
    """

    bot: BotVersion
    token_hash: str | None
    issued_at: datetime
    revoked_at: datetime | None
    connected: bool
    absent_since: datetime | None
    noted_at: datetime | None
    seen_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class NewSeason:
    """Settings of a season.

    `boards`: what each set of players that meets plays. `set_count`: into how many sets of boards the plan is cut
    (None: by size, at least two). `player_sets`: how many sets of players meet (None: all while few, else a
    balanced design). `rolling`: the plan goes on growing, each time by a set of `boards` boards, and bots may enter
    while it is played; then the other two numbers say nothing. `absent_after_ms`: for how long a sitting waits for a
    remote bot before that forfeits it.
    """

    name: str
    variant: str
    boards: int
    time_control: str = "start=30s,inc=100ms,bank=10s"
    set_count: int | None = None
    player_sets: int | None = None
    rolling: bool = False
    kind: SeasonKind = SeasonKind.MANAGED
    absent_after_ms: int = 60_000


@dataclass(frozen=True, kw_only=True)
class Season:
    """A season as stored.

    `variant` is canonical; `deal_count` is the regular deals of one match. `commitment` is SHA-256 of the season's
    secret (hex); `secret` stays None until the season has ended, `deal_salt` until entries close; `balance` says in
    words what balance the plan has (empty while planned).

    `rolling`: more boards are planned while it is played, each set with a salt of its own (`BoardSet`; `deal_salt` is
    then that of the first); `boards` is what a set has. `ending`: it grows no more and ends with what has begun.

    `ladder_version` grows exactly when the ladder may have changed: with a result, a fault that counts, an entry, a
    withdrawal, a suspension, the state, and the size of the plan.
    """

    id: int
    name: str
    kind: SeasonKind
    state: SeasonState
    variant: str
    seats: int
    deal_count: int
    boards: int
    set_count: int | None
    player_sets: int | None
    time_control: str
    commitment: str
    deal_salt: str | None
    secret: str | None
    balance: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    rolling: bool = False
    ending: bool = False
    ladder_version: int = field(default=0, compare=False)
    absent_after_ms: int = 60_000

    @property
    def rotations(self) -> int:
        """In how many rotations each board is played."""
        return self.kind.rotations(self.seats)


@dataclass(frozen=True, kw_only=True)
class SeasonCounts:
    """How much there is of a season: boards are numbered 1 to `last_board`; sets of boards, those of them that are
    over, and how many different salts they have."""

    last_board: int
    sets: int
    sets_over: int
    salts: int


@dataclass(frozen=True, kw_only=True)
class Entrant:
    """A bot version in a season.

    `number` is its place in the plan, from 0 (before the season starts: the order of entry). `label` names it within
    the season: the bot's name, with "@version" added where two versions of one bot take part. `withdrawn_at`: since
    when it is not paired any more, in a rolling season.
    """

    season: int
    number: int
    label: str
    bot: BotVersion
    withdrawn_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Board:
    """A board: `players` are entrant numbers in cyclic order; player k sits at seat (k + rotation) mod n. Of an open
    season they are not told before its set is over: then there are none.
    `deal_secret` is None until the board's set is over. `void`: it is not played; its cards were seen by a remote bot
    before a failure of ours, and another board of the set, with the next unused number, `replaces` it; or its set was
    dropped.
    """

    season: int
    number: int
    set_number: int
    players: tuple[int, ...]
    commitment: str
    deal_secret: str | None
    void: bool = False
    replaces: int | None = None


@dataclass(frozen=True, kw_only=True)
class BoardSet:
    """A set of boards: `board_count` of those from `first_board` to `last_board`, all of them where the plan grew by it
    as a whole; boards that replace void ones of it have later numbers and are not counted.

    `deal_salt` comes from the version hashes of entrants 0 to `entrant_count` - 1. `results_version`: how many results
    were stored when its boards were chosen; 0 for what was planned at the start. `over_at`: when it became public.
    """

    season: int
    number: int
    first_board: int
    last_board: int
    board_count: int
    entrant_count: int
    deal_salt: str
    results_version: int
    over_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """Rotation `rotation` of all boards of one set: the unit of work.

    `attempt` is 0 until the first claim; `given_back`: why the last attempt that was given back ended, or empty.
    `waiting_since`: since when it waits for remote bots that are not connected; None while it does not.
    """

    id: int
    season: int
    set_number: int
    rotation: int
    state: SittingState
    attempt: int
    worker: str
    lease_until: datetime | None
    given_back: str
    match_count: int
    stored_count: int
    waiting_since: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class TablePlan:
    """One match still to be played in a sitting. `players`: by seat, the place in `Claim.players`. The secrets are
    64 hex digits and must never reach a log, a page or a bot.
    """

    match_id: str
    board: int
    rotation: int
    deal_secret: str
    deal_salt: str
    players: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class ClaimedBot:
    """One bot of a claimed sitting: its number in the season, `label` as records show it, and how to start it.

    `suspended`: why it is not started and forfeits its tables; `absent`: so for a remote bot that has not come; both
    are empty if it plays.
    """

    entrant: int
    label: str
    bot: BotVersion
    suspended: str = ""
    absent: str = ""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """The right to play a sitting, until the lease runs out or a newer attempt begins. `tables` lacks the matches
    that are stored already; it may be empty (then only `finish` is left to do).
    """

    sitting: int
    attempt: int
    season: int
    season_name: str
    set_number: int
    rotation: int
    variant: str
    time_control: str
    players: tuple[ClaimedBot, ...]
    tables: tuple[TablePlan, ...]


@dataclass(frozen=True, kw_only=True)
class NewFault:
    """One failure of a bot, as an event. `number` counts the faults of an attempt from 1: saying one twice is harmless.
    `player`: its place in `Claim.players`; `process`: 0 if it had none.
    """

    number: int
    player: int
    process: int
    kind: FaultKind
    detail: str
    forfeits: bool
    match_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A stored fault."""

    id: int
    season: int
    sitting: int
    attempt: int
    process: int
    entrant: int
    label: str
    kind: FaultKind
    detail: str
    forfeits: bool
    match_ids: tuple[str, ...]
    at: datetime


class SuspensionCause(StrEnum):
    """Why a bot is suspended: it ended by itself too often, overran its time too often, or an organiser wanted it."""

    EXITS = "exits"
    OVERRUNS = "overruns"
    ORGANISER = "organiser"


@dataclass(frozen=True, kw_only=True)
class Suspension:
    """A bot that is suspended: in a closed season it forfeits the rest, in a rolling one it is not paired any more.

    `detail` tells its owner why, with figures. `sitting`: the one after which it was, None where an organiser did it;
    `results_version`: how many results were stored then.
    """

    season: int
    entrant: int
    label: str
    owner: str
    cause: SuspensionCause
    detail: str
    sitting: int | None
    results_version: int
    at: datetime


@dataclass(frozen=True, kw_only=True)
class MatchForfeit:
    """A seat whose bot failed: from action `action` of deal `deal` on the stand-in played."""

    seat: int
    kind: FaultKind
    deal: int
    action: int
    detail: str


@dataclass(frozen=True, kw_only=True)
class MatchRow:
    """A stored match. By seat: `players` (entrant numbers), `labels`, `scores` (they decide places), `totals`, places.

    `number` is the how-manieth result of its season it was, from 1. `public`: whether record and secrets may be shown,
    that is, the last sitting of its set is over.
    """

    match_id: str
    season: int
    board: int
    rotation: int
    set_number: int
    sitting: int
    attempt: int
    number: int
    players: tuple[int, ...]
    labels: tuple[str, ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]
    forfeits: tuple[MatchForfeit, ...]
    public: bool
    ended_at: datetime


@dataclass(frozen=True, kw_only=True)
class ProcessLog:
    """Standard error of one bot process of a sitting. `text` is its end if `truncated`; public when the set is over."""

    season: int
    sitting: int
    attempt: int
    process: int
    entrant: int
    label: str
    exit_status: int | None
    text: str
    truncated: bool


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a season is.

    `expected_end` ± `expected_end_error_seconds` (95 %) is None before two results are in, while paused, after the end.
    """

    season: int
    state: SeasonState
    matches_planned: int
    matches_stored: int
    boards_planned: int
    boards_over: int
    sittings_planned: int
    sittings_done: int
    sittings_claimed: int
    results_version: int
    expected_end: datetime | None
    expected_end_error_seconds: float | None
