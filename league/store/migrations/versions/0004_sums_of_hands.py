"""The sums know what hands and single matches vary by: those of the old layout are thrown away, to be made anew."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Raises the schema to this revision; `league.store.migration` then rebuilds the sums."""
    _forget()


def downgrade() -> None:
    """Takes it back: an older version rebuilds the sums from the matches when asked to."""
    _forget()


def _forget() -> None:
    op.execute("DELETE FROM set_sums")
    op.execute("DELETE FROM contract_sums")
