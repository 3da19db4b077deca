"""Words for the ids of rules and records: contracts, suits, cards, seats, faults, states.

Owns the names a reader sees, in the reader's language. Must not decide anything about play.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from dashboard.numbers import decimal_point, number, signed
from dashboard.translate import Translations
from referee.rules import Action, ActionKind, Contract, Scored

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def _(message: str) -> str:
    """Marks a message for the catalogue; it is translated where it is used."""
    return message


_SUITS = {"S": _("spades"), "H": _("hearts"), "D": _("diamonds"), "C": _("clubs")}

_CONTRACTS = {
    "no_tricks": _("No tricks"),
    "no_hearts": _("No hearts"),
    "no_boys": _("No boys"),
    "no_girls": _("No girls"),
    "no_jacks": _("No jacks"),
    "no_king": _("No King"),
    "no_last": _("No last trick"),
    "no_last_two": _("No last two"),
    "no_7th_13th": _("No 7th, no 13th"),
    "no_jumble": _("Negative jumble"),
    "tricks": _("Tricks"),
    "hearts": _("Hearts"),
    "boys": _("Boys"),
    "girls": _("Girls"),
    "king": _("The King"),
    "last": _("Last trick"),
    "last_two": _("Last two"),
    "jumble": _("Jumble"),
    "trumps": _("Trumps"),
    "two_tricks_each": _("Two tricks each"),
}

_CARDS = {
    "S": {
        "2": _("two of spades"), "3": _("three of spades"), "4": _("four of spades"), "5": _("five of spades"),
        "6": _("six of spades"), "7": _("seven of spades"), "8": _("eight of spades"), "9": _("nine of spades"),
        "T": _("ten of spades"), "J": _("jack of spades"), "Q": _("queen of spades"), "K": _("king of spades"),
        "A": _("ace of spades"),
    },
    "H": {
        "2": _("two of hearts"), "3": _("three of hearts"), "4": _("four of hearts"), "5": _("five of hearts"),
        "6": _("six of hearts"), "7": _("seven of hearts"), "8": _("eight of hearts"), "9": _("nine of hearts"),
        "T": _("ten of hearts"), "J": _("jack of hearts"), "Q": _("queen of hearts"), "K": _("king of hearts"),
        "A": _("ace of hearts"),
    },
    "D": {
        "2": _("two of diamonds"), "3": _("three of diamonds"), "4": _("four of diamonds"), "5": _("five of diamonds"),
        "6": _("six of diamonds"), "7": _("seven of diamonds"), "8": _("eight of diamonds"), "9": _("nine of diamonds"),
        "T": _("ten of diamonds"), "J": _("jack of diamonds"), "Q": _("queen of diamonds"), "K": _("king of diamonds"),
        "A": _("ace of diamonds"),
    },
    "C": {
        "2": _("two of clubs"), "3": _("three of clubs"), "4": _("four of clubs"), "5": _("five of clubs"),
        "6": _("six of clubs"), "7": _("seven of clubs"), "8": _("eight of clubs"), "9": _("nine of clubs"),
        "T": _("ten of clubs"), "J": _("jack of clubs"), "Q": _("queen of clubs"), "K": _("king of clubs"),
        "A": _("ace of clubs"),
    },
}  # fmt: skip

_PLACES = {
    "bottom": _("seat at the bottom"),
    "left": _("seat at the left"),
    "top": _("seat at the top"),
    "right": _("seat at the right"),
}

_HANDS = {
    "bottom": _("The bottom seat’s cards"),
    "left": _("The left seat’s cards"),
    "top": _("The top seat’s cards"),
    "right": _("The right seat’s cards"),
}

_SIDES = {"bottom": _("bottom"), "left": _("left"), "top": _("top"), "right": _("right")}

_SCORED = {
    frozenset({Scored.TRICK}): _("%(points)s a trick"),
    frozenset({Scored.HEART}): _("%(points)s a heart"),
    frozenset({Scored.QUEEN}): _("%(points)s a queen"),
    frozenset({Scored.KING}): _("%(points)s a king"),
    frozenset({Scored.JACK}): _("%(points)s a jack"),
    frozenset({Scored.KING, Scored.JACK}): _("%(points)s a king or jack"),
    frozenset({Scored.KING_OF_HEARTS}): _("%(points)s for the king of hearts"),
    frozenset({Scored.NUMBERED_TRICK}): _("%(points)s for trick %(tricks)s"),
}

_DECISIONS = {
    ActionKind.CHOOSE: _("%(name)s chooses a contract"),
    ActionKind.ORDER: _("%(name)s orders a contract or passes"),
    ActionKind.PASS: _("%(name)s bids or passes"),
    ActionKind.BID: _("%(name)s bids or passes"),
    ActionKind.NAME_TRUMP: _("%(name)s names the trump"),
    ActionKind.BY_LAST: _("%(name)s names a trump or leaves it to the last card"),
    ActionKind.MISERE: _("%(name)s praises a suit, the last card or misère"),
    ActionKind.TWO_TRICKS_EACH: _("%(name)s praises a suit, the last card or misère, or writes two tricks to all"),
    ActionKind.OFFER: _("%(name)s offers the game for sale or keeps it"),
    ActionKind.KEEP: _("%(name)s offers the game for sale or keeps it"),
    ActionKind.GIVE: _("%(name)s gives a card"),
    ActionKind.PLAY: _("%(name)s leads"),
}

_DECIDED = {
    ActionKind.PASS: _("pass"),
    ActionKind.NAME_TRUMP: _("trump"),
    ActionKind.BY_LAST: _("by the last card"),
    ActionKind.MISERE: _("misère"),
    ActionKind.TWO_TRICKS_EACH: _("two tricks each"),
    ActionKind.OFFER: _("for sale"),
    ActionKind.KEEP: _("keeps the game"),
}

_TELLING: Final = (
    *(ActionKind.PLAY, ActionKind.PASS, ActionKind.BID, ActionKind.NAME_TRUMP, ActionKind.BY_LAST, ActionKind.MISERE),
    *(ActionKind.TWO_TRICKS_EACH, ActionKind.KEEP, ActionKind.OFFER, ActionKind.GIVE, ActionKind.ORDER),
    ActionKind.CHOOSE,
)
"""Of several kinds of action that are legal at once, the last one here says best what is being decided."""

_ORDINALS = (_("1st"), _("2nd"), _("3rd"), _("4th"))

_FAULTS = {
    "timeout": _("overrun"),
    "overrun": _("overrun"),
    "illegal": _("illegal choice"),
    "exit": _("exit"),
    "protocol": _("protocol error"),
    "flood": _("flood"),
    "absent": _("absent"),
}

_ADVICE = {
    "timeout": _("If the bot warms up, send Ready only when it is done: starting has its own allowance."),
    "illegal": _("Answer with an index into the legal actions of that request, from 0."),
    "exit": _("Standard error says how it ended; “king check” finds most such failures."),
    "protocol": _("Answer each request once, by the id it was asked under."),
    "flood": _("Send one answer to each request and nothing more."),
    "absent": _("The bot must be connected when its sitting begins."),
}

_STATES = {
    "created": _("not started"),
    "planned": _("not started"),
    "open": _("entries open"),
    "running": _("running"),
    "paused": _("paused"),
    "ended": _("ended"),
    "over": _("ended"),
    "finished": _("ended"),
    "active": _("active"),
    "suspended": _("suspended"),
    "withdrawn": _("withdrawn"),
}


@dataclass(frozen=True, slots=True)
class Words:
    """Names in one language. Unknown ids come back as they are: a new rule is readable before it is translated."""

    translations: Translations
    language: str = "en"

    def say(self, message: str, **values: object) -> str:
        """A whole sentence from the catalogue, its `%(name)s` filled in."""
        return self.translations.gettext(message) % values

    def count(self, one: str, many: str, number: int, **values: object) -> str:
        """A sentence in the plural form that `number` asks for; `%(num)s` is the number."""
        return self.translations.ngettext(one, many, number) % {"num": number, **values}

    def _named(self, names: Mapping[str, str], key: str) -> str:
        return self.translations.gettext(names[key]) if key in names else key

    def suit(self, suit: str) -> str:
        """ "S" -> "spades"."""
        return self._named(_SUITS, suit)

    def card(self, card: str) -> str:
        """ "TH" -> "ten of hearts"."""
        return self._named(_CARDS[card[1]], card[0])

    def contract(self, contract: Contract) -> str:
        """A contract's short name: the game's own where it has one, never translated, else from the catalogue."""
        if contract.title.own is not None:
            return contract.title.own
        return self._named(_CONTRACTS, contract.id)

    def scoring(self, contract: Contract) -> str:
        """What a contract counts: "+25 a trick"; of a jumble, only the sum of all seats."""
        points = {row.points for row in contract.rows}
        scored = frozenset(row.scored for row in contract.rows)
        if len(points) != 1 or scored not in _SCORED:
            return self.say(_("%(points)s in all"), points=signed(contract.total)) if contract.rows else ""
        tricks = [str(trick) for row in contract.rows for trick in row.tricks]
        if len(tricks) == 2:
            sentence = _("%(points)s for each of tricks %(first)s and %(second)s")
            return self.say(sentence, points=signed(points.pop()), first=tricks[0], second=tricks[1])
        return self.say(_SCORED[scored], points=signed(points.pop()), tricks=", ".join(tricks))

    def place(self, place: str) -> str:
        """Where somebody sits on the page: "left" -> "seat at the left"."""
        return self._named(_PLACES, place)

    def side(self, place: str) -> str:
        """A side of the table, short."""
        return self._named(_SIDES, place)

    def hand_of(self, place: str) -> str:
        """The title of a hand: "left" -> "The left seat’s cards"."""
        return self._named(_HANDS, place)

    def decision_due(self, kinds: Collection[ActionKind], name: str) -> str:
        """What the seat to act is about to decide, told by the kinds of action it has."""
        telling = max(kinds, key=_TELLING.index)
        return self.say(_DECISIONS[telling], name=name)

    def decided(self, action: Action) -> str:
        """What was decided, without the suit or card, which are drawn beside it."""
        if action.kind is ActionKind.BID:
            return self.count("%(num)s trick", "%(num)s tricks", action.tricks or 0)
        return self.translations.gettext(_DECIDED[action.kind]) if action.kind in _DECIDED else ""

    def thinking_time(self, ms: float) -> str:
        """How long a bot thought: 0.8 -> "0.8 ms", 107.4 -> "107 ms", 1840 -> "1.84 s"."""
        point = decimal_point(self.language)
        if ms >= 999.5:
            return self.say(_("%(count)s s"), count=number(ms / 1000, 2, point=point))
        decimals = 0 if ms >= 9.95 or ms == int(ms) else 1
        return self.say(_("%(count)s ms"), count=number(ms, decimals, point=point))

    def size(self, size: int) -> str:
        """A size in bytes: 512 -> "512 bytes", 12288 -> "12 KiB", 34603008 -> "33 MiB"."""
        point = decimal_point(self.language)
        if size < 1 << 10:
            return self.count("%(num)s byte", "%(num)s bytes", size)
        if size < 1 << 20:
            return self.say(_("%(count)s KiB"), count=number(size / 1024, 0, point=point))
        mebibytes = size / (1 << 20)
        return self.say(
            _("%(count)s MiB"), count=number(mebibytes, 0 if mebibytes == int(mebibytes) else 1, point=point)
        )

    def ordinal(self, place: int) -> str:
        """ "1st" to "4th"."""
        return self.translations.gettext(_ORDINALS[place - 1])

    def fault(self, kind: str) -> str:
        """The tag of a fault."""
        return self._named(_FAULTS, kind)

    def advice(self, kind: str) -> str:
        """What the author of a bot can do about a kind of fault."""
        return self.translations.gettext(_ADVICE[kind]) if kind in _ADVICE else ""

    def state(self, state: str) -> str:
        """The tag of a season's or bot's state."""
        return self._named(_STATES, state)
