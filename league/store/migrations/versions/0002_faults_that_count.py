"""Faults count only when something they touched is valid; those of void attempts are no longer counted."""

from __future__ import annotations

from collections import Counter

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_FAULTS = sa.table(
    "faults",
    sa.column("id", sa.Integer),
    sa.column("season_id", sa.Integer),
    sa.column("sitting_id", sa.Integer),
    sa.column("attempt", sa.Integer),
    sa.column("entrant", sa.Integer),
    sa.column("match_ids", sa.JSON),
    sa.column("counted", sa.Boolean),
)
_MATCHES = sa.table(
    "matches",
    sa.column("match_id", sa.String),
    sa.column("sitting_id", sa.Integer),
    sa.column("attempt", sa.Integer),
)
_SITTINGS = sa.table(
    "sittings", sa.column("id", sa.Integer), sa.column("attempt", sa.Integer), sa.column("state", sa.String)
)
_ENTRANTS = sa.table(
    "entrants",
    sa.column("season_id", sa.Integer),
    sa.column("number", sa.Integer),
    sa.column("faults", sa.Integer),
)


def upgrade() -> None:
    """Raises the schema to this revision."""
    op.add_column("faults", sa.Column("counted", sa.Boolean(), nullable=False, server_default=sa.false()))
    connection = op.get_bind()
    counted = [row for row in connection.execute(sa.select(_FAULTS)).all() if _counts(connection, row)]
    for row in counted:
        connection.execute(sa.update(_FAULTS).where(_FAULTS.c.id == row.id).values(counted=True))
    _count_for_entrants(connection, Counter((row.season_id, row.entrant) for row in counted))


def downgrade() -> None:
    """Takes it back: every fault counts."""
    connection = op.get_bind()
    events = Counter((row.season_id, row.entrant) for row in connection.execute(sa.select(_FAULTS)))
    _count_for_entrants(connection, events)
    op.drop_column("faults", "counted")


def _counts(connection: sa.Connection, fault: sa.Row[tuple[object, ...]]) -> bool:
    finished = sa.select(_SITTINGS.c.id).where(
        _SITTINGS.c.id == fault.sitting_id, _SITTINGS.c.attempt == fault.attempt, _SITTINGS.c.state == "done"
    )
    stored = sa.select(_MATCHES.c.match_id).where(
        _MATCHES.c.match_id.in_(fault.match_ids),
        _MATCHES.c.sitting_id == fault.sitting_id,
        _MATCHES.c.attempt == fault.attempt,
    )
    return any(connection.execute(query.limit(1)).first() is not None for query in (finished, stored))


def _count_for_entrants(connection: sa.Connection, events: Counter[tuple[int, int]]) -> None:
    connection.execute(sa.update(_ENTRANTS).values(faults=0))
    for (season, entrant), number in events.items():
        this_entrant = (_ENTRANTS.c.season_id == season) & (_ENTRANTS.c.number == entrant)
        connection.execute(sa.update(_ENTRANTS).where(this_entrant).values(faults=number))
