"""Telling quickly that nothing is wrong with a record, as is the case with almost every one.

Owns a walk through the record beside the engine that stops at the first thing which is not just what this engine
writes of a whole match without a fault. It says yes or no; what is wrong, if anything, and in which words, is found by
the checks beside this module, which see everything that this one sees. So it may say no to a record that is right, as
it does where a stand-in has played, but never yes to one that is not.
"""

from typing import Final

from referee.rules.actions import Action, ActionKind, By
from referee.rules.cards import CARDS_BY_TEXT, Card, card_text
from referee.rules.checking.equality import same
from referee.rules.deal import Deal
from referee.rules.errors import RulesError
from referee.rules.play import Play
from referee.rules.record import CONTEXT_FIELDS, FORMAT, Record
from referee.rules.state import Match
from referee.rules.variant import Variant
from referee.rules.variants import variant_with

_PLAY: Final = ActionKind.PLAY.value
_BOT: Final = By.BOT.value
_FORCED: Final = By.FORCED.value


def faultless_variant(record: object) -> Variant | None:
    """Return the variant of a record whose every field but the deals and their secrets is right, else None.

    What follows from the deals (totals, places, settlement) is left to `is_faultless`.
    """
    if not isinstance(record, dict) or record.get("format") != FORMAT or not isinstance(record.get("match_id"), str):
        return None
    ending, context = record.get("termination"), record.get("context")
    if not isinstance(ending, dict) or ending.get("kind") != "normal" or not _is_text_or_null(ending, "detail"):
        return None
    if not isinstance(context, dict) or any(name not in context for name in CONTEXT_FIELDS):
        return None
    base_id, options = record.get("variant"), record.get("options")
    if record.get("forfeits") != [] or not isinstance(base_id, str) or not isinstance(options, dict):
        return None
    try:
        variant = variant_with(base_id, options)
    except RulesError:
        return None
    known = same(variant.rules_version, record.get("rules_version")) and same(variant.seats, record.get("seats"))
    return variant if known and _are_players(record.get("players"), variant.seats) else None


def is_faultless(record: Record, match: Match) -> bool:
    """Whether a match that is not started yet, dealt the right cards, is played just as the record's deals say."""
    deals = record.get("deals")
    if not isinstance(deals, list):
        return False
    match.start()
    for form in deals:
        deal = match.deal
        if deal is None or not isinstance(form, dict) or not _is_deal(match, deal, form):
            return False
    return is_ending(record, match)


def is_ending(record: Record, match: Match) -> bool:
    """Whether a match is over, and ended as a record says."""
    return (
        match.over
        and same(list(match.totals), record.get("totals"))
        and same(list(match.places or ()), record.get("places"))
        and "settlement" in record
        and same(None if match.settlement is None else list(match.settlement), record["settlement"])
    )


def _is_text_or_null(form: Record, name: str) -> bool:
    value = form.get(name, form)
    return value is None or isinstance(value, str)


def _are_players(players: object, seats: int) -> bool:
    if not isinstance(players, list) or len(players) != seats:
        return False
    return all(
        isinstance(player, dict)
        and same(seat, player.get("seat"))
        and isinstance(player.get("bot"), str)
        and _is_text_or_null(player, "version")
        for seat, player in enumerate(players)
    )


def _is_deal(match: Match, deal: Deal, form: Record) -> bool:
    """Play one deal as recorded, to its end; whether all of it is as the record says."""
    actions, tricks = form.get("actions"), form.get("tricks")
    if not isinstance(actions, list) or not isinstance(tricks, list):
        return False
    if form.get("hands") != [[card_text(card) for card in hand] for hand in deal.dealt]:
        return False
    place = 0
    while match.deal is deal and deal.play is None:
        if place == len(actions) or not is_opening_action(match, actions[place]):
            return False
        place += 1
    play = deal.play
    if play is not None:
        if not _is_play(play, actions, place, tricks):
            return False
        match.go_on()
    elif tricks or place < len(actions):
        return False
    return _is_outcome(deal, form)


def is_opening_action(match: Match, form: object) -> bool:
    """Take an action before the play, if it is legal, and noted as it should be."""
    if not isinstance(form, dict):
        return False
    try:
        action = Action.from_json(form)
    except RulesError:
        return False
    legal = match.legal_actions()
    if action not in legal or not _is_noted(form, is_forced=len(legal) == 1):
        return False
    match.apply(action)
    return True


def _is_play(play: Play, actions: list[object], place: int, tricks: list[object]) -> bool:
    """Play the cards of the actions from a place on; whether they are the tricks, and end just where the play does."""
    seats = play.rules.seats
    for trick in tricks:
        if play.over or not isinstance(trick, dict) or place + seats > len(actions):
            return False
        cards = trick.get("cards")
        if not isinstance(cards, list) or len(cards) != seats or not _is_number(trick.get("leader"), play.leader):
            return False
        for text in cards:
            if not isinstance(text, str) or not _is_card_played(play, actions[place], text):
                return False
            place += 1
        if not _is_number(trick.get("taker"), play.leader):
            return False
    return play.over and place == len(actions)


def _is_card_played(play: Play, form: object, text: str) -> bool:
    """Play a card given by its text, if it is legal and what the action says."""
    card: Card | None = CARDS_BY_TEXT.get(text)
    if card is None or not isinstance(form, dict):
        return False
    legal = play.legal()
    if not legal >> card & 1 or form.get("card") != text or form.get("do") != _PLAY:
        return False
    if not _is_number(form.get("seat"), play.to_play) or not _is_noted(form, is_forced=not legal & (legal - 1)):
        return False
    play.play(card)
    return True


def _is_noted(form: Record, *, is_forced: bool) -> bool:
    """Whether an action says rightly by whom it was taken, and nothing impossible of the time."""
    if form.get("by") != (_FORCED if is_forced else _BOT):
        return False
    return _is_count_or_null(form.get("ms")) and _is_count_or_null(form.get("asked_with"))


def _is_count_or_null(value: object) -> bool:
    return value is None or (type(value) is int and value >= 0)


def _is_number(value: object, expected: int) -> bool:
    """Whether a value is this very number; true is not 1."""
    return type(value) is int and value == expected


def _is_outcome(deal: Deal, form: Record) -> bool:
    """Whether what is said of a deal that is over follows from it."""
    expected: list[tuple[str, object]] = [
        ("number", deal.number),
        ("dealer", deal.dealer),
        ("talon", [card_text(card) for card in deal.talon]),
        ("contract", None if deal.contract is None else deal.contract.id),
        ("declarer", deal.declarer),
        ("trump", deal.trump if deal.is_set else None),
        ("misere", deal.misere if deal.is_set else None),
        ("price", deal.price),
        ("exposed", None if deal.exposed is None else card_text(deal.exposed)),
        ("points", list(deal.points or ())),
        ("ended_early", deal.ended_early),
        ("made_king", deal.made_king),
    ]
    return all(same(value, form.get(name, form)) for name, value in expected)
