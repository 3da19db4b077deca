"""`king ask`: what a bot would do now in a position of a record, beside what was done then."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from king_cli.errors import UsageError
from king_cli.record_files import read_record_file
from king_cli.season_commands import DEFAULT_TIME_CONTROL

if TYPE_CHECKING:
    from king_cli.asking.desk import Answer
    from king_cli.asking.positions import AskedPosition

NO = 1


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(ask)


def ask(
    bot: Annotated[str, typer.Argument(help="A sample's name, a bot folder, a manifest, or cmd:…")],
    record: Annotated[Path, typer.Argument(help="A match record.")],
    deal: Annotated[int, typer.Option(help="The deal, from 1.")],
    action: Annotated[
        int, typer.Option(metavar="N", help="Ask before action N of the deal, from 1; a replay shows that at play=N-1.")
    ],
    time_control: Annotated[str, typer.Option(help="The clock that the bot is told.")] = DEFAULT_TIME_CONTROL,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Ask a bot what it would do now in a position of a record.

    It is shown beside what was done then. The bot is told all that the seat of that action had been told. Ends with
    status 1 if it gives no answer.
    """
    from king_cli.asking.desk import AnswerError
    from king_cli.asking.desk import ask as ask_bot
    from king_cli.asking.positions import asked_position
    from king_cli.reporting import print_json, report_line
    from referee.clock import TimeControl
    from referee.rules import RulesError, parse_record
    from workers.bots import find_bot
    from workers.building import build_bots

    try:
        control = TimeControl.parse(time_control)
    except ValueError as error:
        raise UsageError(str(error)) from None
    try:
        position = asked_position(parse_record(read_record_file(record)), deal=deal, number=action, control=control)
    except RulesError as error:
        raise UsageError(f"{record} is no record that can be asked about: {error}") from None
    program = find_bot(bot)
    build_bots([program], report_line)
    try:
        answer = ask_bot(program, position, control)
    except AnswerError as error:
        lines = [f"{program.name} {program.version}: {error}", *(f"    | {line}" for line in error.stderr)]
        typer.echo("\n".join(lines), err=True)
        raise typer.Exit(NO) from None
    result = _result(position, answer, f"{program.name} {program.version}")
    if json:
        print_json(result)
    else:
        typer.echo("\n".join(_lines(position, result)))


def _result(position: AskedPosition, answer: Answer, bot: str) -> dict[str, Any]:
    now = position.legal[answer.index]
    return {
        "variant": position.variant.id,
        "deal": position.deal,
        "action": position.number,
        "contract": position.contract or None,
        "seat": position.seat,
        "hand": list(position.hand),
        "trick": list(position.trick),
        "legal": [action.to_json() for action in position.legal],
        "then": {"player": position.player, "by": position.by.value, "action": position.then.to_json()},
        "now": {"player": bot, "action": now.to_json(), "index": answer.index, "ms": answer.milliseconds},
        "same": now == position.then,
    }


def _lines(position: AskedPosition, result: dict[str, Any]) -> list[str]:
    place = f"{result['variant']}, deal {position.deal}, action {position.number}, seat {position.seat}"
    lines = [f"{place}: {position.contract or 'no contract yet'}", f"hand   {' '.join(position.hand)}"]
    if position.trick:
        lines.append(f"trick  {' '.join(position.trick)}")
    lines.append(f"legal  {', '.join(_words(form) for form in result['legal'])}")
    by = "" if position.by == "bot" else f" ({position.by.value})"
    then, now = result["then"], result["now"]
    lines.append(f"then   {_words(then['action'])}: {then['player']}{by}")
    same = ", the same" if result["same"] else ""
    lines.append(f"now    {_words(now['action'])}: {now['player']}, after {now['ms']} ms{same}")
    return lines


def _words(form: dict[str, Any]) -> str:
    """An action in a few words: "KH", "bid 4", "choose no_king"."""
    values = [str(value) for name, value in form.items() if name not in {"seat", "do"} and value is not None]
    return values[0] if form["do"] == "play" else " ".join([form["do"].replace("_", " "), *values])
