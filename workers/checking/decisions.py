"""The kinds of decision that a variant asks of a seat, and which presets show all of them.

A kind of decision is a step of the deal, or `play`: a bid in an auction and a bid at a sale are different questions,
though both are answered by the same kinds of action.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.rules import PRESETS, VARIANTS, Action, Match, Variant, parse_variant
from referee.rules.contracts import TrumpRule
from referee.rules.variant import Step
from referee.rules.variants import variant_row

PLAY = "play"
CHOOSE_WITH_TRUMP = "choose_with_trump"


def decisions_of(variant: Variant) -> tuple[str, ...]:
    """The kinds of decision that some seat is asked in every match of the variant, in the order of its deals."""
    found = {PLAY: None}
    for plan in variant.deals:
        with_trump = any(variant.contracts[name].trump is not TrumpRule.NONE for name in plan.contracts)
        for step in plan.opening.steps:
            found[_name(step, with_trump=with_trump)] = None
    return tuple(found)


def decision_at(match: Match, legal: Sequence[Action]) -> str:
    """The kind of the decision that is to be taken, between these legal actions.

    Raises:
        ValueError: the match has not begun or is over.
    """
    deal = match.deal
    if deal is None:
        raise ValueError("nobody is to decide in a match that is not in progress")
    if deal.play is not None:
        return PLAY
    with_trump = any(action.trump is not None for action in legal)
    return _name(deal.plan.opening.steps[deal.step], with_trump=with_trump)


def needs_leading(variant: Variant) -> bool:
    """Whether a bot can keep itself, by its own decisions, from ever being asked some other one."""
    return any(Step.PRAISE in plan.opening.steps for plan in variant.deals)


def declared_variants(declared: Iterable[str]) -> tuple[str, ...]:
    """The presets to play for the base ids that a manifest declares; "*" stands for all.

    Presets that show no further kind of decision, contract or number of seats are left out.

    Raises:
        RulesError: there is no such variant.
    """
    named = set(declared)
    bases = list(VARIANTS) if "*" in named else [variant_row(base).id for base in sorted(named)]
    return tuple(preset for base in bases for preset in _cover(base))


def _cover(base: str) -> list[str]:
    presets = [preset for preset in PRESETS if parse_variant(preset).base_id == base]
    shows = {preset: _shown(parse_variant(preset)) for preset in presets}
    unseen = set().union(*shows.values())
    chosen = []
    while unseen:
        best = max(presets, key=lambda preset: len(shows[preset] & unseen))
        chosen.append(best)
        unseen -= shows[best]
    return sorted(chosen, key=presets.index)


def _shown(variant: Variant) -> set[str]:
    return {*decisions_of(variant), *(f"contract {name}" for name in variant.contracts), f"{variant.seats} seats"}


def _name(step: Step, *, with_trump: bool) -> str:
    return CHOOSE_WITH_TRUMP if step is Step.CHOOSE and with_trump else step.value
