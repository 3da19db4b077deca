"""Bad input gives one clear line that names what would be right, exit status 2, and no traceback."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from king_cli.main import run

pytestmark = pytest.mark.slow

FOUR = ("lowest", "lowest", "lowest", "lowest")
NO_LEAGUE = ["no league in", ".king", "KING_DATA_DIR", "king season create"]
SEASON = ("--bots", "lowest,highest,random,greedy", "--boards", "1")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in an empty folder, where `.king` is the test's own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "not-a-record.json").write_text("{}")
    (tmp_path / "empty").mkdir()


def match(*bots: str, variant: str = "russian-14", more: tuple[str, ...] = ()) -> tuple[str, ...]:
    return ("match", *bots, "--variant", variant, "--out", "out", *more)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (match(*FOUR, variant="russian-15"), ["russian-15", "russian-14"]),
        (match(*FOUR, variant="turkish-20[nothing=1]"), ["nothing", "limits"]),
        (match("nobody", *FOUR[1:]), ["nobody", "lowest", "bot.toml", "cmd:"]),
        (match("./empty", *FOUR[1:]), ["empty", "bot.toml"]),
        (match("cmd:/nonexistent --fast", *FOUR[1:]), ["/nonexistent", "no program"]),
        (match(*FOUR[1:]), ["4 seats", "not 3"]),
        (match(*FOUR, more=("--time-control", "fast")), ["fast"]),
        (match(*FOUR, more=("--boards", "0")), ["--boards", "greater than or equal to 1"]),
        (("view", "missing.json"), ["king: missing.json: No such file or directory"]),
        (("view", "not-a-record.json"), ["not-a-record.json"]),
        (("verify", "missing.json"), ["missing.json"]),
        (("legal", "empty"), ["empty"]),
        (("rules", "russian-15"), ["russian-15", "russian-14"]),
        (("season", "status", "9"), NO_LEAGUE),
        (("season", "export", "9", "--out", "out"), NO_LEAGUE),
        (("season", "create", "s", "--variant", "no", *SEASON), ["'no'", "russian-14"]),
        (("season", "create", "s", "--variant", "russian-14", "--bots", "lowest", "--boards", "1"), ["at least 4"]),
        (("season", "create", "s", "--variant", "russian-14", "--bots", ",".join(FOUR)), ["--boards is missing"]),
        (
            ("season", "create", "s", "--variant", "russian-14", *SEASON, "--rolling", "--player-sets", "9"),
            ["--player-sets is for closed seasons"],
        ),
        (("season", "sizes", "3", "--variant", "russian-14"), ["3 bots", "needs 4"]),
        (("ladder",), NO_LEAGUE),
        (("ladder", "nothing"), NO_LEAGUE),
        (("variants", "--bogus"), ["--bogus", "--help"]),
        (("bogus",), ["bogus", "--help"]),
    ],
    ids=" ".join,
)
def test_one_clear_line(arguments: tuple[str, ...], parts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """One line on standard error names the fault and what would be right; the status is 2."""
    assert run(list(arguments)) == 2
    output = capsys.readouterr()
    assert len(output.err.strip().splitlines()) == 1, output.err
    assert "Traceback" not in output.err
    for part in parts:
        assert part in output.err


@pytest.mark.parametrize("command", [("ladder",), ("season", "status", "1"), ("season", "start", "1"), ("bots",)])
def test_no_folder_is_made(command: tuple[str, ...], tmp_path: Path) -> None:
    """What only looks at a league makes no data folder where there is none."""
    assert run(list(command)) == (0 if command == ("bots",) else 2)
    assert not (tmp_path / ".king").exists()


@pytest.mark.slow
def test_name_of_a_season_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    """A second season of one name is refused with the id of the first; the next step is told beside the JSON."""
    create = ["season", "create", "two words", "--variant", "russian-14", *SEASON]
    assert run(create) == 0
    made = capsys.readouterr()
    assert json.loads(made.out) == {"season": 1}
    assert "king season start 'two words'" in made.err
    assert run(create) == 2
    error = capsys.readouterr().err
    assert len(error.strip().splitlines()) == 1
    assert "'two words'" in error
    assert "id is 1" in error


@pytest.mark.slow
def test_season_that_nobody_plays(capsys: pytest.CaptureFixture[str]) -> None:
    """The status of a running season says that there is no `king up` to play it."""
    assert run(["season", "create", "s", "--variant", "russian-14", *SEASON]) == 0
    assert "`king up` plays it, or workers elsewhere do" in capsys.readouterr().err
    assert run(["season", "status", "s"]) == 0
    assert "nobody" not in capsys.readouterr().out
    assert run(["season", "start", "s"]) == 0
    capsys.readouterr()
    assert run(["season", "status", "s"]) == 0
    assert "nobody is playing it: start `king up`" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(("player_sets", "told"), [(7, True), (15, False), (30, False)])
def test_sets_of_players_that_are_not_even_are_told_with_their_balance(
    player_sets: int, told: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line on standard error has the balance, which the season has once it is started, and the even sizes."""
    bots = ("--bots", "lowest,highest,random,greedy,counter,montecarlo", "--boards", "1")
    settings = (*bots, "--player-sets", str(player_sets), "--variant", "russian-14", "--json")
    assert run(["season", "create", "s", *settings]) == 0
    error = capsys.readouterr().err
    assert run(["season", "start", "s", "--json"]) == 0
    balance = json.loads(capsys.readouterr().out)["balance"]
    line = f"king: --player-sets 7 with 6 bots: {balance}; all pairs meet equally often with --player-sets 15\n"
    assert (line in error) == ("--player-sets" in error) == told


@pytest.mark.parametrize("command", ["create", "start"])
def test_help_says_that_a_rolling_season_goes_on_until_it_is_ended(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not over by itself."""
    assert run(["season", command, "--help"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "until `king season end`" in words


def test_ladder_without_matches(capsys: pytest.CaptureFixture[str]) -> None:
    """The ladder without a name is the newest season's, says so, and judges nobody while there are no intervals."""
    for name in ("first", "second"):
        assert run(["season", "create", name, "--variant", "russian-14", *SEASON]) == 0
    capsys.readouterr()
    assert run(["ladder"]) == 0
    output = capsys.readouterr().out
    assert "Ladder of season 2 (second, russian-14)" in output
    assert "better" not in output


@pytest.mark.parametrize("words", [(), ("season",)], ids=["king", "king season"])
def test_short_help_is_whole(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """No command's line in the help is cut off."""
    assert run([*words, "--help"]) == 0
    assert "..." not in capsys.readouterr().out.partition("Commands:")[2]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["up", "league", "referee", "dashboard"])
def test_port_in_use(command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A port that somebody else uses is named, together with what to do."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        variable = "KING_HTTP" if command == "dashboard" else "KING_REFEREE"
        monkeypatch.setenv(variable, address)
        assert run([command]) == 2
    error = capsys.readouterr().err
    assert len(error.strip().splitlines()) == 1
    assert address in error
    assert f"is in use: end what listens there, or choose another with {variable}" in error


@pytest.mark.parametrize(
    ("variable", "value"),
    [("KING_HTTP", "8000"), ("KING_REFEREE", "127.0.0.1"), ("KING_WORKERS", "many"), ("KING_REDIS_URL", "localhost")],
)
def test_wrong_setting(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong setting is named by its variable."""
    monkeypatch.setenv(variable, value)
    assert run(["season", "status", "1"]) == 2
    error = capsys.readouterr().err
    assert len(error.strip().splitlines()) == 1
    assert variable in error


@pytest.mark.slow
def test_worker_without_redis(capsys: pytest.CaptureFixture[str]) -> None:
    """A worker that finds no Redis says where it looked."""
    assert run(["worker"]) == 2
    assert "valkey.sock" in capsys.readouterr().err
