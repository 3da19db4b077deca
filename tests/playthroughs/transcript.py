"""A match as text, for golden files: what was dealt, what was legal, what was done, what came of it.

Run as a module it writes every golden file anew: `python -m tests.playthroughs.transcript`.
"""

from collections.abc import Iterator
from pathlib import Path

from referee.random_match import random_match
from referee.rules import PRESETS, Position, Record, parse_variant, replay

FOLDER = Path(__file__).parent
SEED = 20


def golden_file(preset: str) -> Path:
    """Return the file of a preset's playthrough."""
    name = preset.replace("[", "_").replace("]", "").replace(",", "_").replace("=", "-")
    return FOLDER / f"{name}.txt"


def transcript(preset: str) -> str:
    """Play a random match of a preset and write it down.

    A play is followed by the number of legal cards; other actions by all that was legal.
    """
    record = random_match(parse_variant(preset), SEED)
    return "\n".join(_lines(preset, record)) + "\n"


def _lines(preset: str, record: Record) -> Iterator[str]:
    yield f"{preset}, rules version {record['rules_version']}"
    yield f"options {record['options']}"
    for deal, played in zip(record["deals"], replay(record).deals, strict=True):
        yield ""
        yield f"deal {deal['number']}, dealer {deal['dealer']}"
        yield from (f"  seat {seat}: {' '.join(hand)}" for seat, hand in enumerate(deal["hands"]))
        if deal["talon"]:
            yield f"  talon: {' '.join(deal['talon'])}"
        yield from _opening(deal, played.positions)
        known = ("contract", "declarer", "trump", "misere", "price", "exposed")
        yield "  " + ", ".join(f"{name} {deal[name]}" for name in known if deal[name] not in {None, False})
        yield from _tricks(deal, played.positions)
        early = ", ended early" if deal["ended_early"] else ""
        king = "" if deal["made_king"] is None else f", seat {deal['made_king']} made King"
        yield f"  points {deal['points']}, totals {list(played.positions[-1].totals)}{early}{king}"
    yield ""
    yield f"totals {record['totals']}, places {record['places']}, settlement {record['settlement']}"


def _opening(deal: Record, positions: tuple[Position, ...]) -> Iterator[str]:
    for action, position in zip(deal["actions"], positions, strict=False):
        if action["do"] != "play":
            legal = ", ".join(_words(one) for one in position.legal)
            yield f"  seat {action['seat']}: {_words(action)}  of: {legal}"


def _words(action: dict[str, object]) -> str:
    values = [str(value) for name, value in action.items() if name not in {"seat", "do", "by"} and value is not None]
    return " ".join([str(action["do"]), *values])


def _tricks(deal: Record, positions: tuple[Position, ...]) -> Iterator[str]:
    plays = [
        f"{action['card']}/{len(position.legal)}"
        for action, position in zip(deal["actions"], positions, strict=False)
        if action["do"] == "play"
    ]
    for number, trick in enumerate(deal["tricks"], 1):
        cards = [plays.pop(0) for _ in trick["cards"]]
        yield f"  {number:2} led by {trick['leader']}: {' '.join(cards)} to {trick['taker']}"


def regenerate() -> None:
    """Write every golden file anew, and remove those of no preset."""
    wanted = {golden_file(preset): preset for preset in PRESETS}
    for file in FOLDER.glob("*.txt"):
        if file not in wanted:
            file.unlink()
    for file, preset in wanted.items():
        file.write_text(transcript(preset), encoding="utf-8")
        print(file.name)


if __name__ == "__main__":
    regenerate()
