"""The table of orders. What a change here needs: a new migration in `migrations/versions`.

Owns names, types and constraints; holds no queries.
"""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer, String, Table, Text

from league.store.database import UtcTime
from league.store.schema import metadata

orders = Table(
    "orders",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(32), nullable=False),
    Column("arguments", JSON, nullable=False),
    Column("actor", String(64), nullable=False),
    Column("account_id", Integer, ForeignKey("accounts.id")),
    Column("via", String(16), nullable=False),
    Column("state", String(16), nullable=False),
    Column("tried", Integer, nullable=False),
    Column("told", Text, nullable=False),
    Column("season_id", Integer, ForeignKey("seasons.id")),
    Column("requeued", Integer, nullable=False),
    Column("asked_at", UtcTime, nullable=False),
    Column("done_at", UtcTime),
    Index("ix_orders_state_id", "state", "id"),
    Index("ix_orders_season_id_id", "season_id", "id"),
)
