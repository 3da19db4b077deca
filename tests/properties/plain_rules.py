"""The rules written a second time, plainly and slowly, by the names of variants and contracts, over texts and lists.

Shares nothing with the engine: it is what the engine is compared with.
"""

from collections.abc import Sequence
from typing import Any

RANKS = "23456789TJQKA"
HEARTS_BANNED = {
    "russian-14": {"no_hearts", "no_king", "no_jumble", "hearts", "king", "jumble"},
    "classic": {"no_hearts", "no_king", "no_jumble", "jumble"},
    "chooser-12": set[str](),
    "turkish-20": {"no_hearts", "no_king"},
}
KING_FALLS = {"no_king", "no_jumble", "king", "jumble"}
PENALTY_CARDS = {
    "no_hearts": [rank + "H" for rank in RANKS],
    "no_boys": [rank + suit for rank in "KJ" for suit in "SHDC"],
    "no_girls": ["Q" + suit for suit in "SHDC"],
    "no_king": ["KH"],
}
OF_FOURTEEN = {"russian-14", "base-14", "ordered-56", "auction-11", "trump-11"}


def rank(card: str) -> int:
    """Return the place of a card's rank, 0 for the two."""
    return RANKS.index(card[0])


def legal(
    record: dict[str, Any], deal: dict[str, Any], hand: Sequence[str], trick: Sequence[str], before: Sequence[list[str]]
) -> set[str]:
    """Return what may be played from a hand on an open trick, after the tricks before it."""
    if not trick:
        return _leads(record, deal, hand, before)
    following = [card for card in hand if card[1] == trick[0][1]]
    if following:
        return _follows(record, deal, following, trick)
    return _discards(record, deal, hand)


def _leads(record: dict[str, Any], deal: dict[str, Any], hand: Sequence[str], before: Sequence[list[str]]) -> set[str]:
    variant, contract, trump = record["variant"], deal["contract"], deal["trump"]
    thrown = {card[1] for trick in before for card in trick[1:] if card[1] != trick[0][1]}
    banned = HEARTS_BANNED["russian-14" if variant in OF_FOURTEEN else variant]
    if variant == "turkish-20" and record["options"]["heart_lead"] == "all_penalties" and contract != "trumps":
        banned = {contract}
    suit = "H" if contract in banned else None
    if variant == "turkish-20":
        if contract == "trumps" and record["options"]["trump_lead"] == "after_broken":
            suit = trump
        if suit in thrown:
            suit = None
    others = {card for card in hand if card[1] != suit}
    return others or set(hand)


def _follows(record: dict[str, Any], deal: dict[str, Any], following: Sequence[str], trick: Sequence[str]) -> set[str]:
    if record["variant"] != "turkish-20":
        return set(following)
    contract, trump = deal["contract"], deal["trump"]
    highest = max(rank(card) for card in trick if card[1] == trick[0][1])
    if contract in {"no_boys", "no_girls", "no_king"}:
        given_up = {card for card in following if card in PENALTY_CARDS[contract] and rank(card) < highest}
        if given_up:
            return given_up
    must_beat = record["options"]["must_beat"]
    if must_beat == "always" or (must_beat == "trumps" and contract == "trumps"):
        trumped = trick[0][1] != trump and any(card[1] == trump for card in trick)
        beating = {card for card in following if rank(card) > highest and not trumped}
        if beating:
            return beating
    return set(following)


def _discards(record: dict[str, Any], deal: dict[str, Any], hand: Sequence[str]) -> set[str]:
    variant, contract, options = record["variant"], deal["contract"], record["options"]
    wanted: set[str] = set()
    if variant == "turkish-20":
        if contract == "trumps":
            wanted = {card for card in hand if card[1] == deal["trump"]}
        elif contract == "no_king" and options["rifki_void"] == "any_heart":
            wanted = {card for card in hand if card[1] == "H" and "KH" in hand}
        else:
            wanted = set(hand) & set(PENALTY_CARDS.get(contract, []))
    elif variant in {"auction-11", "trump-11"} and contract == "trumps":
        wanted = {card for card in hand if card[1] == deal["trump"]}
    elif contract in KING_FALLS and (variant == "russian-14" or options.get("king_discard") == "forced"):
        wanted = {card for card in hand if card == "KH"}
    return wanted or set(hand)


def taker(deal: dict[str, Any], leader: int, trick: Sequence[str]) -> int:
    """Return the seat that takes a complete trick."""
    trumps = [card for card in trick if card[1] == deal["trump"]]
    rivals = trumps or [card for card in trick if card[1] == trick[0][1]]
    best = min(rivals, key=rank) if deal["misere"] else max(rivals, key=rank)
    return (leader + trick.index(best)) % len(trick)


def points(record: dict[str, Any], deal: dict[str, Any]) -> list[int]:
    """Return the points of a deal that is over."""
    seats = record["seats"]
    if deal["contract"] == "two_tricks_each":
        return [60] * seats
    won = [0] * seats
    size = len(deal["hands"][0]) + (1 if deal["talon"] else 0)
    for number, trick in enumerate(deal["tricks"], 1):
        won[trick["taker"]] += _worth(record, deal["contract"], trick["cards"], number, size)
    if deal["price"] is not None and record["variant"] == "auction-11":
        taken = sum(trick["taker"] == deal["declarer"] for trick in deal["tricks"])
        won[deal["declarer"]] = 6 * max(0, taken - deal["price"])
    elif deal["price"] is not None:
        paid = deal["price"] * (30 if record["options"]["redemption"] == "praise" else 25)
        won[deal["declarer"]] -= paid
        won[(deal["dealer"] + 1) % seats] += paid
    return won


def _worth(record: dict[str, Any], contract: str, cards: Sequence[str], number: int, size: int) -> int:
    """Return what one trick is worth."""
    tables = {"classic": _classic, "chooser-12": _chooser, "turkish-20": _turkish}
    singles, trump = tables.get(record["variant"], _fourteen)(record, cards, number, size)
    if contract == "trumps":
        return trump
    name, sign = (contract[3:], -1) if contract.startswith("no_") else (contract, 1)
    return sign * (sum(singles.values()) if name == "jumble" else singles[name])


def _counted(cards: Sequence[str]) -> tuple[int, int, int, int, int]:
    """Count hearts, queens, kings, jacks and KH."""
    queens, kings, jacks = (sum(card[0] == letter for card in cards) for letter in "QKJ")
    return sum(card[1] == "H" for card in cards), queens, kings, jacks, int("KH" in cards)


def _fourteen(record: dict[str, Any], cards: Sequence[str], number: int, _size: int) -> tuple[dict[str, int], int]:
    hearts, queens, kings, jacks, king = _counted(cards)
    singles = {
        "tricks": 2,
        "boys": 2 * (kings + jacks) if record["options"].get("boys") == "kings_and_jacks" else 4 * kings,
        "girls": 4 * queens,
        "hearts": 2 * hearts,
        "king": 16 * king,
        "last_two": 8 * (number >= 7),
    }
    return singles, 6


def _classic(record: dict[str, Any], cards: Sequence[str], number: int, size: int) -> tuple[dict[str, int], int]:
    hearts, queens, kings, jacks, king = _counted(cards)
    four = record["seats"] == 4
    whole = 150 if four else 140
    one = record["options"]["last"] == "one"
    singles = {
        "tricks": 20 if four else 15,
        "hearts": 20 * hearts,
        "girls": 60 * queens,
        "boys": (40 if four else 30) * (kings + jacks),
        "king": whole * king,
        "last": whole * (number == size) if one else whole // 2 * (number >= size - 1),
    }
    return singles, 30 if record["options"]["redemption"] == "praise" else 25


def _chooser(record: dict[str, Any], cards: Sequence[str], number: int, _size: int) -> tuple[dict[str, int], int]:
    hearts, queens, _kings, jacks, king = _counted(cards)
    singles = {
        "tricks": 2,
        "hearts": 2 * hearts,
        "girls": 4 * queens,
        "jacks": 2 * jacks,
        "king": 16 * king,
        "last": record["options"]["last_points"] * (number == 13),
        "7th_13th": 8 * (number in {7, 13}),
    }
    return singles, 0


def _turkish(_record: dict[str, Any], cards: Sequence[str], number: int, _size: int) -> tuple[dict[str, int], int]:
    hearts, queens, kings, jacks, king = _counted(cards)
    singles = {
        "tricks": 50,
        "hearts": 30 * hearts,
        "boys": 60 * (kings + jacks),
        "girls": 100 * queens,
        "king": 320 * king,
        "last_two": 180 * (number >= 12),
    }
    return singles, 50


def ends_early(record: dict[str, Any], deal: dict[str, Any], fallen: Sequence[str], pack: Sequence[str]) -> bool:
    """Whether nothing that scores is left after the cards that have fallen."""
    contract = deal["contract"].removeprefix("no_")
    if record["variant"] not in OF_FOURTEEN | {"turkish-20"}:
        return False
    boys = "KJ" if record["variant"] == "turkish-20" or record["options"].get("boys") == "kings_and_jacks" else "K"
    scoring = {
        "hearts": [card for card in pack if card[1] == "H"],
        "boys": [card for card in pack if card[0] in boys],
        "girls": [card for card in pack if card[0] == "Q"],
        "king": ["KH"],
    }.get(contract)
    return scoring is not None and set(scoring) <= set(fallen)
