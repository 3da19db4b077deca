"""Generates the Python code of the protocol from the `.proto` files beside this one.

Run as `python proto/generate.py`, and by the package build as its hatchling hook. Generated modules
(`king/**/*_pb2*.py`, with stubs) are never edited by hand and never committed.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

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


class ProtocolBuildHook(BuildHookInterface[Any]):
    """Generates the code before a wheel or an editable install is made."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the build of `version` ("standard" or "editable")."""
        generate()
        if version != "editable":  # there the SDK is found where it lies; a copy would hide it
            build_data["force_include"][str(ROOT.parent / "sample_bots/python/king_bot")] = "king_bot"


if __name__ == "__main__":
    for source in generate():
        print(f"generated from {source.relative_to(ROOT)}")  # noqa: T201
