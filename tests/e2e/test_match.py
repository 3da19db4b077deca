"""`king match` plays boards through gRPC without queue or store."""

from __future__ import annotations

import json
import re
import signal
import tempfile
import urllib.request
from pathlib import Path

import pytest

from tests.e2e.arena import DEADLINE_S, Arena, runs
from tests.workers.waiting import wait_until
from workers.bots import find_bot

pytestmark = pytest.mark.slow

CONFORMANCE = Path(__file__).parents[1] / "conformance"
THREE = ("--variant", "classic[pack=32,seats=3]")
"""Three seats take nine processes of bots a board and not sixteen, and 32 cards are played sooner than 52."""


def test_match(arena: Arena) -> None:
    """A match writes one record for each board and rotation; all pass `king verify`; the ladder has its bots."""
    result = arena.king_json(
        *("match", "lowest", "lowest", "greedy"),
        *(*THREE, "--boards", "2", "--seed", "7", "--out", "out", "--json"),
    )
    assert sorted(row["bot"] for row in result["bots"]) == ["greedy", "lowest", "lowest#2"]
    assert {row["boards"] for row in result["bots"]} == {2}
    assert {row["faults"] for row in result["bots"]} == {0}
    assert len(result["differences"]) == 3
    paths = [arena.folder / path for path in result["records"]]
    assert len(set(paths)) == 6
    arena.king("verify", *map(str, paths))


def test_same_seed_gives_the_same_cards(arena: Arena) -> None:
    """Cards depend on the seed and the board alone, and rotations of a board have the same cards."""
    hands = []
    for out, bots in (
        ("a", ("lowest", "highest", "lowest")),
        ("b", ("greedy", "random", "random")),
    ):
        result = arena.king_json("match", *bots, *THREE, "--seed", "3", "--out", out, "--json")
        records = [json.loads((arena.folder / path).read_text()) for path in result["records"]]
        hands.append([[deal["hands"] for deal in record["deals"]] for record in records])
    assert hands[0] == hands[1]
    assert all(rotation == hands[0][0] for rotation in hands[0])


def broken_bot(arena: Arena, code: str) -> str:
    """The folder of a bot with this code."""
    broken = arena.folder / "broken"
    broken.mkdir()
    (broken / "bot.toml").write_text(
        'name="broken"\nversion="1"\nlanguage="python"\nrun=["python", "bot.py"]\nvariants=["*"]\n'
    )
    (broken / "bot.py").write_text(code)
    return str(broken)


def test_broken_bot(arena: Arena) -> None:
    """A bot that crashes at once forfeits, and its standard error is told and kept; the others play on; status 1."""
    match = ("match", "lowest", "highest", broken_bot(arena, "raise SystemExit('no idea')"), *THREE, "--out", "out")
    result = json.loads(arena.king_no(*match, "--json"))
    faults = {row["bot"]: row["faults"] for row in result["bots"]}
    assert faults.pop("broken") > 0
    assert set(faults.values()) == {0}
    logs = list((arena.folder / "out" / "logs").glob("broken-*"))
    assert logs
    assert logs[0].read_text() == "no idea\n"
    (told,) = result["faults"]
    assert (told["bot"], told["matches"], told["forfeited"], told["kind"]) == ("broken", 3, 3, "exit")
    assert (told["decisions"], told["stderr"]) == (0, "no idea")
    assert (arena.folder / told["logs"][0]).read_text() == "no idea\n"
    said = arena.king_no(*match)
    assert "broken had 6 faults and forfeited 3 of 3 matches (each counts −450 points against the table's mean;" in said
    assert re.search(r"\d\d:\d\d:\d\d\.\d{3} board 1 rotation 0 deal 1 action \d: exit: .* status 1: no idea", said)
    assert "    | no idea\n" in said
    arena.king("verify", *(str(arena.folder / path) for path in result["records"]))


def test_first_bot_that_forfeits_all_ends_the_match(arena: Arena) -> None:
    """Of many boards few are played, and the forfeit is told while they are, once."""
    match = ("match", broken_bot(arena, "1 / 0"), "lowest", "highest", *THREE, "--boards", "40", "--out", "out")
    done = arena.run(*match)
    assert done.returncode == 1
    assert done.stderr.count("broken forfeited: exit: the process ended with exit status 1: ZeroDivisionError") == 1
    assert "(a match counts −450 points)" in done.stderr
    (stopped,) = re.findall(r"stopped after (\d+) of 120 matches: broken forfeited every one", done.stderr)
    assert 3 <= int(stopped) <= 40
    assert "no ladder: no board was played in all its rotations" in done.stdout
    assert "it never made a decision" in done.stdout


def test_bot_that_fails_later_is_reported_with_status_0(arena: Arena) -> None:
    """A match in which every bot made decisions was played: what became of them is in the report."""
    crashing = str(CONFORMANCE / "broken_bots" / "crashing")
    result = arena.king_json("match", "lowest", "highest", crashing, *THREE, "--out", "out", "--json")
    (told,) = result["faults"]
    assert told["forfeited"] == 3
    assert told["decisions"] > 0


def test_match_with_a_deep_temporary_folder(arena: Arena) -> None:
    """A temporary folder too deep for a Unix socket is no obstacle; playing leaves nothing in a bot's folder."""
    deep = arena.folder / ("d" * 100)
    deep.mkdir()
    arena.environment["TMPDIR"] = str(deep)
    folder = find_bot("lowest").folder
    before = _listing(folder)
    arena.king("match", *["lowest"] * 3, *THREE, "--out", "out")
    assert len(list((arena.folder / "out").glob("*.json"))) == 3
    assert _listing(folder) == before


def _listing(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*") if "__pycache__" not in path.parts)


def test_termination_leaves_no_folder_and_no_process(arena: Arena) -> None:
    """SIGTERM in the middle of a match ends the bots and removes what was temporary; records that are there stay."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:  # a socket's path is short
        scratch = Path(place)
        arena.environment["TMPDIR"] = place
        with arena.running("match", *["lowest"] * 3, *THREE, "--boards", "40", "--out", "out") as match:
            wait_until(lambda: any((arena.folder / "out").glob("*.json")), seconds=DEADLINE_S, what="a record")
            family = match.family()
            assert any(scratch.iterdir())
            match.process.send_signal(signal.SIGTERM)
            assert match.wait_for_end() == 128 + signal.SIGTERM
            assert not [pid for pid in family if runs(pid)]
        assert list(scratch.iterdir()) == []
    assert "Traceback" not in arena.output()


def test_defaults(arena: Arena) -> None:
    """Bots are all that must be given; records of an earlier match in the folder give way, other files stay."""
    folder = arena.folder / "build" / "match"
    folder.mkdir(parents=True)
    arena.king("random", "russian-14", "--out", str(folder / "board-0002-rotation-0.json"))
    (folder / "notes.json").write_text("{}")
    result = arena.king_json("match", "lowest", "lowest", "highest", "highest", "--json")
    assert result["variant"] == "russian-14"
    assert result["faults"] == []
    records = {path.name for path in folder.glob("board-*.json")}
    assert records == {Path(path).name for path in result["records"]}
    assert len(records) == 4
    assert (folder / "notes.json").exists()


def test_view(arena: Arena) -> None:
    """`king view` serves the replay of a record until Ctrl-C."""
    arena.king("random", "russian-14", "--seed", "1", "--out", "record.json")
    with arena.running("view", "record.json") as viewer:
        wait_until(lambda: "http://" in arena.output(), seconds=DEADLINE_S, what="the address")
        (address,) = [word for word in arena.output().split() if word.startswith("http://")]
        with urllib.request.urlopen(address, timeout=DEADLINE_S) as page:
            assert "russian-14" in page.read().decode()
        viewer.process.send_signal(signal.SIGINT)
        assert viewer.wait_for_end() == 0


def test_verdict_ends_a_match(arena: Arena) -> None:
    """With --until verdict few boards are enough where the gap is wide; losses alone are recorded when asked for."""
    result = arena.king_json(
        *("match", "greedy", "greedy", "random", *THREE),
        *("--until", "verdict", "--boards", "400", "--record", "losses", "--out", "out", "--json"),
    )
    verdict = result["verdict"]
    assert (verdict["bot"], verdict["verdict"], verdict["biased"]) == ("greedy", "better", True)
    assert 16 <= verdict["after_boards"] <= verdict["boards"] < 400
    assert verdict["llr"] >= verdict["upper"]
    records = [json.loads((arena.folder / path).read_text()) for path in result["records"]]
    assert 0 < len(records) < 3 * verdict["boards"]
    for record in records:
        seat = next(seat for seat, player in enumerate(record["players"]) if player["bot"] == "greedy")
        assert record["places"][seat] > 1
