"""Actions: every decision that a seat can take. Owns their kinds, fields and JSON form; knows no position."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from referee.rules.cards import CARD_COUNT, SUITS, Card, card_text, parse_card
from referee.rules.errors import RulesError

MAX_SEATS: Final = 4


class ActionKind(StrEnum):
    """Kinds of action, in the order in which legal actions are listed."""

    PLAY = "play"
    CHOOSE = "choose"
    ORDER = "order"
    PASS = "pass"
    BID = "bid"
    NAME_TRUMP = "name_trump"
    BY_LAST = "by_last"
    MISERE = "misere"
    TWO_TRICKS_EACH = "two_tricks_each"
    OFFER = "offer"
    KEEP = "keep"
    GIVE = "give"


class By(StrEnum):
    """How an action came about."""

    BOT = "bot"
    FORCED = "forced"
    STAND_IN = "stand_in"


FIELDS: Final[Mapping[ActionKind, tuple[str, ...]]] = {
    ActionKind.PLAY: ("card",),
    ActionKind.CHOOSE: ("contract", "trump"),
    ActionKind.ORDER: ("contract",),
    ActionKind.PASS: (),
    ActionKind.BID: ("tricks",),
    ActionKind.NAME_TRUMP: ("trump",),
    ActionKind.BY_LAST: (),
    ActionKind.MISERE: (),
    ActionKind.TWO_TRICKS_EACH: (),
    ActionKind.OFFER: (),
    ActionKind.KEEP: (),
    ActionKind.GIVE: ("to", "card"),
}
"""The further fields of each kind's JSON form, beside `seat` and `do`."""


@dataclass(frozen=True, slots=True)
class Action:
    """One decision of one seat; fields that the kind does not use are None.

    `trump` is a letter of "SHDC"; a `choose` without trump has None. `to` is a seat.
    """

    seat: int
    kind: ActionKind
    card: Card | None = None
    contract: str | None = None
    trump: str | None = None
    tricks: int | None = None
    to: int | None = None

    def to_json(self) -> dict[str, object]:
        """Return the JSON object of a record, without `by`."""
        form: dict[str, object] = {"seat": self.seat, "do": self.kind.value}
        for name in FIELDS[self.kind]:
            form[name] = card_text(self.card) if name == "card" and self.card is not None else getattr(self, name)
        return form

    @staticmethod
    def from_json(form: Mapping[str, object]) -> "Action":
        """Read the JSON object of a record; fields that its kind does not have are passed over.

        Raises:
            RulesError: if the kind is unknown, or a field is missing or of a wrong type.
        """
        seat = _integer(form, "seat")
        kind = _kind(form.get("do"))
        fields = FIELDS[kind]
        card = form.get("card")
        return Action(
            seat,
            kind,
            card=parse_card(_text(card, "card")) if "card" in fields else None,
            contract=_text(form.get("contract"), "contract") if "contract" in fields else None,
            trump=_trump(form, kind) if "trump" in fields else None,
            tricks=_integer(form, "tricks") if "tricks" in fields else None,
            to=_integer(form, "to") if "to" in fields else None,
        )

    def __reduce__(self) -> tuple[type["Action"], tuple[object, ...]]:
        """How it is copied and pickled, compiled too."""
        return Action, (self.seat, self.kind, self.card, self.contract, self.trump, self.tricks, self.to)

    def __str__(self) -> str:
        words = [self.kind.value]
        words += [str(value) for name, value in self.to_json().items() if name not in {"seat", "do"}]
        return f"seat {self.seat}: {' '.join(words)}"


def play_action(seat: int, card: Card) -> Action:
    """Return the action of playing a card."""
    return _PLAYS[seat][card]


def play_actions(seat: int, cards: int) -> tuple[Action, ...]:
    """Return the actions of playing each of the cards of a mask, in pack order."""
    plays = _PLAYS[seat]
    actions = []
    while cards:
        low = cards & -cards
        actions.append(plays[low.bit_length() - 1])
        cards ^= low
    return tuple(actions)


def _kind(value: object) -> ActionKind:
    kind = _KINDS.get(value) if isinstance(value, str) else None
    if kind is not None:
        return kind
    raise RulesError(f"do: {value!r} is no kind of action; kinds are {', '.join(ActionKind)}")


def _text(value: object, name: str) -> str:
    if isinstance(value, str):
        return value
    raise RulesError(f"{name}: {value!r} is not a text")


def _integer(form: Mapping[str, object], name: str) -> int:
    value = form.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise RulesError(f"{name}: {value!r} is not a whole number")


def _trump(form: Mapping[str, object], kind: ActionKind) -> str | None:
    if "trump" not in form:
        raise RulesError(f"trump: missing in {kind.value!r}")
    value = form["trump"]
    if value is None and kind is ActionKind.CHOOSE:
        return None
    if isinstance(value, str) and len(value) == 1 and value in SUITS:
        return value
    raise RulesError(f"trump: {value!r} is not a suit; suits are {', '.join(SUITS)}")


_KINDS: Final[Mapping[str, ActionKind]] = {kind.value: kind for kind in ActionKind}
_PLAYS: Final = tuple(
    tuple([Action(seat, ActionKind.PLAY, card=card) for card in range(CARD_COUNT)]) for seat in range(MAX_SEATS)
)
