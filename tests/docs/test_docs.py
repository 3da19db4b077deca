"""The documents name everything that users rely on: commands, settings, variants, jobs, kinds of end and fault."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
import typer.main

from king_cli.main import app
from king_cli.settings import Settings
from referee.faults import FaultKind
from referee.rules import VARIANTS
from workers import jobs

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def commands() -> list[str]:
    """Every command and sub-command, as written after `king`."""
    group = typer.main.get_command(app)
    names = []
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        below = getattr(command, "commands", None)
        names += [f"{name} {sub}" for sub in below] if below else [name]
    return names


@pytest.mark.parametrize("command", commands())
def test_every_command_is_documented(command: str) -> None:
    """Each command of `king` stands in the table of commands."""
    table = (DOCS / "leagues.md").read_text(encoding="utf-8")
    first, _, sub = command.partition(" ")
    row = next(
        (
            line
            for line in table.splitlines()
            if f"`king {first}" in line and (not sub or f"`{sub}`" in line or f" {sub}`" in line)
        ),
        None,
    )
    assert row is not None, f"docs/leagues.md does not name `king {command}`"


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_is_documented(name: str) -> None:
    """Each setting stands in the table of settings."""
    assert f"`KING_{name.upper()}`" in (DOCS / "leagues.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_every_variant_is_documented(variant: str) -> None:
    """Each variant has a page of rules, and the index names it."""
    assert (DOCS / "rules" / f"{variant}.md").is_file()
    assert f"({variant}.md)" in (DOCS / "rules" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", [*(kind.value for kind in FaultKind)])
def test_every_kind_of_fault_is_documented(kind: str) -> None:
    """Bot authors read of each kind of fault in the protocol's guide."""
    assert f"`{kind}`" in (DOCS / "protocol.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["normal", "unfinished", "aborted"])
def test_every_kind_of_termination_is_documented(kind: str) -> None:
    """Each kind of termination stands in the page on records."""
    assert f"`{kind}`" in (DOCS / "records.md").read_text(encoding="utf-8")


def test_every_job_is_documented() -> None:
    """Each RQ job stands in the page on leagues."""
    text = (DOCS / "leagues.md").read_text(encoding="utf-8")
    own = [name for name, value in inspect.getmembers(jobs, inspect.isfunction) if value.__module__ == jobs.__name__]
    public = [name for name in own if not name.startswith("_") and name != "open_store"]
    assert public
    for name in public:
        assert f"`{name}`" in text


LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))], ids=lambda page: str(page.relative_to(ROOT))
)
def test_links_lead_somewhere(page: Path) -> None:
    """A relative link in a document names a file that exists."""
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"


def test_decisions_are_listed() -> None:
    """Each decision has its state, its date and a place in the index."""
    index = (DOCS / "decisions" / "README.md").read_text(encoding="utf-8")
    for page in sorted((DOCS / "decisions").glob("[0-9]*.md")):
        assert re.search(r"State: \w+ · \d{4}-\d{2}-\d{2}", page.read_text(encoding="utf-8")), page.name
        assert f"({page.name})" in index, f"docs/decisions/README.md does not list {page.name}"
