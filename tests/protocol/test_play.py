"""Whole sittings over real gRPC, with real bots and a real worker's client."""

from __future__ import annotations

import pytest
from king.v1 import arena_pb2 as pb
from structlog.testing import capture_logs

from referee.plans import StartProcess
from tests.protocol.arena import (
    Failing,
    assert_sound,
    play,
    run,
    spoken,
)
from tests.protocol.clients import dial, requests_of
from tests.protocol.plans import sitting_plan

EVERY_KIND = (
    "turkish-20",
    "turkish-20[limits=free,must_beat=always]",
    "classic[redemption=talon]",
    "classic[negatives=7,redemption=praise]",
    "classic[redemption=talon,seats=3]",
    "ordered-56",
    "auction-11",
    "trump-11",
    "chooser-12[bonus_trump=chooser]",
)


@pytest.mark.slow
def test_sitting_ends_with_sound_records() -> None:
    """Every table of a sitting gives one record that verifies, with times for each asked decision."""
    outcome = run(play(sitting_plan(tables=3)))
    assert outcome.void_reason == ""
    assert sorted(outcome.records) == ["match-7-1", "match-7-2", "match-7-3"]
    assert outcome.faults == []
    for record in outcome.records.values():
        assert_sound(record)
        assert record["termination"] == {"kind": "normal", "detail": ""}
        for deal in record["deals"]:
            for action in deal["actions"]:
                assert (action["by"] == "bot") == ("ms" in action) == ("asked_with" in action)


@pytest.mark.slow
@pytest.mark.parametrize("variant", EVERY_KIND)
def test_every_kind_of_action_travels(variant: str) -> None:
    """Matches with choices, orders, bids, trumps, sales and gifts are played through the protocol."""
    seats = 3 if "seats=3" in variant else 4
    outcome = run(play(sitting_plan(variant=variant, seats=seats)))
    (record,) = outcome.records.values()
    assert_sound(record)
    assert outcome.faults == []


@pytest.mark.slow
def test_season_tells_the_commitment() -> None:
    """In a season a bot is told the deal commitment with the table; outside it is told none."""

    async def first_start(season: str | None) -> pb.TableStart:
        starts: list[pb.TableStart] = []

        async def look(address: str, start: StartProcess) -> int:
            async with dial(address, start.token) as bot:
                await bot.start()
                frame = await bot.frame_with_requests()
                starts.extend(message.table_start for message in frame if message.HasField("table_start"))
                await bot.choose((requests_of(frame)[0].request_id, 0))
                await bot.play_on()
            return 0

        plan = sitting_plan(season=season)
        outcome = await play(plan, {0: look})
        (record,) = outcome.records.values()
        assert record["context"]["season"] == season
        assert starts[0].deal_commitment == (record["deal_commitment"] if season else "")
        return starts[0]

    start = run(first_start("autumn"))
    assert (start.variant, start.seat_count, start.seat, start.match_id) == ("russian-14", 4, 0, "match-7-1")
    assert (start.time_control.start_ms, start.time_control.increment_ms, start.time_control.bank_ms) == (
        30_000,
        100,
        10_000,
    )
    run(first_start(None))


@pytest.mark.slow
def test_more_processes_are_started_for_a_bot_that_takes_one_table() -> None:
    """A bot that plays one table at a time gets as many processes as its limit allows."""

    async def narrow(address: str, start: StartProcess) -> int:
        async with dial(address, start.token) as bot:
            await bot.start(table_limit=1)
            await bot.play_on()
        return 0

    outcome = run(play(sitting_plan(tables=5, process_limit=3), {0: narrow}))
    assert [start.player for start in outcome.starts].count(0) == 3
    assert outcome.faults == []
    assert len(outcome.records) == 5


def test_no_token_is_logged() -> None:
    """The log tells of dials, faults and tables, and holds no token and no key."""
    with capture_logs() as logged:
        bot = Failing(spoken(lambda bot, requests: bot.choose((requests[0].request_id, -1))))
        outcome = run(play(sitting_plan(), {0: bot}))
    assert {"sitting begins", "bot dials", "fault", "table over", "sitting ends"} <= {line["event"] for line in logged}
    text = repr(logged)
    assert not any(start.token in text for start in outcome.starts)
    assert "'key'" not in text
