"""Every field that a line of the log may have is documented."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from workers.logs import FIRST

ROOT = Path(__file__).parents[2]
PACKAGES = ("referee", "workers", "dashboard", "king_cli")
SAYING = {"debug", "info", "warning", "error", "exception", "bind", "bind_contextvars", "introduce"}


def fields() -> Iterator[tuple[str, str]]:
    """The names that code gives to what it logs, each with its file."""
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            source = file.read_text(encoding="utf-8")
            if not any(word in source for word in ("structlog", "introduce")):
                continue  # of what the standard library is told, there are no fields
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Call) and _logs(node.func):
                    yield from ((word.arg, file.name) for word in node.keywords if word.arg is not None)


def _logs(called: ast.expr) -> bool:
    if isinstance(called, ast.Name):
        return called.id in SAYING
    return isinstance(called, ast.Attribute) and called.attr in SAYING and "log" in ast.unparse(called.value).lower()


def test_every_field_is_documented() -> None:
    """The page on operations has a row for each field that is logged anywhere, and for those that each line has."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    section = page.partition("## Logs")[2].partition("\n## ")[0]
    documented = set(re.findall(r"`(\w+)`", "\n".join(line for line in section.splitlines() if line.startswith("| `"))))
    logged = dict(fields())
    assert {"sitting", "match_ids", "part_number"} & set(logged) == {"sitting", "match_ids"}
    assert {name: file for name, file in logged.items() if name not in documented} == {}
    assert set(FIRST) <= documented
