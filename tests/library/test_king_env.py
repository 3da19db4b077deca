"""The PettingZoo environment: the interface's own tests, the numbering, and what a seat is shown."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from king_env import ActionTable, Encoding, KingEnv, env
from king_env.seat_view import SeatView
from referee import dealing
from referee.rules import PRESETS, Card, IllegalAction, Match, RulesError, parse_variant, visible_to

pytestmark = pytest.mark.slow

SHORT = ("auction-11", "chooser-12[seats=3]", "classic[redemption=talon]", "russian-14")


def play_out(game: Any, seed: int) -> dict[str, float]:
    """Plays an episode of masked random actions; returns the sum of each agent's rewards."""
    chance = np.random.default_rng(seed)
    game.reset(seed=seed)
    sums = dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        observation, reward, over, _cut, told = game.last()
        sums[agent] += reward
        assert game.observation_space(agent).contains(observation)
        game.step(None if over else int(chance.choice(np.flatnonzero(told["action_mask"]))))
    return sums


@pytest.mark.slow
@pytest.mark.parametrize("variant", SHORT)
def test_passes_pettingzoo_s_own_test(variant: str) -> None:
    """`api_test` finds nothing to complain of, not even in a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(env(variant), num_cycles=300)


@pytest.mark.slow
@pytest.mark.parametrize("variant", SHORT)
def test_same_seed_gives_the_same_episode(variant: str) -> None:
    """`seed_test` finds two environments of one seed alike."""
    seed_test(lambda: env(variant), num_cycles=300)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_rewards_add_up_to_the_match_in_every_preset(preset: str) -> None:
    """An episode of each preset ends; every agent's rewards are its total of the match, within the spaces all along."""
    game = KingEnv(preset)
    sums = play_out(game, seed=5)
    assert game.match.over
    assert tuple(sums.values()) == game.match.totals
    assert len(game.scores()) == game.rules.seats


@pytest.mark.parametrize("preset", PRESETS)
def test_every_legal_action_has_a_number_of_its_own(preset: str) -> None:
    """Number and action lead to each other, for every action that comes up in a match."""
    variant = parse_variant(preset)
    table = ActionTable(variant)
    match = dealt(variant.id, seed=3)
    match.start()
    chance = np.random.default_rng(3)
    while (seat := match.seat_to_act) is not None:
        legal = match.legal_actions()
        numbers = [table.number(action) for action in legal]
        assert len(set(numbers)) == len(legal)
        assert [table.action(number, seat) for number in numbers] == list(legal)
        assert all(0 <= number < len(table) for number in numbers)
        match.apply(legal[chance.integers(len(legal))])
    assert match.over


def dealt(variant_id: str, seed: int, swap: tuple[Card, Card] | None = None) -> Match:
    """A match that can be started, two cards of every pack swapped."""
    variant = parse_variant(variant_id)
    deal_seed = dealing.deal_seed(dealing.local_secret(seed, 1), dealing.LOCAL_SALT)
    given = dealing.packs(deal_seed, variant)

    def packs(number: int) -> tuple[Card, ...]:
        places = dict([swap, swap[::-1]]) if swap else {}
        return tuple(places.get(card, card) for card in given(number))

    return Match(variant, packs, dealing.first_seat(deal_seed, variant))


def test_hidden_cards_are_not_in_an_observation() -> None:
    """Two hands that a seat cannot tell apart give it the same vector; the seat that holds them sees the difference."""
    variant = parse_variant("russian-14")
    encoding = Encoding(variant)
    seen = []
    first = dealt(variant.id, seed=1)
    first.start()
    assert first.deal is not None
    one, other = (next(iter(first.deal.dealt[seat])) for seat in (1, 2))
    for swap in (None, (one, other)):
        match = dealt(variant.id, seed=1, swap=swap)
        views = [SeatView(variant, seat) for seat in range(4)]
        for event in match.start():
            for view in views:
                shown = visible_to(event, view.seat)
                if shown is not None:
                    view.see(shown)
        seen.append([encoding.encode(view) for view in views])
    alike = [bool((before == after).all()) for before, after in zip(*seen, strict=True)]
    assert alike == [True, False, False, True]


def test_deals_are_those_of_a_match_with_the_seed() -> None:
    """Seed and board give the cards of `king match`; a reset without a seed deals the next board."""
    game = KingEnv("russian-14")
    game.reset(seed=7, options={"board": 2})
    assert game.match.deal is not None
    hands = game.match.deal.dealt
    seed = dealing.deal_seed(dealing.local_secret(7, 2), dealing.LOCAL_SALT)
    match = Match(game.rules, dealing.packs(seed, game.rules), dealing.first_seat(seed, game.rules))
    match.start()
    assert match.deal is not None
    assert hands == match.deal.dealt
    game.reset(seed=7)
    game.reset()
    assert game.match.deal.dealt == hands


def test_seeds_are_whole_numbers_of_any_type() -> None:
    """NumPy's are as good as Python's; what is refused leaves the environment as it was."""
    plain, other = KingEnv(), KingEnv()
    plain.reset(seed=7)
    other.reset(seed=np.int64(7), options={"board": np.int32(1)})  # type: ignore[arg-type]
    assert (plain.state() == other.state()).all()
    for wrong in ({"seed": -1}, {"seed": 1.5}, {"options": {"board": -1}}, {"options": {"board": 2.5}}):
        with pytest.raises((ValueError, TypeError)):
            other.reset(**wrong)
    plain.reset()
    other.reset()
    assert (plain.state() == other.state()).all()


@pytest.mark.slow
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_copies_play_on_by_themselves(copied: Callable[[Any], Any]) -> None:
    """A copy in mid-match plays the same deals on; what is done with it does not touch the original."""
    game = env("auction-11")
    game.reset(seed=3)
    chance = np.random.default_rng(1)
    for _ in range(60):
        game.step(chance.choice(np.flatnonzero(game.last()[4]["action_mask"])))
    other = copied(game)
    before = game.state()
    ends = []
    for played in (other, game):
        assert (played.state() == before).all()
        draw = np.random.default_rng(2)
        for _ in played.agent_iter():
            *_, over, _cut, told = played.last()
            played.step(None if over else draw.choice(np.flatnonzero(told["action_mask"])))
        ends.append(played.unwrapped.scores())
    assert ends[0] == ends[1]


def test_masked_action_ends_the_episode_at_the_cost_of_a_forfeit() -> None:
    """The guards of `env` punish who acts illegally; the bare environment refuses and changes nothing."""
    game = env("russian-14")
    game.reset(seed=1)
    agent = game.agent_selection
    _observation, _reward, _over, _cut, told = game.last()
    illegal = int(np.flatnonzero(told["action_mask"] == 0)[0])
    game.step(illegal)
    assert game.terminations[agent]
    assert game.rewards[agent] == -game.unwrapped.rules.forfeit_points
    bare = KingEnv("russian-14")
    bare.reset(seed=1)
    before = bare.state()
    with pytest.raises(IllegalAction):
        bare.step(illegal)
    assert (bare.state() == before).all()


def test_sections_cover_the_vector() -> None:
    """The named parts follow each other without a gap."""
    encoding = Encoding(parse_variant("turkish-20"))
    ends = [0, *(part.stop for part in encoding.sections.values())]
    assert [part.start for part in encoding.sections.values()] == ends[:-1]
    assert ends[-1] == encoding.size


def test_wrong_variant_and_mode_are_named() -> None:
    """What does not exist is refused with what there is."""
    with pytest.raises(RulesError, match="russian-14"):
        env("bridge")
    with pytest.raises(ValueError, match="ansi"):
        env("russian-14", render_mode="rgb_array")


def test_position_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    """ "ansi" returns the position in words, "human" prints it after each action."""
    game = KingEnv("russian-14", render_mode="ansi")
    game.reset(seed=1)
    assert "Deal 1: no_tricks" in str(game.render())
    shown = KingEnv("russian-14", render_mode="human")
    shown.reset(seed=1)
    _observation, _reward, _over, _cut, told = shown.last()
    shown.step(int(np.flatnonzero(told["action_mask"])[0]))
    assert "Trick:" in capsys.readouterr().out
