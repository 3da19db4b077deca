"""`king rate`: ratings of files of results, as a user meets them."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from king_cli.main import run
from tests.e2e.arena import Arena

pytestmark = pytest.mark.slow

TABLE = "match,board,player,points\n" + "".join(
    f"{match},{match // 2},{player},{points}\n"
    for match in range(48)
    for player, points in (("best", 30 + match % 5), ("middle", match % 7), ("<b>[red]last", -20 - match % 3))
)


def games(won: int, tied: int, lost: int, *, paired: bool = False) -> str:
    """PGN of "new" against "old", with the colours in turn; if paired, two games of a kind have one round."""
    text = []
    for at, score in enumerate([2] * won + [1] * tied + [0] * lost):
        white, black = ("new", "old") if at % 2 == 0 else ("old", "new")
        own, other = {2: ("1-0", "0-1"), 1: ("1/2-1/2", "1/2-1/2"), 0: ("0-1", "1-0")}[score]
        result = own if white == "new" else other
        number = f'[Round "{at // 2}"]\n' if paired else ""
        text.append(f'{number}[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n1. e4 {result}\n\n')
    return "".join(text)


class Here:
    """A working folder of the test's own, and commands in this process, for what needs no process of its own."""

    def __init__(self, folder: Path, printed: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._printed = printed

    def write(self, name: str, text: str) -> str:
        """Write a file; return its name."""
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def king(self, *arguments: str) -> str:
        """Run a command that ends well; return what it printed on standard output."""
        status = run(list(arguments))
        printed = self._printed.readouterr()
        assert status == 0, printed.err
        return printed.out

    def king_json(self, *arguments: str) -> dict[str, Any]:
        """Run a command that ends well; return the JSON that it printed."""
        value = json.loads(self.king(*arguments))
        assert isinstance(value, dict)
        return value

    def king_error(self, *arguments: str) -> str:
        """Run a command that is wrong use; return the one line that it printed."""
        assert run(list(arguments)) == 2
        printed = self._printed.readouterr()
        assert (printed.err.count("\n"), printed.out) == (1, "")
        return printed.err


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """A folder and commands in this process."""
    monkeypatch.chdir(tmp_path)
    return Here(tmp_path, capsys)


def test_a_table_has_a_ladder_and_verdicts(here: Here) -> None:
    """Rank, Elo and points with intervals, places, and who is better beyond doubt; names are shown as they are."""
    printed = here.king("rate", here.write("results.csv", TABLE), "--matrix", "--deals", "14")
    assert "48 matches on 24 boards" in printed
    assert "Points per deal" in printed
    rows = [line for line in printed.splitlines() if "│" in line]
    assert [row.split("│")[2].strip() for row in rows[:3]] == ["best", "middle", "<b>[red]last"]
    assert "best is better than middle by" in printed
    assert "Chance in % to finish above" in printed


def test_json_has_ratings_and_differences(here: Here) -> None:
    """The names that users rely on, and the same numbers in points per match or per deal."""
    file = here.write("results.csv", TABLE)
    answer = here.king_json("rate", file, "--json")
    assert [row["player"] for row in answer["ratings"]] == ["best", "middle", "<b>[red]last"]
    first = answer["ratings"][0]
    assert first["elo_low"] < first["elo"] < first["elo_high"]
    assert first["points_low"] < first["points_per_deal"] < first["points_high"]
    assert (first["boards"], first["matches"], first["places"], first["rank"]) == (24, 48, [48, 0, 0], 1)
    assert sum(row["elo"] for row in answer["ratings"]) == pytest.approx(3 * 1500)
    assert len(answer["differences"]) == 3
    assert all(one["p_holm"] < 0.05 and one["p_above"] > 0.9 for one in answer["differences"])
    assert (answer["judged_by"], answer["deals_per_match"], answer["prior"]) == ("points", 1, 2.0)
    by_deal = here.king_json("rate", file, "--json", "--deals", "10")["ratings"][0]
    assert by_deal["points_per_deal"] == pytest.approx(first["points_per_deal"] / 10)
    held = here.king_json("rate", file, "--json", "--anchor", "middle=2000")["ratings"]
    assert (held[1]["elo"], held[1]["elo_low"]) == (2000, 2000)
    assert held[0]["elo"] - held[1]["elo"] == pytest.approx(first["elo"] - answer["ratings"][1]["elo"])


@pytest.mark.slow
def test_a_match_rated_from_its_records_is_the_match(arena: Arena) -> None:
    """The records of `king match`, rated from standard input in any order, give its ladder."""
    bots = ("random", "lowest", "highest", "greedy")
    played = arena.king_json("match", *bots, "--boards", "3", "--out", "out", "--json")
    records = [Path(arena.folder, path).read_text() for path in played["records"]]
    random.Random(1).shuffle(records)
    answer = json.loads(with_input(arena, "".join(records), "rate", "-", "--json").stdout)
    ladder = {f"{row['bot']} {row['version']}": row for row in played["bots"]}
    assert len(ladder) == 4
    for row in answer["ratings"]:
        told = ladder[row["player"]]
        for name in ("elo", "elo_low", "elo_high", "points_per_deal", "points_low", "points_high", "prior_pull"):
            assert row[name] == pytest.approx(told[name], abs=1e-6), name
        assert (row["boards"], row["places"]) == (3, told["places"])
    assert [row["p_holm"] for row in answer["differences"]] == pytest.approx(
        [row["p_holm"] for row in played["differences"]], abs=1e-6
    )


def test_an_anchor_has_no_interval_and_one_is_no_plural(here: Here) -> None:
    """The anchored player is where it was put; one match is on one board."""
    printed = here.king("rate", here.write("results.csv", TABLE), "--anchor", "best=1800")
    assert "1800 [" not in printed
    assert "[" in printed.partition("best")[2]
    one = here.write("one.csv", "match,player,place\n1,a,1\n1,b,2\n")
    assert "1 match on 1 board;" in here.king("rate", one)


def test_games_of_two_have_a_duel_and_a_test(here: Here) -> None:
    """Counts, Elo with its error and the sequential test, with the numbers of fastchess's tests (MIT, 74deac23)."""
    file = here.write("games.pgn", games(136, 111, 96))
    duel = here.king_json("rate", file, "--json")["duel"]
    assert (duel["a"], duel["won"], duel["tied"], duel["lost"]) == ("new", 136, 111, 96)
    assert (duel["elo"], duel["elo_error"]) == pytest.approx((40.70, 30.43), abs=0.005)
    assert (duel["normalized_elo"], duel["normalized_elo_error"]) == pytest.approx((49.77, 36.77), abs=0.005)
    assert duel["sprt"] is None
    printed = here.king("rate", file, "--sprt", "0,10", "--model", "logistic", "--player", "old")
    assert "old against new: 96 won, 111 tied, 136 lost" in printed
    assert "SPRT, logistic Elo 0 against 10: LLR" in printed
    pairs = here.king_json(
        "rate", here.write("pairs.pgn", games(4, 2, 2, paired=True)), "--json", "--board-tag", "Round"
    )
    assert pairs["duel"]["pairs"] == [1, 0, 1, 0, 2]


@pytest.mark.slow
def test_games_without_a_result_are_left_out_and_said(arena: Arena) -> None:
    """On standard error, so that the JSON stays JSON; in it there is a note too."""
    text = games(3, 1, 2) + '[White "new"]\n[Black "old"]\n[Result "*"]\n\n*\n'
    answer = json.loads(with_input(arena, text, "rate", "-", "--json").stdout)
    assert "1 match left out: the result is '*'" in answer["notes"][0]
    done = with_input(arena, text, "rate", "-")
    assert "Ladder of standard input" in done.stdout
    assert done.stderr.startswith("king: 1 match left out")


@pytest.mark.parametrize(
    ("text", "arguments", "told"),
    [
        ("", (), "results is empty"),
        ("match,player,place\n1,a,1\n1,b,zwei\n", (), "results: line 3: place 'zwei'"),
        (
            "match,player,place\n1,a,1\n1,b,2\n",
            ("--prior", "0"),
            "'a' won every match against the others, and 'b' lost every match",
        ),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--prior", "-1"), "Invalid value for '--prior'"),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--prior", "nan"), "Invalid value for '--prior'"),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--prior", "inf"), "a prior of inf draws"),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--anchor", "c"), "anchor 'c' is not among the players: 'a', 'b'"),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--anchor", "a=x"), "--anchor 'a=x'"),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--anchor", "a=nan"), "--anchor 'a=nan'"),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--anchor", "a", "--mean", "0"), "give one of them"),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--mean", "inf"), "mean"),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--sprt", "5"), "two numbers are expected, as 0,5"),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--sprt", "5,0"), "the first must be below the second"),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--sprt", "0,5", "--player", "c"), "'c' is not among the players"),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--player", "a"), "give --sprt"),
        ("match,player,place\n1,a,1\n1,b,2\n1,c,3\n", ("--sprt", "0,5"), "3 players: a duel is of two"),
        ("match,player,place\n1,a,1\n1,b,2\n", ("--board-tag", "Round"), "which has no tags"),
    ],
)
def test_wrong_use_is_one_line(here: Here, text: str, arguments: tuple[str, ...], told: str) -> None:
    """Exit status 2, one line on standard error that says what would be right, nothing else."""
    assert told in here.king_error("rate", here.write("results", text), *arguments)


@pytest.mark.parametrize(
    ("file", "told"), [(".", "Is a directory"), ("missing.csv", "No such file"), ("/dev/zero", "line 1: ")]
)
def test_what_is_no_file_is_one_line(here: Here, file: str, told: str) -> None:
    """A folder, nothing, and a device that never ends a line."""
    assert told in here.king_error("rate", file)


@pytest.mark.slow
def test_the_command_says_the_same_from_outside(arena: Arena) -> None:
    """As a process: status 2, one line, no traceback."""
    (arena.folder / "results.csv").write_text("match,player\n", encoding="utf-8")
    error = arena.king_error("rate", "results.csv")
    assert error.startswith("king: results.csv: line 1: the header lacks place or points")
    assert error.count("\n") == 1


def with_input(arena: Arena, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command that ends well with `text` on its standard input."""
    done = subprocess.run(
        [sys.executable, "-m", "king_cli", *arguments],
        env=arena.environment,
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=arena.folder,
    )
    assert done.returncode == 0, done.stderr
    return done
