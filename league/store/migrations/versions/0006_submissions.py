"""Submissions with their archives, steps and logs, and unrated boards with their records and logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_TABLES = (
    "archives",
    "submissions",
    "submission_steps",
    "submission_logs",
    "unrated_boards",
    "unrated_records",
    "unrated_logs",
)


def upgrade() -> None:
    """Raises the schema to this revision."""
    op.create_table(
        "archives",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_archives")),
    )
    _create_submissions()
    _create_submission_texts()
    _create_unrated()


def downgrade() -> None:
    """Takes it back: submissions, archives and unrated boards are lost; bots that came from them cannot be started."""
    for table in reversed(_TABLES):
        op.drop_table(table)


def _claimed() -> tuple[sa.Column[int] | sa.Column[str], ...]:
    """The columns of whatever is claimed with an attempt and a lease."""
    return (
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(length=128), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("given_back", sa.Text(), nullable=False),
    )


def _create_submissions() -> None:
    op.create_table(
        "submissions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("file_name", sa.String(length=255), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("bot", sa.String(length=64), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(length=32), nullable=False),
        sa.Column("variants", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("cause", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=True),
        *_claimed(),
        sa.Column("bot_version_id", sa.Integer(), nullable=True),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["bot_version_id"], ["bot_versions.id"], name=op.f("fk_submissions_bot_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
    )
    op.create_index(op.f("ix_submissions_sha256"), "submissions", ["sha256"])
    op.create_index(op.f("ix_submissions_bot_version_id"), "submissions", ["bot_version_id"])
    op.create_index("ix_submissions_owner_received_at", "submissions", ["owner", "received_at"])
    op.create_index("ix_submissions_state_lease_until", "submissions", ["state", "lease_until"])


def _create_submission_texts() -> None:
    op.create_table(
        "submission_steps",
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_submission_steps_submission_id")),
        sa.PrimaryKeyConstraint("submission_id", "number", name=op.f("pk_submission_steps")),
    )
    op.create_table(
        "submission_logs",
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_submission_logs_submission_id")),
        sa.PrimaryKeyConstraint("submission_id", "kind", name=op.f("pk_submission_logs")),
    )


def _create_unrated() -> None:
    op.create_table(
        "unrated_boards",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=True),
        sa.Column("variant", sa.String(length=256), nullable=False),
        sa.Column("time_control", sa.String(length=128), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("matches", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        *_claimed(),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_unrated_boards_submission_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unrated_boards")),
    )
    op.create_index(op.f("ix_unrated_boards_submission_id"), "unrated_boards", ["submission_id"])
    op.create_index("ix_unrated_boards_owner_created_at", "unrated_boards", ["owner", "created_at"])
    op.create_index("ix_unrated_boards_state_lease_until", "unrated_boards", ["state", "lease_until"])
    op.create_table(
        "unrated_records",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["unrated_boards.id"], name=op.f("fk_unrated_records_board_id")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_unrated_records")),
    )
    op.create_index(op.f("ix_unrated_records_board_id"), "unrated_records", ["board_id"])
    op.create_table(
        "unrated_logs",
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("process", sa.Integer(), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("exit_status", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["unrated_boards.id"], name=op.f("fk_unrated_logs_board_id")),
        sa.PrimaryKeyConstraint("board_id", "rotation", "process", name=op.f("pk_unrated_logs")),
    )
