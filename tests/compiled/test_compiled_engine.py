"""The compiled engine: it passes the tests of the rules as the same sources do uncompiled.

The engine is compiled once and kept in `build/compiled` for as long as no source changes; then the tests run on it in a
process of their own.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

import compile_engine
from benchmarks import engine
from benchmarks.engine_works import PEER, WORKS, has_peer
from referee.rules.compiled import engine_text, is_compiled

pytestmark = pytest.mark.slow

ROOT: Final = Path(compile_engine.__file__).parent
TESTS: Final = ("tests/rules", "tests/counts", "tests/playthroughs", "tests/properties", "tests/library")
SECONDS: Final = 280
RUN: Final = """
import sys, pytest
from referee.rules.compiled import engine_text
assert engine_text() == "compiled", engine_text()
sys.exit(pytest.main(sys.argv[1:]))
"""
CLOSED: Final = """
import copy, pickle
from referee import dealing
from referee.rules import Match, parse_variant
variant = parse_variant("russian-14")
seed = bytes(32)
match = Match(variant, dealing.packs(seed, variant), dealing.first_seat(seed, variant))
match.start()
match.apply(match.legal_actions()[0])
for other in (copy.deepcopy(match), pickle.loads(pickle.dumps(match))):
    assert other.legal_actions() == match.legal_actions() and other.deal.hands == match.deal.hands
try:
    match.deal.play.play("KH")
except TypeError as error:
    print("refused:", error)
"""


@pytest.fixture(scope="module")
def compiled() -> Path:
    """The folder with the compiled engine; a machine without compiler or headers skips, saying what it lacks."""
    lack = compile_engine.obstacle()
    if lack is not None:
        pytest.skip(f"the engine cannot be compiled: {lack}")
    return compile_engine.compiled()


def run(compiled: Path, *arguments: str) -> str:
    """Run Python on the compiled engine, in an environment without pytest's own; return what it printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=ROOT,
        env=environment | {"PYTHONPATH": str(compiled)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def test_it_passes_the_tests_of_the_rules(compiled: Path) -> None:
    """Rules, records, verification, playthroughs, exact counts and properties are those of the sources."""
    pytest_options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow")
    assert " passed" in run(compiled, "-c", RUN, *pytest_options, *TESTS)


def test_it_can_be_copied_and_minds_types(compiled: Path) -> None:
    """A match is copied and pickled as an uncompiled one is; what is no card is refused instead of played."""
    assert run(compiled, "-c", CLOSED).startswith("refused: ")


def test_it_is_kept_until_a_source_changes(compiled: Path, tmp_path: Path) -> None:
    """A folder that is up to date is not made again; what goes into it is told by content."""
    libraries = compile_engine.libraries(compiled)
    assert len(libraries) == len(compile_engine.MODULES) + 1
    before = [library.stat().st_mtime_ns for library in libraries]
    assert compile_engine.compiled() == compiled
    assert [library.stat().st_mtime_ns for library in libraries] == before


def test_a_wheel_has_it_if_asked(compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """KING_COMPILE=1 puts the libraries where the wheel's modules are found, and marks it as made for this machine."""
    hook_type: Any = runpy.run_path(str(ROOT / "hatch_build.py"))["GeneratedFiles"]
    metadata = ProjectMetadata(str(ROOT), PluginManager())
    hook = hook_type(str(ROOT), {}, None, metadata, "", "wheel")
    monkeypatch.delenv("KING_COMPILE", raising=False)
    assert hook.dependencies() == []
    monkeypatch.setenv("KING_COMPILE", "1")
    assert set(hook.dependencies()) == set(compile_engine.REQUIREMENTS)
    build_data: dict[str, Any] = {"force_include": {}}
    hook.add_compiled_engine(build_data)
    assert (build_data["pure_python"], build_data["infer_tag"]) == (False, True)
    placed = {Path(place).name.partition(".")[0]: Path(place).parent for place in build_data["force_include"].values()}
    assert placed["play"] == Path("referee/rules")
    assert placed["king_engine__mypyc"] == Path()
    monkeypatch.setenv("KING_COMPILE", "yes")
    with pytest.raises(ValueError, match="should be 1"):
        hook.dependencies()


def test_both_engines_are_measured(compiled: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The benchmark has a figure of each work on each engine, and how they compare."""
    assert compiled.is_dir()
    found = engine.main(["russian-14", "--rounds", "1", "--seconds", "0.01"])
    plain = {f"{work} russian-14" for work in WORKS}
    assert plain | {f"compiled {name}" for name in plain} <= found.keys()
    assert all(value > 0 for value in found.values())
    name = "verify russian-14"
    assert found[f"compiled {name} / pure"] == found[f"compiled {name}"] / found[name]
    assert (f"playouts russian-14 / {PEER}" in found) == has_peer()
    assert "records read and verified, russian-14, compiled" in capfd.readouterr().out


def test_what_runs_by_default_is_python() -> None:
    """The tests beside this one, and whoever has not asked for it, run the sources."""
    assert not is_compiled()
    assert engine_text() == "pure Python"


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a compiler, headers or a package the obstacle says which, and what to install."""
    monkeypatch.setattr("sysconfig.get_path", lambda _name: str(tmp_path))
    assert "apt install python3-dev" in str(compile_engine.obstacle())
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "apt install gcc" in str(compile_engine.obstacle())
    with pytest.raises(OSError, match="cannot be compiled: there is no C compiler"):
        compile_engine.compiled(tmp_path / "new")
    assert not (tmp_path / "new").exists()
