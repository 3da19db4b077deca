"""When a bot is suspended: too many exits, or overruns in too many sittings.

Pure. Owns the two rules and the words that tell an owner why; who applies them, and what follows, is the store's.
"""

from __future__ import annotations

from dataclasses import dataclass

from league.model import SuspensionCause

EXITS_AT_MOST = 3
EXITS_WITHIN_MATCHES = 1000
"""Exits count among so many of a bot's latest matches, or among all while it has fewer."""
OVERRUN_PERCENT_AT_MOST = 10
SITTINGS_AT_LEAST = 20
"""Overruns are judged once a bot has so many sittings behind it."""


@dataclass(frozen=True, kw_only=True)
class Conduct:
    """What a bot has done in a season so far, in faults that count.

    `matches`: all it has played; `exits`: those within its latest 1,000. `sittings`: those that are over;
    `overrun_sittings`: those of them in which it overran its time at least once.
    """

    matches: int
    exits: int
    sittings: int
    overrun_sittings: int


def suspension_cause(conduct: Conduct) -> SuspensionCause | None:
    """Why a bot is to be suspended now; None while it may play on. With both causes, exits are named."""
    if conduct.exits > EXITS_AT_MOST:
        return SuspensionCause.EXITS
    too_often = 100 * conduct.overrun_sittings > OVERRUN_PERCENT_AT_MOST * conduct.sittings
    if conduct.sittings >= SITTINGS_AT_LEAST and too_often:
        return SuspensionCause.OVERRUNS
    return None


def suspension_detail(cause: SuspensionCause, conduct: Conduct) -> str:
    """One sentence for the owner: what happened, how often, and what is allowed."""
    if cause is SuspensionCause.EXITS:
        among = min(conduct.matches, EXITS_WITHIN_MATCHES)
        return (
            f"its processes ended by themselves {conduct.exits} times in {among} matches: "
            f"at most {EXITS_AT_MOST} in {EXITS_WITHIN_MATCHES} are allowed"
        )
    return (
        f"it overran its time in {conduct.overrun_sittings} of {conduct.sittings} sittings: after {SITTINGS_AT_LEAST}, "
        f"at most {OVERRUN_PERCENT_AT_MOST} % of them are allowed"
    )
