"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Raises the schema to this revision."""
    op.create_table(
        "bots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("house", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("name", name=op.f("uq_bots_name")),
    )
    op.create_table(
        "seasons",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("variant", sa.String(length=256), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("deal_count", sa.Integer(), nullable=False),
        sa.Column("boards", sa.Integer(), nullable=False),
        sa.Column("set_count", sa.Integer(), nullable=True),
        sa.Column("player_sets", sa.Integer(), nullable=True),
        sa.Column("time_control", sa.String(length=128), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("deal_salt", sa.String(length=64), nullable=True),
        sa.Column("secret", sa.String(length=64), nullable=True),
        sa.Column("balance", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("boards_planned", sa.Integer(), nullable=False),
        sa.Column("boards_over", sa.Integer(), nullable=False),
        sa.Column("matches_stored", sa.Integer(), nullable=False),
        sa.Column("sets_open", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seasons")),
    )
    op.create_index(op.f("ix_seasons_name"), "seasons", ["name"], unique=False)
    op.create_index(op.f("ix_seasons_state"), "seasons", ["state"], unique=False)
    op.create_table(
        "board_sets",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sittings_open", sa.Integer(), nullable=False),
        sa.Column("over_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_board_sets_season_id")),
        sa.PrimaryKeyConstraint("season_id", "number", name=op.f("pk_board_sets")),
    )
    op.create_table(
        "bot_versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        sa.Column("version_hash", sa.String(length=64), nullable=False),
        sa.Column("source_kind", sa.String(length=16), nullable=False),
        sa.Column("source_location", sa.Text(), nullable=False),
        sa.Column("language", sa.String(length=32), nullable=False),
        sa.Column("registered_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_bot_versions_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot_versions")),
        sa.UniqueConstraint(
            "bot_id", "version", "version_hash", name=op.f("uq_bot_versions_bot_id_version_version_hash")
        ),
    )
    op.create_table(
        "set_sums",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("players", sa.String(length=64), nullable=False),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("sums", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_set_sums_season_id")),
        sa.PrimaryKeyConstraint("season_id", "players", "flagged", name=op.f("pk_set_sums")),
    )
    op.create_table(
        "boards",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("set_number", sa.Integer(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("deal_secret", sa.String(length=64), nullable=True),
        sa.Column("stored", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id", "set_number"],
            ["board_sets.season_id", "board_sets.number"],
            name=op.f("fk_boards_season_id_set_number"),
        ),
        sa.PrimaryKeyConstraint("season_id", "number", name=op.f("pk_boards")),
    )
    op.create_index("ix_boards_season_id_set_number", "boards", ["season_id", "set_number"], unique=False)
    op.create_table(
        "entrants",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("bot_version_id", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(length=160), nullable=False),
        sa.Column("live_elo", sa.Float(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["bot_version_id"], ["bot_versions.id"], name=op.f("fk_entrants_bot_version_id")),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_entrants_season_id")),
        sa.PrimaryKeyConstraint("season_id", "number", name=op.f("pk_entrants")),
        sa.UniqueConstraint("season_id", "bot_version_id", name=op.f("uq_entrants_season_id_bot_version_id")),
    )
    op.create_index(op.f("ix_entrants_bot_version_id"), "entrants", ["bot_version_id"], unique=False)
    op.create_table(
        "sittings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("set_number", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(length=128), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("given_back", sa.Text(), nullable=False),
        sa.Column("match_count", sa.Integer(), nullable=False),
        sa.Column("stored", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id", "set_number"],
            ["board_sets.season_id", "board_sets.number"],
            name=op.f("fk_sittings_season_id_set_number"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sittings")),
        sa.UniqueConstraint(
            "season_id", "set_number", "rotation", name=op.f("uq_sittings_season_id_set_number_rotation")
        ),
    )
    op.create_index("ix_sittings_state_lease_until", "sittings", ["state", "lease_until"], unique=False)
    op.create_table(
        "contract_sums",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("contract", sa.String(length=64), nullable=False),
        sa.Column("boards", sa.BigInteger(), nullable=False),
        sa.Column("deals", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("points_squared", sa.BigInteger(), nullable=False),
        sa.Column("points_by_deals", sa.BigInteger(), nullable=False),
        sa.Column("deals_squared", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id", "entrant"],
            ["entrants.season_id", "entrants.number"],
            name=op.f("fk_contract_sums_season_id_entrant"),
        ),
        sa.PrimaryKeyConstraint("season_id", "entrant", "contract", name=op.f("pk_contract_sums")),
    )
    op.create_table(
        "faults",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("process", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("forfeits", sa.Boolean(), nullable=False),
        sa.Column("match_ids", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id", "entrant"],
            ["entrants.season_id", "entrants.number"],
            name=op.f("fk_faults_season_id_entrant"),
        ),
        sa.ForeignKeyConstraint(["sitting_id"], ["sittings.id"], name=op.f("fk_faults_sitting_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_faults")),
        sa.UniqueConstraint("sitting_id", "attempt", "number", name=op.f("uq_faults_sitting_id_attempt_number")),
    )
    op.create_index("ix_faults_season_id_entrant", "faults", ["season_id", "entrant"], unique=False)
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("totals", sa.JSON(), nullable=False),
        sa.Column("places", sa.JSON(), nullable=False),
        sa.Column("forfeits", sa.JSON(), nullable=False),
        sa.Column("deal_points", sa.JSON(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id", "board"], ["boards.season_id", "boards.number"], name=op.f("fk_matches_season_id_board")
        ),
        sa.ForeignKeyConstraint(["sitting_id"], ["sittings.id"], name=op.f("fk_matches_sitting_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("match_id", name=op.f("uq_matches_match_id")),
        sa.UniqueConstraint("season_id", "board", "rotation", name=op.f("uq_matches_season_id_board_rotation")),
        sa.UniqueConstraint("season_id", "number", name=op.f("uq_matches_season_id_number")),
    )
    op.create_table(
        "process_logs",
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("process", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("exit_status", sa.Integer(), nullable=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("truncated", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id", "entrant"],
            ["entrants.season_id", "entrants.number"],
            name=op.f("fk_process_logs_season_id_entrant"),
        ),
        sa.ForeignKeyConstraint(["sitting_id"], ["sittings.id"], name=op.f("fk_process_logs_sitting_id")),
        sa.PrimaryKeyConstraint("sitting_id", "attempt", "process", name=op.f("pk_process_logs")),
    )
    op.create_index("ix_process_logs_season_id_entrant", "process_logs", ["season_id", "entrant"], unique=False)
    op.create_table(
        "match_players",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("live_elo", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id", "entrant"],
            ["entrants.season_id", "entrants.number"],
            name=op.f("fk_match_players_season_id_entrant"),
        ),
        sa.ForeignKeyConstraint(
            ["season_id", "number"],
            ["matches.season_id", "matches.number"],
            name=op.f("fk_match_players_season_id_number"),
        ),
        sa.PrimaryKeyConstraint("season_id", "entrant", "number", name=op.f("pk_match_players")),
    )
    op.create_table(
        "match_records",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_match_records_match_id")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_match_records")),
    )


def downgrade() -> None:
    """Takes it back."""
    op.drop_table("match_records")
    op.drop_table("match_players")
    op.drop_index("ix_process_logs_season_id_entrant", table_name="process_logs")
    op.drop_table("process_logs")
    op.drop_table("matches")
    op.drop_index("ix_faults_season_id_entrant", table_name="faults")
    op.drop_table("faults")
    op.drop_table("contract_sums")
    op.drop_index("ix_sittings_state_lease_until", table_name="sittings")
    op.drop_table("sittings")
    op.drop_index(op.f("ix_entrants_bot_version_id"), table_name="entrants")
    op.drop_table("entrants")
    op.drop_index("ix_boards_season_id_set_number", table_name="boards")
    op.drop_table("boards")
    op.drop_table("set_sums")
    op.drop_table("bot_versions")
    op.drop_table("board_sets")
    op.drop_index(op.f("ix_seasons_state"), table_name="seasons")
    op.drop_index(op.f("ix_seasons_name"), table_name="seasons")
    op.drop_table("seasons")
    op.drop_table("bots")
