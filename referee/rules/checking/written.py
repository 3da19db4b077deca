"""Telling from a record's text alone that nothing is wrong with it: no list and no object is made of its deals.

Owns a walk along the text beside the engine: what is written of each deal is made anew and compared letter by letter.
It says yes to a text that `record.py` writes of a record that `faultless.py` says yes to, and no to any other; another
way of writing the same is no mistake, and left to those who read JSON.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.actions import MAX_SEATS
from referee.rules.cards import CARD_TEXTS, Card
from referee.rules.checking.faultless import is_ending, is_opening_action
from referee.rules.deal import Deal
from referee.rules.play import Play
from referee.rules.record import Record
from referee.rules.state import Match
from referee.rules.strict_json import read_json

_DEALS: Final = '"deals":['
_AFTER_DEALS: Final = '],"totals":'
_AFTER_ACTIONS: Final = '],"contract":'
_SEATS: Final = tuple([f'"seat":{seat}' for seat in range(MAX_SEATS)])
_PLAY: Final = '"do":"play"'
_CARDS: Final = {f'"card":"{text}"': card for card, text in enumerate(CARD_TEXTS)}
_BY_BOT: Final = '"by":"bot"'
_FORCED: Final = '"by":"forced"'
_TIMES: Final = frozenset([f'"ms":{ms}' for ms in range(1000)])
_FRAMES: Final = frozenset([f'"asked_with":{count}' for count in range(1000)])
_NUMBER: Final = "[1-9][0-9]{0,17}"
"""Longer ones are left to those who read JSON: Python reads no number of thousands of digits."""
_TIME: Final = re.compile(f'"ms":{_NUMBER}')
_FRAME: Final = re.compile(f'"asked_with":{_NUMBER}')


@dataclass(frozen=True)
class Outline:
    """A record's text, with all of the record but its deals, which are the text from `start` to `end`."""

    text: str
    record: Record
    start: int
    end: int


def outline(text: str) -> Outline | None:
    """Part the deals of a record's text from the rest; None if it does not look as it is written."""
    start, end = text.find(_DEALS) + len(_DEALS), text.rfind(_AFTER_DEALS)
    if not len(_DEALS) <= start <= end:
        return None
    try:
        read_json(f"{text[:start]}]}}")  # the list is the record's own, not one of something within
        record = read_json(text[:start] + text[end:])
    except ValueError:
        return None
    if not isinstance(record, dict) or record.get("deals") != []:
        return None
    return Outline(text, record, start, end)


def is_faultless(outline: Outline, match: Match) -> bool:
    """Whether a match that is not started yet, dealt the right cards, is played just as the text says."""
    match.start()
    text, at = outline.text, outline.start
    while match.deal is not None:
        if at > outline.start:
            if text[at : at + 1] != ",":
                return False
            at += 1
        at = _deal_end(match, match.deal, text, at)
        if at < 0:
            return False
    return at == outline.end and is_ending(outline.record, match)


def _deal_end(match: Match, deal: Deal, text: str, at: int) -> int:
    """Play a deal as written from a place on; return where it ends, -1 if it is another one."""
    beginning = _beginning(deal)
    if not text.startswith(beginning, at):
        return -1
    at += len(beginning)
    end = text.find(_AFTER_ACTIONS, at)
    if end < at + 2 or text[at] != "{" or text[end - 1] != "}":
        return -1
    actions = text[at + 1 : end - 1].split("},{")
    place = 0
    while match.deal is deal and deal.play is None:
        if place == len(actions) or not _is_opening_action(match, actions[place]):
            return -1
        place += 1
    tricks: list[str] = []
    play = deal.play
    if play is not None:
        if not _is_play(play, actions[place:], tricks):
            return -1
        match.go_on()
    elif place < len(actions):
        return -1
    outcome = _outcome(deal, tricks)
    return end + len(outcome) if text.startswith(outcome, end) else -1


def _is_opening_action(match: Match, text: str) -> bool:
    """Take an action before the play, given without its braces, if it is legal and noted as it should be."""
    try:
        form = read_json(f"{{{text}}}")
    except ValueError:
        return False
    return is_opening_action(match, form)


def _is_play(play: Play, actions: list[str], tricks: list[str]) -> bool:
    """Play the cards to the end, given by actions without their braces, and write the tricks; False if one is wrong."""
    leader, cards = play.leader, []
    for action in actions:
        members = action.split(",")
        if play.over or len(members) < 4:
            return False
        legal = play.legal()
        card: Card | None = _CARDS.get(members[2])
        if card is None or not legal >> card & 1 or members[0] != _SEATS[play.to_play] or members[1] != _PLAY:
            return False
        if members[3] != (_BY_BOT if legal & (legal - 1) else _FORCED) or not _are_notes(members):
            return False
        play.play(card)
        cards.append(CARD_TEXTS[card])
        if not play.trick:
            tricks.append(f'{{"leader":{leader},"cards":{_texts(cards)},"taker":{play.leader}}}')
            leader, cards = play.leader, []
    return play.over


def _are_notes(members: list[str]) -> bool:
    """Whether what follows of a play's members, if anything, are its time and its frame."""
    count = len(members)
    if count == 6:
        return _is_time(members[4]) and _is_frame(members[5])
    return count == 4 or (count == 5 and (_is_time(members[4]) or _is_frame(members[4])))


def _is_time(member: str) -> bool:
    return member in _TIMES or _TIME.fullmatch(member) is not None


def _is_frame(member: str) -> bool:
    return member in _FRAMES or _FRAME.fullmatch(member) is not None


def _beginning(deal: Deal) -> str:
    """What is written of a deal before its actions."""
    hands = ",".join([_texts([CARD_TEXTS[card] for card in hand]) for hand in deal.dealt])
    talon = _texts([CARD_TEXTS[card] for card in deal.talon])
    return f'{{"number":{deal.number},"dealer":{_number(deal.dealer)},"hands":[{hands}],"talon":{talon},"actions":['


def _outcome(deal: Deal, tricks: Sequence[str]) -> str:
    """What is written of a deal after its actions."""
    trump = deal.trump if deal.is_set else None
    misere = _truth(deal.misere) if deal.is_set else "null"
    points = ",".join([str(point) for point in deal.points or ()])
    return (
        f'],"contract":{_text(None if deal.contract is None else deal.contract.id)},"declarer":{_number(deal.declarer)}'
        f',"trump":{_text(trump)},"misere":{misere},"price":{_number(deal.price)}'
        f',"exposed":{_text(None if deal.exposed is None else CARD_TEXTS[deal.exposed])}'
        f',"tricks":[{",".join(tricks)}],"points":[{points}],"ended_early":{_truth(deal.ended_early)}'
        f',"made_king":{_number(deal.made_king)}}}'
    )


def _texts(texts: list[str]) -> str:
    return '["' + '","'.join(texts) + '"]' if texts else "[]"


def _text(text: str | None) -> str:
    return "null" if text is None else f'"{text}"'


def _number(number: int | None) -> str:
    return "null" if number is None else str(number)


def _truth(value: bool) -> str:
    return "true" if value else "false"
