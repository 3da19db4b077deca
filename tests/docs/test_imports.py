"""The import contracts cover every module they should."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_rules_are_kept_from_every_other_module_of_the_referee() -> None:
    """A new module of the referee is added to the contract that keeps the rules engine pure."""
    contract = (ROOT / ".importlinter").read_text(encoding="utf-8")
    for module in (ROOT / "referee").glob("*.py"):
        if module.stem != "__init__":
            assert f"\n    referee.{module.stem}\n" in contract, f".importlinter does not list referee.{module.stem}"
