"""Archives as people send them: of a folder, or of files made up here."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
MANIFEST = """name = "{name}"
version = "{version}"
language = "python"
build = {build}
run = ["python", "bot.py"]
variants = ["russian-14"]
"""
GOOD_BOT = (ROOT / "sample_bots" / "python" / "lowest" / "bot.py").read_text(encoding="utf-8")


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """An archive of these files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def bot_archive(
    program: str = GOOD_BOT, *, name: str = "owl", version: str = "1", build: str = "[]", **more: str
) -> bytes:
    """The archive of a Python bot that plays `russian-14`; `more` are files by name, with _ for the dot."""
    files = {"bot.toml": MANIFEST.format(name=name, version=version, build=build), "bot.py": program}
    return zipped(files | {file.replace("_", "."): content for file, content in more.items()})
