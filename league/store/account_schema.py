"""The tables of accounts and of the audit log. What a change here needs: a new migration in `migrations/versions`.

Owns names, types and constraints; holds no queries. `token_hash` is the SHA-256 of a text that is kept nowhere.
"""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, ForeignKey, Index, Integer, String, Table, Text

from league.store.database import UtcTime
from league.store.schema import metadata

accounts = Table(
    "accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False),
    Column("name_key", Text, nullable=False, unique=True),
    Column("password_hash", Text),
    Column("organiser", Boolean(create_constraint=False), nullable=False),
    Column("disabled", Boolean(create_constraint=False), nullable=False),
    Column("created_at", UtcTime, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("account_id", Integer, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("created_at", UtcTime, nullable=False),
    Column("seen_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False, index=True),
)

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", Integer, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("name", String(64), nullable=False),
    Column("shown", String(16), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("created_at", UtcTime, nullable=False),
    Column("last_used_at", UtcTime),
)

password_links = Table(
    "password_links",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("account_id", Integer, ForeignKey("accounts.id"), nullable=False, unique=True),
    Column("expires_at", UtcTime, nullable=False),
)

tries = Table(
    "tries",
    metadata,
    Column("subject", String(64), primary_key=True),
    Column("tried", Integer, nullable=False),
    Column("since", UtcTime, nullable=False, index=True),
)

audit_log = Table(
    "audit_log",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", UtcTime, nullable=False),
    Column("actor", String(64), nullable=False),
    Column("account_id", Integer, ForeignKey("accounts.id")),
    Column("via", String(16), nullable=False),
    Column("act", String(48), nullable=False),
    Column("subject", Text, nullable=False),
    Column("details", JSON, nullable=False),
    Index("ix_audit_log_act_id", "act", "id"),
    Index("ix_audit_log_actor_id", "actor", "id"),
    Index("ix_audit_log_subject_id", "subject", "id"),
)
