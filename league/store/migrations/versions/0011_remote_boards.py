"""Unrated boards with remote bots, and when these were last seen."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Raises the schema to this revision."""
    op.add_column("remote_bots", sa.Column("seen_at", sa.BigInteger(), nullable=True))
    op.create_table(
        "unrated_remotes",
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("bot_version_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["unrated_boards.id"], name=op.f("fk_unrated_remotes_board_id")),
        sa.ForeignKeyConstraint(
            ["bot_version_id"], ["remote_bots.bot_version_id"], name=op.f("fk_unrated_remotes_bot_version_id")
        ),
        sa.PrimaryKeyConstraint("board_id", "bot_version_id", name=op.f("pk_unrated_remotes")),
    )
    op.create_index("ix_unrated_remotes_bot_version_id", "unrated_remotes", ["bot_version_id"])


def downgrade() -> None:
    """Takes it back: boards with remote bots go, for the code of then cannot play or read them."""
    boards, kept = sa.table("unrated_boards", sa.column("id")), sa.table("unrated_remotes", sa.column("board_id"))
    remote = sa.select(kept.c.board_id)
    ids = list(op.get_bind().scalars(remote))
    op.drop_table("unrated_remotes")
    for name in ("unrated_records", "unrated_logs"):
        part = sa.table(name, sa.column("board_id"))
        op.execute(part.delete().where(part.c.board_id.in_(ids)))
    op.execute(boards.delete().where(boards.c.id.in_(ids)))
    op.drop_column("remote_bots", "seen_at")
