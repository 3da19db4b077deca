"""Backups: a league's store and vault in one file, as of one moment, and back again.

Owns the format of the file: a tar of `manifest.json`, `league.sqlite3` and `vault.sqlite3`, whose sizes and SHA-256
the manifest has. What a league does differently after a restore is `restoring.py`.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import func, select

from league.audit_log import SHELL, Act
from league.errors import LeagueError
from league.store.audit_log import write_entry
from league.store.database import BUSY_SECONDS, Database, parse_url
from league.store.migration import migrate
from league.store.restoring import resume
from league.store.revisions import known_revisions
from league.store.schema import matches, seasons
from league.store.vault import Vault

FORMAT = "king-backup"
FORMAT_VERSION = 1
MANIFEST, LEAGUE, VAULT = "manifest.json", "league.sqlite3", "vault.sqlite3"

_CHUNK = 1 << 20
_MANIFEST_BYTES = 1 << 16
_NOT_WHOLE = "is not whole, or is no backup made by `king backup`"


@dataclass(frozen=True, kw_only=True)
class BackupFile:
    """A database in a backup: its size in bytes and its SHA-256 in hexadecimal."""

    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Backup:
    """What a backup holds: the league as of `made_at`, in the schema `revision`."""

    made_at: datetime
    revision: str
    files: dict[str, BackupFile]


@dataclass(frozen=True, kw_only=True)
class Restored:
    """A league that came out of a backup, and how many boards are dealt anew since remote bots may have seen them."""

    backup: Backup
    seasons: int
    matches: int
    dealt_anew: int


def write_backup(database_url: str, vault_url: str, target: Path, clock: Callable[[], datetime]) -> Backup:
    """Writes a backup, readable by its owner alone; the league may go on meanwhile.

    Raises LeagueError when there is no league, it is not in SQLite files, or `target` is there already or cannot be
    written; nothing is left behind then.
    """
    league, vault = sqlite_file(database_url), sqlite_file(vault_url)
    if target.exists():
        raise LeagueError(f"{target} is there already: name a new file for each backup")
    try:
        with TemporaryDirectory(prefix=".king-backup-", dir=target.absolute().parent) as name:
            folder = Path(name)
            made_at = clock()
            # the store first: a season's secret is in the vault before the season is in the store
            _copy_database(league, folder / LEAGUE)
            _copy_database(vault, folder / VAULT)
            files = {name: _measured(folder / name) for name in (LEAGUE, VAULT)}
            backup = Backup(made_at=made_at, revision=_revision_of(folder / LEAGUE), files=files)
            (folder / MANIFEST).write_text(_manifest_text(backup), encoding="utf-8")
            _pack(folder, target)
    except OSError as error:
        raise LeagueError(f"{target} cannot be written: {error.strerror or error}") from None
    return backup


def restore_backup(source: Path, database_url: str, vault_url: str, clock: Callable[[], datetime]) -> Restored:
    """Puts a backup where no league is yet, brings it to the newest schema and readies it for being played on.

    Raises LeagueError when there is a league already, or the backup is damaged, or by a later version; nothing is
    changed then.
    """
    league, vault = sqlite_file(database_url), sqlite_file(vault_url)
    _check_free(league, vault)
    try:
        league.parent.mkdir(parents=True, exist_ok=True)
        vault.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".king-restore-", dir=league.parent) as name:
            folder = Path(name)
            backup = _unpack(source, folder)
            restored = _readied(backup, folder, clock)
            (folder / LEAGUE).chmod(0o600)
            shutil.move(folder / VAULT, vault)  # the vault may be on another disk
            shutil.move(folder / LEAGUE, league)
    except OSError as error:
        raise LeagueError(f"{error.filename or source}: {error.strerror or error}; nothing is restored") from None
    return restored


def sqlite_file(url: str) -> Path:
    """The file of an SQLite database. Raises LeagueError when the URL is of another kind."""
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        raise LeagueError(
            f"{parsed.render_as_string()} is no SQLite file: back it up and restore it with the tools of its "
            "database, such as pg_dump, and the vault, a file or a database of its own, after it"
        )
    return Path(parsed.database)


def _check_free(*files: Path) -> None:
    """What SQLite left beside a database that is gone would be taken for a part of the restored one."""
    for file in (
        place.with_name(place.name + ending) for place in files for ending in ("", "-wal", "-shm", "-journal")
    ):
        if file.exists():
            raise LeagueError(f"{file} is there already: restore into a new folder, or move this league away first")


def _copy_database(source: Path, target: Path) -> None:
    """Copies a database in use, as of one moment, into a file of its own."""
    if not source.exists():
        raise LeagueError(f"there is no {source}: nothing to back up; name the data folder with KING_DATA_DIR")
    with _explained(source), closing(sqlite3.connect(source, timeout=BUSY_SECONDS)) as opened:
        target.touch(mode=0o600)
        with closing(sqlite3.connect(target)) as copy:
            opened.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # else a file beside it would belong to it


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise LeagueError(f"the database {file} cannot be used: {error}") from None


def _revision_of(file: Path) -> str:
    with _explained(file), closing(sqlite3.connect(file)) as opened:
        (revision,) = opened.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(revision)


def _measured(file: Path) -> BackupFile:
    with file.open("rb") as opened:
        return BackupFile(bytes=file.stat().st_size, sha256=hashlib.file_digest(opened, "sha256").hexdigest())


def _manifest_text(backup: Backup) -> str:
    told = {"format": FORMAT, "format_version": FORMAT_VERSION, **asdict(backup)}
    return json.dumps({**told, "made_at": backup.made_at.isoformat()}, indent=2) + "\n"


def _pack(folder: Path, target: Path) -> None:
    packed = folder / "packed"
    packed.touch(mode=0o600)
    with packed.open("wb") as opened:
        with tarfile.open(fileobj=opened, mode="w") as archive:
            for name in (MANIFEST, LEAGUE, VAULT):
                archive.add(folder / name, name)
        opened.flush()
        os.fsync(opened.fileno())
    packed.replace(target)


def _unpack(source: Path, folder: Path) -> Backup:
    if source.exists() and not source.is_file():  # of a pipe nobody may ever write the other end
        raise LeagueError(f"{source} is no regular file: give what `king backup` wrote")
    try:
        with tarfile.open(source, "r:") as archive:
            backup = _manifest(_member(archive, MANIFEST, _MANIFEST_BYTES), source)
            for name, expected in backup.files.items():
                _extract(archive, name, folder / name)
                if _measured(folder / name) != expected:
                    raise LeagueError(f"{source} is damaged: {name} in it is not as its {MANIFEST} says")
    except LeagueError:
        raise
    except (tarfile.TarError, KeyError, EOFError, ValueError, RecursionError):
        raise LeagueError(f"{source} {_NOT_WHOLE}") from None
    for name in (LEAGUE, VAULT):
        _check_whole(folder / name, source)
    revision = _revision_of(folder / LEAGUE)
    if revision not in known_revisions():
        raise LeagueError(f"{source} was made by a later King Arena (schema {revision}): restore it with that one")
    return backup


def _member(archive: tarfile.TarFile, name: str, at_most: int) -> bytes:
    member = archive.extractfile(name)
    if member is None:
        raise KeyError(name)
    return member.read(at_most)


def _manifest(text: bytes, source: Path) -> Backup:
    told: Any = json.loads(text)
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise LeagueError(f"{source} {_NOT_WHOLE}")
    if told.get("format_version") != FORMAT_VERSION:
        version = told.get("format_version")
        raise LeagueError(f"{source} is a backup of format {version}, and this King Arena reads {FORMAT_VERSION}")
    try:
        files = {name: BackupFile(**told["files"][name]) for name in (LEAGUE, VAULT)}
        made_at = datetime.fromisoformat(told["made_at"])
        return Backup(made_at=made_at, revision=str(told["revision"]), files=files)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise LeagueError(f"{source} is damaged: its {MANIFEST} lacks what it should say") from None


def _extract(archive: tarfile.TarFile, name: str, target: Path) -> None:
    member = archive.extractfile(name)
    if member is None:
        raise KeyError(name)
    target.touch(mode=0o600 if name == VAULT else 0o666)
    with target.open("wb") as opened:
        while chunk := member.read(_CHUNK):
            opened.write(chunk)
        opened.flush()
        os.fsync(opened.fileno())


def _check_whole(file: Path, source: Path) -> None:
    with _explained(file), closing(sqlite3.connect(file)) as opened:
        (found,) = opened.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise LeagueError(f"{file.name} in {source} is damaged: {found}")


def _readied(backup: Backup, folder: Path, clock: Callable[[], datetime]) -> Restored:
    """Readies the league in a folder for being played on."""
    database = Database(f"sqlite:///{folder / LEAGUE}")
    vault = Vault.open(f"sqlite:///{folder / VAULT}")
    try:
        migrate(database)
        with database.writing() as connection:
            for commitment in connection.scalars(select(seasons.c.commitment)):
                vault.secret(commitment)
            reason = f"restored from the backup of {backup.made_at:%Y-%m-%d %H:%M} UTC"
            anew = resume(connection, lambda: vault, reason)
            details = {"dealt_anew": anew}
            write_entry(connection, clock(), SHELL, Act.LEAGUE_RESTORED, backup.made_at.isoformat(), details)
            season_count = connection.scalar(select(func.count()).select_from(seasons)) or 0
            match_count = connection.scalar(select(func.count()).select_from(matches)) or 0
    finally:
        database.close()
        vault.close()
    for name in (LEAGUE, VAULT):
        _leave_wal(folder / name)
    return Restored(backup=backup, seasons=season_count, matches=match_count, dealt_anew=anew)


def _leave_wal(file: Path) -> None:
    """Has all that was written be in the one file, which can then be moved."""
    with _explained(file), closing(sqlite3.connect(file)) as opened:
        opened.execute("PRAGMA journal_mode=DELETE")
