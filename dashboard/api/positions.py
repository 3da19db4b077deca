"""Positions of a deal as the API tells them: the engine's own, with what a seat did not know left out.

Owns what a view hides. All rules stay in the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dashboard.api.models.matches import DealPositions, Hand
from dashboard.api.models.matches import Position as PositionModel
from dashboard.pages.hands import CAN, HELD, SeatCards, cards_in_view
from dashboard.pages.replay import MatchView
from referee.rules import Action, ActionKind, Position

OPEN = "open"


def deal_positions(match_id: str, match: MatchView, deal: int, view: str) -> DealPositions:
    """Every position of a deal (from 1); `view` is open, or a seat."""
    replayed = match.replayed.deals[deal - 1]
    viewer = None if view == OPEN else int(view)
    actions = [Action.from_json(one.action) for one in replayed.positions[1:] if one.action is not None]
    seats = range(match.replayed.variant.seats)
    cards = [cards_in_view(replayed.positions, actions, seat, viewer) for seat in seats]
    return DealPositions(
        match=match_id,
        deal=deal,
        deals=len(match.replayed.deals),
        view=view,
        seats=[seat.name for seat in match.seats],
        dealer=replayed.dealer,
        positions=[_position(one, cards, viewer) for one in replayed.positions],
    )


def _position(one: Position, cards: Sequence[SeatCards], viewer: int | None) -> PositionModel:
    told = one.to_json()
    told["action"] = _action(one.action, viewer)
    told["legal"] = list(one.legal) if viewer is None or viewer == one.seat_to_act else None
    told["hands"] = [_hand(one, each) for each in cards]
    return PositionModel.model_validate(told)


def _action(action: dict[str, object] | None, viewer: int | None) -> dict[str, Any] | None:
    """The action; a card that was given is seen by giver and receiver."""
    if action is None or viewer is None or action["do"] != ActionKind.GIVE or viewer in {action["seat"], action["to"]}:
        return action
    return {name: value for name, value in action.items() if name != "card"}


def _hand(one: Position, cards: SeatCards) -> Hand:
    states = cards.states(one, one.number, set())
    faces = zip(cards.faces, states, strict=False)
    known = [face for face, state in faces if face is not None and state in {HELD, CAN}]
    return Hand(cards=known, hidden=len(one.hands[cards.seat]) - len(known))
