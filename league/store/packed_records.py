"""Records in a fiftieth of their size: what follows from the board's secret, from the row of the match, or from the
rest of the record is left out, and what is left is written by columns.

Pure. Knows how a record is laid out (docs/records.md), and no rule but that the next seat plays next: what turns out
otherwise is not packed at all. A record comes back to the last byte of its JSON, or `pack_record` says that it cannot.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final

from league.store.preset_words import RECORDS_1, squeezed, squeezed_lists, unsqueezed, unsqueezed_lists
from referee.dealing import pack
from referee.rules import Variant, card_text

Record = dict[str, Any]

_FOLLOWS: Final = 0
"""Stands in the head for what is known elsewhere."""
_COLUMNS: Final = ("contract", "declarer", "trump", "misere", "price", "exposed", "made_king", "dealer")
_NOTE: Final = ("by", "ms", "asked_with")
_CARDS: Final = tuple(map(card_text, range(52)))
_ORDER: Final = {text: at for at, text in enumerate(_CARDS)}
_ANY_CARD: Final = 64
"""Cards from here on in the column of cards are by their place in the whole pack, others by their place in a hand."""
_NOBODY: Final = 255
"""The taker of a trick that nobody has taken."""

_SMALL: Final = range(-128, 128)
_UNASKED: Final[tuple[Record, ...]] = ({"by": "forced"}, {"by": "stand_in"}, {"by": "bot"})
_BY: Final = {each["by"]: code for code, each in enumerate(_UNASKED)}
_ASKED: Final = len(_UNASKED)
"""Codes of actions that a bot took in so many milliseconds begin here; then come the codes of longer times."""
_LONGER_MS: Final = 192
_LONGER: Final = _ASKED + _LONGER_MS
_STEP_BITS: Final = 6
_ODD: Final = 255
"""The code of what is written out."""


@dataclass(frozen=True, kw_only=True)
class Known:
    """What is known of a match without its record: `seed` is that of its deals, `commitment` that of its board."""

    match_id: str
    commitment: str
    seed: bytes
    variant: Variant

    def dealt(self, number: int, dealer: int | None, talon: int) -> tuple[list[list[str]], list[str]]:
        """The hands by seat, and the talon of so many cards, of a deal."""
        cards = [_CARDS[card] for card in pack(self.seed, number, self.variant)]
        first, held = 0 if dealer is None else dealer + 1, len(cards) - talon
        seats = self.variant.seats
        return [cards[(seat - first) % seats : held : seats] for seat in range(seats)], cards[held:]


def pack_record(record: Record, known: Known) -> bytes | None:
    """The record of a match without its secrets; None when it would not come back as it is, keys in their order."""
    try:
        text = _Writer(record, known).packed()
        same = marshal.dumps(unpack_record(text, known), 0) == marshal.dumps(record, 0)
    except (LookupError, TypeError, ValueError):  # not laid out as the referee does it
        return None
    return text if same else None


def unpack_record(text: bytes, known: Known) -> Record:
    """What `pack_record` was given."""
    form, lists = unsqueezed(text, RECORDS_1)
    return _Reader(json.loads(form), unsqueezed_lists(lists), known).record()


class _Writer:
    """The columns of one record."""

    def __init__(self, record: Mapping[str, Any], known: Known) -> None:
        self._seats = known.variant.seats
        self._deals: Sequence[Mapping[str, Any]] = record["deals"]
        self._head = {**record, "match_id": _FOLLOWS, "deal_commitment": _FOLLOWS, "deals": _FOLLOWS}
        self._codes, self._cards, self._takers, self._steps, self._asked = (bytearray() for _ in range(5))
        self._odd: list[Mapping[str, Any]] = []
        self._others: list[list[Any]] = []

    def packed(self) -> bytes:
        early = [self._add_deal(at, deal) for at, deal in enumerate(self._deals)]
        points = [deal["points"] for deal in self._deals]
        if self._head["totals"] == _totals(points):
            self._head["totals"] = _FOLLOWS
        small = bytes(each & 255 for each in chain(*points) if each in _SMALL)
        follow = len(small) == len(self._deals) * self._seats
        counts = [[len(deal[name]) for deal in self._deals] for name in ("actions", "talon")]
        exact = [deal["ended_early"] for deal in self._deals]
        form = [
            *(self._head, [[deal[name] for deal in self._deals] for name in _COLUMNS], *counts),
            *(_FOLLOWS if follow else points, _FOLLOWS if early == exact else exact, self._others, self._odd),
        ]
        text = json.dumps(form, separators=(",", ":"), ensure_ascii=False).encode()
        lists = (self._codes, self._cards, self._takers, small if follow else b"", self._steps, self._asked)
        return squeezed(text, RECORDS_1) + squeezed_lists(map(bytes, lists))

    def _add_deal(self, at: int, deal: Mapping[str, Any]) -> bool:
        """Adds what was done in a deal; returns whether cards were left when its play was over."""
        held, plays, leader = _by_suit(deal["hands"]), 0, 0
        for place, action in enumerate(deal["actions"]):
            self._add_note(action)
            if action["do"] != "play":
                self._others.append([at, place, {name: action[name] for name in action if name not in _NOTE}])
                continue
            if plays % self._seats == 0:
                self._takers.append((action["seat"] - leader) % self._seats)
                leader = action["seat"]
            plays += 1
            self._add_card(held, action["seat"], action["card"])
        if plays:
            taker = deal["tricks"][-1]["taker"]
            self._takers.append(_NOBODY if taker is None else (taker - leader) % self._seats)
        return plays > 0 and any(held)

    def _add_card(self, held: list[list[str]], seat: int, card: str) -> None:
        hand = held[seat]
        if card in hand:
            self._cards.append(hand.index(card))
            hand.remove(card)
        else:
            self._cards.append(_ANY_CARD + _ORDER[card])
            _take_out(held, card)

    def _add_note(self, action: Mapping[str, Any]) -> None:
        code = _code_of(action)
        self._codes.append(code)
        if code < _ASKED:
            return
        if code == _ODD:
            self._odd.append({name: action[name] for name in _NOTE if name in action})
            return
        if code >= _LONGER:
            self._steps.append((action["ms"] - _LONGER_MS) & ((1 << _STEP_BITS) - 1))
        self._asked.append(action["asked_with"])


def _code_of(action: Mapping[str, Any]) -> int:
    """How an action came about, in a byte."""
    if "ms" not in action:
        return _ODD if "asked_with" in action else _BY.get(action["by"], _ODD)
    if action["by"] != "bot" or not 0 <= action.get("asked_with", -1) <= 255:
        return _ODD
    ms = action["ms"]
    code: int = _ASKED + ms if ms < _LONGER_MS else _LONGER + ((ms - _LONGER_MS) >> _STEP_BITS)
    return code if _ASKED <= code < _ODD else _ODD


def _by_suit(hands: Sequence[Sequence[str]]) -> list[list[str]]:
    return [sorted(hand, key=_ORDER.__getitem__) for hand in hands]


def _take_out(held: list[list[str]], card: str) -> None:
    """Takes a card from the hand it was dealt to: after gifts, it is another seat that plays it."""
    for hand in held:
        if card in hand:
            hand.remove(card)


def _totals(points: Sequence[Sequence[int]]) -> list[int]:
    return [sum(each) for each in zip(*points, strict=True)]


class _Reader:
    """A record from its columns."""

    def __init__(self, form: list[Any], lists: bytes, known: Known) -> None:
        self._head, self._columns, self._counts, self._talons, self._points, self._early, others, odd = form
        self._others = {(at, place): action for at, place, action in others}
        self._known = known
        self._seats = known.variant.seats
        plays = list(self._counts)
        for at, _ in self._others:
            plays[at] -= 1
        left = iter(lists)
        codes = bytes(islice(left, sum(self._counts)))
        self._cards = iter(bytes(islice(left, sum(plays))))
        self._takers = iter(bytes(islice(left, sum(1 + -(-count // self._seats) for count in plays if count))))
        if self._points == _FOLLOWS:
            small = [each - 256 if each > 127 else each for each in islice(left, len(plays) * self._seats)]
            self._points = [small[at : at + self._seats] for at in range(0, len(small), self._seats)]
        steps = iter(bytes(islice(left, sum(_LONGER <= code < _ODD for code in codes))))
        self._notes = _notes(codes, steps, left, iter(odd))

    def record(self) -> Record:
        known, head = self._known, self._head
        deals = [self._deal(at) for at in range(len(self._counts))]
        totals = _totals(self._points) if head["totals"] == _FOLLOWS else head["totals"]
        follows = {"match_id": known.match_id, "deal_commitment": known.commitment, "deals": deals, "totals": totals}
        return {**head, **follows}

    def _deal(self, at: int) -> Record:
        contract, declarer, trump, misere, price, exposed, made_king, dealer = (each[at] for each in self._columns)
        hands, talon = self._known.dealt(at + 1, dealer, self._talons[at])
        held = _by_suit(hands)
        actions, tricks = self._played(at, held)
        return {
            "number": at + 1,
            "dealer": dealer,
            "hands": hands,
            "talon": talon,
            "actions": actions,
            "contract": contract,
            "declarer": declarer,
            "trump": trump,
            "misere": misere,
            "price": price,
            "exposed": exposed,
            "tricks": tricks,
            "points": self._points[at],
            "ended_early": (bool(tricks) and any(held)) if self._early == _FOLLOWS else self._early[at],
            "made_king": made_king,
        }

    def _played(self, at: int, held: list[list[str]]) -> tuple[list[Record], list[Record]]:
        """The actions and the tricks of a deal; takes the cards played out of the hands."""
        actions: list[Record] = []
        tricks: list[Record] = []
        cards: list[str] = []
        seat = leader = 0
        for place, note in enumerate(islice(self._notes, self._counts[at])):
            other = self._others.get((at, place))
            if other is not None:
                actions.append({**other, **note})
                continue
            if len(cards) == self._seats or not tricks:
                leader = seat = self._taker(leader)
                if tricks:
                    tricks[-1]["taker"] = leader
                cards = []
                tricks.append({"leader": leader, "cards": cards, "taker": None})
            cards.append(self._card(held, seat))
            actions.append({"seat": seat, "do": "play", "card": cards[-1], **note})
            seat = (seat + 1) % self._seats
        if tricks:
            tricks[-1]["taker"] = self._taker(leader)
        return actions, tricks

    def _taker(self, leader: int) -> Any:
        code = next(self._takers)
        return None if code == _NOBODY else (leader + code) % self._seats

    def _card(self, held: list[list[str]], seat: int) -> str:
        code = next(self._cards)
        if code < _ANY_CARD:
            return held[seat].pop(code)
        card = _CARDS[code - _ANY_CARD]
        _take_out(held, card)
        return card


def _notes(codes: bytes, steps: Iterator[int], asked: Iterator[int], odd: Iterator[Record]) -> Iterator[Record]:
    """How each action came about."""
    for code in codes:
        if code < _ASKED:
            yield _UNASKED[code]
        elif code < _LONGER:
            yield {"by": "bot", "ms": code - _ASKED, "asked_with": next(asked)}
        elif code < _ODD:
            ms = _LONGER_MS + ((code - _LONGER) << _STEP_BITS) + next(steps)
            yield {"by": "bot", "ms": ms, "asked_with": next(asked)}
        else:
            yield next(odd)
