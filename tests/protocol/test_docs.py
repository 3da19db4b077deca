"""The protocol guide covers the protocol."""

from __future__ import annotations

from pathlib import Path

import pytest
from king.v1 import arena_pb2 as pb

from referee.clock import TimeControl
from referee.faults import STAND_IN, FaultKind
from referee.processes import Ending
from referee.service import STATUSES

GUIDE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")

MESSAGES = sorted(
    field.message_type.name
    for frame in (pb.RefereeMessage, pb.BotMessage)
    for field in frame.DESCRIPTOR.oneofs_by_name["message"].fields
    if field.message_type is not None
)


@pytest.mark.parametrize("name", MESSAGES)
def test_every_message_is_told(name: str) -> None:
    """The guide tells of every message that a bot can send or get."""
    assert f"`{name}`" in GUIDE


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_is_told(kind: FaultKind) -> None:
    """The guide has a row for every kind of fault."""
    assert f"| `{kind}` |" in GUIDE


@pytest.mark.parametrize("ending", [ending for ending in Ending if ending is not Ending.DONE])
def test_every_status_is_told(ending: Ending) -> None:
    """The guide has every status that the referee closes a stream with."""
    assert f"`{STATUSES[ending].name}`" in GUIDE


def test_every_kind_of_action_is_told() -> None:
    """The guide has every kind of action with its fields."""
    kinds = [name.removeprefix("ACTION_KIND_") for name in pb.ActionKind.keys()[1:]]
    assert [kind for kind in kinds if f"`{kind}`" not in GUIDE] == []


def test_default_time_control_and_stand_in_are_told() -> None:
    """The guide has the default time control in its written form, and the stand-in's name."""
    assert f"`{TimeControl()}`" in GUIDE
    assert f"`{STAND_IN}`" in GUIDE
