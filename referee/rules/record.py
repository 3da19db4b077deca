"""The match record, `king-record/1`: from a match to JSON, to a file and back.

Owns the field names. Checking is in `checking.py`, stepping through in `replaying.py`; nothing here decides a rule.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.rules import scoring
from referee.rules.actions import MAX_SEATS, Action, ActionKind, By, play_action
from referee.rules.cards import CARD_COUNT, card_text
from referee.rules.deal import Deal, Trick
from referee.rules.errors import RulesError
from referee.rules.options import Option
from referee.rules.state import Match
from referee.rules.strict_json import read_json
from referee.rules.variant import Variant
from referee.rules.variants import PRESETS, VARIANTS

FORMAT: Final = "king-record/1"
CONTEXT_FIELDS: Final = ("season", "board", "rotation", "time_control", "started_at", "stand_in")

Record = dict[str, Any]
"""A record as `json` reads it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """How an action came about: by whom, the thinking time in milliseconds, and the requests in that frame."""

    by: By
    ms: int | None = None
    asked_with: int | None = None

    def to_json(self) -> Record:
        """Return the fields that join the action's own; those that are not known are left out."""
        form: Record = {"by": self.by.value}
        if self.ms is not None:
            form["ms"] = self.ms
        if self.asked_with is not None:
            form["asked_with"] = self.asked_with
        return form

    @property
    def text(self) -> str:
        """The end of an action's JSON that has these fields."""
        ms = "" if self.ms is None else f',"ms":{self.ms}'
        asked_with = "" if self.asked_with is None else f',"asked_with":{self.asked_with}'
        return f',"by":"{self.by}"{ms}{asked_with}}}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """The bot at a seat."""

    bot: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit:
    """A seat taken from its bot: from which deal (from 1) and which action of it (from 1) on."""

    seat: int
    kind: str
    deal: int
    action: int
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """The secrets of a match's deals, as bytes; None where they are not public yet."""

    deal_secret: bytes | None = None
    deal_salt: bytes | None = None
    deal_seed: bytes | None = None
    deal_commitment: bytes | None = None

    def to_json(self) -> Record:
        """Return the four fields as hex digits."""
        return {
            name: None if value is None else value.hex()
            for name, value in (
                ("deal_secret", self.deal_secret),
                ("deal_salt", self.deal_salt),
                ("deal_seed", self.deal_seed),
                ("deal_commitment", self.deal_commitment),
            )
        }


def match_record(
    match: Match,
    *,
    match_id: str,
    players: Sequence[Player],
    context: Mapping[str, object],
    secrets: Secrets,
    taken: Sequence[Sequence[Taken]],
    forfeits: Sequence[Forfeit] = (),
    termination: str | None = None,
    detail: str = "",
) -> Record:
    """Write a match as a record.

    `players` are by seat; `taken` has for each deal how each of its actions came about, in order; context fields not
    given are null. `termination` is "normal" for a match that is over and else "unfinished", unless given.
    """
    about = _About(match_id, players, context, secrets, forfeits, termination, detail)
    return _match_form(match, about, [deal_record(deal, notes) for deal, notes in _noted(match, taken)])


def match_text(
    match: Match,
    *,
    match_id: str,
    players: Sequence[Player],
    context: Mapping[str, object],
    secrets: Secrets,
    taken: Sequence[Sequence[str]],
    forfeits: Sequence[Forfeit] = (),
) -> str:
    """Write a match that is over, as `record_text` writes its `match_record`; `taken` has each action's `Taken.text`.

    No form of each action or trick is made in between, which is most of the work.
    """
    about = _About(match_id, players, context, secrets, forfeits, None, "")
    text = record_text(_match_form(match, about, []))
    before, gap, after = text.rpartition(_NO_DEALS)
    if not gap:
        raise AssertionError("a record without deals says otherwise")
    deals = [_deal_text(deal, texts) for deal, texts in zip(match.deals, taken, strict=True)]
    return f"{before}{_NO_DEALS[:-1]}{','.join(deals)}]{after}"


class _About(NamedTuple):
    """What is in a record beside its deals and results."""

    match_id: str
    players: Sequence[Player]
    context: Mapping[str, object]
    secrets: Secrets
    forfeits: Sequence[Forfeit]
    termination: str | None
    detail: str


def _noted(match: Match, taken: Sequence[Sequence[Taken]]) -> list[tuple[Deal, Sequence[Taken]]]:
    deals = [*match.deals, *([match.deal] if match.deal else [])]
    return list(zip(deals, [*taken, *([()] * (len(deals) - len(taken)))], strict=True))


def _match_form(match: Match, about: _About, deals: list[Record]) -> Record:
    variant = match.variant
    return {
        "format": FORMAT,
        "variant": variant.base_id,
        "rules_version": variant.rules_version,
        "options": options_json(variant),
        "match_id": about.match_id,
        "seats": variant.seats,
        "players": [{"seat": seat, "bot": by.bot, "version": by.version} for seat, by in enumerate(about.players)],
        "context": {name: about.context.get(name) for name in CONTEXT_FIELDS},
        **about.secrets.to_json(),
        "deals": deals,
        "totals": list(match.totals) if match.over else None,
        "places": None if match.places is None else list(match.places),
        "settlement": None if match.settlement is None else list(match.settlement),
        "forfeits": [
            {"seat": one.seat, "kind": one.kind, "deal": one.deal, "action": one.action, "detail": one.detail}
            for one in about.forfeits
        ],
        "termination": {
            "kind": about.termination or ("normal" if match.over else "unfinished"),
            "detail": about.detail,
        },
    }


def deal_record(deal: Deal, taken: Sequence[Taken] = ()) -> Record:
    """Write one deal; of a deal in progress, what is not known yet is null."""
    notes = [one.to_json() for one in taken] + [{}] * (len(deal.actions) - len(taken))
    return _deal_form(deal, [{**action.to_json(), **note} for action, note in zip(deal.actions, notes, strict=True)])


def _deal_form(deal: Deal, actions: list[Record]) -> Record:
    return {
        **_opening_form(deal),
        "actions": actions,
        **_contract_form(deal),
        "tricks": [trick_record(trick) for trick in deal.tricks if trick.cards],
        **_outcome_form(deal),
    }


def _opening_form(deal: Deal) -> Record:
    return {
        "number": deal.number,
        "dealer": deal.dealer,
        "hands": [[card_text(card) for card in cards] for cards in deal.dealt],
        "talon": [card_text(card) for card in deal.talon],
    }


def _contract_form(deal: Deal) -> Record:
    return {
        "contract": deal.contract.id if deal.contract else None,
        "declarer": deal.declarer,
        "trump": deal.trump if deal.is_set else None,
        "misere": deal.misere if deal.is_set else None,
        "price": deal.price,
        "exposed": None if deal.exposed is None else card_text(deal.exposed),
    }


def _outcome_form(deal: Deal) -> Record:
    return {
        "points": None if deal.points is None else list(deal.points),
        "ended_early": None if deal.points is None else deal.ended_early,
        "made_king": deal.made_king,
    }


def _deal_text(deal: Deal, taken: Sequence[str]) -> str:
    """A deal's form as JSON, if that of its actions is given but for their beginnings."""
    actions = ",".join([_action_text(action) + text for action, text in zip(deal.actions, taken, strict=True)])
    tricks = ",".join([_trick_text(trick) for trick in deal.tricks if trick.cards])
    opening, contract, outcome = _json(_opening_form(deal)), _json(_contract_form(deal)), _json(_outcome_form(deal))
    return f'{opening[:-1]},"actions":[{actions}],{contract[1:-1]},"tricks":[{tricks}],{outcome[1:]}'


def _action_text(action: Action) -> str:
    """An action's form as JSON, but for what closes it."""
    if action.kind is ActionKind.PLAY and action.card is not None:
        return _PLAY_TEXTS[action.seat][action.card]
    return _json(action.to_json())[:-1]


def _trick_text(trick: Trick) -> str:
    cards = ",".join([_CARD_TEXTS[card] for card in trick.cards])
    taker = "null" if trick.taker is None else str(trick.taker)
    return f'{{"leader":{trick.leader},"cards":[{cards}],"taker":{taker}}}'


def trick_record(trick: Trick) -> Record:
    """Write one trick."""
    return {"leader": trick.leader, "cards": [card_text(card) for card in trick.cards], "taker": trick.taker}


def match_scores(variant: Variant, deals: Sequence[Record]) -> tuple[int, ...]:
    """Return what decides places and ratings, by seat, from a record's finished deals; extra deals are left out."""
    results = [(deal["contract"], deal["points"]) for deal in deals[: variant.deal_count]]
    return scoring.scores(variant, results)


def options_json(variant: Variant) -> Record:
    """Return every option resolved, lists of numbers as lists."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in variant.options.items()}


def option_texts(variant: Variant) -> dict[str, str]:
    """Return every option resolved as text; lists are joined by "+"."""
    return {name: _value_text(value) for name, value in variant.options.items()}


def _value_text(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def variants_json() -> Record:
    """Return every preset, and every base variant with its options, their values and defaults.

    An option that also takes lists of numbers says in `pattern` what they look like.
    """
    variants = [{"id": row.id, "options": list(map(_option_json, row.options))} for row in VARIANTS.values()]
    return {"presets": list(PRESETS), "variants": variants}


def _option_json(option: Option) -> Record:
    form: Record = {
        "name": option.name,
        "values": [option.json(value) for value in option.values],
        "default": option.json(option.default),
    }
    return {**form, "pattern": option.lists.pattern} if option.lists else form


def record_text(record: Mapping[str, object]) -> str:
    """Write a record as JSON, a line."""
    return _json(record) + "\n"


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _json(form: Mapping[str, object]) -> str:
    return _ENCODER.encode(form)


_PLAY_TEXTS: Final = tuple(
    [tuple([_json(play_action(seat, card).to_json())[:-1] for card in range(CARD_COUNT)]) for seat in range(MAX_SEATS)]
)
_CARD_TEXTS: Final = tuple([f'"{card_text(card)}"' for card in range(CARD_COUNT)])
_NO_DEALS: Final = '"deals":[]'


def write_record(path: Path, record: Mapping[str, object]) -> None:
    """Write a record to a file, over what is there."""
    path.write_text(record_text(record), encoding="utf-8")


def parse_record(text: str | bytes) -> Record:
    """Read a record from JSON; that it is one object is all that is checked.

    Raises:
        RulesError: if it is not a JSON object in UTF-8.
    """
    try:
        form = read_json(text)
    except ValueError as error:
        raise RulesError(f"not a record: not JSON in UTF-8: {error}") from error
    if not isinstance(form, dict):
        raise RulesError(f"not a record: a JSON object is expected, not {type(form).__name__}")
    return form


def read_record(path: Path) -> Record:
    """Read a record from a file; that it is one JSON object is all that is checked.

    Raises:
        RulesError: if the file cannot be read or is not a JSON object.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise RulesError(f"cannot read {path}: {error.strerror}") from error
    try:
        return parse_record(text)
    except RulesError as error:
        raise RulesError(f"{path}: {error}") from error
