"""What the workers' machines have for submitted bots."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Raises the schema to this revision."""
    op.create_table(
        "surroundings",
        sa.Column("host", sa.String(length=128), nullable=False),
        sa.Column("found", sa.JSON(), nullable=False),
        sa.Column("found_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("host", name=op.f("pk_surroundings")),
    )


def downgrade() -> None:
    """Takes it back: workers tell it again when they start."""
    op.drop_table("surroundings")
