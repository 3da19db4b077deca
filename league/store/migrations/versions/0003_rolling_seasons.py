"""Rolling seasons, a salt for each set of boards, and suspensions with what they rest on."""

from __future__ import annotations

from collections import Counter
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_SEASONS = sa.table("seasons", sa.column("id", sa.Integer), sa.column("deal_salt", sa.String))
_ENTRANTS = sa.table(
    "entrants",
    sa.column("season_id", sa.Integer),
    sa.column("number", sa.Integer),
    sa.column("sittings", sa.Integer),
    sa.column("overrun_sittings", sa.Integer),
)
_SETS = sa.table(
    "board_sets",
    sa.column("season_id", sa.Integer),
    sa.column("deal_salt", sa.String),
    sa.column("entrant_count", sa.Integer),
)
_BOARDS = sa.table(
    "boards",
    sa.column("season_id", sa.Integer),
    sa.column("set_number", sa.Integer),
    sa.column("players", sa.JSON),
)
_SITTINGS = sa.table(
    "sittings",
    sa.column("id", sa.Integer),
    sa.column("season_id", sa.Integer),
    sa.column("set_number", sa.Integer),
    sa.column("state", sa.String),
)
_MATCHES = sa.table(
    "matches", sa.column("sitting_id", sa.Integer), sa.column("attempt", sa.Integer), sa.column("number", sa.Integer)
)
_FAULTS = sa.table(
    "faults",
    sa.column("season_id", sa.Integer),
    sa.column("sitting_id", sa.Integer),
    sa.column("attempt", sa.Integer),
    sa.column("entrant", sa.Integer),
    sa.column("kind", sa.String),
    sa.column("counted", sa.Boolean),
    sa.column("counted_after", sa.Integer),
)


def upgrade() -> None:
    """Raises the schema to this revision."""
    for table, column in _added():
        op.add_column(table, column)
    op.create_table(
        "suspensions",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(length=16), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("results_version", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id", "entrant"],
            ["entrants.season_id", "entrants.number"],
            name=op.f("fk_suspensions_season_id_entrant"),
        ),
        sa.ForeignKeyConstraint(["sitting_id"], ["sittings.id"], name=op.f("fk_suspensions_sitting_id")),
        sa.PrimaryKeyConstraint("season_id", "entrant", name=op.f("pk_suspensions")),
    )
    connection = op.get_bind()
    _fill_sets(connection)
    _date_faults(connection)
    _count_sittings(connection)


def downgrade() -> None:
    """Takes it back: salts of sets after the first are lost, and so are suspensions."""
    op.drop_table("suspensions")
    for table, column in _added():
        op.drop_column(table, column.name)


def _added() -> list[tuple[str, sa.Column[Any]]]:
    """The new columns of old tables."""
    return [
        ("seasons", sa.Column("rolling", sa.Boolean(), nullable=False, server_default=sa.false())),
        ("seasons", sa.Column("ending", sa.Boolean(), nullable=False, server_default=sa.false())),
        ("entrants", sa.Column("sittings", sa.Integer(), nullable=False, server_default="0")),
        ("entrants", sa.Column("overrun_sittings", sa.Integer(), nullable=False, server_default="0")),
        ("board_sets", sa.Column("deal_salt", sa.String(length=64), nullable=False, server_default="")),
        ("board_sets", sa.Column("entrant_count", sa.Integer(), nullable=False, server_default="0")),
        ("board_sets", sa.Column("results_version", sa.Integer(), nullable=False, server_default="0")),
        ("faults", sa.Column("counted_after", sa.Integer(), nullable=True)),
    ]


def _fill_sets(connection: sa.Connection) -> None:
    """Every set there is was planned at its season's start, with all entrants."""
    for season in connection.execute(sa.select(_SEASONS).where(_SEASONS.c.deal_salt.is_not(None))).all():
        entered = sa.select(sa.func.count()).select_from(_ENTRANTS).where(_ENTRANTS.c.season_id == season.id)
        connection.execute(
            sa.update(_SETS)
            .where(_SETS.c.season_id == season.id)
            .values(deal_salt=season.deal_salt, entrant_count=connection.scalar(entered))
        )


def _date_faults(connection: sa.Connection) -> None:
    """A fault that counts did so by the last result of its attempt at the latest."""
    latest = (
        sa.select(sa.func.coalesce(sa.func.max(_MATCHES.c.number), 0))
        .where(_MATCHES.c.sitting_id == _FAULTS.c.sitting_id, _MATCHES.c.attempt == _FAULTS.c.attempt)
        .scalar_subquery()
    )
    connection.execute(sa.update(_FAULTS).where(_FAULTS.c.counted).values(counted_after=latest))


def _count_sittings(connection: sa.Connection) -> None:
    """How many sittings each entrant has behind it, and in how many it overran its time."""
    played: Counter[tuple[int, int]] = Counter()
    overrun: Counter[tuple[int, int]] = Counter()
    for sitting in connection.execute(sa.select(_SITTINGS).where(_SITTINGS.c.state == "done")).all():
        of_set = (_BOARDS.c.season_id == sitting.season_id) & (_BOARDS.c.set_number == sitting.set_number)
        boards = connection.scalars(sa.select(_BOARDS.c.players).where(of_set)).all()
        played.update((sitting.season_id, player) for player in {player for board in boards for player in board})
        late = sa.select(_FAULTS.c.entrant).where(
            _FAULTS.c.sitting_id == sitting.id, _FAULTS.c.counted, _FAULTS.c.kind == "timeout"
        )
        overrun.update((sitting.season_id, entrant) for entrant in connection.scalars(late.distinct()))
    for (season, entrant), number in played.items():
        this_entrant = (_ENTRANTS.c.season_id == season) & (_ENTRANTS.c.number == entrant)
        connection.execute(
            sa.update(_ENTRANTS).where(this_entrant).values(sittings=number, overrun_sittings=overrun[season, entrant])
        )
