"""One supervisor a data folder, and sockets that the kernel takes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workers.data_folder import DataFolder, FolderError


def test_second_supervisor_is_refused(tmp_path: Path) -> None:
    """A folder in use is refused in one line that names the process that uses it."""
    folder = DataFolder(tmp_path / ".king")
    with folder.lock(), pytest.raises(FolderError, match=f"is in use by process {os.getpid()}"), folder.lock():
        pass


def test_lock_ends_with_its_process(tmp_path: Path) -> None:
    """A process that was killed leaves no lock behind."""
    code = (
        "import sys, time; from pathlib import Path; from workers.data_folder import DataFolder\n"
        "with DataFolder(Path(sys.argv[1])).lock(): print('locked', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        holder.kill()
    with DataFolder(tmp_path).lock():
        pass


def test_unusable_folder(tmp_path: Path) -> None:
    """A folder that cannot be made is told with its path."""
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderError, match="cannot make the folder"):
        DataFolder(tmp_path / "file").subfolder("logs")


def test_socket_in_a_deep_folder(tmp_path: Path) -> None:
    """A socket's path stays short enough for the kernel however deep the folder is, and is always the same."""
    deep = DataFolder(tmp_path / ("d" * 120))
    assert len(os.fsencode(deep.socket("valkey"))) <= 100
    assert deep.socket("valkey") == deep.socket("valkey")
    assert deep.socket("valkey") != DataFolder(tmp_path / ("e" * 120)).socket("valkey")
