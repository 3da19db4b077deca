"""The tables of submissions, archives and unrated boards. What a change here needs: a new migration.

Owns names, types and constraints; holds no queries. `failures` counts the attempts that ended without an answer.
`players` and `matches` of an unrated board are JSON lists as `league.store.unrated_rows` writes them; which remote bots
take part is in `unrated_remotes`.
"""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text

from league.store.database import UtcTime
from league.store.schema import metadata

archives = Table(
    "archives",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("size", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("received_at", UtcTime, nullable=False),
)

submissions = Table(
    "submissions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("file_name", String(255), nullable=False),
    Column("sha256", String(64), nullable=False, index=True),
    Column("size", Integer, nullable=False),
    Column("bot", String(64), nullable=False, default=""),
    Column("version", String(64), nullable=False, default=""),
    Column("language", String(32), nullable=False, default=""),
    Column("variants", JSON, nullable=False),
    Column("state", String(16), nullable=False),
    Column("cause", String(16), nullable=False, default=""),
    Column("reason", Text, nullable=False, default=""),
    Column("report", JSON(none_as_null=True)),
    Column("attempt", Integer, nullable=False, default=0),
    Column("failures", Integer, nullable=False, default=0),
    Column("worker", String(128), nullable=False, default=""),
    Column("lease_until", UtcTime),
    Column("given_back", Text, nullable=False, default=""),
    Column("bot_version_id", Integer, ForeignKey("bot_versions.id"), index=True),
    Column("received_at", UtcTime, nullable=False),
    Column("changed_at", UtcTime, nullable=False),
    Index("ix_submissions_owner_received_at", "owner", "received_at"),
    Index("ix_submissions_state_lease_until", "state", "lease_until"),
)

submission_steps = Table(
    "submission_steps",
    metadata,
    Column("submission_id", Integer, ForeignKey("submissions.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("state", String(16), nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("detail", Text, nullable=False),
)

submission_logs = Table(
    "submission_logs",
    metadata,
    Column("submission_id", Integer, ForeignKey("submissions.id"), primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("text", Text, nullable=False),
)

unrated_boards = Table(
    "unrated_boards",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("purpose", String(16), nullable=False),
    Column("submission_id", Integer, ForeignKey("submissions.id"), index=True),
    Column("variant", String(256), nullable=False),
    Column("time_control", String(128), nullable=False),
    Column("players", JSON, nullable=False),
    Column("matches", JSON, nullable=False),
    Column("state", String(16), nullable=False),
    Column("outcome", Text, nullable=False, default=""),
    Column("attempt", Integer, nullable=False, default=0),
    Column("failures", Integer, nullable=False, default=0),
    Column("worker", String(128), nullable=False, default=""),
    Column("lease_until", UtcTime),
    Column("given_back", Text, nullable=False, default=""),
    Column("created_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
    Index("ix_unrated_boards_owner_created_at", "owner", "created_at"),
    Index("ix_unrated_boards_state_lease_until", "state", "lease_until"),
)

unrated_records = Table(
    "unrated_records",
    metadata,
    Column("match_id", String(32), primary_key=True),
    Column("board_id", Integer, ForeignKey("unrated_boards.id"), nullable=False, index=True),
    Column("rotation", Integer, nullable=False),
    Column("packed", LargeBinary, nullable=False),
)

unrated_logs = Table(
    "unrated_logs",
    metadata,
    Column("board_id", Integer, ForeignKey("unrated_boards.id"), primary_key=True),
    Column("rotation", Integer, primary_key=True),
    Column("process", Integer, primary_key=True),
    Column("player", Integer, nullable=False),
    Column("exit_status", Integer, nullable=False),
    Column("text", Text, nullable=False),
)

unrated_remotes = Table(
    "unrated_remotes",
    metadata,
    Column("board_id", Integer, ForeignKey("unrated_boards.id"), primary_key=True),
    Column("bot_version_id", Integer, ForeignKey("remote_bots.bot_version_id"), primary_key=True),
    Index("ix_unrated_remotes_bot_version_id", "bot_version_id"),
)

surroundings = Table(
    "surroundings",
    metadata,
    Column("host", String(128), primary_key=True),
    Column("found", JSON, nullable=False),
    Column("found_at", UtcTime, nullable=False),
)
