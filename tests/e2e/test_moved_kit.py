"""A kit whose folder is moved or renamed after it was built can be built again."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from workers.bots import SAMPLES


@pytest.mark.parametrize("is_moved", [False, True])
def test_cpp_kit_forgets_the_cache_of_another_folder(tmp_path: Path, is_moved: bool) -> None:
    """CMake refuses a cache that was made elsewhere, so it is removed then, and only then."""
    programs, folder = tmp_path / "bin", tmp_path / "kit"
    for place in (programs, folder / "build"):
        place.mkdir(parents=True)
    (programs / "cmake").write_text("#!/bin/sh\n")
    (programs / "cmake").chmod(0o755)
    shutil.copy(SAMPLES / "cpp" / "build.sh", folder)
    home = tmp_path / "elsewhere" if is_moved else folder.resolve()
    cache = folder / "build" / "CMakeCache.txt"
    cache.write_text(f"X:INTERNAL=1\nCMAKE_CACHEFILE_DIR:INTERNAL={home}/build\n")
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["sh", "build.sh"], cwd=folder, env=environment, check=True)
    assert cache.exists() is not is_moved
