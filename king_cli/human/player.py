"""The person as a bot of the SDK: `choose` shows the table and asks.

Owns the dialogue. The clock runs on while a person thinks, so give one that is long enough.
"""

from __future__ import annotations

from collections.abc import Sequence

from king_bot import Action, ActionKind, Bot, Table

from king_cli.human.terminal import LeftError, Terminal
from king_cli.human.wording import MINUS, SIGNS, Wording

HELP = (
    'Type the number of an action, or a card such as "10h" or "KS"; "rules" for the contract, "q" to leave the table.'
)
_LEAVE = frozenset({"q", "quit", "exit"})
_LONGEST_NUMBER = 9
_SHOWN_LENGTH = 60
_LETTERS = {sign: letter for letter, sign in SIGNS.items()}


class Person(Bot):
    """Asks on the terminal; `names` are the players by seat."""

    def __init__(self, names: Sequence[str], terminal: Terminal) -> None:
        super().__init__()
        self.name, self.version = "human", "1"
        self.table_limit = 1
        self._terminal = terminal
        self._wording = Wording(names, coloured=terminal.coloured)
        self._shown = (0, 0, 0)  # the deal, and how many sayings and tricks of it the person has read
        self._contract_shown = 0  # the deal whose contract the person has read

    def table_started(self, table: Table) -> None:
        """Says which game it is and who sits where."""
        seats = ", ".join(self._wording.name(table, seat) for seat in range(table.seats))
        self._terminal.say([f"{table.variant}: in playing order {seats}.", HELP])

    def choose(self, table: Table, actions: Sequence[Action]) -> Action:
        """Shows what is new, then asks until the answer is one of `actions`."""
        self._show_news(table)
        self._terminal.say([*self._wording.position(table), *self._choices(table, actions)])
        while True:
            answer = self._terminal.ask("> ")
            if answer.lower() in _LEAVE:
                raise LeftError
            chosen = chosen_action(answer, actions)
            if chosen is not None:
                return chosen
            self._terminal.say([*self._wording.rules(table)] if answer.lower() == "rules" else [_refusal(answer)])

    def deal_ended(self, table: Table) -> None:
        """Says what the deal came to."""
        self._show_news(table)
        told = self._wording.points(table, table.finished[-1].points)
        self._terminal.say([f"Deal {table.deal.number} is over: {told}. Totals: {_totals(self._wording, table)}."])

    def table_ended(self, table: Table) -> None:
        """Says who won."""
        place = table.places[table.seat] if table.places else None
        self._terminal.say([f"The match is over. {_totals(self._wording, table)}. Your place: {place or 'none'}."])

    def _show_news(self, table: Table) -> None:
        deal = table.deal
        number, said, tricks = self._shown
        lines: list[str] = []
        if number != deal.number:
            said = tricks = 0
            lines.append(f"— Deal {deal.number} —")
        lines += self._wording.sayings(table, since=said)
        if deal.contract is not None and self._contract_shown != deal.number:
            self._contract_shown = deal.number
            lines.append(f"Played for: {self._wording.contract(table)}")
        lines += self._wording.tricks(table, since=tricks)
        self._shown = (deal.number, len(deal.said), len(deal.tricks))
        if lines:
            self._terminal.say(["", *lines])

    def _choices(self, table: Table, actions: Sequence[Action]) -> list[str]:
        texts = [f"{place}) {self._wording.action(table, action)}" for place, action in enumerate(actions, 1)]
        return ["  ".join(texts)] if actions[0].kind is ActionKind.PLAY else texts


def chosen_action(answer: str, actions: Sequence[Action]) -> Action | None:
    """The action that an answer names: by its number from 1, or by its card; None if it names none, or several."""
    if answer.isdecimal():
        place = int(answer) if len(answer) <= _LONGEST_NUMBER else 0
        return actions[place - 1] if 1 <= place <= len(actions) else None
    card = card_text(answer)
    named = [action for action in actions if str(action.card) == card]
    return named[0] if len(named) == 1 else None


def card_text(answer: str) -> str:
    """How the protocol writes the card of an answer: "10♥", "10h" and "th" are "TH"."""
    for sign, letter in _LETTERS.items():
        answer = answer.replace(sign, letter)
    return answer.replace(" ", "").upper().replace("10", "T")


def _totals(wording: Wording, table: Table) -> str:
    return wording.points(table, table.totals).replace("-", MINUS)


def _refusal(answer: str) -> str:
    shown = repr(answer if len(answer) <= _SHOWN_LENGTH else f"{answer[:_SHOWN_LENGTH]}…")
    return f"{shown} is none of the actions. {HELP}" if answer else HELP
