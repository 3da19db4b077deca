"""Generates the Python code of the protocol from the `.proto` files beside this one.

Run as `python proto/generate.py`, and by the package build (`hatch_build.py`). Generated modules
(`king/**/*_pb2*.py`, with stubs) are never edited by hand and never committed.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def generate() -> list[Path]:
    """Generates modules and stubs next to each `.proto` file; returns the `.proto` files read."""
    import grpc_tools
    from grpc_tools import protoc

    sources = sorted((ROOT / "king").rglob("*.proto"))
    well_known = Path(grpc_tools.__file__).parent / "_proto"
    plugins = []
    for name in ("mypy", "mypy_grpc"):
        beside_python = Path(sys.executable).parent / f"protoc-gen-{name}"
        program = str(beside_python) if beside_python.exists() else shutil.which(f"protoc-gen-{name}")
        if program is None:
            raise RuntimeError(f"protoc-gen-{name} was not found: install the package mypy-protobuf")
        plugins.append(f"--plugin=protoc-gen-{name}={program}")
    outputs = [f"--{kind}_out={ROOT}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")]
    arguments = ["protoc", f"-I{ROOT}", f"-I{well_known}", *plugins, *outputs, *map(str, sources)]
    if protoc.main(arguments) != 0:
        raise RuntimeError("protoc failed; its messages are above")
    return sources


if __name__ == "__main__":
    for source in generate():
        print(f"generated from {source.relative_to(ROOT)}")  # noqa: T201
