"""A season taken away: `king rate` reads its results, and its archive has its public records."""

from __future__ import annotations

import io
import json
import tarfile
from itertools import pairwise

import pytest

from dashboard.exporting import records_archive
from league.results_file import read_results
from referee.verification import verify
from tests.dashboard.conftest import PlayedLeague, Reader

pytestmark = pytest.mark.slow


def test_king_rate_reads_the_results(reader: Reader, played: PlayedLeague) -> None:
    """What is read back are the matches of the season: players, boards, places and points."""
    answer = reader.answer(f"/seasons/{played.over}/results.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert f'filename="season-{played.over}.csv"' in answer.headers["content-disposition"]
    read = read_results(answer.content.splitlines(keepends=True), name="results.csv")
    rows = played.store.results.matches(played.over, limit=1000)
    assert read.matches == len(rows)
    assert set(read.players) == {label for row in rows for label in row.labels}
    assert read.boards == read.named_boards == len({row.board for row in rows})
    assert sorted(map(int, read.place)) == sorted(place for row in rows for place in row.places)
    assert read.deviation is not None
    expected = [score - sum(row.scores) / len(row.scores) for row in rows for score in row.scores]
    assert sorted(map(float, read.deviation)) == pytest.approx(sorted(expected))
    lines = answer.text.splitlines()
    assert len(lines) == 1 + sum(len(row.labels) for row in rows)
    assert lines[0] == "match,board,player,place,points"


def test_the_archive_has_the_public_records(reader: Reader, played: PlayedLeague) -> None:
    """Each is there once, whole and sound, as it can be downloaded alone."""
    answer = reader.answer(f"/seasons/{played.over}/records.tar.gz")
    assert answer.headers["content-type"] == "application/gzip"
    rows = played.store.results.matches(played.over, limit=1000)
    with tarfile.open(fileobj=io.BytesIO(answer.content), mode="r:gz") as archive:
        names = archive.getnames()
        assert sorted(names) == sorted(f"board-{row.board:04d}-rotation-{row.rotation}.json" for row in rows)
        for row in rows[:3]:
            member = archive.extractfile(f"board-{row.board:04d}-rotation-{row.rotation}.json")
            assert member is not None
            record = json.loads(member.read())
            assert record == played.store.results.record(row.match_id)
            assert verify(record).problems == ()


def test_an_archive_of_what_is_not_public_is_empty(reader: Reader, played: PlayedLeague) -> None:
    """Of a season whose sets are all in play no record is given out."""
    answer = reader.answer(f"/seasons/{played.running}/records.tar.gz")
    with tarfile.open(fileobj=io.BytesIO(answer.content), mode="r:gz") as archive:
        assert archive.getnames() == []


def test_an_archive_is_made_while_it_is_sent(played: PlayedLeague) -> None:
    """It comes in parts, about one for each record: no part has the whole."""
    season = played.store.seasons.get(played.over)
    parts = [len(part) for part in records_archive(played.store, season)]
    assert len(parts) > len(played.store.results.matches(played.over, limit=1000))
    assert max(parts) < sum(parts) / 2
    assert all(one >= 0 for pair in pairwise(parts) for one in pair)
