"""`king variants`, `rules`, `random`, `verify`, `legal`: the rules engine on the command line.

Each command parses, makes one call and prints. Must not know a rule.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from king_cli.errors import naming, printable
from king_cli.record_files import check_record_file, read_record_file

RECORD_IS_WRONG = 1
HIGHEST_SEED = (1 << 64) - 1

VariantArgument = Annotated[str, typer.Argument(metavar="VARIANT", help="A variant id, such as russian-14.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command("variants")(variants)
    app.command("rules")(rules)
    app.command("random")(random)
    app.command("verify")(verify)
    app.command("legal")(legal)


def variants(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List every preset, and every variant with its options."""
    from referee.rules import PRESETS, VARIANTS, variants_json

    if as_json:
        _print_json(variants_json())
        return
    typer.echo("Presets:")
    for preset in PRESETS:
        typer.echo(f"  {preset}")
    typer.echo("Variants and their options (the first value is the default):")
    for row in VARIANTS.values():
        typer.echo(f"  {row.id}: {row.title.en}")
        for option in row.options:
            values = [option.text(value) for value in option.values]
            typer.echo(f"    {option.name} = {' | '.join(values + ([option.lists.pattern] if option.lists else []))}")


def rules(
    variant: VariantArgument,
    lang: Annotated[str, typer.Option(help="The language: en or ru.")] = "en",
) -> None:
    """Print the rules of one variant, as text."""
    from referee.rules import describe, description_text, parse_variant

    typer.echo(description_text(describe(parse_variant(variant), lang)), nl=False)


def random(
    variant: VariantArgument,
    seed: Annotated[int, typer.Option(min=0, max=HIGHEST_SEED, help="Decides cards and actions.")] = 1,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write; default: standard output.")] = None,
) -> None:
    """Play random legal actions and write the record.

    One whole match, in this process.
    """
    from referee.random_match import random_match
    from referee.rules import parse_variant, record_text, write_record

    record = random_match(parse_variant(variant), seed)
    if out is None:
        typer.echo(record_text(record), nl=False)
    else:
        with naming(out):
            write_record(out, record)


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Match records.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Replay and check records, their secrets included.

    Exit status 1 if one is wrong.
    """
    for file in files:
        check_record_file(file)
    answers = []
    for file in files:
        answers.append(_verify_one(file))
        if not as_json:
            _print_answer(answers[-1])
    if as_json:
        _print_json({"records": answers})
    if not all(answer["ok"] for answer in answers):
        raise typer.Exit(RECORD_IS_WRONG)


def _verify_one(file: Path) -> dict[str, Any]:
    from referee.rules import Problem, RulesError
    from referee.verification import Verification, verify_text

    text = read_record_file(file)
    try:
        answer = verify_text(text)
    except RulesError as error:
        answer = Verification((Problem("", str(error)),), ())
    return {
        "file": str(file),
        "ok": not answer.problems,
        "problems": [{"path": problem.path, "message": problem.message} for problem in answer.problems],
        "unchecked": list(answer.unchecked),
    }


def _print_answer(answer: dict[str, Any]) -> None:
    for problem in answer["problems"]:
        place = f"{problem['path']}: " if problem["path"] else ""
        typer.echo(printable(f"{answer['file']}: {place}{problem['message']}"), err=True)
    if answer["ok"]:
        typer.echo(f"{answer['file']}: ok")
    for sentence in answer["unchecked"]:
        typer.echo(f"{answer['file']}: not checked: {sentence}")


def legal(file: Annotated[Path, typer.Argument(metavar="FILE", help="A match record.")]) -> None:
    """Print what is legal at the end of an unfinished record.

    As JSON.
    """
    from referee.rules import RulesError, legal_json, parse_record

    text = read_record_file(file)
    try:
        answer = legal_json(parse_record(text))
    except RulesError as error:
        typer.echo(printable(f"{file}: {error}"), err=True)
        raise typer.Exit(RECORD_IS_WRONG) from error
    _print_json(answer)


def _print_json(answer: object) -> None:
    typer.echo(json.dumps(answer, ensure_ascii=False, indent=2))
