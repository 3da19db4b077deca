"""Looks what this machine has for submitted bots, and tells the store, so that authors can read it.

Owns the gathering; what limits there are is for `launcher`, `sandbox_building` and `archives`. Looking takes seconds,
since it asks compilers for their versions: it is done beside a worker's work.
"""

from __future__ import annotations

import logging
import re
import socket
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from importlib.metadata import PackageNotFoundError, version

from league.store import Store, utc_now
from league.surroundings import Library, RoomLimits, Runtime, Surroundings
from workers.archives import ArchiveLimits
from workers.launcher import Limits
from workers.sandbox import SandboxError, detect_sandbox
from workers.sandbox_building import BuildLimits
from workers.toolchains import find_toolchains

LOOK_AGAIN_AFTER = timedelta(hours=12)
LIBRARIES = ("grpcio", "protobuf", "numpy", "scipy")
"""Packages of this Python that bots may count on."""

_LOG = logging.getLogger(__name__)
_MEBIBYTE = 1 << 20


def look_around(host: str, now: datetime) -> Surroundings:
    """What this machine has for submitted bots."""
    return Surroundings(
        host=host,
        obstacle=_obstacle(),
        runtimes=tuple(
            Runtime(name=tool.name, version=_plain(tool.version), runs=tool.runs)
            for tool in find_toolchains()
            if tool.version
        ),
        libraries=tuple(Library(name=name, version=found) for name in LIBRARIES if (found := _version(name))),
        limits=room_limits(),
        found_at=now,
    )


def room_limits() -> RoomLimits:
    """What submitted bots may use here."""
    archive, build, play = ArchiveLimits(), BuildLimits(), Limits()
    return RoomLimits(
        archive_mib=archive.archive_bytes // _MEBIBYTE,
        unpacked_mib=archive.unpacked_bytes // _MEBIBYTE,
        files=archive.files,
        build_minutes=int(build.time.total_seconds()) // 60,
        build_memory_mib=build.memory_bytes // _MEBIBYTE,
        build_disk_mib=build.disk_bytes // _MEBIBYTE,
        result_mib=build.result_bytes // _MEBIBYTE,
        memory_mib=play.memory_bytes // _MEBIBYTE,
        processes=play.processes,
        open_files=play.open_files,
        file_mib=play.file_bytes // _MEBIBYTE,
        scratch_mib=play.scratch_bytes // _MEBIBYTE,
        log_kib=play.stderr_bytes // 1024,
    )


def tell_once(store: Store, host: str = "") -> bool:
    """Tell the store what this machine has, unless that was told lately. Returns whether it was."""
    host, now = host or socket.gethostname(), utc_now()
    known = next((one for one in store.surroundings.all() if one.host == host), None)
    if known is not None and now - known.found_at < LOOK_AGAIN_AFTER:
        return False
    store.surroundings.report(look_around(host, now))
    return True


def tell_in_background(open_store: Callable[[], Store]) -> threading.Thread:
    """Have a thread tell the store, whatever comes of it: a worker does not wait for compilers."""

    def tell() -> None:
        try:
            store = open_store()
            try:
                tell_once(store)
            finally:
                store.close()
        except Exception as error:
            _LOG.warning("what this machine has for submitted bots could not be told: %s", error)

    thread = threading.Thread(target=tell, name="surroundings", daemon=True)
    thread.start()
    return thread


def _obstacle() -> str:
    try:
        detect_sandbox()
    except SandboxError as error:
        return str(error)
    return ""


def _plain(text: str) -> str:
    """A text without the marks that colour it on a terminal."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
