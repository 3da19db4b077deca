"""Orders of organisers, their suspensions, and the fault up to which a lifted suspension forgives."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Raises the schema to this revision."""
    op.create_table(
        "orders",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("actor", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("via", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=True),
        sa.Column("requeued", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_orders_account_id")),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_orders_season_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_orders")),
    )
    op.create_index("ix_orders_state_id", "orders", ["state", "id"], unique=False)
    op.create_index("ix_orders_season_id_id", "orders", ["season_id", "id"], unique=False)
    op.add_column("entrants", sa.Column("forgiven_fault", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("suspensions") as suspensions:
        suspensions.alter_column("sitting_id", existing_type=sa.Integer(), nullable=True)


def downgrade() -> None:
    """Takes it back: orders, and suspensions by organisers, are lost."""
    op.execute("DELETE FROM suspensions WHERE sitting_id IS NULL")
    with op.batch_alter_table("suspensions") as suspensions:
        suspensions.alter_column("sitting_id", existing_type=sa.Integer(), nullable=False)
    op.drop_column("entrants", "forgiven_fault")
    op.drop_table("orders")
