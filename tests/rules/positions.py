"""Positions for table tests, written with card texts: the cards of a trick, a hand, tricks that went before."""

from collections.abc import Sequence
from dataclasses import replace

from referee.rules import (
    FIELDS,
    Action,
    ActionKind,
    Card,
    Match,
    Play,
    PlayRules,
    Stake,
    Variant,
    card_text,
    cards_of,
    mask_of,
    parse_card,
    parse_variant,
    play_rules,
)


def cards(text: str) -> list[Card]:
    """Read cards separated by blanks."""
    return [parse_card(word) for word in text.split()]


def rules_of(
    variant: str,
    contract: str,
    *,
    trump: str | None = None,
    misere: bool = False,
    stake: Stake | None = None,
) -> PlayRules:
    """Make a contract of a variant ready for play."""
    row = parse_variant(variant)
    return play_rules(
        row.contracts[contract], seats=row.seats, pack=row.pack_mask, trump=trump, misere=misere, stake=stake
    )


def play_tricks(rules: PlayRules, tricks: Sequence[tuple[int, str]]) -> Play:
    """Play tricks, each given as the seat that leads and the cards in the order played, whoever held them."""
    play = Play(rules, [0] * rules.seats, 0)
    for leader, trick in tricks:
        play.leader = play.to_play = leader
        for card in cards(trick):
            play.play(card)
    return play


def legal_cards(rules: PlayRules, hand: str, *, trick: str = "", earlier: Sequence[tuple[int, str]] = ()) -> set[str]:
    """Return the legal cards of a hand after the cards of an open trick, and tricks before it."""
    play = play_tricks(rules, earlier)
    for card in cards(trick):
        play.play(card)
    play.hands[play.to_play] = mask_of(cards(hand))
    return set(map(card_text, cards_of(play.legal())))


def only(variant: Variant, number: int, count: int = 1) -> Variant:
    """Return a variant of one regular deal, `number` (from 1), played `count` times."""
    plan = variant.deals[number - 1]
    contracts = {contract: variant.contracts[contract] for contract in plan.contracts}
    return replace(variant, deals=(plan,) * count, contracts=contracts)


def pack_with(variant: Variant, hands: Sequence[str], talon: str = "", first: int = 0) -> list[Card]:
    """Return a pack that deals hands beginning with the given cards in their order, from seat `first` on.

    The other cards follow in pack order, hand after hand, and last the talon.
    """
    given = [cards(hand) for hand in hands]
    on_table = cards(talon)
    used = set(on_table).union(*given)
    rest = [card for card in variant.pack if card not in used]
    size = (len(variant.pack) - len(on_table)) // variant.seats
    for hand in given:
        while len(hand) < size:
            hand.append(rest.pop(0))
    order = [given[(first + turn) % variant.seats] for turn in range(variant.seats)]
    return [hand[place] for place in range(size) for hand in order] + on_table


def begin(variant: Variant, hands: Sequence[str] = (), *, talon: str = "", dealer: int = 3) -> Match:
    """Start a match with a given first deal; later deals come from an unshuffled pack."""
    has_lot = variant.first_holder is None
    first = (dealer + 1) % variant.seats if variant.has_dealer else 0
    pack = pack_with(variant, list(hands) or [""] * variant.seats, talon, first)
    match = Match(variant, lambda number: pack if number == 1 else variant.pack, dealer if has_lot else None)
    match.start()
    return match


def say(match: Match, *words: str) -> None:
    """Take actions for the seats whose turn it is, such as "pass", "bid 3", "choose trumps S", "give 2 KH"."""
    for word in words:
        seat = match.seat_to_act
        assert seat is not None, "the match is over"
        match.apply(action_of(seat, word))


def action_of(seat: int, word: str) -> Action:
    """Read an action: its kind, then the values of its fields in a record's order, separated by blanks."""
    kind, *values = word.split()
    names = FIELDS[ActionKind(kind)]
    form: dict[str, object] = {"seat": seat, "do": kind, **dict.fromkeys(names)}
    for name, value in zip(names, values, strict=False):
        form[name] = int(value) if name in {"tricks", "to"} else value
    return Action.from_json(form)


def words_of(match: Match) -> list[str]:
    """Return the legal actions as `say` takes them."""
    return [" ".join([action.kind, *_fields(action)]) for action in match.legal_actions()]


def _fields(action: Action) -> list[str]:
    values = {name: value for name, value in action.to_json().items() if name not in {"seat", "do"}}
    return [str(value) for value in values.values() if value is not None]
