"""What is shown of a table while it is played: all that its seats were told alike, and nothing else."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from referee import dealing
from referee.plans import ReportError, TableBegun, TableResult, TableShown
from referee.rules import (
    PRESETS,
    Action,
    ActionTaken,
    By,
    CardExposed,
    CardGiven,
    CardsDealt,
    ContractSet,
    DealEnded,
    DealStarted,
    Event,
    IllegalAction,
    Match,
    MatchEnded,
    TalonShown,
    TrickEnded,
    card_text,
    parse_variant,
    visible_to,
)
from referee.showing import SHOW_EVERY_NS, shown_match
from tests.protocol.arena import referee, run
from tests.protocol.fakes import MS, HandDriven
from tests.protocol.plans import sitting_plan
from workers.referee_client import PlanRefusedError, run_sitting

SHOW_EVERY_MS = SHOW_EVERY_NS // MS


@dataclass
class Onlooker:
    """Keeps what every seat was told alike, as one would who sees only that."""

    actions: list[dict[str, object]] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    takers: list[int] = field(default_factory=list)
    contract: ContractSet | None = None
    exposed: str | None = None
    talon: tuple[str, ...] = ()
    points: list[tuple[int, ...]] = field(default_factory=list)
    places: tuple[int, ...] | None = None

    def hear(self, event: Event) -> None:
        if isinstance(event, DealStarted):
            self.actions, self.cards, self.takers, self.contract, self.exposed, self.talon = [], [], [], None, None, ()
        elif isinstance(event, TalonShown):
            self.talon = tuple(map(card_text, event.cards))
        elif isinstance(event, ActionTaken):
            self.actions.append(event.action.to_json())
            if event.action.card is not None:
                self.cards.append(card_text(event.action.card))
        elif isinstance(event, CardGiven):
            self.actions.append({"seat": event.seat, "do": "give", "to": event.to})
        elif isinstance(event, CardExposed):
            self.exposed = card_text(event.card)
        elif isinstance(event, ContractSet):
            self.contract = event
        elif isinstance(event, TrickEnded):
            self.takers.append(event.taker)
        elif isinstance(event, DealEnded):
            self.points.append(event.points)
        elif isinstance(event, MatchEnded):
            self.places = event.places


def told_to_all(events: tuple[Event, ...], seats: int) -> Iterator[Event]:
    """The events that every seat is told, each as the one is told it that knows least."""
    for event in events:
        told = [visible_to(event, seat) for seat in range(seats)]
        if isinstance(event, CardGiven):
            yield replace(event, card=None)
        elif None not in told:
            assert all(one == event for one in told)
            yield event
        else:
            assert isinstance(event, CardsDealt)


def by_of(match: Match) -> list[list[By]]:
    deals = [*match.deals, *([match.deal] if match.deal else [])]
    return [[By.BOT] * len(deal.actions) for deal in deals]


def begun(preset: str, seed: int) -> tuple[Match, tuple[Event, ...]]:
    variant = parse_variant(preset)
    deal_seed = dealing.deal_seed(dealing.local_secret(seed, 1), dealing.LOCAL_SALT)
    match = Match(variant, dealing.packs(deal_seed, variant), dealing.first_seat(deal_seed, variant))
    return match, match.start()


def cards_named(shown: dict[str, Any]) -> set[str]:
    """Every card that a picture names anywhere."""
    deal = shown["deal"]
    played = {card for trick in deal["tricks"] for card in trick["cards"]}
    acted = {action["card"] for action in deal["actions"] if "card" in action}
    return played | acted | set(deal["talon"]) | ({deal["exposed"]} - {None})


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_shown_is_what_all_were_told(preset: str) -> None:
    """Through a whole match the picture says what an onlooker knows who was told only what every seat was told."""
    match, events = begun(preset, 5)
    chance, seats, onlooker = random.Random(3), match.variant.seats, Onlooker()
    while True:
        for event in told_to_all(events, seats):
            onlooker.hear(event)
        shown = shown_match(match, by_of(match))
        deal = shown["deal"]
        assert [{key: one[key] for key in one if key != "by"} for one in deal["actions"]] == onlooker.actions
        assert [card for trick in deal["tricks"] for card in trick["cards"]] == onlooker.cards
        assert [trick["taker"] for trick in deal["tricks"] if trick["taker"] is not None] == onlooker.takers
        assert deal["exposed"] == onlooker.exposed
        assert set(deal["talon"]) <= set(onlooker.talon)
        assert cards_named(shown) <= {*onlooker.cards, *onlooker.talon, onlooker.exposed}
        assert [tuple(one["points"]) for one in shown["deals"]] == onlooker.points
        assert shown["places"] == (None if onlooker.places is None else list(onlooker.places))
        if onlooker.contract is not None:
            of = onlooker.contract
            assert (deal["contract"], deal["declarer"], deal["trump"]) == (of.contract, of.declarer, of.trump)
        if match.over:
            return
        events = match.apply(chance.choice(match.legal_actions()))


def replayed(match: Match, pack: list[int], actions: list[Action], first: int | None) -> Match:
    again = Match(match.variant, lambda number: pack if number == 1 else match.variant.pack, first)
    again.start()
    for action in actions:
        again.apply(action)
    return again


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_hidden_cards_change_nothing_shown(preset: str) -> None:
    """Swapping two cards that lie hidden in two hands leaves the picture as it was, wherever both deals allow it."""
    compared = 0
    for seed in range(40):
        match, _events = begun(preset, seed)
        deal, chance = match.deal, random.Random(seed)
        assert deal is not None
        first = (
            None
            if match.variant.first_holder is not None
            else (deal.dealer if deal.dealer is not None else deal.chooser)
        )
        while len(deal.actions) < seed and match.deal is deal:
            match.apply(chance.choice(match.legal_actions()))
        if match.deal is not deal:
            continue
        seen = {action.card for action in deal.actions if action.kind != "give"}
        known = seen | {deal.exposed, match.variant.first_holder}
        one, other = chance.sample(range(match.variant.seats), 2)
        hidden = [[card for card in deal.dealt[seat] if card not in known] for seat in (one, other)]
        if not all(hidden):
            continue
        a, b = map(chance.choice, hidden)
        pack = list(dealing.pack(_seed(seed), 1, match.variant))
        actions = [_with_swapped(action, {a: b, b: a}) for action in deal.actions]
        swapped = [{a: b, b: a}.get(card, card) for card in pack]
        try:
            again = replayed(match, swapped, actions, first)
        except IllegalAction:
            continue
        assert shown_match(again, by_of(again)) == shown_match(match, by_of(match))
        compared += 1
    assert compared >= 5


def _with_swapped(action: Action, swap: dict[int, int]) -> Action:
    """A gift follows its card: nobody but giver and receiver knows which it was."""
    if action.kind != "give" or action.card is None:
        return action
    return replace(action, card=swap.get(action.card, action.card))


def _seed(seed: int) -> bytes:
    return dealing.deal_seed(dealing.local_secret(seed, 1), dealing.LOCAL_SALT)


def live(tables: int = 2) -> HandDriven:
    """A live sitting whose tables have begun."""
    sitting = HandDriven(replace(sitting_plan(tables=tables), live=True))
    sitting.start_all()
    return sitting


def pictures(sitting: HandDriven) -> list[dict[str, Any]]:
    """What was shown, in order."""
    return [json.loads(event.shown) for event in sitting.events if isinstance(event, TableShown)]


def test_nothing_is_shown_that_nobody_watches() -> None:
    """A live sitting tells which tables begin, and shows none of them unasked."""
    sitting = live(2)
    assert sorted(event.match_id for event in sitting.events if isinstance(event, TableBegun)) == [
        "match-7-1",
        "match-7-2",
    ]
    sitting.answer_all()
    sitting.wait(1000)
    assert pictures(sitting) == []


def test_a_watched_table_is_shown_at_once_and_when_it_changes() -> None:
    """The picture comes at once, again after a play but not before its time, and not while nothing happens."""
    sitting = live(2)
    sitting.sitting.watch(["match-7-1"], sitting.now_ns)
    sitting.turn()
    assert [picture["count"] for picture in pictures(sitting)] == [0]
    sitting.answer_all()
    sitting.wait(SHOW_EVERY_MS // 2)
    assert len(pictures(sitting)) == 1
    sitting.wait(SHOW_EVERY_MS)
    assert [picture["count"] for picture in pictures(sitting)] == [0, 1]
    sitting.wait(SHOW_EVERY_MS)
    assert len(pictures(sitting)) == 2
    assert {event.match_id for event in sitting.events if isinstance(event, TableShown)} == {"match-7-1"}


def test_the_clock_of_the_seat_to_move_is_told() -> None:
    """The picture says how much time the bot has that is to move, and that it runs."""
    sitting = live(1)
    sitting.wait(1500)
    sitting.sitting.watch(["match-7-1"], sitting.now_ns)
    sitting.turn()
    (picture,) = pictures(sitting)
    assert picture["turn"] == sitting.asked() - 1
    assert picture["clock"] == {"left_ms": 10_000 + 100 - 1500, "running": True}


def test_the_end_of_a_watched_table_is_shown() -> None:
    """The last picture has the places, and comes before the result, however fast the end was."""
    sitting = live(1)
    sitting.sitting.watch(["match-7-1"], sitting.now_ns)
    sitting.play_out()
    last = pictures(sitting)[-1]
    assert last["places"] is not None
    assert last["turn"] is None
    kinds = [type(event) for event in sitting.events if isinstance(event, TableShown | TableResult)]
    assert kinds[-2:] == [TableShown, TableResult]


def test_a_table_that_is_watched_no_more_is_not_shown() -> None:
    """Naming other tables, or none, ends the showing."""
    sitting = live(1)
    sitting.sitting.watch(["match-7-1"], sitting.now_ns)
    sitting.sitting.watch([], sitting.now_ns)
    sitting.answer_all()
    sitting.wait(2 * SHOW_EVERY_MS)
    assert len(pictures(sitting)) == 1


def test_only_a_live_sitting_can_be_watched() -> None:
    """While other rotations are to be played the referee refuses to show anything, and says why."""
    sitting = HandDriven(sitting_plan())
    with pytest.raises(ReportError, match="other rotations"):
        sitting.sitting.watch(["match-7-1"], sitting.now_ns)


def test_watching_a_sitting_that_is_not_live_ends_the_call() -> None:
    """Over the wire too: the worker's mistake is its own, and told as one."""

    async def scenario() -> None:
        async with referee() as server, run_sitting(server.address, sitting_plan(), control_key="key") as call:
            await call.watch(["match-7-1"])
            with pytest.raises(PlanRefusedError, match="not live"):
                async for _event in call.events():
                    await asyncio.sleep(0)

    run(scenario())
