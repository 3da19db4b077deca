"""`king rate`: the ladder of any file of results, without a league."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from king_cli.errors import UsageError
from league.game_pairs import EloModel
from league.results_text import ResultsFormat

if TYPE_CHECKING:
    from league.open_ladder import Asked, DuelQuestion
    from league.open_results import OpenResults

STANDARD_INPUT = "-"
HIGHEST_ELO = 1e6


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(rate)


def rate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="CSV, JSON lines or PGN; - is standard input.")],
    prior: Annotated[
        float, typer.Option(min=0, help="Virtual draws of each player against one at the mean; 0: maximum likelihood.")
    ] = 2.0,
    anchor: Annotated[
        str | None, typer.Option(metavar="PLAYER[=ELO]", help="Put this player at ELO (1500), not the mean.")
    ] = None,
    mean: Annotated[float | None, typer.Option(help="The mean Elo of all players; default 1500.")] = None,
    deals: Annotated[int | None, typer.Option(min=1, help="Deals of a match: points are told by deal.")] = None,
    matrix: Annotated[bool, typer.Option("--matrix", help="Print the chance of each to be above each other.")] = False,
    sprt: Annotated[
        str | None, typer.Option(metavar="ELO0,ELO1", help="Of two players: test ELO1 against ELO0, as 0,5.")
    ] = None,
    model: Annotated[EloModel, typer.Option(help="What the Elo of --sprt is.")] = EloModel.NORMALIZED,
    player: Annotated[
        str | None, typer.Option(help="Whose side --sprt takes; default: who is named first in the file.")
    ] = None,
    board_tag: Annotated[
        str | None, typer.Option(metavar="TAG", help="The tag of PGN that says the board, such as Round.")
    ] = None,
    form: Annotated[ResultsFormat | None, typer.Option("--format", help="Default: as the file looks.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Rate any results of matches, with intervals.

    Elo and points, and who is better than whom. CSV has a header with match, player, and place or points; board is
    optional. JSON lines have the same fields. PGN has the results of two players.
    """
    from king_cli.rating_tables import print_notes, print_rated
    from king_cli.reporting import print_json
    from league.open_ladder import rated_json

    question = _question(sprt, model, player)
    results = _read(file, form, board_tag)
    answer = rated_json(results, _asked(results, prior, mean, anchor, deals, question))
    if as_json:
        print_json(answer)
        return
    print_rated(answer, of=file if file != STANDARD_INPUT else "standard input", matrix=matrix)
    print_notes(answer)


def _read(file: str, form: ResultsFormat | None, board_tag: str | None) -> OpenResults:
    from league.results_file import read_results
    from league.results_text import lines_of

    with _opened(file) as lines:
        return read_results(
            lines_of(lines),
            name="standard input" if file == STANDARD_INPUT else file,
            form=form,
            board_tag=board_tag,
        )


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with Path(file).open("rb") as lines:
        yield lines


def _question(sprt: str | None, model: EloModel, player: str | None) -> DuelQuestion | None:
    from league.open_ladder import DuelQuestion

    if sprt is None:
        if player is not None:
            raise UsageError("--player says whose side --sprt takes: give --sprt ELO0,ELO1 too")
        return None
    try:
        elo0, elo1 = (float(word) for word in sprt.split(","))
    except ValueError:
        raise UsageError(f"--sprt {sprt!r}: two numbers are expected, as 0,5") from None
    return DuelQuestion(elo0=elo0, elo1=elo1, model=model, of=player)


def _asked(
    results: OpenResults,
    prior: float,
    mean: float | None,
    anchor: str | None,
    deals: int | None,
    question: DuelQuestion | None,
) -> Asked:
    from league.open_ladder import Asked
    from league.ratings import MEAN_ELO

    if anchor is not None and mean is not None:
        raise UsageError("--anchor and --mean both say where Elo begins: give one of them")
    if mean is not None and not abs(mean) <= HIGHEST_ELO:
        raise UsageError(f"--mean {mean:g}: a finite Elo such as 1500 is expected")
    name, elo = (None, MEAN_ELO) if anchor is None else _anchor(anchor, results.players)
    return Asked(
        prior=prior,
        mean=MEAN_ELO if mean is None else mean,
        anchor=name,
        anchor_elo=elo,
        deals=deals,
        question=question,
    )


def _anchor(text: str, players: tuple[str, ...]) -> tuple[str, float]:
    """The player and the Elo of PLAYER[=ELO]; a name may have = in it."""
    from league.ratings import MEAN_ELO

    name, sign, elo = text.rpartition("=")
    if text in players or not sign:
        return text, MEAN_ELO
    try:
        value = float(elo)
    except ValueError:
        value = math.nan
    if not abs(value) <= HIGHEST_ELO:
        raise UsageError(f"--anchor {text!r}: a player, or a player and Elo as in {name}=1500, is expected")
    return name, value
