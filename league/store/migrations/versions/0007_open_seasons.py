"""Open seasons: remote bots with their tokens, who is connected, sittings that wait, boards dealt anew."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Raises the schema to this revision."""
    for table, column in _added():
        op.add_column(table, column)
    op.create_table(
        "remote_bots",
        sa.Column("bot_version_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=True),
        sa.Column("issued_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("connected", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("absent_since", sa.BigInteger(), nullable=True),
        sa.Column("noted_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["bot_version_id"], ["bot_versions.id"], name=op.f("fk_remote_bots_bot_version_id")),
        sa.PrimaryKeyConstraint("bot_version_id", name=op.f("pk_remote_bots")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_remote_bots_token_hash")),
    )
    op.create_table(
        "sitting_remotes",
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("bot_version_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["sitting_id"], ["sittings.id"], name=op.f("fk_sitting_remotes_sitting_id")),
        sa.ForeignKeyConstraint(
            ["bot_version_id"], ["remote_bots.bot_version_id"], name=op.f("fk_sitting_remotes_bot_version_id")
        ),
        sa.PrimaryKeyConstraint("sitting_id", "bot_version_id", name=op.f("pk_sitting_remotes")),
    )
    op.create_index("ix_sitting_remotes_bot_version_id", "sitting_remotes", ["bot_version_id"])


def downgrade() -> None:
    """Takes it back: remote bots stay as bots that have no token, open seasons as managed ones of one rotation."""
    op.drop_table("sitting_remotes")
    op.drop_table("remote_bots")
    for table, column in _added():
        op.drop_column(table, column.name)


def _added() -> list[tuple[str, sa.Column[Any]]]:
    """The new columns of old tables."""
    return [
        ("seasons", sa.Column("absent_after_ms", sa.Integer(), nullable=False, server_default="60000")),
        ("boards", sa.Column("void", sa.Boolean(), nullable=False, server_default=sa.false())),
        ("boards", sa.Column("replaces", sa.Integer(), nullable=True)),
        ("sittings", sa.Column("waiting_since", sa.BigInteger(), nullable=True)),
    ]
