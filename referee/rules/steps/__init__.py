"""The steps before the play: for each value of `Step` exactly three functions.

`begins` says whether the step takes place and whose turn it is, `legal` lists the actions in legal order, `apply` takes
one and says whether the step is over; the action joins `deal.actions` after that. A new step is a new value of `Step`
and a row here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from referee.rules.actions import Action
from referee.rules.deal import Deal
from referee.rules.steps import bidding, choosing, giving, naming
from referee.rules.variant import Step


@dataclass(frozen=True, kw_only=True)
class StepRules:
    """The functions of one step."""

    begins: Callable[[Deal], bool]
    legal: Callable[[Deal, int], list[Action]]
    apply: Callable[[Deal, Action], bool]


STEPS: Final[Mapping[Step, StepRules]] = {
    Step.CHOOSE: StepRules(begins=choosing.choose_begins, legal=choosing.choose_legal, apply=choosing.choose_apply),
    Step.ORDER: StepRules(begins=choosing.order_begins, legal=choosing.order_legal, apply=choosing.order_apply),
    Step.BID: StepRules(begins=bidding.bid_begins, legal=bidding.bids_legal, apply=bidding.bid_apply),
    Step.OFFER: StepRules(begins=bidding.offer_begins, legal=bidding.offer_legal, apply=bidding.offer_apply),
    Step.SALE: StepRules(begins=bidding.sale_begins, legal=bidding.bids_legal, apply=bidding.sale_apply),
    Step.GIVE: StepRules(begins=giving.give_begins, legal=giving.give_legal, apply=giving.give_apply),
    Step.NAME_TRUMP: StepRules(begins=naming.name_begins, legal=naming.name_legal, apply=naming.name_apply),
    Step.NAME_TRUMP_OR_LAST: StepRules(
        begins=naming.name_begins, legal=naming.name_or_last_legal, apply=naming.name_apply
    ),
    Step.PRAISE: StepRules(begins=naming.praise_begins, legal=naming.praise_legal, apply=naming.praise_apply),
    Step.PRAISE_BOUGHT: StepRules(
        begins=naming.praise_bought_begins, legal=naming.praise_bought_legal, apply=naming.name_apply
    ),
}


def current_step(deal: Deal) -> StepRules:
    """Return the functions of the step that the deal is in."""
    return STEPS[deal.plan.opening.steps[deal.step]]


def next_step(deal: Deal) -> bool:
    """Go to the next step that takes place; False if there is none, or the deal is not to be played."""
    steps = deal.plan.opening.steps
    while deal.contract is None or deal.contract.is_played:
        deal.step += 1
        if deal.step >= len(steps):
            return False
        if STEPS[steps[deal.step]].begins(deal):
            return True
    return False
