"""Parts of `make bench` in their smallest forms: that they measure what they say, not how fast it is."""

from __future__ import annotations

import pytest

from benchmarks import ratings_scale, store_writers, stored_size
from tests.postgresql import require_postgresql

pytestmark = pytest.mark.slow


def test_the_size_of_drawn_matches() -> None:
    """By table and index, records among them, far below their JSON; what is stored is verified."""
    growth, plain = stored_size.played(16, drawn=True, sets=2)
    assert growth["all"] == pytest.approx(sum(size for name, size in growth.items() if name != "all"))
    assert 0 < growth["match_records"] < plain / 10


def test_the_ratings_of_a_small_season(capsys: pytest.CaptureFixture[str]) -> None:
    """The figures are named by the number of matches, and the sums made anew are timed when asked for."""
    found = ratings_scale.main(["--matches", "40", "--bots", "8", "--sets", "5", "--rebuild"])
    assert {name.partition("_")[0] for name in found} == {"40"}
    assert all(value > 0 for value in found.values())
    assert "40_rebuilt_s" in found
    assert "commit_ratio" in capsys.readouterr().out


def test_writers_side_by_side() -> None:
    """Writers in one season and in seasons of their own store all that they claim, and the server's share is seen."""
    require_postgresql()
    found = store_writers.main(["--boards", "1", "--writers", "2", "--sets", "2"])
    for where in ("together", "apart"):
        run = {name: found[f"postgresql_2_{where}_{name}"] for name in ("matches", "bytes", "server_cpu_ms")}
        assert run["matches"] == (8 if where == "together" else 16)
        assert all(value > 0 for value in run.values())
