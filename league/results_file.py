"""Reads results of matches from lines of CSV, JSON lines or PGN.

Pure: lines of bytes come in, whoever read them. Every error names the file, the line and what would be right.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from league.errors import LeagueError
from league.open_results import NOT_GIVEN, Collector, OpenResults
from league.pgn import WHITE_AND_BLACK, begins_with_tag, games, tag_text
from league.results_csv import ResultsTable
from league.results_json import JsonLines
from league.results_text import FORMAT_NAMES, ResultsFormat, ResultsText


def read_results(
    lines: Iterable[bytes], *, name: str, form: ResultsFormat | None = None, board_tag: str | None = None
) -> OpenResults:
    """Reads the results of a file.

    `name` is how errors call it; `form` None: as its first line looks. `board_tag`: of PGN the tag whose value is the
    board (such as Round, where each round is one opening with sides exchanged). Raises LeagueError.
    """
    text = ResultsText(name)
    rest = text.lines(lines)
    seen: list[str] = []
    for line in rest:
        seen.append(line)
        if line.strip():
            break
    else:
        raise LeagueError(f"{name} is empty: results are expected, as CSV, JSON lines or PGN")
    whole = chain(seen, rest)
    collector = Collector(text.fail)
    deals: int | None = None
    looks, given = _form_of(seen[-1]), form
    form = form or looks
    if form is None:
        text.fail(
            len(seen), "this is neither a tag of PGN nor JSON lines, which have one object a line: no [ around them"
        )
    if board_tag is not None and form is not ResultsFormat.PGN:
        raise LeagueError(f"{name} is {form}, which has no tags: the board is a column or field there")
    try:
        if form is ResultsFormat.PGN:
            _read_pgn(text, whole, collector, board_tag)
        elif form is ResultsFormat.JSON_LINES:
            deals = JsonLines(text, collector).read(whole)
        else:
            ResultsTable(text, collector).read(whole)
        notes = text.all_notes()
        if not collector and notes:
            raise LeagueError(f"there are no results: {'; '.join(notes)}")
        return collector.results(deals=deals, notes=notes)
    except LeagueError as error:
        told = str(error) if str(error).startswith(f"{name}:") else f"{name}: {error}"
        if given and looks and looks is not given:
            told = (
                f"{told}; it was read as {FORMAT_NAMES[given]} and looks like {FORMAT_NAMES[looks]} (--format {looks})"
            )
        raise LeagueError(told) from error


def _form_of(first: str) -> ResultsFormat | None:
    """What the first line that is not empty looks like; None for a list, which is nothing."""
    start = first.lstrip()
    if start.startswith("{"):
        return ResultsFormat.JSON_LINES
    if begins_with_tag(start) or start[0] in "%;":
        return ResultsFormat.PGN
    return None if start.startswith("[") else ResultsFormat.CSV


def _read_pgn(text: ResultsText, lines: Iterable[str], collector: Collector, board_tag: str | None) -> None:
    boards_lacking = 0
    for game in games(lines):
        white, black, result = (tag_text(game.tags.get(tag, "")) for tag in ("White", "Black", "Result"))
        if white in {"", "?"} or black in {"", "?"}:
            text.skip("no tag says who White or Black is", game.line)
            continue
        places = WHITE_AND_BLACK.get(result.replace(" ", ""))
        if places is None:
            text.skip(f"the result is {result[:40]!r}" if result else "there is no tag Result", game.line)
            continue
        board = tag_text(game.tags.get(board_tag, "")) if board_tag else ""
        boards_lacking += not board
        match = collector.unnamed_match(f"{white}\0{black}\0{result}", board)
        collector.add(match, white, places[0], NOT_GIVEN, game.line)
        collector.add(match, black, places[1], NOT_GIVEN, game.line)
    if board_tag and boards_lacking:
        have = "1 match has" if boards_lacking == 1 else f"{boards_lacking} matches have"
        text.note(f"{have} no tag {board_tag}: each is a board of its own")
