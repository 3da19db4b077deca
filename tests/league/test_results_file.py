"""Files of results as people have them: every format is read, every mistake is told with its line."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np
import pytest

from league import results_text
from league.errors import LeagueError
from league.open_results import OpenResults
from league.results_file import read_results
from league.results_text import ResultsFormat
from referee.random_match import random_match
from referee.rules import Record, parse_variant

NAME = "some.file"


def read(text: str | bytes, *, form: ResultsFormat | None = None, board_tag: str | None = None) -> OpenResults:
    """The results of a file with this text."""
    raw = text if isinstance(text, bytes) else text.encode()
    return read_results(raw.splitlines(keepends=True), name=NAME, form=form, board_tag=board_tag)


def matches(results: OpenResults) -> list[dict[str, int]]:
    """The matches in their order: places by player."""
    told: list[dict[str, int]] = [{} for _ in range(results.matches)]
    for match, player, place in zip(results.match, results.player, results.place, strict=True):
        told[match][results.players[player]] = int(place)
    return told


def error(text: str | bytes, **how: Any) -> str:
    """What is said of a file that is not right; it begins with the file's name."""
    with pytest.raises(LeagueError) as raised:
        read(text, **how)
    assert str(raised.value).startswith(NAME)
    return str(raised.value)


TWO_MATCHES = [{"a": 1, "b": 2, "c": 3}, {"a": 2, "b": 1}]


@pytest.mark.parametrize(
    "text",
    [
        "match,player,place\n1,a,1\n1,b,2\n1,c,3\n2,a,2\n2,b,1\n",
        "place,extra,player,match\n1,x,a,1\n3,x,c,1\n2,x,b,1\n1,,b,2\n2,,a,2",
        "match;player;points\n1;a;10.5\n1;b;-3\n1;c;-7.5\n2;b;1e2\n2;a;0\n",
        "match\tplayer\tpoints\n1\ta\t3\n1\tb\t2\n1\tc\t1\n2\tb\t1\n2\ta\t0\n",
        '"Match" , "Player","PLACE"\n"1","a","1"\n1, b ,2\n1,c,3.0\n\n2,a,2\n , ,\n2,b,1\n',
        "\n\nmatch_id,bot,rank\n1,a,1\n1,b,2\n1,c,4\n2,a,7\n2,b,6\n",
        "match,player,place,points\n1,a,1,-5\n1,b,2,0\n1,c,3,5\n2,b,1,0\n2,a,2,0\n",
        "match,player,place,\n1,a,1,\n1,b,2,,,\n1,c,3,\n2,a,2\n2,b,1,\n",
        '{"match": 1, "players": [{"player": "a", "place": 1}, {"player": "c", "place": 3}, '
        '{"player": "b", "place": 2}]}\n'
        '{"match": "2", "players": [{"bot": "b", "score": 3}, {"player": "a", "points": -1e1}]}\n',
        '{"match": 1, "player": "a", "place": 1}\n{"match": 1, "player": "b", "place": 2}\n\n'
        '{"match": 2, "player": "b", "points": 1, "place": null}\n{"match": 2, "player": "a", "points": 0.5}\n'
        '{"match": 1, "player": "c", "place": 3}\n',
    ],
)
def test_the_same_matches_are_read_from_any_layout(text: str) -> None:
    """Columns in any order, delimiters, quotes, blank lines, other columns, JSON lines by match or by row."""
    assert matches(read(text)) == TWO_MATCHES
    assert matches(read("\N{BYTE ORDER MARK}" + text)) == TWO_MATCHES
    assert matches(read(text.replace("\n", "\r\n"))) == TWO_MATCHES


def test_ties_share_a_place_and_only_the_order_of_places_counts() -> None:
    """Equal points or places are 1, 2, 2, 4, whatever numbers the places are."""
    told = [{"a": 1, "b": 2, "c": 2, "d": 4}]
    assert matches(read("match,player,points\n1,a,9\n1,b,5\n1,c,5.0\n1,d,-2\n")) == told
    assert matches(read("match,player,place\n1,a,2\n1,b,3\n1,c,3\n1,d,11\n")) == told


def test_points_are_against_the_mean_of_the_table_and_none_if_some_lack() -> None:
    """10, 4 and 1 are +5, −1 and −4; with a match that has places alone there are no points."""
    text = "match,player,place,points\n1,a,,10\n1,b,,4\n1,c,,1\n"
    results = read(text)
    assert results.deviation is not None
    assert results.deviation.tolist() == [5.0, -1.0, -4.0]
    assert read(text + "2,a,1,\n2,b,2,\n").deviation is None


def test_boards_group_matches_and_a_match_without_one_is_its_own() -> None:
    """Two matches of board x are one board, two without a board are two."""
    results = read("match,board,player,place\n1,x,a,1\n1,x,b,2\n2,x,a,2\n2,x,c,1\n3,,a,1\n3,,b,1\n4,,a,1\n4,,b,2\n")
    assert (results.matches, results.boards, results.named_boards) == (4, 3, 1)
    assert results.board.tolist() == [0, 0, 0, 0, 1, 1, 2, 2]


CSV_ERRORS = [
    ("", "is empty: results are expected, as CSV, JSON lines or PGN"),
    ("\n \n\n", "is empty"),
    ("match,player,place\n", "there are no results"),
    ("game,winner\n1,a\n", "line 1: the header lacks player, and place or points: it has 'game', 'winner'"),
    (
        "1,a,1\n1,b,2\n",
        "line 1: a header such as match,player,place or match,player,points is expected, not '1', 'a', '1'",
    ),
    ("\nplayer,place\na,1\n", "line 2: the header lacks match"),
    ("match,player,place,place\n", "line 1: the header names 'place' twice"),
    ("match,player,place\n1,a,1\n1,b,2\n1,a,3\n", "line 4: 'a' is in the match twice"),
    ("match,player,place\n1,a,1\n2,b,1\n2,a,2\n", "line 2: 'a' is alone in its match"),
    ("match,player,place\n1,a,0\n1,b,1\n", "line 2: place 0 of 'a': places count from 1"),
    ("match,player,place\n1,a,1\n1,b,-2\n", "line 3: place -2 of 'b'"),
    ("match,player,place\n1,a,first\n1,b,2\n", "line 2: place 'first': a finite number such as 2 or -3.5 is expected"),
    ("match,player,points\n1,a,NaN\n1,b,2\n", "line 2: points 'NaN': a finite number"),
    ("match,player,points\n1,a,1\n1,b,inf\n", "line 3: points 'inf': a finite number"),
    ("match,player,points\n1,a,1\n1,b,1e400\n", "line 3: points '1e400': a finite number"),
    ("match,player,points\n1,a,1_0\n1,b,1\n", "line 2: points '1_0': a finite number"),
    ("match;player;points\n1;a;1,5\n1;b;1\n", "line 2: points '1,5': a finite number such as 2 or -3.5"),
    ("match,player,points\n1,a,2e9\n1,b,1\n", "line 2: points 2e+09 of 'a': a finite number up to 1e+09"),
    ("match,player,points\n1,a,\n1,b,1\n", "line 2: 'a' has neither a place nor points"),
    ("match,player,place,points\n1,a,1,3\n1,b,,2\n", "line 3: 'b' has no place where others of its match have"),
    ("match,player,place,points\n1,a,1,3\n1,b,2,\n", "line 3: 'b' has no points where others of its match have"),
    ("match,player,place\n1,,1\n1,b,2\n", "line 2: player is empty"),
    ("match,player,place\n1,a,1\n,b,2\n", "line 3: match is empty"),
    ("match,player,place\n1,a\n1,b,2\n", "line 2: 2 cells, where the header has 3"),
    ("match,player,place\n1,a,1\n1,b,2,x\n", "line 3: 4 cells, where the header has 3"),
    ('match,player,place\n1,"a,1\n1,b,2\n', "line 3: no CSV: unexpected end of data"),
    (
        "match,board,player,place\n1,x,a,1\n1,y,b,2\n",
        "line 3: match '1' is on board 'y' here and on another one before",
    ),
    (b"match,player,place\n1,a\0,1\n", "line 2: there is a zero byte"),
    ("match,player,place\n1,a,1\n".encode("utf-16"), "line 1: the text is UTF-16: save it as UTF-8"),
]

JSON_ERRORS = [
    ('[{"match": 1}]\n', "line 1: this is neither a tag of PGN nor JSON lines"),
    (
        '{"match": 1,\n"player": "a"}\n',
        "line 1: no JSON object on one line: Expecting property name enclosed in double quotes at char",
    ),
    ('{"match": 1, "player": "a", "place": 1}\n[1]\n', "line 2: a JSON object is expected on each line, not list"),
    ('{"match": 1, "player": "a", "points": NaN}\n', "line 1: no JSON object on one line: NaN is no number of JSON"),
    ('{"match": 1, "player": "a", "points": -Infinity}\n', "line 1: no JSON object on one line: -Infinity"),
    ('{"match": 1, "player": "a", "points": 1e999}\n', "line 1: points Infinity: a finite number"),
    ('{"match": 1, "player": "a", "points": "3"}\n', 'line 1: points "3": a finite number'),
    ('{"match": 1, "player": "a", "points": true}\n', "line 1: points true: a finite number"),
    ('{"match": 1, "player": "a", "points": ' + "9" * 400 + "}\n", "line 1: points has 400 digits"),
    ('{"match": 1, "player": "", "place": 1}\n', 'line 1: player is "": a name or a whole number is expected'),
    ('{"match": 1, "player": "a"}\n', "line 1: 'a' has neither a place nor points"),
    ('{"players": [{"player": "a", "place": 1}]}\n', "line 1: 'a' is alone in its match"),
    ('{"match": 1, "players": []}\n', "line 1: players is empty"),
    ('{"match": 1, "players": {"a": 1}}\n', "line 1: players: a list such as"),
    ('{"match": 1, "players": ["a", "b"]}\n', "line 1: players: a list such as"),
    ('{"player": "a", "place": 1}\n', "line 1: match is null: a name or a whole number is expected"),
    ('{"match": 1.5, "player": "a", "place": 1}\n', "line 1: match is 1.5: a name or a whole number"),
    ('{"x": ' + "[" * 100_000 + "]" * 100_000 + "}\n", "line 1: its JSON is nested too deeply"),
    ('{"match": 1, "player": "a", "points": ' + "9" * 5000 + "}\n", "line 1: no JSON object on one line: Exceeds the"),
    ('{"match": 1, "player": "\\uD83d", "place": 1}\n', "line 1: half of a surrogate pair, '\\ud83d', is no letter"),
    ('{"format": "king-record/1"}\n', "line 1: no whole record of a match"),
]

PGN_ERRORS = [
    ('[White "a"]\n[Black "a"]\n[Result "1-0"]\n', "line 1: 'a' is in the match twice"),
    ('[White "a"]\n[Black "b"]\n[Result "*"]\n\n*\n', "there are no results: 1 match left out: the result is '*'"),
    ('[white "a"]\n[Black "b"]\n[Result "1-0"]\n', "there are no results: 1 match left out: no tag says who White"),
    (
        '[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 {never\nends\n',
        "line 5: the comment that begins here does not",
    ),
]


@pytest.mark.parametrize(("text", "told"), [*CSV_ERRORS, *JSON_ERRORS, *PGN_ERRORS])
def test_what_is_wrong_is_told_with_its_line_and_what_would_be_right(text: str | bytes, told: str) -> None:
    """Each mistake has one message that names the file, the line and the remedy."""
    assert told in error(text)


REAL_PGN = """\
% exported

[Event "Rated (blitz) game"]
[Site "https://example.org/x"]
[Date "2024.01.01"]
[Round "1.1"]
[White "O\\"Neil, \\\\Jim"]
[Black "Bot B"]
[Result "1/2-1/2"]
[WhiteElo "?"]


1. e4 { [%clk 0:10:00] [%eval 0.2] } 1... e5 { a comment
[White "in a comment"]
[Result "0-1"]
that ends here } 2. Nf3 ; a { that opens nothing
2... Nc6 (2... d6 {[%clk 0:09:59]}) 1/2-1/2
[Result "0-1"]
[Black "O\\"Neil, \\\\Jim"] [White "Bot B"]

1. d4 0-1



[White "Bot B"]
[Black "third"]
[Result "1-0"]
[White "third"]
[Black "Bot B"]
[Result "*"]

[White "third"]
[Black "Bot B"]

1. e4 *

[Event "no names"]
[Result "1-0"]

1-0

[White "?"]
[Black "third"]
[Result "1-0"]

[White "third"]
[Black "Bot B"]
[Result "0-0"]
"""


def test_pgn_as_it_is_found_is_read() -> None:
    """Tags in any order, several on a line or in comments; escapes; games without moves or without blank lines."""
    results = read(REAL_PGN)
    jim = 'O"Neil, \\Jim'
    assert sorted(map(str, matches(results))) == sorted(
        map(str, [{"Bot B": 1, jim: 1}, {"Bot B": 2, jim: 1}, {"Bot B": 1, "third": 2}])
    )
    assert results.deviation is None
    notes = " ".join(results.notes)
    assert "1 match left out: the result is '*' (the first in line 28)" in notes
    assert "1 match left out: there is no tag Result (the first in line 32)" in notes
    assert "2 matches left out: no tag says who White or Black is (the first in line 37)" in notes
    assert "1 match left out: the result is '0-0'" in notes


def test_several_games_may_be_on_one_line() -> None:
    """A tag that comes a second time is of another game, wherever it stands."""
    text = " ".join(f'[White "{white}"] [Black "{black}"] [Result "1-0"]' for white, black in ("ab", "bc", "ca"))
    assert len(matches(read(text))) == 3
    assert matches(read(text)) == matches(read(text.replace("] [", "]\n[")))


def test_quotes_that_are_not_marked_in_a_tag_do_not_cut_a_game_in_two() -> None:
    """The value of a tag then goes to its last quote."""
    text = '[Event "the "big" one"]\n[White "a "x" b"]\n[Site "an "inn""]\n[Black "c"]\n[Result "1-0"]\n\n1. e4 1-0\n'
    assert matches(read(text * 2)) == [{'a "x" b': 1, "c": 2}] * 2
    assert read(text).notes == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("at_once", [1, 2, 7, 1 << 20])
def test_lines_end_as_on_any_system(end: str, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a line feed, a carriage return or both, wherever the parts that are read at once end."""
    monkeypatch.setattr(results_text, "_READ_AT_ONCE", at_once)
    for text, right in (
        ("match,player,place\n\n1,a,1\n1,b,2\n2,a,2\n2,b,1", [{"a": 1, "b": 2}, {"a": 2, "b": 1}]),
        ('[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 {x\n} 1-0\n\n' * 2, [{"a": 1, "b": 2}] * 2),
    ):
        lines = list(results_text.lines_of(BytesIO(text.replace("\n", end).encode())))
        assert b"".join(lines).decode() == text.replace("\n", end)
        assert matches(read_results(lines, name=NAME)) == right


@pytest.mark.slow
def test_a_line_without_an_end_is_refused_before_it_is_read_whole() -> None:
    """A file that is no text does not fill the memory."""
    endless = BytesIO(b"x" * (results_text.LONGEST_LINE + (3 << 20)))
    with pytest.raises(LeagueError, match="line 1: the line has more than 16 MiB"):
        read_results(results_text.lines_of(endless), name=NAME)
    assert endless.tell() <= results_text.LONGEST_LINE + (2 << 20)


def test_results_of_pgn_may_be_written_in_other_ways() -> None:
    """Draws are 1/2-1/2, 1/2 or ½-½."""
    for word, place in (("1/2-1/2", 1), ("1/2", 1), ("½-½", 1), ("1 - 0", 2)):
        assert matches(read(f'[White "a"]\n[Black "b"]\n[Result "{word}"]\n')) == [{"a": 1, "b": place}]


def test_a_tag_can_be_the_board_of_games() -> None:
    """Games with the same value of the tag are one board; those without it are boards of their own."""
    game = '[Round "{}"]\n[White "{}"]\n[Black "{}"]\n[Result "1-0"]\n\n1-0\n\n'
    text = (
        "".join(game.format(number, *names) for number in (1, 2) for names in (("a", "b"), ("b", "a")))
        + '[White "a"]\n[Black "b"]\n[Result "0-1"]\n'
    )
    assert read(text).boards == 5
    results = read(text, board_tag="Round")
    assert (results.matches, results.boards, results.named_boards) == (5, 3, 2)
    assert results.notes == ("1 match has no tag Round: each is a board of its own",)
    assert "which has no tags" in error("match,player,place\n1,a,1\n", board_tag="Round")


def test_text_that_is_not_utf8_is_latin1_and_said() -> None:
    """Older PGN is Latin-1."""
    results = read('[White "Müller"]\n[Black "b"]\n[Result "1-0"]\n'.encode("latin-1"))
    assert results.players == ("Müller", "b")
    assert any("Latin-1" in note for note in results.notes)


def test_the_format_can_be_given() -> None:
    """What the first line looks like does not matter then."""
    text = 'Notes of a tournament\n[White "a"]\n[Black "b"]\n[Result "1-0"]\n'
    assert "a header such as match,player,place" in error(text)
    assert matches(read(text, form=ResultsFormat.PGN)) == [{"a": 1, "b": 2}]


@pytest.mark.parametrize(
    ("text", "form", "told"),
    [
        ('[White "a"]\n[Black "b"]\n[Result "1-0"]\n', "csv", "read as CSV and looks like PGN (--format pgn)"),
        ("match,player,place\n1,a,1\n1,b,2\n", "pgn", "read as PGN and looks like CSV (--format csv)"),
        ('{"match": 1, "player": "a", "place": 1}\n', "csv", "read as CSV and looks like JSON lines (--format jsonl)"),
        ("match,player,place\n1,a,1\n1,b,2\n", "jsonl", "read as JSON lines and looks like CSV (--format csv)"),
    ],
)
def test_a_wrong_format_is_told_with_what_the_file_looks_like(text: str, form: str, told: str) -> None:
    """A file that is wrong in the format it looks like is not said to look like another."""
    with pytest.raises(LeagueError) as raised:
        read(text, form=ResultsFormat(form))
    assert str(raised.value).endswith(told)
    assert "looks like" not in error("match,player,place\n1,a,0\n1,b,1\n")


def record_of(seed: int, names: Sequence[str], **changes: Any) -> Record:
    """A whole match of random actions by players of these names."""
    record = dict(random_match(parse_variant("russian-14"), seed))
    players = [{"seat": seat, "bot": name, "version": "1"} for seat, name in enumerate(names)]
    return {**record, "players": players, "match_id": f"match-{seed}", **changes}


def test_records_of_king_count_as_on_a_ladder() -> None:
    """Places, points and deals come from records; who forfeited is last and has lost a fixed number of points."""
    whole = record_of(1, "abcd")
    forfeit = {"seat": whole["places"].index(1), "kind": "exit", "deal": 3, "action": 1, "detail": ""}
    failed = record_of(1, "abcd", match_id="failed", forfeits=[forfeit])
    cut = record_of(2, "abcd", termination={"kind": "aborted", "detail": ""})
    results = read("".join(json.dumps(record) + "\n" for record in (whole, failed, cut)))
    names = ["a 1", "b 1", "c 1", "d 1"]
    assert results.players == tuple(names)
    assert (results.deals, results.boards, results.matches) == (14, 1, 2)
    told = {match["a 1"]: match for match in matches(results)}
    assert dict(zip(names, whole["places"], strict=True)) in told.values()
    first = names[forfeit["seat"]]
    assert sorted(match[first] for match in told.values()) == [1, 4]
    assert results.deviation is not None
    of_first = results.deviation[results.player == names.index(first)]
    mean = sum(whole["totals"]) / 4
    assert sorted(of_first) == [-parse_variant("russian-14").forfeit_points, max(whole["totals"]) - mean]
    assert results.notes == ("1 match left out: the match is aborted (the first in line 3)",)


def test_records_of_different_variants_or_with_other_matches_do_not_mix() -> None:
    """Ratings of different games say nothing together."""
    one = json.dumps(record_of(1, "abcd")) + "\n"
    other = json.dumps({**random_match(parse_variant("base-14"), 2)}) + "\n"
    assert "line 2: a record of base-14 after records of russian-14" in error(one + other)
    row = '{"match": 1, "players": [{"player": "a", "place": 1}, {"player": "b", "place": 2}]}\n'
    assert "records of King and other matches are mixed" in error(one + row)


@pytest.mark.parametrize("form", list(ResultsFormat))
def test_the_order_of_lines_does_not_matter(form: ResultsFormat) -> None:
    """Shuffled games, rows or objects give the same results in the same order."""
    draw = random.Random(1)
    pieces: list[str] = []
    for at in range(60):
        a, b = draw.sample("abcdef", 2)
        won = draw.randint(0, 1)
        if form is ResultsFormat.PGN:
            pieces.append(f'[White "{a}"]\n[Black "{b}"]\n[Result "{("1-0", "0-1")[won]}"]\n\n1. e4\n')
        elif form is ResultsFormat.JSON_LINES:
            both = [{"player": a, "points": won}, {"player": b, "points": 1 - won}]
            pieces.append(json.dumps({"board": at % 7, "players": both}) + "\n")
        else:
            pieces += [f"m{at},{at % 7 or ''},{a},{1 + won}\n", f"m{at},{at % 7 or ''},{b},{2 - won}\n"]
    header = "match,board,player,place\n" if form is ResultsFormat.CSV else ""
    one = read(header + "".join(pieces))
    other = read(header + "".join(draw.sample(pieces, len(pieces))))
    assert one.players == other.players
    for name in ("player", "match", "board", "standing", "place"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


def test_reasons_are_told_up_to_a_number() -> None:
    """However many different reasons there are to leave matches out, and however long, one sentence tells them."""
    games = "".join(f'[White "a"]\n[Black "b"]\n[Result "{number}{"x" * 500}"]\n\n*\n\n' for number in range(1000))
    told = error(games)
    assert "990 matches left out: for other reasons of these kinds (the first in line 61)" in told
    assert len(told) < 2000


@pytest.mark.parametrize("cell", ["9" * 5000, "x" * 5000])
def test_a_cell_is_quoted_by_its_start(cell: str) -> None:
    """A cell that is as long as a book is not told whole."""
    assert len(error(f"match,player,points\n1,a,{cell}\n1,b,2\n")) < 200
