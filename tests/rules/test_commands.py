"""`king variants`, `rules`, `random`, `verify` and `legal`: answers, exit statuses, one-line errors."""

import json
from pathlib import Path

import pytest

from king_cli.main import run
from referee.rules import PRESETS, record_text
from tests.rules.records import changed, cut, record_of

pytestmark = pytest.mark.slow


def _lines(text: str) -> list[str]:
    return text.splitlines()


def test_variants(capsys: pytest.CaptureFixture[str]) -> None:
    """`king variants` lists every preset and option; with --json as data."""
    assert run(["variants"]) == 0
    words = capsys.readouterr().out
    assert all(f"  {preset}\n" in words for preset in PRESETS)
    assert "must_beat = no | trumps | always" in words
    assert run(["variants", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert set(listed) == {"presets", "variants"}
    assert listed["presets"] == list(PRESETS)


def test_rules(capsys: pytest.CaptureFixture[str]) -> None:
    """`king rules` prints the rules of one variant, in English or Russian."""
    assert run(["rules", "turkish-20[limits=free]"]) == 0
    assert "Kız Almaz" in capsys.readouterr().out
    assert run(["rules", "russian-14", "--lang", "ru"]) == 0
    assert "Не брать Кинга" in capsys.readouterr().out


def test_random_verify_legal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A random match is written, passes, and has no legal action left."""
    file = tmp_path / "match.json"
    assert run(["random", "chooser-12[seats=3]", "--seed", "4", "--out", str(file)]) == 0
    assert run(["verify", str(file)]) == 0
    assert _lines(capsys.readouterr().out) == [f"{file}: ok"]
    assert run(["legal", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == {"deal": 12, "seat": None, "actions": []}


def test_random_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --out the record is printed, the same each time."""
    assert run(["random", "russian-14", "--seed", "4"]) == 0
    first = capsys.readouterr().out
    assert run(["random", "russian-14", "--seed", "4"]) == 0
    assert capsys.readouterr().out == first
    assert json.loads(first)["variant"] == "russian-14"


def test_wrong_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong record among others gives status 1 and names the place on standard error; the others are told as ok."""
    good, bad, broken = (tmp_path / name for name in ("good.json", "bad.json", "broken.json"))
    record = record_of("russian-14")
    good.write_text(record_text(record), encoding="utf-8")
    points = record["deals"][3]["points"][0]
    bad.write_text(record_text(changed(record, "deals[3].points[0]", points + 1)), encoding="utf-8")
    broken.write_text("{", encoding="utf-8")
    assert run(["verify", str(good), str(bad), str(broken)]) == 1
    told = capsys.readouterr()
    assert _lines(told.out) == [f"{good}: ok"]
    first, second = _lines(told.err)
    assert first == f"{bad}: deals[3].points[0]: is {points + 1}, should be {points}"
    assert second.startswith(f"{broken}: not a record")
    assert run(["verify", "--json", str(good), str(bad)]) == 1
    answers = json.loads(capsys.readouterr().out)["records"]
    assert [answer["ok"] for answer in answers] == [True, False]
    assert answers[1]["problems"][0]["path"] == "deals[3].points[0]"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1}', 'format: is missing, should be "king-record/1": this is no record of a match'),
        ('{"format": "king-record/2"}', 'format: is "king-record/2", should be "king-record/1"'),
        ('{"format": null, "deals": []}', 'format: is null, should be "king-record/1"'),
        ("[]", "not a record: a JSON object is expected, not list"),
    ],
)
def test_what_is_no_record_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    """The fields that a record would have are not asked of it one by one."""
    file = tmp_path / "other.json"
    file.write_text(text, encoding="utf-8")
    assert run(["verify", str(file)]) == 1
    (line,) = _lines(capsys.readouterr().err)
    assert line.startswith(f"{file}: {told}")


def test_unfinished_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unfinished record passes with a line of what was not checked; its legal actions are told."""
    record = cut(record_of("turkish-20"), 1, 0)
    file = tmp_path / "unfinished.json"
    file.write_text(record_text(record), encoding="utf-8")
    assert run(["verify", str(file)]) == 0
    assert _lines(capsys.readouterr().out) == [
        f"{file}: ok",
        f"{file}: not checked: totals, places and settlement: the match is unfinished",
    ]
    assert run(["legal", str(file)]) == 0
    legal = json.loads(capsys.readouterr().out)
    chooser = record["deals"][0]["declarer"]
    assert (legal["deal"], legal["seat"], len(legal["actions"])) == (1, chooser, 10)
    assert legal["actions"][0] == {"seat": chooser, "do": "choose", "contract": "no_tricks", "trump": None}


def test_legal_of_a_wrong_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The legal actions of a record that breaks the rules are not known: status 1, with the place."""
    file = tmp_path / "wrong.json"
    record = record_of("russian-14")
    file.write_text(record_text(changed(record, "deals[1].actions[0].seat", 9)), encoding="utf-8")
    assert run(["legal", str(file)]) == 1
    assert "deals[1].actions[0]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rules", "whist"], "russian-14"),
        (["rules", "turkish-20[limits=no]"], "3+2, free"),
        (["rules", "russian-14", "--lang", "xx"], "en, ru"),
        (["random", "classic[pack=32,redemption=talon]"], "pack=52"),
        (["random", "russian-14", "--seed", "-1"], "--seed"),
        (["random", "russian-14", "--seed", "x"], "--seed"),
        (["random"], "VARIANT"),
        (["verify"], "FILE"),
        (["verify", "no/such/file"], "no/such/file"),
        (["legal", "no/such/file"], "no/such/file"),
        (["random", "russian-14", "--out", "no/such/folder/file"], "no/such/folder/file"),
    ],
)
def test_wrong_use(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Wrong use is status 2 and one line that says what would be right."""
    assert run(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    (line,) = _lines(told.err)
    assert words in line
