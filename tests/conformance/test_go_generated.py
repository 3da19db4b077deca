"""The Go code of the protocol, committed because Go authors have no protoc, is that of the protocol as it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

KIT = Path(__file__).resolve().parents[2] / "sample_bots" / "go"
PROTOC = f"{sys.executable} -m grpc_tools.protoc"


def _code(path: Path) -> list[str]:
    """The lines of a generated file, but those that name the protoc that was used."""
    return [
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if not line.startswith(("// \tprotoc ", "// - protoc "))
    ]


@pytest.mark.slow
def test_committed_go_code_is_what_the_protocol_gives(tmp_path: Path) -> None:
    """Generated anew, every file of the package is the one that is committed."""
    if shutil.which("go") is None:
        pytest.skip("there is no Go on the PATH")
    command = ["sh", "kingv1/generate.sh", str(tmp_path)]
    made = subprocess.run(
        command, cwd=KIT, env={**os.environ, "PROTOC": PROTOC}, capture_output=True, text=True, timeout=280, check=False
    )
    assert made.returncode == 0, made.stderr
    committed = sorted((KIT / "kingv1").glob("*.go"))
    assert [path.name for path in sorted(tmp_path.glob("*.go"))] == [path.name for path in committed]
    for path in committed:
        assert _code(tmp_path / path.name) == _code(path), f"run `sh kingv1/generate.sh` in {KIT}"
