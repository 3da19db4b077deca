"""The package build's hatchling hook: makes what is generated and not committed, before a wheel or an editable install.

Owns nothing but the order of it: the protocol's code comes from `proto/generate.py`, the compiled catalogues of the
dashboard from `dashboard/locale/catalogues.py`, and, for a wheel that is built with KING_COMPILE=1, the compiled engine
from `compile_engine.py`. An editable install is always pure Python.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
SWITCH = "KING_COMPILE"


class GeneratedFiles(BuildHookInterface[Any]):
    """Generates code and catalogues beside their sources, and compiles the engine if asked to."""

    def dependencies(self) -> list[str]:
        """What the build needs beside what `pyproject.toml` says of every build."""
        return list(_compiling()["REQUIREMENTS"]) if self._compiles() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the build of `version` ("standard" or "editable")."""
        runpy.run_path(str(ROOT / "proto/generate.py"))["generate"]()
        runpy.run_path(str(ROOT / "dashboard/locale/catalogues.py"))["compile_catalogues"]()
        if version == "editable":
            return  # the SDK is found where it lies; a copy would hide it
        build_data["force_include"][str(ROOT / "sample_bots/python/king_bot")] = "king_bot"
        if self._compiles():
            self.add_compiled_engine(build_data)

    def _compiles(self) -> bool:
        asked = os.environ.get(SWITCH, "0")
        if asked not in {"0", "1"}:
            raise ValueError(f"{SWITCH} is {asked!r}, should be 1 (a wheel with the compiled engine) or 0")
        return asked == "1" and self.target_name == "wheel"

    def add_compiled_engine(self, build_data: dict[str, Any]) -> None:
        """Put the libraries into the wheel, which then is one for this Python and this machine."""
        compiling = _compiling()
        folder = compiling["compiled"]()
        for library in compiling["libraries"](folder):
            build_data["force_include"][str(library)] = str(library.relative_to(folder))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def _compiling() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "compile_engine.py"))
