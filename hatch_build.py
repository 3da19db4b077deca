"""The package build's hatchling hook: makes what is generated and not committed, before a wheel or an editable install.

Owns nothing but the order of it: the protocol's code comes from `proto/generate.py`, the compiled catalogues of the
dashboard from `dashboard/locale/catalogues.py`.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent


class GeneratedFiles(BuildHookInterface[Any]):
    """Generates code and catalogues beside their sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the build of `version` ("standard" or "editable")."""
        runpy.run_path(str(ROOT / "proto/generate.py"))["generate"]()
        runpy.run_path(str(ROOT / "dashboard/locale/catalogues.py"))["compile_catalogues"]()
        if version != "editable":  # there the SDK is found where it lies; a copy would hide it
            build_data["force_include"][str(ROOT / "sample_bots/python/king_bot")] = "king_bot"
