"""${message}."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}
breaks_older_code = True


def upgrade() -> None:
    """Raises the schema to this revision."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Takes it back."""
    ${downgrades if downgrades else "pass"}
