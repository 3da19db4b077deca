"""The tables of what is kept of a season's past: ratings as they stood, and every pair of bots board by board.

Owns names, types and constraints; holds no queries. All of it can be made anew from the matches.
"""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, ForeignKey, ForeignKeyConstraint, Integer, LargeBinary, Table

from league.store.schema import metadata

moments = Table(
    "moments",
    metadata,
    Column("season_id", Integer, ForeignKey("seasons.id"), primary_key=True),
    Column("boards", Integer, primary_key=True),
    Column("at_result", Integer, nullable=False),
    Column("audit", JSON(none_as_null=True)),
)

past_ratings = Table(
    "past_ratings",
    metadata,
    Column("season_id", Integer, primary_key=True),
    Column("entrant", Integer, primary_key=True),
    Column("season_boards", Integer, primary_key=True),
    Column("boards", Integer, nullable=False),
    Column("elo", Float, nullable=False),
    Column("elo_low", Float),
    Column("elo_high", Float),
    Column("points", Float),
    Column("points_low", Float),
    Column("points_high", Float),
    ForeignKeyConstraint(["season_id", "entrant"], ["entrants.season_id", "entrants.number"]),
    ForeignKeyConstraint(["season_id", "season_boards"], ["moments.season_id", "moments.boards"]),
)

pair_sums = Table(
    "pair_sums",
    metadata,
    Column("season_id", Integer, ForeignKey("seasons.id"), primary_key=True),
    Column("a", Integer, primary_key=True),
    Column("b", Integer, primary_key=True),
    Column("sums", LargeBinary, nullable=False),
    Column("widest", LargeBinary, nullable=False),
    Column("path", LargeBinary, nullable=False),
)
