"""`python -m benchmarks`: what it runs, and what becomes of what it finds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import benchmarks.__main__ as bench
from benchmarks.machine import machine
from benchmarks.results_table import BEGIN, END, FIGURES, markdown, table_text, write_docs


def test_every_part_is_a_module_that_can_be_measured() -> None:
    """It exists, and all that the table shows is of a part."""
    for part in bench.PARTS.values():
        assert (Path(bench.__file__).parent / f"{part.module}.py").is_file()
    assert {figure.part for figure in FIGURES} <= set(bench.PARTS)


def test_a_part_that_fails_loses_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file has what the others measured, the machine, and the error; the status says that something failed."""

    def measure(self: bench.Part, *, quick: bool) -> dict[str, float]:
        if self.module == "engine":
            raise RuntimeError("no cards")
        return {"ratio_to_king_match": 0.9 if quick else 0.8}

    monkeypatch.setattr(bench.Part, "measure", measure)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="failed: engine"):
        bench.main(["engine", "league_overhead", "--quick"])
    found = json.loads(bench.TARGET.read_text(encoding="utf-8"))
    assert found["failed"] == {"engine": "RuntimeError: no cards"}
    assert found["league_overhead"] == {"ratio_to_king_match": 0.9}
    assert found["machine"]["cores"] >= 1


def test_a_part_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """With those that are, before anything is run."""
    with pytest.raises(SystemExit):
        bench.main(["engines"])
    assert "no benchmark 'engines': there are engine, " in capsys.readouterr().err


@pytest.mark.parametrize("failed", [{}, {"pages": "RuntimeError: no port"}])
def test_the_table_goes_between_its_marks(tmp_path: Path, failed: dict[str, str]) -> None:
    """Over what was there, and nothing else of the document changes."""
    found = {"machine": machine(), "quick": False, "failed": failed, "engine": _engine(), "league_overhead": {}}
    document = tmp_path / "performance.md"
    document.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    write_docs(document, markdown(found))
    text = document.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "old" not in text
    assert "| 2.50 × |" in text
    assert ("no port" in text) == bool(failed)
    assert "2.50 ×" in table_text(found)


def _engine() -> dict[str, float]:
    return {"playouts russian-14": 500.0, "OpenSpiel hearts": 200.0}


def test_a_document_without_marks_is_left_alone(tmp_path: Path) -> None:
    """It says what would be right."""
    document = tmp_path / "performance.md"
    document.write_text("nothing", encoding="utf-8")
    with pytest.raises(ValueError, match="has no place for the table"):
        write_docs(document, "table")
    assert document.read_text(encoding="utf-8") == "nothing"


def test_a_part_gets_its_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of `make bench`, or the small one."""
    given: list[Sequence[str]] = []

    def main(arguments: Sequence[str]) -> dict[str, float]:
        given.append(tuple(arguments))
        return {}

    monkeypatch.setattr("benchmarks.engine.main", main)
    part = bench.Part("engine", options=("a",), quick=("b",))
    part.measure(quick=False)
    part.measure(quick=True)
    assert given == [("a",), ("b",)]
