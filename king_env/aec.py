"""A match of King as PettingZoo's agent-environment cycle.

Owns agents, rewards and the end of an episode. All play is the engine's.
"""

from __future__ import annotations

import operator
import secrets
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from king_env.action_table import ActionTable
from king_env.encoding import Encoding, Vector
from king_env.seat_view import SeatView
from referee import dealing
from referee.rules import (
    DealEnded,
    Event,
    Match,
    card_text,
    cards_of,
    parse_variant,
    visible_to,
)

RENDER_MODES = ("ansi", "human")
_SEEDS = 1 << 32


def env(variant: str = "russian-14", *, render_mode: str | None = None) -> AECEnv[str, Vector, int]:
    """A match with the usual guards: an action that is masked out ends it, and costs what a forfeit costs.

    Raises:
        RulesError: if there is no such variant; the message names those there are.
    """
    bare = KingEnv(variant, render_mode=render_mode)
    guarded = wrappers.TerminateIllegalWrapper(bare, illegal_reward=-float(bare.rules.forfeit_points))
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


class KingEnv(AECEnv[str, Vector, int]):
    """One match; agents are the seats, `seat_0` to `seat_3`.

    Observations are vectors of what the seat may know (`encoding` says where what is), float32 from -1 to 1. Actions
    are numbers of `actions`; `infos[agent]["action_mask"]`, int8, has those that are legal now, none for who is not to
    act. The reward of a deal is its points when it ends. Every decision is asked, the forced ones too.

    `reset(seed=N)` deals as `king match --seed N` does: board 1, or `options={"board": B}`. Further calls of `reset`
    without a seed deal the boards after it.
    """

    metadata = {"name": "king_v1", "render_modes": list(RENDER_MODES), "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, variant: str = "russian-14", *, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)} or None, not {render_mode!r}")
        self.rules = parse_variant(variant)
        self.render_mode = render_mode
        self.encoding = Encoding(self.rules)
        self.actions = ActionTable(self.rules)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.rules.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: spaces.Box(-1.0, 1.0, (self.encoding.size,), np.float32) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(len(self.actions)) for agent in self.possible_agents}
        self._seed: int | None = None
        self._board = 0

    def observation_space(self, agent: str) -> spaces.Box:
        """The space of a seat's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of a seat's actions."""
        return self.action_spaces[agent]

    @property
    def match(self) -> Match:
        """The match in progress: for analysis, since it knows every hand."""
        return self._match

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. Whole numbers of any type are good, such as those of NumPy.

        Raises:
            ValueError, TypeError: the seed or the board is out of range, or no whole number; nothing has changed then.
        """
        if seed is not None or self._seed is None:
            number, board = secrets.randbelow(_SEEDS) if seed is None else operator.index(seed), 1
        else:
            number, board = self._seed, self._board + 1
        board = operator.index((options or {}).get("board", board))
        deal_seed = dealing.deal_seed(dealing.local_secret(number, board), dealing.LOCAL_SALT)
        self._seed, self._board = number, board
        self._match = Match(self.rules, dealing.packs(deal_seed, self.rules), dealing.first_seat(deal_seed, self.rules))
        self._views = [SeatView(self.rules, seat) for seat in range(self.rules.seats)]
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._see(self._match.start())
        self._ask()

    def step(self, action: int) -> None:
        """Take the action of the seat to act.

        Raises:
            IllegalAction: if it is not legal; nothing has changed then.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        events = self._match.apply(self.actions.action(operator.index(action), self._seat(agent)))
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self._see(events)
        self._ask()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Vector:
        """What the seat knows."""
        return self.encoding.encode(self._views[self._seat(agent)])

    def state(self) -> Vector:
        """What all seats know together, one after the other."""
        return np.concatenate([self.encoding.encode(view) for view in self._views])

    def render(self) -> str | None:
        """The position in words; printed in the mode "human"."""
        text = "\n".join(self._lines())
        if self.render_mode == "human":
            print(text)  # noqa: T201
            return None
        return text

    def close(self) -> None:
        """Nothing is held."""

    def scores(self) -> list[float]:
        """By seat, what places and ratings go by, of a match that is over; higher is better."""
        return [float(score) for score in self._match.scores]

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def _see(self, events: tuple[Event, ...]) -> None:
        for event in events:
            for view in self._views:
                seen = visible_to(event, view.seat)
                if seen is not None:
                    view.see(seen)
            if isinstance(event, DealEnded):
                for agent, points in zip(self.possible_agents, event.points, strict=True):
                    self.rewards[agent] += points

    def _ask(self) -> None:
        """Turn to the seat to act, or end the episode."""
        mask = np.zeros(len(self.actions), dtype=np.int8)
        self.infos = {agent: {"action_mask": np.zeros_like(mask)} for agent in self.agents}
        if self._match.seat_to_act is None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        for action in self._match.legal_actions():
            mask[self.actions.number(action)] = 1
        self.agent_selection = self.possible_agents[self._match.seat_to_act]
        self.infos[self.agent_selection] = {"action_mask": mask}

    def _lines(self) -> list[str]:
        deal = self._match.deal
        if deal is None:
            return [f"The match is over: {', '.join(map(str, self._match.totals))}"]
        contract = deal.contract.id if deal.contract else "not set"
        lines = [f"Deal {deal.number}: {contract}, trump {deal.trump or 'none'}; totals {self._match.totals}"]
        if deal.trick:
            lines.append("Trick: " + " ".join(map(card_text, deal.trick.cards)))
        for seat, hand in enumerate(deal.hands):
            mark = "*" if seat == self._match.seat_to_act else " "
            lines.append(f"{mark} seat {seat}: {' '.join(map(card_text, cards_of(hand)))}")
        return lines
