"""Every sample bot plays whole matches over the real referee."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.rules import check_record
from tests.conformance.sittings import Outcome, play
from workers.bots import SAMPLES, find_bot, read_manifest

pytestmark = pytest.mark.slow  # real processes at a real referee

PYTHON_BOTS = ("random", "lowest", "highest", "greedy", "counter", "montecarlo")


def assert_played_well(outcome: Outcome, tables: int) -> None:
    assert outcome.faults == []
    assert [record["termination"]["kind"] for record in outcome.records] == ["normal"] * tables
    assert [check_record(record) for record in outcome.records] == [[]] * tables
    assert {status for _, status, _ in outcome.exits} == {0}
    assert {text for _, _, text in outcome.exits} == {""}


@pytest.mark.parametrize("places", [(0, 1, 2, 3), (4, 5, 0, 1)])
def test_samples_play_many_tables_at_once(tmp_path: Path, places: tuple[int, ...]) -> None:
    """Sample bots play several matches side by side to the end, without a fault or a word on standard error."""
    outcome = play(tmp_path, [find_bot(PYTHON_BOTS[place]) for place in places], "russian-14", tables=3)
    assert_played_well(outcome, 3)


@pytest.mark.parametrize(
    "variant",
    [
        "turkish-20[must_beat=always]",
        "ordered-56",
        "auction-11",
        "trump-11",
        "classic[redemption=praise]",
        "classic[redemption=talon,seats=3]",
        "chooser-12[bonus_trump=chooser]",
    ],
)
def test_searching_and_counting_bots_take_every_kind_of_decision(tmp_path: Path, variant: str) -> None:
    """Choosing, ordering, bidding, naming, selling and giving reach the bots over the wire and are answered legally."""
    seats = 3 if "seats=3" in variant else 4
    outcome = play(
        tmp_path, [find_bot(name) for name in ("montecarlo", "counter", "greedy", "random")[:seats]], variant
    )
    assert_played_well(outcome, 1)


def test_first_bot_of_the_readme_plays(tmp_path: Path) -> None:
    """The bot that the README shows, copied from it, plays a match."""
    text = (SAMPLES / "python" / "README.md").read_text(encoding="utf-8")
    folder = tmp_path / "low"
    folder.mkdir()
    for name, language in (("bot.py", "python"), ("bot.toml", "toml")):
        code = text.split(f"```{language}\n", 1)[1].split("```", 1)[0]
        (folder / name).write_text(code, encoding="utf-8")
    programs = [read_manifest(folder), find_bot("greedy"), find_bot("random"), find_bot("highest")]
    assert_played_well(play(tmp_path, programs, "russian-14"), 1)
