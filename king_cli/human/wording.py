"""A table in words, for a person who sits at it.

Owns the lines. Reads a bot's view of the table, so it can show nothing that a bot would not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from king_bot import Action, ActionKind, Card, Deal, Table, Trick

from referee.rules import Contract, contract_name, contract_rules, contract_scores, parse_variant

LANGUAGE = "en"

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RED = frozenset("HD")
_RED_ON, _RED_OFF = "\x1b[31m", "\x1b[0m"
MINUS = "\N{MINUS SIGN}"


class Wording:
    """Words for one table; `names` are by seat, `coloured` says whether red suits are printed red."""

    def __init__(self, names: Sequence[str], *, coloured: bool) -> None:
        self._names = names
        self._coloured = coloured

    def card(self, card: Card) -> str:
        """ "10♥"."""
        rank = "10" if str(card)[0] == "T" else str(card)[0]
        text = f"{rank}{SIGNS[card.suit]}"
        return f"{_RED_ON}{text}{_RED_OFF}" if self._coloured and card.suit in RED else text

    def hand(self, cards: Sequence[Card]) -> str:
        """A hand by suits, the highest first."""
        suits = (sorted((card for card in cards if card.suit == suit), reverse=True) for suit in SIGNS)
        return "   ".join(" ".join(map(self.card, suit)) for suit in suits if suit)

    def name(self, table: Table, seat: int) -> str:
        """Who sits there."""
        return "you" if seat == table.seat else self._names[seat]

    def points(self, table: Table, points: Sequence[int]) -> str:
        """ "you −4, greedy 0"."""
        told = (f"{self.name(table, seat)} {number}" for seat, number in enumerate(points))
        return ", ".join(told).replace("-", MINUS)

    def action(self, table: Table, action: Action) -> str:
        """What one of the actions is."""
        if action.kind in {ActionKind.CHOOSE, ActionKind.ORDER}:
            trump = f", trump {self._suit(action.trump)}" if action.trump else ""
            return f"{'play' if action.kind is ActionKind.CHOOSE else 'order'} {_contract(table, action)}{trump}"
        if action.kind is ActionKind.GIVE and action.card is not None and action.to is not None:
            return f"give {self.card(action.card)} to {self.name(table, action.to)}"
        if action.card is not None:
            return self.card(action.card)
        if action.kind is ActionKind.BID:
            return f"bid {action.tricks}"
        if action.kind is ActionKind.NAME_TRUMP:
            return f"trump {self._suit(action.trump)}"
        return _PLAIN[action.kind]

    def _suit(self, suit: str | None) -> str:
        return f"{SIGNS[suit]} {NAMES[suit]}" if suit else "none"

    def trick(self, table: Table, trick: Trick) -> str:
        """Who played what, and who took it."""
        plays = ", ".join(f"{self.name(table, played.seat)} {self.card(played.card)}" for played in trick.plays)
        end = "" if trick.taker is None else f" → {self.name(table, trick.taker)}"
        return f"Trick {trick.number}: {plays}{end}"

    def contract(self, table: Table) -> str:
        """What is played for, and what it counts: "No tricks, each trick −2"."""
        deal = table.deal
        contract = _current(table)
        if contract is None:
            return "contract not set yet"
        words = [contract_name(contract, LANGUAGE), contract_scores(contract, LANGUAGE).replace("-", MINUS)]
        if deal.trump:
            words.append(f"trump {self._suit(deal.trump)}")
        if deal.misere:
            words.append("misère")
        if deal.declarer is not None:
            words.append(f"declarer {self.name(table, deal.declarer)}")
        if deal.price:
            words.append(f"price {deal.price} tricks")
        return ", ".join(words)

    def rules(self, table: Table) -> Iterator[str]:
        """The row of the contract, as `king rules` has it: what it counts, in all, and its special rules."""
        contract = _current(table)
        if contract is None:
            yield f"{self.contract(table)}; king rules {table.variant} has all rules"
            return
        yield f"{self.contract(table)}; {f'{contract.total:+d}'.replace('-', MINUS)} in all"
        yield from (f"  {rule}" for rule in contract_rules(contract, LANGUAGE) or ("no special rules",))

    def sayings(self, table: Table, *, since: int) -> Iterator[str]:
        """What was said in the deal after the first `since` sayings, and a card that was shown."""
        deal = table.deal
        for saying in deal.said[since:]:
            yield f"{self.name(table, saying.seat)}: {self.action(table, saying.action)}"
        if deal.exposed is not None and not deal.tricks:
            yield f"{self.name(table, deal.exposed.seat)} shows {self.card(deal.exposed.card)}"

    def tricks(self, table: Table, *, since: int) -> Iterator[str]:
        """The complete tricks of the deal after the first `since`."""
        for trick in table.deal.tricks[since:]:
            yield self.trick(table, trick)

    def position(self, table: Table) -> Iterator[str]:
        """The open trick, the talon, and the hand."""
        deal: Deal = table.deal
        if deal.talon and deal.contract is None:
            yield f"Talon: {' '.join(map(self.card, deal.talon))}"
        if deal.trick is not None:
            yield self.trick(table, deal.trick)
        yield f"Your hand: {self.hand(deal.hand)}"


def _current(table: Table) -> Contract | None:
    """What is played for in the deal; None while that is open."""
    set_to = table.deal.contract
    return None if set_to is None else parse_variant(table.variant).contracts[set_to]


def _contract(table: Table, action: Action) -> str:
    return contract_name(parse_variant(table.variant).contracts[str(action.contract)], LANGUAGE)


_PLAIN = {
    ActionKind.PASS: "pass",
    ActionKind.BY_LAST: "by the last card",
    ActionKind.MISERE: "misère",
    ActionKind.TWO_TRICKS_EACH: "two tricks each",
    ActionKind.OFFER: "offer the game for sale",
    ActionKind.KEEP: "keep the game",
}
