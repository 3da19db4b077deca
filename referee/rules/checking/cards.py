"""Checking the cards of a deal without playing it: hands are one pack, actions and tricks agree."""

from collections import Counter

from referee.rules.cards import CARD_TEXTS, card_text
from referee.rules.checking.examination import Examination
from referee.rules.record import Record
from referee.rules.shape import at
from referee.rules.variant import Variant


def check_hands(deal: Record, variant: Variant, number: int, found: Examination) -> bool:
    """Check that hands and talon are one pack, dealt out; say whether the deal can be played."""
    path = at("deals", number - 1)
    before = len(found.problems)
    talon_size = variant.plan(number).opening.talon
    hand_size = (len(variant.pack) - talon_size) // variant.seats
    if len(deal["hands"]) != variant.seats:
        found.note(at(path, "hands"), f"has {len(deal['hands'])} hands, should have {variant.seats}")
    for seat, hand in enumerate(deal["hands"]):
        if len(hand) != hand_size:
            found.note(f"{path}.hands[{seat}]", f"has {len(hand)} cards, should have {hand_size}")
    if len(deal["talon"]) != talon_size:
        found.note(at(path, "talon"), f"has {len(deal['talon'])} cards, should have {talon_size}")
    places = _card_places(deal, path)
    known = {card_text(card) for card in variant.pack}
    counts = Counter(card for _, card in places)
    missing = sorted(known - counts.keys(), key=CARD_TEXTS.index)
    right = f"; missing from the pack: {', '.join(missing)}" if missing else ""
    for place, card in places:
        if card not in known:
            found.note(place, f"is {card}, which is not in the pack{right}")
        elif counts[card] > 1:
            found.note(place, f"is {card}, which is dealt {counts[card]} times{right}")
    return len(found.problems) == before


def _card_places(deal: Record, path: str) -> list[tuple[str, str]]:
    hands = [
        (f"{path}.hands[{seat}][{place}]", card)
        for seat, hand in enumerate(deal["hands"])
        for place, card in enumerate(hand)
    ]
    return hands + [(f"{path}.talon[{place}]", card) for place, card in enumerate(deal["talon"])]


def check_cards_agree(deal: Record, path: str, found: Examination) -> None:
    """Check that the plays among the actions are the cards of the tricks; where they differ, name both places."""
    plays = [
        (f"{path}.actions[{place}].card", action["card"])
        for place, action in enumerate(deal["actions"])
        if action["do"] == "play"
    ]
    tricked = [
        (f"{path}.tricks[{number}].cards[{place}]", card)
        for number, trick in enumerate(deal["tricks"])
        for place, card in enumerate(trick["cards"])
    ]
    for (action_path, played), (trick_path, card) in zip(plays, tricked, strict=False):
        if played != card:
            found.note(action_path, f"is {played}, but {trick_path} is {card}")
            found.note(trick_path, f"is {card}, but {action_path} is {played}")
