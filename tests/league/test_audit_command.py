"""`king season audit` on a stored season in which one bot feeds another."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from king_cli.main import run
from tests.league.leagues import BOTS, database_url, open_store, planned, play_season, started


def feeding(labels: Sequence[str], draw: random.Random) -> list[int]:
    """Scores in which "random" gives to "greedy" wherever both sit."""
    scores = [draw.randint(-20, 20) for _ in labels]
    if {"random", "greedy"} <= set(labels):
        scores[labels.index("greedy")] += 90
        scores[labels.index("random")] -= 90
    return scores


@pytest.fixture
def league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A season played to its end, where the settings point."""
    store = open_store(tmp_path)
    play_season(store, started(store, BOTS[:6], boards=2), scorer=feeding)
    store.close()
    monkeypatch.setenv("KING_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("KING_DATABASE_URL", database_url(tmp_path))


@pytest.mark.slow
def test_who_feeds_whom_is_said(league: None, capsys: pytest.CaptureFixture[str]) -> None:
    """In JSON with the luck share, and as text with the pair in its direction."""
    assert run(["season", "audit", "Autumn", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [(one["giver"], one["taker"]) for one in shown["flagged"]] == [("random", "greedy")]
    assert shown["flagged"][0]["low"] > 0
    assert (shown["boards"], shown["variant"], len(shown["pairs"])) == (30, "russian-14", 30)
    assert 0 <= shown["luck"]["share"] <= 1
    assert run(["season", "audit", "Autumn"]) == 0
    text = capsys.readouterr().out
    assert "1 of 30 ordered pairs flagged" in text
    assert "FLAGGED  greedy gains" in text
    assert "where random sits (12 boards" in text


@pytest.mark.slow
def test_a_season_without_results_cannot_be_audited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says so, and what a pair takes; the JSON has no pairs and no luck."""
    store = open_store(tmp_path)
    started(store, boards=1)
    store.close()
    monkeypatch.setenv("KING_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("KING_DATABASE_URL", database_url(tmp_path))
    assert run(["season", "audit", "Autumn"]) == 0
    assert (
        "no whole board without a forfeit yet, so nobody can be judged; a pair takes 5 bots" in capsys.readouterr().out
    )
    assert run(["season", "audit", "Autumn", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["pairs"] == [] and shown["luck"] is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bots", "play", "told"),
    [
        (
            5,
            False,
            "it has not started, so nobody can be judged; a pair takes 5 bots in the season, 2 boards where both",
        ),
        (4, True, "4 bots have played; a pair takes 5 bots in the season"),
        (5, True, "the pair that has most has 3 with both and 1 of one without the other; a pair takes 5 bots"),
    ],
)
def test_what_is_missing_for_a_judgement_is_said_in_numbers(
    bots: int,
    play: bool,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whether the season has not started, has too few bots, or too few boards of any pair."""
    store = open_store(tmp_path)
    season = planned(store, BOTS[:bots], boards=1)
    if play:
        season = store.seasons.start(season.id)
        play_season(store, season)
    store.close()
    monkeypatch.setenv("KING_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("KING_DATABASE_URL", database_url(tmp_path))
    assert run(["season", "audit", "Autumn"]) == 0
    assert told in capsys.readouterr().out
