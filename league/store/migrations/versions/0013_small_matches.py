"""Matches that take a quarter of their place: points by deal as bytes, records that say how they are laid out.

Records that are there stay as they are, and are read as before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

from league.store.kept_records import Cards, Kept, Layout, bare_record, kept_as_json
from league.store.packed_points import pack_points, unpack_points
from referee.rules import parse_variant

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_AT_ONCE = 1000


def upgrade() -> None:
    """Raises the schema to this revision."""
    op.add_column("match_records", sa.Column("layout", sa.Integer(), nullable=False, server_default="0"))
    _exchange_points(sa.JSON(), sa.LargeBinary(), empty="''", made=pack_points)
    _rebuild_players(with_rowid=False)


def downgrade() -> None:
    """Takes it back; refused while records are packed and sealed, since only the vault could open them."""
    _write_json()
    op.drop_column("match_records", "layout")
    _exchange_points(sa.LargeBinary(), sa.JSON(), empty="'[]'", made=unpack_points)
    _rebuild_players(with_rowid=True)


def _exchange_points(
    old: sa.types.TypeEngine[Any], new: sa.types.TypeEngine[Any], *, empty: str, made: Callable[[Any], Any]
) -> None:
    """Gives the points by deal another type, a part of the matches at a time."""
    op.add_column("matches", sa.Column("new_points", new, nullable=False, server_default=sa.text(empty)))
    columns = (sa.Column("id", sa.Integer()), sa.Column("deal_points", old), sa.Column("new_points", new))
    matches = sa.Table("matches", sa.MetaData(), *columns)
    connection = op.get_bind()
    write = sa.update(matches).where(matches.c.id == sa.bindparam("of_id")).values(new_points=sa.bindparam("points"))
    last = 0
    while rows := connection.execute(
        sa.select(matches.c.id, matches.c.deal_points).where(matches.c.id > last).order_by(matches.c.id).limit(_AT_ONCE)
    ).all():
        connection.execute(write, [{"of_id": row.id, "points": made(row.deal_points)} for row in rows])
        last = rows[-1].id
    op.drop_column("matches", "deal_points")
    op.alter_column("matches", "new_points", new_column_name="deal_points")


def _write_json() -> None:
    """Lays all packed records out as JSON."""
    connection = op.get_bind()
    read = sa.text(
        "SELECT r.match_id AS id, r.sealed, m.rotation, b.deal_secret, b.number, s.deal_salt, z.variant "
        "FROM match_records r JOIN matches m ON m.id = r.match_id "
        "JOIN boards b ON b.season_id = m.season_id AND b.number = m.board "
        "JOIN board_sets s ON s.season_id = b.season_id AND s.number = b.set_number "
        "JOIN seasons z ON z.id = m.season_id "
        "WHERE r.layout = 1 AND r.match_id > :last ORDER BY r.match_id LIMIT :many"
    )
    write = sa.text("UPDATE match_records SET sealed = :sealed WHERE match_id = :id")
    last = 0
    while rows := connection.execute(read, {"last": last, "many": _AT_ONCE}).all():
        connection.execute(write, [{"id": row.id, "sealed": _as_json(row)} for row in rows])
        last = rows[-1].id


def _as_json(row: sa.Row[Any]) -> bytes:
    if row.deal_secret is None:
        raise RuntimeError(
            f"board {row.number} is being played, and its records are sealed: wait until its set is over"
        )
    cards = Cards(secret=row.deal_secret, salt=row.deal_salt, rotation=row.rotation, variant=parse_variant(row.variant))
    return kept_as_json(bare_record(Kept(layout=Layout.PACKED, sealed=row.sealed), cards), cards).sealed


def _rebuild_players(*, with_rowid: bool) -> None:
    """SQLite keeps a table by its primary key if told so, at half the size; elsewhere there is nothing to do."""
    if op.get_bind().dialect.name != "sqlite":
        return
    op.create_table(
        "new_match_players",
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
        sqlite_with_rowid=with_rowid,
    )
    op.execute("INSERT INTO new_match_players SELECT season_id, entrant, number, live_elo FROM match_players")
    op.drop_table("match_players")
    op.rename_table("new_match_players", "match_players")
