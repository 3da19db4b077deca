"""The number up to which a season deals no new board: a restored league may have dealt them already."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Raises the schema to this revision."""
    op.add_column("seasons", sa.Column("board_floor", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Takes it back."""
    op.drop_column("seasons", "board_floor")
