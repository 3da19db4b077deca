"""Verification of a record: the rules, the secrets, the hands from the seed, and the stand-in's draws.

Owns what needs the streams of `dealing.py`; the rules themselves are checked by `rules/checking`. Whatever JSON comes
in, the answer is a list of problems, never an exception. Almost every record is right, which is told at a
sixth of the cost of finding out what is wrong: `verify` and `verify_text` ask that first.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee import dealing
from referee.faults import OVERRUNS_FORGIVEN
from referee.rules import By, Match, Problem, Variant, card_text, parse_record
from referee.rules.checking import Examination, examine, faultless, written
from referee.rules.shape import HEX_DIGITS
from referee.rules.state import deal_out

KNOWN_STAND_IN = "random/1"


@dataclass(frozen=True, slots=True)
class Verification:
    """What is wrong with a record, and what could not be checked, in sentences."""

    problems: tuple[Problem, ...]
    unchecked: tuple[str, ...]


def verify(record: object) -> Verification:
    """Check everything that a record says; see the record's format for what is compared."""
    return Verification((), ()) if is_faultless(record) else verify_thoroughly(record)


def verify_text(text: str | bytes) -> Verification:
    """Check everything that a record says, given as JSON.

    Raises:
        RulesError: if it is not a JSON object in UTF-8.
    """
    return Verification((), ()) if is_faultless_text(text) else verify(parse_record(text))


def is_faultless_text(text: str | bytes) -> bool:
    """Whether a text is to the letter what is written of a record that `is_faultless`, told without reading it."""
    try:
        outline = written.outline(text.decode() if isinstance(text, bytes) else text)
    except UnicodeDecodeError:
        return False
    match = None if outline is None else _dealt_again(outline.record)
    return outline is not None and match is not None and written.is_faultless(outline, match)


def is_faultless(record: object) -> bool:
    """Whether a record is just what this engine writes of a whole match without a fault, its secrets published.

    If so, there is nothing that `verify_thoroughly` would find.
    """
    match = _dealt_again(record)
    return match is not None and isinstance(record, dict) and faultless.is_faultless(record, match)


def _dealt_again(record: object) -> Match | None:
    """Return a match, dealt from a record's seed, if all that it says beside its deals is right."""
    variant = faultless.faultless_variant(record)
    if variant is None or not isinstance(record, dict):
        return None
    seed = _agreeing_seed(record)
    if seed is None:
        return None
    return Match(variant, dealing.packs(seed, variant), dealing.first_seat(seed, variant), has_events=False)


def _agreeing_seed(record: dict[str, Any]) -> bytes | None:
    """Return the seed of a record whose secret, salt, seed and commitment are all there and belong together."""
    texts = [record.get(name) for name in ("deal_secret", "deal_salt", "deal_seed", "deal_commitment")]
    if not all(isinstance(text, str) and HEX_DIGITS.fullmatch(text) for text in texts):
        return None
    secret, salt, seed, commitment = [bytes.fromhex(str(text)) for text in texts]
    agree = dealing.deal_seed(secret, salt) == seed and dealing.commitment(secret) == commitment
    return seed if agree else None


def verify_thoroughly(record: object) -> Verification:
    """Check everything, whatever the record is, and tell all that is wrong."""
    found = examine(record)
    if not isinstance(record, dict) or found.variant is None:
        return Verification(tuple(found.problems), ())
    unchecked: list[str] = []
    seed = _check_secrets(record, found, unchecked, lambda seed: _hands_agree(record, found.variant, seed))
    if seed is None:
        unchecked.append("hands, first seat and the stand-in's draws: the record has no deal_seed")
    else:
        _check_first_seat(record, found.variant, seed, found)
        _check_hands(record, found.variant, seed, found)
        _check_draws(record, seed, found, unchecked)
    _check_forfeits_are_told(record, found)
    kind = record["termination"]["kind"]
    if kind != "normal":
        unchecked.append(f"totals, places and settlement: the match is {kind}")
    return Verification(tuple(found.problems), tuple(unchecked))


def _check_secrets(
    record: dict[str, Any], found: Examination, unchecked: list[str], hands_agree: Callable[[bytes], bool]
) -> bytes | None:
    """Check that secret, salt, seed and commitment belong together; return the seed to check the hands with."""
    secret, salt, seed, commitment = (
        None if record[name] is None else bytes.fromhex(record[name])
        for name in ("deal_secret", "deal_salt", "deal_seed", "deal_commitment")
    )
    if secret is None:
        unchecked.append("deal_commitment: the record has no deal_secret")
    seed_agrees = True
    if secret is not None and salt is not None:
        worked_out = dealing.deal_seed(secret, salt)
        if seed is None:
            found.note("deal_seed", f"is null, should be {worked_out.hex()}, SHA-256 of deal_secret and deal_salt")
            seed = worked_out
        seed_agrees = worked_out == seed
    elif seed is not None:
        unchecked.append("deal_seed: the record lacks deal_secret or deal_salt")
    commitment_agrees = secret is None or dealing.commitment(secret) == commitment
    if not commitment_agrees and commitment is None:
        found.note("deal_commitment", "is null, should be SHA-256 of deal_secret")
    elif not commitment_agrees:
        place = "deal_commitment" if seed_agrees and salt is not None else "deal_secret"
        found.note(place, "deal_commitment is not SHA-256 of deal_secret")
    if not seed_agrees and commitment_agrees:
        place = "deal_salt" if seed is not None and hands_agree(seed) else "deal_seed"
        found.note(place, "deal_seed is not SHA-256 of deal_secret and deal_salt")
    return seed


def _dealt(variant: Variant, number: int, seed: bytes) -> tuple[list[list[str]], list[str]]:
    """Return the hands and the talon that a seed gives a deal."""
    first = dealing.first_seat(seed, variant)
    dealer = (first + number - 1) % variant.seats if first is not None and variant.has_dealer else None
    hands, talon = deal_out(variant, number, dealing.pack(seed, number, variant), dealer)
    return [list(map(card_text, hand)) for hand in hands], list(map(card_text, talon))


def _hands_agree(record: dict[str, Any], variant: Variant | None, seed: bytes) -> bool:
    if variant is None or not record["deals"]:
        return False
    hands, talon = _dealt(variant, 1, seed)
    return bool(record["deals"][0]["hands"] == hands and record["deals"][0]["talon"] == talon)


def _check_first_seat(record: dict[str, Any], variant: Variant, seed: bytes, found: Examination) -> None:
    first = dealing.first_seat(seed, variant)
    if first is None or not record["deals"]:
        return
    name = "dealer" if variant.has_dealer else "declarer"
    given = record["deals"][0][name]
    if given != first:
        found.note(f"deals[0].{name}", f"is {given}, should be {first}, drawn from deal_seed")


def _check_hands(record: dict[str, Any], variant: Variant, seed: bytes, found: Examination) -> None:
    for place, deal in enumerate(record["deals"]):
        hands, talon = _dealt(variant, place + 1, seed)
        wrong = [
            (f"deals[{place}].hands[{seat}][{turn}]", given, right)
            for seat, (hand, dealt) in enumerate(zip(deal["hands"], hands, strict=False))
            for turn, (given, right) in enumerate(zip(hand, dealt, strict=False))
            if given != right
        ]
        wrong += [
            (f"deals[{place}].talon[{turn}]", given, right)
            for turn, (given, right) in enumerate(zip(deal["talon"], talon, strict=False))
            if given != right
        ]
        for path, given, right in wrong:
            found.note(path, f"is {given}, should be {right}, dealt from deal_seed")
        if len(wrong) > variant.seats:
            return


def _check_forfeits_are_told(record: dict[str, Any], found: Examination) -> None:
    """Check that who did not forfeit overran no more than is forgiven; an overrun costs a table one action."""
    told = {forfeit["seat"] for forfeit in record["forfeits"]}
    acted_for: Counter[int] = Counter()
    for decision in (one for deal in found.decisions for one in deal if one.by == By.STAND_IN):
        acted_for[decision.seat] += 1
        if decision.seat not in told and acted_for[decision.seat] == OVERRUNS_FORGIVEN + 1:
            found.note(
                f"{decision.path}.by",
                f"is stand_in once more than the {OVERRUNS_FORGIVEN} overruns that are forgiven, "
                f"but forfeits do not name seat {decision.seat}",
            )


def _check_draws(record: dict[str, Any], seed: bytes, found: Examination, unchecked: list[str]) -> None:
    stood_in = [decision for deal in found.decisions for decision in deal if decision.by == By.STAND_IN]
    policy = record["context"]["stand_in"] or KNOWN_STAND_IN  # named or not, somebody's draws must be the ones played
    if not stood_in:
        return
    if policy != KNOWN_STAND_IN:
        unchecked.append(f"the stand-in's draws: its policy {policy!r} is not known; known is {KNOWN_STAND_IN}")
        return
    for number, decisions in enumerate(found.decisions, 1):
        stream = dealing.stand_in_stream(seed, number)
        for decision in decisions:
            if decision.by == By.STAND_IN and decision.legal_count > 1:
                drawn = stream.below(decision.legal_count)
                if drawn != decision.index:
                    found.note(
                        decision.path,
                        f"is legal action {decision.index} of {decision.legal_count}, but the stand-in drew {drawn}",
                    )
                    return
