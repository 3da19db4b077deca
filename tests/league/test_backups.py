"""Backups: as of one moment while the league goes on, whole or refused, and played on without cards that were seen."""

from __future__ import annotations

import json
import os
import sqlite3
import tarfile
from contextlib import closing
from io import BytesIO
from pathlib import Path
from threading import Event, Thread

import pytest

from king_cli.main import run
from league.audit_log import Act
from league.errors import LeagueError, StaleAttemptError
from league.ladder import ladder_json
from league.store import Store, Vault, vault_url_beside
from league.store.backups import LEAGUE, MANIFEST, VAULT, restore_backup, write_backup
from league.store.restoring import BOARDS_SKIPPED
from tests.league.leagues import (
    DATABASE,
    Clock,
    claimed,
    database_url,
    open_store,
    play_season,
    play_sitting,
    short_record,
    started,
)
from tests.league.test_remote_bots import ids, open_season

pytestmark = [pytest.mark.slow, pytest.mark.sqlite("PostgreSQL is backed up with pg_dump")]


def backed_up(folder: Path, name: str = "backup.tar") -> Path:
    """A backup of the league in a folder."""
    url = database_url(folder)
    write_backup(url, vault_url_beside(url, folder), folder / name, Clock())
    return folder / name


def restored(file: Path, folder: Path, clock: Clock | None = None) -> Store:
    """The league of a backup, in a new folder."""
    url = database_url(folder)
    restore_backup(file, url, vault_url_beside(url, folder), clock or Clock())
    return open_store(folder, clock or Clock())


@pytest.mark.slow
def test_a_backup_of_a_league_that_is_played(store: Store, tmp_path: Path) -> None:
    """It is as of one moment: what it has can be played on, and ends with the ladder of the league that went on."""
    season = started(store, boards=4)
    stored = Event()

    def play() -> None:
        with closing(open_store(tmp_path, Clock())) as other:
            for sitting in other.sittings.due(season.id):
                play_sitting(other, sitting)
                stored.set()
            play_season(other, season)

    player = Thread(target=play)
    player.start()
    stored.wait()
    files = [backed_up(tmp_path, f"{number}.tar") for number in range(4)]
    player.join()
    expected = ladder_json(store.standings.ladder(season.id))
    for file in files:
        with closing(restored(file, tmp_path / file.stem)) as copy:
            check_agrees(tmp_path / file.stem)
            play_season(copy, season)
            assert ladder_json(copy.standings.ladder(season.id)) == expected


def check_agrees(folder: Path) -> None:
    """What the store counts is what it has."""
    with closing(sqlite3.connect(folder / DATABASE)) as opened:
        assert opened.execute("PRAGMA foreign_key_check").fetchall() == []
        counted = opened.execute("SELECT matches_stored FROM seasons").fetchone()
        assert opened.execute("SELECT count(*) FROM matches").fetchone() == counted


@pytest.mark.slow
def test_remote_bots_get_no_board_twice(store: Store, tmp_path: Path, clock: Clock) -> None:
    """Boards of open seasons that are not stored get cards which the league cannot have dealt after the backup."""
    season = open_season(store, ["owl"], boards=3, set_count=1)
    store.presence.note(ids(store, "owl"))
    first = claimed(store, store.sittings.due()[0])
    store.results.commit(first, short_record(first, first.tables[0]))
    file = backed_up(tmp_path)
    store.sittings.release(first, "the referee has failed")
    lost = claimed(store, first.sitting)
    assert [table.board for table in lost.tables] == [4, 5]

    with closing(restored(file, tmp_path / "copy", clock)) as copy:
        with pytest.raises(StaleAttemptError):
            copy.results.commit(first, short_record(first, first.tables[1]))
        copy.presence.note(ids(copy, "owl"))
        again = claimed(copy, copy.sittings.due()[0])
        assert again.sitting == first.sitting
        assert [table.board for table in again.tables] == [BOARDS_SKIPPED + 4, BOARDS_SKIPPED + 5]
        secrets = {table.deal_secret for claim in (first, lost) for table in claim.tables}
        assert not secrets & {table.deal_secret for table in again.tables}
        for table in again.tables:
            assert copy.results.commit(again, short_record(again, table))
        copy.sittings.finish(again)
        assert copy.seasons.get(season.id).state == "ended"


@pytest.mark.slow
def test_a_rolling_season_deals_numbers_that_are_new(store: Store, tmp_path: Path) -> None:
    """Boards planned after a restore have numbers that those after the backup cannot have had; and after the next."""
    season = started(store, boards=1, rolling=True)
    planned = len(store.seasons.boards(season.id))
    for restore in (1, 2):
        folder = tmp_path / str(restore)
        with closing(restored(backed_up(tmp_path if restore == 1 else tmp_path / "1"), folder)) as copy:
            before = {board.number for board in copy.seasons.boards(season.id)}
            play_sitting(copy, copy.sittings.due()[0])
            while not copy.rolling.grow(season.id):
                play_sitting(copy, copy.sittings.due()[0])
            new = {board.number for board in copy.seasons.boards(season.id)} - before
            assert min(new) > restore * BOARDS_SKIPPED
    assert planned < BOARDS_SKIPPED


def test_a_restore_is_in_the_audit_log(store: Store, tmp_path: Path) -> None:
    """With the time of the backup."""
    started(store)
    with closing(restored(backed_up(tmp_path), tmp_path / "copy")) as copy:
        entry = copy.audit_log.entries()[0]
    assert (entry.act, entry.subject) == (Act.LEAGUE_RESTORED, Clock()().isoformat())


def test_a_backup_is_its_owners_alone(store: Store, tmp_path: Path) -> None:
    """For it holds secrets; so are the league and the vault that come out of it."""
    file = backed_up(tmp_path)
    assert file.stat().st_mode & 0o777 == 0o600
    restored(file, tmp_path / "copy").close()
    for made in ("league.sqlite3", "league-vault.sqlite3"):
        assert (tmp_path / "copy" / made).stat().st_mode & 0o777 == 0o600


def test_a_backup_overwrites_nothing(store: Store, tmp_path: Path) -> None:
    """Neither a backup nor a restore does, and what they began is gone."""
    file = backed_up(tmp_path)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(LeagueError, match=r"backup\.tar is there already: name a new file"):
        backed_up(tmp_path)
    with pytest.raises(LeagueError, match="is there already: restore into a new folder"):
        restored(file, tmp_path)
    assert sorted(tmp_path.iterdir()) == before


def test_what_sqlite_left_behind_is_in_the_way(store: Store, tmp_path: Path) -> None:
    """A log of writes of a database that is gone would be written into the restored one."""
    file = backed_up(tmp_path)
    left = tmp_path / "copy" / f"{DATABASE}-wal"
    left.parent.mkdir()
    left.write_bytes(b"left")
    with pytest.raises(LeagueError, match=r"league\.sqlite3-wal is there already"):
        restored(file, tmp_path / "copy")


def changed(file: Path, **members: bytes | None) -> Path:
    """A backup with other bytes for a member, or without it."""
    names = {"manifest": MANIFEST, "league": LEAGUE, "vault": VAULT}
    with tarfile.open(file) as archive:
        parts = {name: archive.extractfile(name).read() for name in names.values()}  # type: ignore[union-attr]
    target = file.with_name("changed.tar")
    with tarfile.open(target, "w") as archive:
        for name, part in (parts | {names[key]: part for key, part in members.items()}).items():
            if part is not None:
                entry = tarfile.TarInfo(name)
                entry.size = len(part)
                archive.addfile(entry, BytesIO(part))
    return target


def manifest_of(file: Path) -> dict[str, object]:
    with tarfile.open(file) as archive:
        return dict(json.load(archive.extractfile(MANIFEST)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({"league": None}, "is not whole, or is no backup"),
        ({"vault": b"another"}, r"vault\.sqlite3 in it is not as its manifest\.json says"),
        ({"manifest": b"{"}, "is not whole, or is no backup"),
        ({"manifest": b"[]"}, "is not whole, or is no backup"),
        ({"manifest": b"[" * 60_000}, "is not whole, or is no backup"),
        ({"manifest": b"9" * 5000}, "is not whole, or is no backup"),
        ({"manifest": b"\xff"}, "is not whole, or is no backup"),
        ({"manifest": b'{"format": "king-backup", "format_version": 1}'}, "lacks what it should say"),
        ({"manifest": b'{"format": "king-backup", "format_version": 2}'}, "of format 2, and this King Arena reads 1"),
        (
            {"manifest": b'{"format": "king-backup", "format_version": 1, "files": [], "made_at": 1}'},
            "lacks what it should say",
        ),
    ],
)
def test_a_damaged_backup(store: Store, tmp_path: Path, members: dict[str, bytes | None], why: str) -> None:
    """It is refused, and nothing of it is left in the folder."""
    file = changed(backed_up(tmp_path), **members)
    with pytest.raises(LeagueError, match=why):
        restored(file, tmp_path / "copy")
    assert list((tmp_path / "copy").iterdir()) == []


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_regular_file_is_no_backup(tmp_path: Path, kind: str) -> None:
    """Pipes, devices and folders are refused without being read."""
    place = Path("/dev/zero") if kind == "device" else tmp_path / kind
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    with pytest.raises(LeagueError, match="no regular file"):
        restored(place, tmp_path / "copy")


@pytest.mark.parametrize("size", [0, 100, 30_000])
def test_a_backup_that_was_cut_off(store: Store, tmp_path: Path, size: int) -> None:
    """It is refused."""
    file = backed_up(tmp_path)
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(LeagueError, match="is not whole, or is no backup"):
        restored(file, tmp_path / "copy")


def test_a_backup_of_a_later_version(store: Store, tmp_path: Path) -> None:
    """Its schema is not known, and it is left alone."""
    with closing(sqlite3.connect(tmp_path / DATABASE)) as opened:
        opened.execute("UPDATE alembic_version SET version_num = '9999'")
        opened.commit()
    with pytest.raises(LeagueError, match=r"by a later King Arena \(schema 9999\)"):
        restored(backed_up(tmp_path), tmp_path / "copy")


def test_a_backup_with_another_vault(store: Store, tmp_path: Path) -> None:
    """A season without its secret could not be played on."""
    started(store)
    url = database_url(tmp_path)
    other = f"sqlite:///{tmp_path / 'other.sqlite3'}"
    Vault.open(other).close()
    write_backup(url, other, tmp_path / "backup.tar", Clock())
    with pytest.raises(LeagueError, match="has no secret for the commitment"):
        restored(tmp_path / "backup.tar", tmp_path / "copy")


def test_what_is_no_file_is_backed_up_otherwise(tmp_path: Path) -> None:
    """Of a server's database it is said by what."""
    with pytest.raises(
        LeagueError,
        match=r"postgresql\+psycopg://ann:\*\*\*@host/king is no SQLite file: .* pg_dump, and the vault, a file or a",
    ):
        write_backup("postgresql+psycopg://ann:secret@host/king", "sqlite:////v", tmp_path / "b.tar", Clock())
    with pytest.raises(LeagueError, match="nothing to back up"):
        backed_up(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_in_the_shell(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both commands take the settings' league and say what they did."""
    started(store)
    monkeypatch.setenv("KING_DATA_DIR", str(tmp_path))
    assert run(["backup", str(tmp_path / "b.tar"), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["bytes"].keys() == {LEAGUE, VAULT}
    monkeypatch.setenv("KING_DATA_DIR", str(tmp_path / "copy"))
    assert run(["restore", str(tmp_path / "b.tar"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["seasons"], told["matches"], told["boards_dealt_anew"]) == (1, 0, 0)
    assert told["made_at"] == made["made_at"]
    assert run(["restore", str(tmp_path / "b.tar")]) == 2
    assert "is there already" in capsys.readouterr().err
