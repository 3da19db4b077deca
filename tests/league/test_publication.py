"""What is public when: records, standard error and secrets of a set of boards, after its last sitting."""

from __future__ import annotations

import stat
import zlib
from pathlib import Path

import pytest
from sqlalchemy import select

from league.errors import NotPublicYetError
from league.store import Store
from league.store.database import Database
from league.store.schema import match_records, process_logs
from league.store.sealing import seal, unseal
from referee.verification import verify
from tests.league.leagues import (
    BOTS,
    Clock,
    claimed,
    database_url,
    open_store,
    play_season,
    played_record,
    short_record,
    started,
)
from tests.stores import written


@pytest.mark.slow
def test_records_verify_when_their_set_is_over_and_are_withheld_before(store: Store) -> None:
    """Whole matches, dealt from the plan's secrets: the record that comes out passes every check of the referee."""
    season = started(store, BOTS[:4], boards=2, set_count=2)
    sittings = [s for s in store.sittings.of_season(season.id) if s.set_number == 1]
    kept = []
    for sitting in sittings:
        claim = claimed(store, sitting.id)
        record = played_record(claim, claim.tables[0])
        store.results.commit(claim, record)
        kept.append(record)
        with pytest.raises(NotPublicYetError, match="its record becomes public when set 1 is over"):
            store.results.record(record["match_id"])
        assert not store.results.match(record["match_id"]).public
        store.sittings.finish(claim)
    for record in kept:
        assert store.results.match(record["match_id"]).public
        published = store.results.record(record["match_id"])
        assert published == record
        checked = verify(published)
        assert checked.problems == ()
        assert checked.unchecked == ()
    assert store.seasons.board(season.id, 2).deal_secret is None


def test_nothing_in_the_store_shows_a_hand_while_the_cards_are_in_play(tmp_path: Path) -> None:
    """Not a record, not standard error, not a secret: the files without the vault do not contain them."""
    store = open_store(tmp_path)
    started(store, BOTS[:4], boards=1, set_count=1)
    claim = claimed(store, store.sittings.due()[0])
    record = played_record(claim, claim.tables[0])
    store.results.commit(claim, record)
    store.results.keep_log(claim, process=1, player=0, exit_status=0, text="I hold the king of hearts\n" * 3)
    store.sittings.finish(claim)
    store.close()
    public = written(tmp_path)
    table = claim.tables[0]
    for secret in (table.deal_secret, record["deal_seed"], "king of hearts", '"hands"'):
        assert secret.encode() not in public
    assert bytes.fromhex(table.deal_secret) not in public
    assert table.match_id.encode() in public
    database = Database(database_url(tmp_path))
    with database.reading() as connection:
        for column in (match_records.c.sealed, process_logs.c.sealed):
            with pytest.raises(zlib.error):
                zlib.decompress(connection.execute(select(column)).scalar_one())
    database.close()


def test_the_vault_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    """Its file has no rights for group and others."""
    open_store(tmp_path).close()
    (vault,) = tmp_path.glob("*vault.sqlite3")
    assert stat.S_IMODE(vault.stat().st_mode) == 0o600


@pytest.mark.slow
def test_standard_error_is_public_with_its_set_and_kept_to_its_end(store: Store) -> None:
    """Of a long text the last 64 KiB, of every attempt, once each."""
    season = started(store, BOTS[:4], boards=1, set_count=1)
    claim = claimed(store, store.sittings.due()[0])
    assert store.results.keep_log(claim, process=1, player=2, exit_status=1, text="a" * 70_000 + "ж the end")
    assert not store.results.keep_log(claim, process=1, player=2, exit_status=1, text="again")
    store.results.keep_log(claim, process=2, player=0, exit_status=None, text="")
    store.sittings.release(claim, "our fault")
    assert store.results.logs(season.id) == ()
    play_season(store, season)
    long, empty = sorted(store.results.logs(season.id), key=lambda log: log.process)
    assert long.truncated
    assert long.text.endswith("aж the end")
    assert len(long.text.encode()) <= 64 * 1024
    assert (long.label, long.exit_status) == (claim.players[2].label, 1)
    assert (empty.text, empty.truncated, empty.exit_status) == ("", False, None)
    assert store.results.logs(season.id, bot=claim.players[0].entrant) == (empty,)


@pytest.mark.slow
def test_match_ids_of_one_board_have_nothing_in_common(store: Store) -> None:
    """A bot that meets a board's rotations cannot tell by their ids."""
    season = started(store, BOTS[:4], boards=1, set_count=1)
    play_season(store, season)
    ids = [row.match_id for row in store.results.board_matches(season.id, 1)]
    assert len(set(ids)) == 4


def test_what_was_sealed_is_unsealed_with_its_own_key_only() -> None:
    """Another secret or another purpose gives no text."""
    sealed = seal(b"the king of hearts", "ab" * 32, "record 1")
    assert unseal(sealed, "ab" * 32, "record 1").decode() == "the king of hearts"
    for secret, purpose in (("ac" * 32, "record 1"), ("ab" * 32, "record 2")):
        with pytest.raises(zlib.error):
            unseal(sealed, secret, purpose)


@pytest.mark.slow
def test_records_come_without_secrets_or_with_their_own(store: Store, clock: Clock) -> None:
    """A worker may send a record whose secrets it has left out; what is published has them all."""
    season = started(store, BOTS[:4], boards=1, set_count=1)
    claim = claimed(store, store.sittings.due()[0])
    table = claim.tables[0]
    bare = short_record(claim, table, deal_secret=None, deal_salt=None, deal_seed=None)
    assert store.results.commit(claim, bare)
    store.sittings.finish(claim)
    clock.move(1)
    play_season(store, season)
    published = store.results.record(table.match_id)
    assert published["deal_secret"] == table.deal_secret
    assert published["deal_salt"] == season.deal_salt
    assert len(published["deal_seed"]) == 64
