"""Alembic's entry: runs migrations on the connection that `league.store.migration` hands over."""

from __future__ import annotations

from alembic import context

from league.store.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
context.run_migrations()
