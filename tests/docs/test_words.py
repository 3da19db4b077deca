"""Words that stand in two parts, because neither may import the other, are the same words."""

from __future__ import annotations

from king_bot import ActionKind as SdkActionKind

from league.model import FaultKind as LeagueFaultKind
from referee.faults import FaultKind
from referee.rules import ActionKind
from referee.rules.shape import FORFEIT_KINDS


def test_the_league_knows_the_referees_kinds_of_fault() -> None:
    """The league may not import the referee's faults, so its kinds are held to them here."""
    assert {kind.name: kind.value for kind in LeagueFaultKind} == {kind.name: kind.value for kind in FaultKind}
    assert set(FORFEIT_KINDS) == {kind.value for kind in FaultKind}


def test_the_sdk_knows_the_rules_kinds_of_action() -> None:
    """The SDK has only the protocol, so its kinds of action are held to the rules here."""
    assert {kind.name: kind.value for kind in SdkActionKind} == {kind.name: kind.value for kind in ActionKind}
