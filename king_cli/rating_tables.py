"""The tables of `king rate`, from its JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from king_cli.reporting import BEYOND_DOUBT, counted, listed, number_text, provisional_lines, with_interval
from league.open_ladder import p_above

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PLACES_SHOWN = 8
MATRIX_UP_TO_PLAYERS = 40


def print_rated(answer: Mapping[str, Any], *, of: str, matrix: bool) -> None:
    """Print the ladder, which differences are beyond doubt, and a duel, on standard output."""
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=max(console.width, 140))
    console.print(_ladder(answer, of))
    if matrix:
        _print_matrix(console, answer["ratings"])
    rows = answer["ratings"]
    unsure = provisional_lines([shown(row["player"]) for row in rows if row["provisional"]], of=len(rows))
    for line in [*_verdicts(answer), *unsure, *_duel(answer["duel"])]:
        typer.echo(line)


def print_notes(answer: Mapping[str, Any]) -> None:
    """Print what was left out or could not be told, on standard error."""
    for note in answer["notes"]:
        typer.echo(f"king: {note}", err=True)


def shown(name: str) -> str:
    """A name without what could move the cursor or colour the screen."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)


def _table(title: str, caption: str) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", caption_justify="left")
    table.caption = Text(caption)
    return table


def _ladder(answer: Mapping[str, Any], of: str) -> Table:
    from rich.text import Text

    rows, with_points = answer["ratings"], answer["judged_by"] == "points"
    matches, boards = answer["matches"], answer["boards"]
    anchor = answer["anchor"]
    begins = f"{shown(anchor['player'])} at" if anchor else "mean"
    elo = anchor["elo"] if anchor else answer["mean"]
    table = _table(
        f"Ladder of {shown(of)}",
        f"{counted(matches, 'match', 'matches')} on {counted(boards, 'board')}; 95 % intervals in brackets; "
        f"Elo per match, {begins} {number_text(elo, 0)}",
    )
    places = len(rows[0]["places"]) if len(rows[0]["places"]) <= PLACES_SHOWN else 0
    table.add_column("", justify="right")
    table.add_column("Player", overflow="fold")
    headings = ["Elo", *([_unit(answer)] if with_points else []), "Boards", "Matches"]
    for heading in [*headings, *(f"#{place + 1}" for place in range(places))]:
        table.add_column(heading, justify="right")
    for row in rows:
        is_anchor = anchor is not None and row["player"] == anchor["player"]  # others' intervals are those to it
        ends = (None, None) if is_anchor else (row["elo_low"], row["elo_high"])
        cells = [with_interval(row["elo"], *ends, digits=0)]
        if with_points:
            cells.append(
                with_interval(row["points_per_deal"], row["points_low"], row["points_high"], digits=2, sign="+")
            )
        counts = [row["boards"], row["matches"], *row["places"][:places]]
        table.add_row(str(row["rank"]), Text(shown(row["player"])), *cells, *map(str, counts))
    return table


def _unit(answer: Mapping[str, Any]) -> str:
    return "Points per match" if answer["deals_per_match"] == 1 else "Points per deal"


def _print_matrix(console: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    from rich.text import Text

    if len(rows) > MATRIX_UP_TO_PLAYERS:
        typer.echo(f"The matrix is printed up to {MATRIX_UP_TO_PLAYERS} players; --json has differences.", err=True)
        return
    table = _table("Chance in % to finish above, a tie counting half", "the row above the column")
    table.add_column("Player", overflow="fold")
    for row in rows:
        table.add_column(str(row["rank"]), justify="right")
    for row in rows:
        cells = ["–" if row is other else f"{100 * p_above(row['elo'] - other['elo']):.0f}" for other in rows]
        table.add_row(Text(f"{row['rank']} {shown(row['player'])}"), *cells)
    console.print(table)


def _verdicts(answer: Mapping[str, Any]) -> list[str]:
    """One line for each player that is better than others beyond doubt; none while that cannot be judged."""
    differences = answer["differences"]
    if all(one["p_holm"] is None for one in differences):
        return []
    by_points = answer["judged_by"] == "points"
    beaten: dict[str, list[str]] = {}
    for one in differences:
        if one["p_holm"] is not None and one["p_holm"] < BEYOND_DOUBT:
            value = one["points_per_deal"] if by_points else one["elo"]
            better, worse = (one["a"], one["b"]) if value > 0 else (one["b"], one["a"])
            beaten.setdefault(better, []).append(f"{shown(worse)} by {abs(value):.{2 if by_points else 0}f}")
    if not beaten:
        return [f"No player is better than another beyond doubt (p < {BEYOND_DOUBT}) yet."]
    unit = _unit(answer).lower() if by_points else "Elo"
    lines = [f"{shown(better)} is better than {listed(worse)}" for better, worse in beaten.items()]
    return [*lines, f"({unit}; p < {BEYOND_DOUBT} after Holm's correction over all pairs)"]


def _duel(duel: Mapping[str, Any] | None) -> list[str]:
    if duel is None:
        return []
    a, b = shown(duel["a"]), shown(duel["b"])
    lines = [f"{a} against {b}: {duel['won']} won, {duel['tied']} tied, {duel['lost']} lost; score {duel['score']:.3f}"]
    if duel["pairs"]:
        left_out = counted(duel["left_out"], "match", "matches")
        alone = f"; {left_out} without a second left out" if duel["left_out"] else ""
        lines.append(f"  pairs with 0, ½, 1, 1½, 2 points: {', '.join(map(str, duel['pairs']))}{alone}")
    lines.append(
        f"  Elo {_give_or_take(duel['elo'], duel['elo_error'])}, "
        f"normalised {_give_or_take(duel['normalized_elo'], duel['normalized_elo_error'])}, "
        f"likelihood of superiority {100 * duel['los']:.2f} %"
    )
    test = duel["sprt"]
    if test:
        lines.append(
            f"  SPRT, {test['model']} Elo {test['elo0']:g} against {test['elo1']:g}: LLR {number_text(test['llr'], 2)} "
            f"({number_text(test['lower'], 3)}, {number_text(test['upper'], 3)}): {test['verdict']}"
        )
    return lines


def _give_or_take(value: float | None, error: float | None) -> str:
    if value is None:
        return "–"
    return number_text(value, 2, "+") + ("" if error is None else f" ± {error:.2f}")
