"""Ratings as they stood, every pair of bots board by board, the version of a ladder, and withdrawals."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Raises the schema to this revision; `league.store.migration` then makes sums and pairs anew."""
    for table, column in _added():
        op.add_column(table, column)
    op.create_index(op.f("ix_boards_season_id_whole_at"), "boards", ["season_id", "whole_at"])
    op.create_table(
        "moments",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("boards", sa.Integer(), nullable=False),
        sa.Column("at_result", sa.Integer(), nullable=False),
        sa.Column("audit", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_moments_season_id_seasons")),
        sa.PrimaryKeyConstraint("season_id", "boards", name=op.f("pk_moments")),
    )
    _create_past_ratings()
    op.create_table(
        "pair_sums",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("a", sa.Integer(), nullable=False),
        sa.Column("b", sa.Integer(), nullable=False),
        sa.Column("sums", sa.LargeBinary(), nullable=False),
        sa.Column("widest", sa.LargeBinary(), nullable=False),
        sa.Column("path", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_pair_sums_season_id_seasons")),
        sa.PrimaryKeyConstraint("season_id", "a", "b", name=op.f("pk_pair_sums")),
    )
    _forget_sums()


def downgrade() -> None:
    """Takes it back: who is withdrawn is forgotten, all else can be made anew."""
    for table in ("pair_sums", "past_ratings", "moments"):
        op.drop_table(table)
    op.drop_index(op.f("ix_boards_season_id_whole_at"), "boards")
    for table, column in _added():
        op.drop_column(table, column.name)


def _added() -> list[tuple[str, sa.Column[Any]]]:
    """The new columns of old tables."""
    return [
        ("seasons", sa.Column("ladder_version", sa.Integer(), nullable=False, server_default="0")),
        ("entrants", sa.Column("withdrawn_at", sa.BigInteger(), nullable=True)),
        ("boards", sa.Column("whole_at", sa.Integer(), nullable=True)),
    ]


def _create_past_ratings() -> None:
    numbers = ("elo_low", "elo_high", "points", "points_low", "points_high")
    op.create_table(
        "past_ratings",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("season_boards", sa.Integer(), nullable=False),
        sa.Column("boards", sa.Integer(), nullable=False),
        sa.Column("elo", sa.Float(), nullable=False),
        *(sa.Column(name, sa.Float(), nullable=True) for name in numbers),
        sa.ForeignKeyConstraint(
            ["season_id", "entrant"],
            ["entrants.season_id", "entrants.number"],
            name=op.f("fk_past_ratings_season_id_entrants"),
        ),
        sa.ForeignKeyConstraint(
            ["season_id", "season_boards"],
            ["moments.season_id", "moments.boards"],
            name=op.f("fk_past_ratings_season_id_moments"),
        ),
        sa.PrimaryKeyConstraint("season_id", "entrant", "season_boards", name=op.f("pk_past_ratings")),
    )


def _forget_sums() -> None:
    """Sums that are not there are made anew from the matches, and pairs with them."""
    op.execute("DELETE FROM set_sums")
    op.execute("DELETE FROM contract_sums")
