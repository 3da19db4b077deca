"""The guide to the API: its examples are run against a dashboard over seasons that were played."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dashboard.api.problems import EXPLAINED, ProblemKind
from dashboard.app import create_app
from league.audit_log import SHELL, Actor
from league.store import Store
from league.submissions import SubmissionState, SubmittedBot
from tests.dashboard.conftest import PlayedLeague, played, serving

__all__ = ["played"]

pytestmark = pytest.mark.slow

GUIDE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n(?:```(\w+)\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A block to be run, and what is shown under it (`kind`: json, text or empty)."""

    language: str
    text: str
    kind: str
    shown: str

    @property
    def name(self) -> str:
        """Its first line that says something."""
        lines = [line for line in self.text.splitlines() if line and not line.startswith(("import", "def"))]
        return lines[0][:60]


EXAMPLES = [Example(one[1], one[2], one[3] or "", one[4] or "") for one in BLOCK.finditer(GUIDE)]


@pytest.fixture(scope="module")
def surroundings(
    played: PlayedLeague,
    tmp_path_factory: pytest.TempPathFactory,
) -> Generator[tuple[Path, dict[str, str]], None, None]:
    """A folder with a bot, and the environment that the guide speaks of; the account has an active bot."""
    folder = tmp_path_factory.mktemp("guide")
    (folder / "mybot").mkdir()
    (folder / "mybot" / "bot.toml").write_text('name = "mybot"\nversion = "1"\n', encoding="utf-8")
    token = _organiser(played.store)
    with serving(create_app(played.store, clock=played.clock)) as address:
        yield folder, {"KING": address, "TOKEN": token}


def _organiser(store: Store) -> str:
    account = store.accounts.create("Olga", by=SHELL, organiser=True)
    sent, _is_new = store.submissions.receive(
        owner=account.name, file_name="owl.zip", content=b"zip", by=Actor.of(account)
    )
    claim = store.submissions.claim(sent.id, "worker")
    assert claim is not None
    store.submissions.identify(claim, SubmittedBot(name="owl", version="1", variants=("*",)))
    store.submissions.advance(claim, SubmissionState.CHECKING)
    store.submissions.advance(claim, SubmissionState.QUALIFYING)
    store.submissions.qualify(claim)
    return store.tokens.create(account.id, "laptop", by=SHELL).text


def test_the_guide_has_examples() -> None:
    """Both languages are there, and every block is one that is run or the outcome of one."""
    assert {one.language for one in EXAMPLES} == {"sh", "python"}
    assert len(EXAMPLES) > 12
    assert GUIDE.count("```") == 2 * len(EXAMPLES) + 2 * sum(bool(one.kind) for one in EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.name)
def test_an_example_does_what_the_guide_shows(example: Example, surroundings: tuple[Path, dict[str, str]]) -> None:
    """It runs without an error, and what it prints has the members and texts that are shown."""
    folder, environment = surroundings
    if example.language == "sh" and shutil.which("curl") is None:
        pytest.skip("no curl on the PATH")
    shell = ["sh", "-eu", "-c", example.text.replace("python3", sys.executable)]
    command = shell if example.language == "sh" else [sys.executable, "-c", example.text]
    ran = subprocess.run(
        command, cwd=folder, env=os.environ | environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()
    assert "/api/problems/" not in ran.stdout or "/api/problems/" in example.shown, ran.stdout
    if example.kind == "json":
        assert missing(json.loads(example.shown), json.loads(ran.stdout)) == []
    elif example.kind == "text":
        assert ran.stdout == example.shown


def missing(shown: Any, there: Any, at: str = "#") -> list[str]:
    """Places of what is shown that what is there lacks, or has another kind of value at."""
    if isinstance(shown, dict) and isinstance(there, dict):
        absent = [f"{at}/{name}" for name in shown if name not in there]
        both = [name for name in shown if name in there]
        return absent + [one for name in both for one in missing(shown[name], there[name], f"{at}/{name}")]
    if isinstance(shown, list) and isinstance(there, list):
        return [one for n, pair in enumerate(zip(shown, there, strict=False)) for one in missing(*pair, f"{at}/{n}")]
    same = type(shown) is type(there) or {type(shown), type(there)} <= {int, float, type(None)}
    return [] if same else [at]


@pytest.mark.parametrize("kind", list(ProblemKind))
def test_every_kind_of_problem_is_in_the_guide(kind: ProblemKind) -> None:
    """Its row in the table has its name and status."""
    row = next((line for line in GUIDE.splitlines() if line.startswith(f"| `{kind.value}` |")), None)
    assert row is not None
    assert str(EXPLAINED[kind].status) in row or kind is ProblemKind.OTHER
