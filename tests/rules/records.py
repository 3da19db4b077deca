"""Records for tests, and ways to change one at any place."""

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from referee import dealing
from referee.random_match import random_match
from referee.rules import (
    By,
    Match,
    Player,
    Secrets,
    Taken,
    match_record,
    parse_record,
    parse_variant,
    record_text,
    replay,
)

QUICK = ("russian-14", "turkish-20", "classic[redemption=praise,seats=3]", "classic[redemption=talon]", "auction-11")
NOT_COMPARED = re.compile(r"match_id|players\[\d+\]\.(bot|version)|context.*|.*\.(detail|ms|asked_with)")


@cache
def text_of(variant: str, seed: int) -> str:
    """Return the record of a random match as text."""
    return record_text(random_match(parse_variant(variant), seed))


def record_of(variant: str, seed: int = 1) -> dict[str, Any]:
    """Return the record of a random match, as read."""
    return parse_record(text_of(variant, seed))


def places(form: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Go through every field and entry of a record, with its path."""
    if isinstance(form, dict):
        for name, value in form.items():
            yield from places(value, f"{path}.{name}" if path else name)
    if isinstance(form, list):
        for place, value in enumerate(form):
            yield from places(value, f"{path}[{place}]")
    if path:
        yield path, form


def copy_of(record: dict[str, Any]) -> dict[str, Any]:
    """Return a copy that shares nothing with the record."""
    copied: dict[str, Any] = json.loads(json.dumps(record))
    return copied


def inside(record: dict[str, Any], path: str) -> tuple[Any, str | int]:
    """Return the object or list that a path ends in, and the last step of the path."""
    steps = [int(step) if step.isdigit() else step for step in re.findall(r"[^.\[\]]+", path)]
    for step in steps[:-1]:
        record = record[step]  # type: ignore[index] # the path leads through lists and objects
    return record, steps[-1]


def changed(record: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """Return a copy of a record with another value at a path."""
    other = copy_of(record)
    container, last = inside(other, path)
    container[last] = value
    return other


def without(record: dict[str, Any], path: str) -> dict[str, Any]:
    """Return a copy of a record that lacks what is at a path."""
    other = copy_of(record)
    container, last = inside(other, path)
    del container[last]
    return other


def names(problem_path: str, path: str) -> bool:
    """Whether a problem names a place, or the thing that the place is part of or consists of."""
    return problem_path.startswith(path) or path.startswith(problem_path)


def other_value(value: object, chance: random.Random) -> object:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice([-2, -1, 1, 2])
    if isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value):
        place = chance.randrange(64)
        digit = chance.choice([other for other in "0123456789abcdef" if other != value[place]])
        return value[:place] + digit + value[place + 1 :]
    if isinstance(value, str) and re.fullmatch("[2-9TJQKA][SHDC]", value):
        return chance.choice([rank + suit for rank in "789TJQKA" for suit in "SHDC" if rank + suit != value])
    return chance.choice([7, "nonsense", [], {}, 0.5]) if value is None else None


def cut(record: dict[str, Any], deal: int, actions: int) -> dict[str, Any]:
    """Return the record as it was when the deal (from 1) had so many actions: by playing it again that far."""
    variant = parse_variant(replay(record).variant.id)
    seed = bytes.fromhex(record["deal_seed"])
    match = Match(variant, dealing.packs(seed, variant), dealing.first_seat(seed, variant))
    match.start()
    taken: list[list[Taken]] = []
    for form in record["deals"][:deal]:
        taken.append([])
        for action in form["actions"][: actions if form["number"] == deal else None]:
            (legal,) = [one for one in match.legal_actions() if one.to_json().items() <= action.items()]
            taken[-1].append(Taken(by=By(action["by"])))
            match.apply(legal)
    return match_record(
        match,
        match_id="cut",
        players=[Player(bot="random", version="1")] * variant.seats,
        context={},
        secrets=Secrets(
            deal_secret=bytes.fromhex(record["deal_secret"]),
            deal_salt=bytes.fromhex(record["deal_salt"]),
            deal_seed=seed,
            deal_commitment=bytes.fromhex(record["deal_commitment"]),
        ),
        taken=taken,
    )
