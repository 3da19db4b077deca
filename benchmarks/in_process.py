"""Matches among Python bots within one process: no gRPC, no clock, nothing but the engine and the bots' views.

For measuring and trying bots quickly. Owns the translation of the engine's events into calls of the SDK's view; must
not be used for results that count, as one process sees all hands of a board.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from king_bot import Action, ActionBy, ActionKind, Bot, Table
from king_bot.actions import PLAYS
from king_bot.bot import configure
from king_bot.cards import CARDS

import referee.rules as engine
from referee import dealing

SAMPLES = Path(__file__).resolve().parent.parent / "sample_bots" / "python"


def load_bot(name: str) -> Bot:
    """Makes a sample bot, or that of a folder's path, as `python bot.py` would; `name@MS` sets a search's budget.

    Raises:
        FileNotFoundError: if there is no such sample.
    """
    name, _, budget_ms = name.partition("@")
    folder = Path(name) if "/" in name else SAMPLES / name
    module_name = f"sample_bot_{name.replace('/', '_')}"
    if module_name not in sys.modules:
        spec = importlib.util.spec_from_file_location(module_name, folder / "bot.py")
        if spec is None or spec.loader is None:
            raise FileNotFoundError(f"{folder / 'bot.py'}: no such sample bot")
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module
        sys.path.insert(0, str(folder))
        try:
            spec.loader.exec_module(module)
        finally:
            sys.path.remove(str(folder))
            for beside in folder.glob("*.py"):  # another bot may have modules of the same names
                sys.modules.pop(beside.stem, None)
    module = sys.modules[module_name]
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module_name]
    bot = next(kind for kind in kinds if issubclass(kind, Bot))()
    configure(bot)
    if budget_ms:
        bot.settings = {**bot.settings, "budget_ms": float(budget_ms)}
    bot.warm_up()
    return bot


def new_table(variant: engine.Variant, seat: int) -> Table:
    """Makes the view of a seat before the first deal."""
    row = engine.VARIANTS[variant.base_id]
    options = {name: row.option(name).text(value) for name, value in variant.options.items()}
    return Table(variant=variant.id, options=options, seats=variant.seats, seat=seat)


def tell(table: Table, event: engine.Event) -> None:
    """Tells a view what its seat may know of an event."""
    seen = engine.visible_to(event, table.seat)
    match seen:
        case engine.ActionTaken(action):
            table.deal.on_action(action.seat, sdk_action(action), ActionBy.BOT)
        case engine.TrickEnded(taker=taker):
            table.deal.on_trick_end(taker)
        case engine.DealStarted(number, dealer, chooser):
            table.on_deal_start(number, dealer, chooser)
        case engine.CardsDealt(cards=cards):
            table.on_cards([CARDS[card] for card in cards])
        case engine.TalonShown(cards):
            table.on_talon([CARDS[card] for card in cards])
        case engine.CardGiven(seat, to, card):
            table.deal.on_gift(seat, to, None if card is None else CARDS[card])
        case engine.CardExposed(seat, card):
            table.deal.on_exposed(seat, CARDS[card])
        case engine.ContractSet(contract, declarer, trump, misere, price):
            table.on_contract(contract, declarer, trump, price, misere=misere)
        case engine.DealEnded(_, points, totals):
            table.on_deal_end(points, totals)
        case engine.MatchEnded(totals, places):
            table.on_table_end(totals, places, (), "")


@cache
def sdk_action(action: engine.Action) -> Action:
    """The engine's action as one of the SDK."""
    if action.kind is engine.ActionKind.PLAY and action.card is not None:
        return PLAYS[action.card]
    return Action(
        ActionKind(action.kind.value),
        card=None if action.card is None else CARDS[action.card],
        contract=action.contract,
        trump=action.trump,
        tricks=action.tricks,
        to=action.to,
    )


def _no_time() -> float:
    return 0.0


class Sitting:
    """One match: a bot for each seat, and the time each took for its decisions; `timed` costs as much as a play."""

    def __init__(self, variant: engine.Variant, seed: bytes, bots: Sequence[Bot], *, timed: bool = True) -> None:
        self.match = engine.Match(variant, dealing.packs(seed, variant), dealing.first_seat(seed, variant))
        self.bots = bots
        self.clock = time.thread_time if timed else _no_time
        self.tables = [new_table(variant, seat) for seat in range(variant.seats)]
        self.decisions = [0] * variant.seats
        self.seconds = [0.0] * variant.seats
        self.kinds: set[ActionKind] = set()

    def play(self) -> tuple[int, ...]:
        """Plays to the end; the totals by seat."""
        self._tell(self.match.start())
        while not self.match.over:
            legal = self.match.legal_actions()
            chosen = legal[0] if len(legal) == 1 else legal[self._ask(legal)]
            self._tell(self.match.apply(chosen))
        return self.match.totals

    def _tell(self, events: Sequence[engine.Event]) -> None:
        for event in events:
            if isinstance(event, engine.ActionTaken) and event.action.kind is engine.ActionKind.PLAY:
                played = sdk_action(event.action)  # most of what there is to tell, and all may see it
                for table in self.tables:
                    table.deal.on_action(event.action.seat, played, ActionBy.BOT)
            else:
                for table in self.tables:
                    tell(table, event)

    def _ask(self, legal: Sequence[engine.Action]) -> int:
        seat = legal[0].seat
        actions = [sdk_action(action) for action in legal]
        table = self.tables[seat]
        table.on_request(actions)
        started_at = self.clock()
        chosen = self.bots[seat].choose(table, actions)
        self.seconds[seat] += self.clock() - started_at
        self.decisions[seat] += 1
        self.kinds.update(action.kind for action in actions)
        return actions.index(chosen) if isinstance(chosen, Action) else chosen


def play_board(
    variant: engine.Variant, seed: bytes, players: Sequence[str], bots: Mapping[str, Bot], *, timed: bool = True
) -> list[Sitting]:
    """Plays a board in all its rotations: player k sits at seat (k + rotation) mod n."""
    seats = variant.seats
    sittings = []
    for rotation in range(seats):
        order = [bots[players[(seat - rotation) % seats]] for seat in range(seats)]
        sitting = Sitting(variant, seed, order, timed=timed)
        sitting.play()
        sittings.append(sitting)
    return sittings
