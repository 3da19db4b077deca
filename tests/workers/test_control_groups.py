"""Control groups are found where the kernel allows them, and hold the limits that were asked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workers.control_groups import find_control_groups


def machine(folder: Path, mounts: str, own: str) -> Path:
    """A /proc that tells of these mounts and groups; MOUNT stands for the folder in which they lie."""
    (folder / "proc/self").mkdir(parents=True)
    (folder / "proc/self/mounts").write_text(mounts.replace("MOUNT", str(folder)), encoding="ascii")
    (folder / "proc/self/cgroup").write_text(own, encoding="ascii")
    return folder / "proc"


def group(folder: Path, controllers: str = "") -> None:
    folder.mkdir(parents=True)
    (folder / "cgroup.subtree_control").write_text(f"{controllers}\n", encoding="ascii")


V2 = "cgroup2 MOUNT/cg cgroup2 rw 0 0\n"


def test_version_2_beside_our_own_group(tmp_path: Path) -> None:
    """Where our own group has processes in it, groups are made beside it, with hard limits and no swap."""
    group(tmp_path / "cg/user/service", "memory pids cpu")
    group(tmp_path / "cg/user/service/scope")
    found = find_control_groups(machine(tmp_path, V2, "0::/user/service/scope\n"))
    assert (found.version, found.obstacle) == (2, "")
    assert set(found.parents.values()) == {tmp_path / "cg/user/service"}
    made = found.make(memory_bytes=1000, processes=10)
    (folder,) = made.folders
    assert (folder / "memory.max").read_text(encoding="ascii") == "1000"
    assert int((folder / "pids.max").read_text(encoding="ascii")) >= 10
    assert made.memory_events == (folder / "memory.events", "oom_kill")


def test_version_2_without_controllers(tmp_path: Path) -> None:
    """Where no group limits memory and processes, none is made, and it is said where was looked."""
    group(tmp_path / "cg/user")
    found = find_control_groups(machine(tmp_path, V2, "0::/user\n"))
    assert found.version == 0
    assert not found.limits_memory
    assert f"{tmp_path}/cg/user limits no memory and processes" in found.obstacle
    assert found.make(memory_bytes=1, processes=1).folders == ()


def test_version_1(tmp_path: Path) -> None:
    """Each controller of version 1 has groups of its own, below our own group."""
    (tmp_path / "memory/ours").mkdir(parents=True)
    (tmp_path / "pids").mkdir()
    mounts = "cgroup MOUNT/memory cgroup rw,memory 0 0\ncgroup MOUNT/pids cgroup rw,pids 0 0\n"
    found = find_control_groups(machine(tmp_path, mounts, "4:memory:/ours\n3:pids:/\n"))
    assert found.parents == {"memory": tmp_path / "memory/ours", "pids": tmp_path / "pids"}
    assert "no control groups for cpu" in found.obstacle
    made = found.make(memory_bytes=1000, processes=10)
    assert {folder.parent for folder in made.folders} == set(found.parents.values())


def test_what_a_crash_left_is_removed(tmp_path: Path) -> None:
    """Empty groups that were made long ago are removed; new ones stay, for they may be about to be entered."""
    group(tmp_path / "cg", "memory pids")
    proc = machine(tmp_path, V2, "0::/\n")
    old, new = tmp_path / "cg/king-0", tmp_path / "cg/king-1"
    for folder in (old, new):
        folder.mkdir()
    os.utime(old, (0, 0))
    find_control_groups(proc)
    assert (old.exists(), new.exists()) == (False, True)


@pytest.mark.parametrize("mounts", ["", "tmpfs MOUNT/tmp tmpfs rw 0 0\n"])
def test_none_mounted(mounts: str, tmp_path: Path) -> None:
    """Without any mounted there are none, and that is no error."""
    assert find_control_groups(machine(tmp_path, mounts, "0::/\n")).obstacle == "no control groups are mounted here"
