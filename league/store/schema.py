"""The tables of the store. What a change here needs: a new migration in `migrations/versions`.

Owns names, types and constraints; holds no queries. Players and the like are JSON lists in the order that the column
says. `sealed` columns hold compressed bytes under a key that comes from a deal secret (`league.store.sealing`); what is
in that of a record says its `layout` (`league.store.kept_records`).
`counted_after` of a fault: how many results its season had when it counted; `whole_at` of a board: the how-manieth
result of its season was its last. `board_floor` of a season: no new board has this number or a lower one.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from league.store.database import UtcTime
from league.store.packed_points import PackedPoints

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

bots = Table(
    "bots",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("owner", String(64), nullable=False),
    Column("house", Boolean(create_constraint=False), nullable=False),
)

bot_versions = Table(
    "bot_versions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("bot_id", Integer, ForeignKey("bots.id"), nullable=False),
    Column("version", String(64), nullable=False),
    Column("version_hash", String(64), nullable=False),
    Column("source_kind", String(16), nullable=False),
    Column("source_location", Text, nullable=False),
    Column("language", String(32), nullable=False),
    Column("registered_at", UtcTime, nullable=False),
    UniqueConstraint("bot_id", "version", "version_hash"),
)

seasons = Table(
    "seasons",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(128), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("state", String(16), nullable=False, index=True),
    Column("variant", String(256), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("deal_count", Integer, nullable=False),
    Column("boards", Integer, nullable=False),
    Column("set_count", Integer),
    Column("player_sets", Integer),
    Column("time_control", String(128), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("deal_salt", String(64)),
    Column("secret", String(64)),
    Column("balance", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("started_at", UtcTime),
    Column("ended_at", UtcTime),
    Column("boards_planned", Integer, nullable=False, default=0),
    Column("boards_over", Integer, nullable=False, default=0),
    Column("matches_stored", Integer, nullable=False, default=0),
    Column("ladder_version", Integer, nullable=False, default=0, server_default="0"),
    Column("sets_open", Integer, nullable=False, default=0),
    Column("rolling", Boolean(create_constraint=False), nullable=False, default=False, server_default=false()),
    Column("ending", Boolean(create_constraint=False), nullable=False, default=False, server_default=false()),
    Column("absent_after_ms", Integer, nullable=False, default=60_000, server_default="60000"),
    Column("board_floor", Integer, nullable=False, default=0, server_default="0"),
)

entrants = Table(
    "entrants",
    metadata,
    Column("season_id", Integer, ForeignKey("seasons.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("bot_version_id", Integer, ForeignKey("bot_versions.id"), nullable=False, index=True),
    Column("label", String(160), nullable=False),
    Column("live_elo", Float, nullable=False),
    Column("matches", Integer, nullable=False, default=0),
    Column("faults", Integer, nullable=False, default=0),
    Column("sittings", Integer, nullable=False, default=0, server_default="0"),
    Column("overrun_sittings", Integer, nullable=False, default=0, server_default="0"),
    Column("withdrawn_at", UtcTime),
    Column("forgiven_fault", Integer, nullable=False, default=0, server_default="0"),
    UniqueConstraint("season_id", "bot_version_id"),
)

board_sets = Table(
    "board_sets",
    metadata,
    Column("season_id", Integer, ForeignKey("seasons.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("sittings_open", Integer, nullable=False),
    Column("over_at", UtcTime),
    Column("deal_salt", String(64), nullable=False, server_default=""),
    Column("entrant_count", Integer, nullable=False, server_default="0"),
    Column("results_version", Integer, nullable=False, server_default="0"),
)

boards = Table(
    "boards",
    metadata,
    Column("season_id", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("set_number", Integer, nullable=False),
    Column("players", JSON, nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("deal_secret", String(64)),
    Column("stored", Integer, nullable=False, default=0),
    Column("whole_at", Integer),
    Column("void", Boolean(create_constraint=False), nullable=False, default=False, server_default=false()),
    Column("replaces", Integer),
    ForeignKeyConstraint(["season_id", "set_number"], ["board_sets.season_id", "board_sets.number"]),
    Index("ix_boards_season_id_set_number", "season_id", "set_number"),
    Index("ix_boards_season_id_whole_at", "season_id", "whole_at"),
)

sittings = Table(
    "sittings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("season_id", Integer, nullable=False),
    Column("set_number", Integer, nullable=False),
    Column("rotation", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("attempt", Integer, nullable=False, default=0),
    Column("worker", String(128), nullable=False, default=""),
    Column("lease_until", UtcTime),
    Column("given_back", Text, nullable=False, default=""),
    Column("match_count", Integer, nullable=False),
    Column("stored", Integer, nullable=False, default=0),
    Column("waiting_since", UtcTime),
    ForeignKeyConstraint(["season_id", "set_number"], ["board_sets.season_id", "board_sets.number"]),
    UniqueConstraint("season_id", "set_number", "rotation"),
    Index("ix_sittings_state_lease_until", "state", "lease_until"),
)

remote_bots = Table(
    "remote_bots",
    metadata,
    Column("bot_version_id", Integer, ForeignKey("bot_versions.id"), primary_key=True),
    Column("token_hash", String(64), unique=True),
    Column("issued_at", UtcTime, nullable=False),
    Column("revoked_at", UtcTime),
    Column("connected", Boolean(create_constraint=False), nullable=False, default=False, server_default=false()),
    Column("absent_since", UtcTime),
    Column("noted_at", UtcTime),
    Column("seen_at", UtcTime),
)

sitting_remotes = Table(
    "sitting_remotes",
    metadata,
    Column("sitting_id", Integer, ForeignKey("sittings.id"), primary_key=True),
    Column("bot_version_id", Integer, ForeignKey("remote_bots.bot_version_id"), primary_key=True),
    Index("ix_sitting_remotes_bot_version_id", "bot_version_id"),
)

matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("match_id", String(32), nullable=False, unique=True),
    Column("season_id", Integer, nullable=False),
    Column("board", Integer, nullable=False),
    Column("rotation", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("sitting_id", Integer, ForeignKey("sittings.id"), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("players", JSON, nullable=False),
    Column("scores", JSON, nullable=False),
    Column("totals", JSON, nullable=False),
    Column("places", JSON, nullable=False),
    Column("forfeits", JSON, nullable=False),
    Column("deal_points", PackedPoints, nullable=False),
    Column("ended_at", UtcTime, nullable=False),
    ForeignKeyConstraint(["season_id", "board"], ["boards.season_id", "boards.number"]),
    UniqueConstraint("season_id", "board", "rotation"),
    UniqueConstraint("season_id", "number"),
)

match_records = Table(
    "match_records",
    metadata,
    Column("match_id", Integer, ForeignKey("matches.id"), primary_key=True),
    Column("layout", Integer, nullable=False, default=0, server_default="0"),
    Column("sealed", LargeBinary, nullable=False),
)

match_players = Table(
    "match_players",
    metadata,
    Column("season_id", Integer, primary_key=True),
    Column("entrant", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("live_elo", Float, nullable=False),
    ForeignKeyConstraint(["season_id", "entrant"], ["entrants.season_id", "entrants.number"]),
    ForeignKeyConstraint(["season_id", "number"], ["matches.season_id", "matches.number"]),
    sqlite_with_rowid=False,
)

faults = Table(
    "faults",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("season_id", Integer, nullable=False),
    Column("sitting_id", Integer, ForeignKey("sittings.id"), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("process", Integer, nullable=False),
    Column("entrant", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("detail", Text, nullable=False),
    Column("forfeits", Boolean(create_constraint=False), nullable=False),
    Column("match_ids", JSON, nullable=False),
    Column("counted", Boolean(create_constraint=False), nullable=False, default=False, server_default=false()),
    Column("counted_after", Integer),
    Column("at", UtcTime, nullable=False),
    ForeignKeyConstraint(["season_id", "entrant"], ["entrants.season_id", "entrants.number"]),
    UniqueConstraint("sitting_id", "attempt", "number"),
    Index("ix_faults_season_id_entrant", "season_id", "entrant"),
)

suspensions = Table(
    "suspensions",
    metadata,
    Column("season_id", Integer, primary_key=True),
    Column("entrant", Integer, primary_key=True),
    Column("cause", String(16), nullable=False),
    Column("detail", Text, nullable=False),
    Column("sitting_id", Integer, ForeignKey("sittings.id")),
    Column("results_version", Integer, nullable=False),
    Column("at", UtcTime, nullable=False),
    ForeignKeyConstraint(["season_id", "entrant"], ["entrants.season_id", "entrants.number"]),
)

process_logs = Table(
    "process_logs",
    metadata,
    Column("sitting_id", Integer, ForeignKey("sittings.id"), primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("process", Integer, primary_key=True),
    Column("season_id", Integer, nullable=False),
    Column("entrant", Integer, nullable=False),
    Column("exit_status", Integer),
    Column("sealed", LargeBinary, nullable=False),
    Column("truncated", Boolean(create_constraint=False), nullable=False),
    ForeignKeyConstraint(["season_id", "entrant"], ["entrants.season_id", "entrants.number"]),
    Index("ix_process_logs_season_id_entrant", "season_id", "entrant"),
)

set_sums = Table(
    "set_sums",
    metadata,
    Column("season_id", Integer, ForeignKey("seasons.id"), primary_key=True),
    Column("players", String(64), primary_key=True),
    Column("flagged", Boolean(create_constraint=False), primary_key=True),
    Column("sums", LargeBinary, nullable=False),
)

contract_sums = Table(
    "contract_sums",
    metadata,
    Column("season_id", Integer, primary_key=True),
    Column("entrant", Integer, primary_key=True),
    Column("contract", String(64), primary_key=True),
    Column("boards", BigInteger, nullable=False),
    Column("deals", BigInteger, nullable=False),
    Column("points", BigInteger, nullable=False),
    Column("points_squared", BigInteger, nullable=False),
    Column("points_by_deals", BigInteger, nullable=False),
    Column("deals_squared", BigInteger, nullable=False),
    ForeignKeyConstraint(["season_id", "entrant"], ["entrants.season_id", "entrants.number"]),
)
