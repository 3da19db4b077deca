"""Many bots at many tables at once, and what those are told for whom there is no room."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.arena import running_referee
from benchmarks.crowd import Crowd, play_crowd, refused_bot, refused_sitting

pytestmark = pytest.mark.slow


def test_crowd_is_played_out(tmp_path: Path) -> None:
    """All bots of ten sittings are connected at once, all tables are open at once, and nobody fails.

    One more sitting than the referee takes is refused with words, and so is a bot that nobody expects.
    """

    async def scenario() -> tuple[Crowd, str, str]:
        async with running_referee(tmp_path) as referee:
            crowd = await play_crowd(referee, bots=40, tables=24)
            return crowd, await refused_sitting(referee, sittings=64), await refused_bot(referee)

    crowd, sitting, bot = asyncio.run(scenario())
    assert (crowd.connected, crowd.tables, crowd.results, crowd.faults) == (40, 24, 24, ())
    assert sitting == "the referee plays 64 sittings and takes no more; try again later"
    assert bot.startswith("UNAUTHENTICATED: the token is unknown or spent")
