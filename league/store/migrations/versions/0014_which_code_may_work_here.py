"""Which code may work on the store, said beside the revision: an older part, in the middle of an upgrade, can ask.

Code that does not ask works on this schema as on the one before, but cannot open it: so it breaks older code.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None
breaks_older_code = True


def upgrade() -> None:
    """Raises the schema to this revision."""
    op.add_column("alembic_version", sa.Column("oldest_code", sa.String(32), nullable=False, server_default=""))


def downgrade() -> None:
    """Takes it back."""
    op.drop_column("alembic_version", "oldest_code")
