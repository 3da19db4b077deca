"""Exact numbers of legal lines, as perft in chess: how many ways a small fixed deal can be played.

Run as a module it writes every count file anew: `python -m tests.counts.counting`.
"""

import json
from pathlib import Path
from typing import Any

from referee.rules import (
    PRESETS,
    Contract,
    Play,
    TrumpRule,
    Variant,
    cards_of,
    mask_of,
    parse_variant,
    play_rules,
)
from tests.rules.positions import begin, only

FOLDER = Path(__file__).parent
CARDS_EACH = 4
OPENING_DEPTH = 3
STRIDE = 11
"""Prime to every pack's size: cards are dealt from the pack in steps of it, which mixes suits and ranks."""


def count_file(preset: str) -> Path:
    """Return the file of a preset's counts."""
    name = preset.replace("[", "_").replace("]", "").replace(",", "_").replace("=", "-")
    return FOLDER / f"{name}.json"


def counts(preset: str) -> dict[str, Any]:
    """Count the lines of every contract from one small deal, and of every opening to a small depth."""
    variant = parse_variant(preset)
    play = {
        f"{contract.id}{f' {trump}' if trump else ''}": play_lines(variant, contract, trump)
        for contract in variant.contracts.values()
        if contract.is_played
        for trump in trumps_of(contract)
    }
    return {"variant": preset, "play": play, "openings": opening_lines(variant)}


def trumps_of(contract: Contract) -> list[str | None]:
    """Return the trumps to count a contract with: none, and hearts and spades where it has one."""
    suits: list[str | None] = [suit for suit in "SH" if suit in contract.trump_suits]
    by_rule: dict[TrumpRule, list[str | None]] = {
        TrumpRule.NONE: [None],
        TrumpRule.NAMED: suits,
        TrumpRule.OPTIONAL: [None, *suits],
    }
    return by_rule[contract.trump]


def play_lines(variant: Variant, contract: Contract, trump: str | None) -> int:
    """Count the ways to play `CARDS_EACH` tricks from fixed small hands."""
    rules = play_rules(contract, seats=variant.seats, pack=variant.pack_mask, trump=trump)
    size = len(variant.pack)
    mixed = [variant.pack[place * STRIDE % size] for place in range(CARDS_EACH * variant.seats)]
    hands = [mask_of(mixed[seat :: variant.seats]) for seat in range(variant.seats)]
    return _lines(Play(rules, hands, 0))


def _lines(play: Play) -> int:
    if play.over or all(hand.bit_count() == 1 for hand in play.hands):
        return 1  # with a card each there is one way to go on
    total = 0
    for card in cards_of(play.legal()):
        after = play.copy()
        after.play(card)
        total += _lines(after)
    return total


def opening_lines(variant: Variant) -> dict[str, list[int]]:
    """Count the lines of one to `OPENING_DEPTH` actions at the start of each kind of deal; those of plays count too."""
    kinds = {plan: number for number, plan in reversed(list(enumerate(variant.deals, 1))) if plan.opening.steps}
    return {f"deal {number}": _opening_counts(only(variant, number)) for number in sorted(kinds.values())}


def _opening_counts(variant: Variant) -> list[int]:
    lines: list[tuple[int, ...]] = [()]
    found = []
    for _ in range(OPENING_DEPTH):
        lines = [(*line, index) for line in lines for index in range(_legal_after(variant, line))]
        found.append(len(lines))
    return found


def _legal_after(variant: Variant, line: tuple[int, ...]) -> int:
    match = begin(variant)
    for index in line:
        match.apply(match.legal_actions()[index])
    return len(match.legal_actions())


def regenerate() -> None:
    """Write every count file anew, and remove those of no preset."""
    wanted = {count_file(preset): preset for preset in PRESETS}
    for file in FOLDER.glob("*.json"):
        if file not in wanted:
            file.unlink()
    for file, preset in wanted.items():
        file.write_text(json.dumps(counts(preset), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(file.name)


if __name__ == "__main__":
    regenerate()
