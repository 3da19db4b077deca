"""What must be true after the end, however many faults there were. Each check says in sentences what is not so.

Owns the judgement. It reads the store past the code that wrote it where it can, and records by verifiers.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.faults.harness import Harness, Made
from benchmarks.faults.league import League, SeatOfBlame
from king_cli.places import open_league
from league.ladder import ladder_json
from league.store import Store
from referee.rules import parse_variant
from referee.verification import verify

_CHECKER = Path(__file__).parents[2] / "docs" / "verify-a-deal.pl"
_BY_PERL = 20
_BY_PERL_CHECK = "deals verify by verify-a-deal.pl"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """The answer of a check: what was looked at, and what is wrong with it."""

    check: str
    looked_at: str
    wrong: tuple[str, ...]


def check_all(harness: Harness, seed: int) -> list[Finding]:
    """All checks of a league that was played to its end; the platform has ended."""
    league = harness.league
    store = open_league(league.settings, secrets=True)
    try:
        return [
            check_complete(league),
            check_counts(league),
            check_blame(league, harness.made),
            check_sure_blame(league, harness.made),
            check_records(league, store),
            check_by_perl(league, store, seed),
            check_ladders(league, store),
        ]
    finally:
        store.close()


def check_complete(league: League) -> Finding:
    """Every planned match is stored, each once."""
    wrong = []
    planned = 0
    with league.reading() as connection:
        for season in connection.execute("select * from seasons").fetchall():
            seats = parse_variant(season["variant"]).seats
            of_season = "where season_id = ? and not void order by number"
            boards = [row[0] for row in connection.execute(f"select number from boards {of_season}", (season["id"],))]
            expected = sorted((board, rotation) for board in boards for rotation in range(seats))
            query = "select board, rotation from matches where season_id = ? order by 1, 2"
            stored = [tuple(row) for row in connection.execute(query, (season["id"],))]
            planned += len(expected)
            wrong += [f"season {season['id']}: {key} was lost" for key in sorted(set(expected) - set(stored))]
            wrong += [f"season {season['id']}: {key} counts twice" for key in stored if stored.count(key) > 1]
            wrong += [f"season {season['id']}: {key} was not planned" for key in sorted(set(stored) - set(expected))]
            if season["state"] != "ended":
                wrong.append(f"season {season['id']} has not ended: it is {season['state']}")
        undone = connection.execute("select id, state from sittings where state <> 'done'").fetchall()
        wrong += [f"sitting {row['id']} is {row['state']}" for row in undone]
    return Finding(check="planned matches are stored, each once", looked_at=f"{planned} matches", wrong=tuple(wrong))


def check_counts(league: League) -> Finding:
    """What is counted along with matches is what there is."""
    wrong = []
    with league.reading() as connection:
        for what, query in _COUNTS.items():
            for row in connection.execute(query).fetchall():
                wrong.append(f"{what}: {dict(row)}")
        wrong += [f"{row[0]}" for row in connection.execute("pragma integrity_check") if row[0] != "ok"]
    return Finding(check="counters agree with what is stored", looked_at=f"{len(_COUNTS)} kinds", wrong=tuple(wrong))


_COUNTS: Mapping[str, str] = {
    "matches of a season": """
        select id, matches_stored, (select count(*) from matches where season_id = seasons.id) as there
        from seasons where matches_stored <> there""",
    "matches of a sitting": """
        select id, stored, (select count(*) from matches where sitting_id = sittings.id) as there
        from sittings where stored <> there""",
    "matches of a board": """
        select season_id, number, stored, (select count(*) from matches
        where matches.season_id = boards.season_id and board = boards.number) as there
        from boards where stored <> there""",
    "matches of a bot": """
        select season_id, number, matches, (select count(*) from matches, json_each(matches.players)
        where matches.season_id = entrants.season_id and json_each.value = entrants.number) as there
        from entrants where matches <> there""",
    "faults of a bot": """
        select season_id, number, faults, (select count(*) from faults as told
        where told.season_id = entrants.season_id and told.entrant = entrants.number and told.counted) as there
        from entrants where faults <> there""",
    "records": "select id from matches where id not in (select match_id from match_records)",
}


def check_blame(league: League, made: Iterable[Made]) -> Finding:
    """Only bots that were struck have faults and forfeits, in the attempt in which they were."""
    struck = {fault.blame for fault in made if fault.blame is not None}
    blamed = league.blamed()
    wrong = []
    for seat, told in sorted(blamed.items(), key=lambda each: (each[0].sitting, each[0].label)):
        if seat not in struck and not all("suspended" in text for text in told):
            wrong.append(f"{seat.label} in attempt {seat.attempt} of sitting {seat.sitting}: {'; '.join(told[:3])}")
    return Finding(
        check="nobody is blamed who was not struck",
        looked_at=f"{len(struck)} bots struck while they played, {len(blamed)} blamed",
        wrong=tuple(wrong),
    )


def check_sure_blame(league: League, made: Iterable[Made]) -> Finding:
    """A bot that was killed while it thought has a fault that forfeits, if that attempt was played to its end."""
    last, forfeited = league.last_attempts(), league.forfeited()
    sure = [fault.blame for fault in made if fault.sure and fault.blame is not None]
    finished = [seat for seat in sure if last.get(seat.sitting) == seat.attempt]
    wrong = tuple(
        f"{seat.label} was killed in attempt {seat.attempt} of sitting {seat.sitting}, and nobody noticed"
        for seat in finished
        if seat not in forfeited
    )
    looked_at = f"{len(sure)} bots killed while they thought, {len(finished)} of them in attempts that counted"
    return Finding(check="whoever was killed forfeits", looked_at=looked_at, wrong=wrong)


def check_records(league: League, store: Store) -> Finding:
    """Every record is what the rules, its cards and its seeds make it."""
    wrong = []
    count = 0
    for match_id in _match_ids(league):
        found = verify(store.results.record(match_id))
        count += 1
        wrong += [f"{match_id}: {problem}" for problem in found.problems]
        wrong += [f"{match_id}: not checked: {left_out}" for left_out in found.unchecked]
    return Finding(check="records verify", looked_at=f"{count} records", wrong=tuple(wrong))


def check_by_perl(league: League, store: Store, seed: int) -> Finding:
    """A sample of records verifies by the checker in the documents, which shares no code with anything."""
    if shutil.which("perl") is None:
        return Finding(check=_BY_PERL_CHECK, looked_at="nothing: there is no perl here", wrong=())
    ids = _match_ids(league)
    sample = Random(seed).sample(ids, min(_BY_PERL, math.ceil(len(ids) / 8)))
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for match_id in sample:
            file = Path(folder) / f"{match_id}.json"
            file.write_text(json.dumps(store.results.record(match_id)), encoding="utf-8")
            done = subprocess.run(["perl", str(_CHECKER), str(file)], capture_output=True, text=True, check=False)
            if done.returncode:
                wrong.append(f"{match_id}: {done.stdout}{done.stderr}")
    return Finding(check=_BY_PERL_CHECK, looked_at=f"{len(sample)} records", wrong=tuple(wrong))


def check_ladders(league: League, store: Store) -> Finding:
    """Ladders are what they are when they are made anew from the matches alone."""
    wrong = []
    seasons = store.seasons.all()
    for season in seasons:
        kept = ladder_json(store.standings.ladder(season.id))
        store.results.rebuild(season.id)
        wrong += _differences(season.id, kept, ladder_json(store.standings.ladder(season.id)))
    return Finding(check="ladders agree with their rebuild", looked_at=f"{len(seasons)} seasons", wrong=tuple(wrong))


def check_nothing_left(harness: Harness, still_there: Callable[[], Iterable[object]]) -> Finding:
    """Nothing that the platform ever started runs, and no scratch folder of a bot is left."""
    operator = harness.operator
    left = [f"process {process.pid}" for process in operator.left_running()]
    left += [f"{process} of its environment" for process in still_there()]
    left += [f"folder {place}" for place in operator.scratch.glob("king-bot-*")]
    return Finding(check="nothing is left", looked_at=f"{len(operator.seen)} processes seen", wrong=tuple(left))


def _match_ids(league: League) -> list[str]:
    with league.reading() as connection:
        return [row[0] for row in connection.execute("select match_id from matches order by season_id, number")]


def _differences(season: int, kept: Any, rebuilt: Any) -> list[str]:
    if kept == rebuilt:
        return []
    return [f"season {season}: kept {json.dumps(kept)[:400]}, rebuilt {json.dumps(rebuilt)[:400]}"]


def outcomes(harness: Harness) -> Mapping[str, int]:
    """What became of the bots that were struck, by way and outcome."""
    last, blamed = harness.league.last_attempts(), harness.league.blamed()
    found: dict[str, int] = {}
    for fault in harness.made:
        if fault.strike.kind.part.value == "bot":
            told = f"{fault.strike.kind.way}: {_outcome(fault.blame, last, blamed)}"
            found[told] = found.get(told, 0) + 1
    return dict(sorted(found.items()))


def _outcome(seat: SeatOfBlame | None, last: Mapping[int, int], blamed: Mapping[SeatOfBlame, list[str]]) -> str:
    if seat is None:
        return "played for nobody any more"
    if seat in blamed:
        return "blamed"
    return "came to no harm" if last.get(seat.sitting) == seat.attempt else "played again in another attempt"
