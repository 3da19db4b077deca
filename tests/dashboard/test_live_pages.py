"""Live tables as readers meet them: the list, a table without and with script, its stream, a season's progress."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI
from playwright.sync_api import Browser, expect
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.exceptions import ConnectionError as RedisConnectionError

from dashboard.app import create_app
from dashboard.fanout import READERS_AT_MOST, FanOut
from dashboard.live_tables import LiveTables, Seen
from league.live import LiveSitting, live_table, picture_key, tables_key, wanted_key
from league.model import Claim, TablePlan
from referee.rules import Match
from tests.dashboard.conftest import PlayedLeague, Reader, serving
from tests.dashboard.test_browser import browser, done, new_page
from tests.dashboard.test_no_leak import World, half_played, picture_of, world
from tests.workers.waiting import wait_until

__all__ = ["browser", "world"]

pytestmark = pytest.mark.slow


@dataclass
class Broadcast:
    """A table of the last rotation that is being shown."""

    world: World
    claim: Claim
    table: TablePlan
    match: Match
    site: str
    app: FastAPI

    @property
    def match_id(self) -> str:
        return self.table.match_id

    def tell(self, **changed: object) -> None:
        """Say how the table stands, as its worker does: for those who come, and to those who listen."""
        picture = {**picture_of(self.match), **changed}
        self.world.tell(self.claim, live_table(self.claim, self.table), picture)
        with Redis.from_url(self.world.redis_url) as redis:
            redis.publish(picture_key(self.match_id), json.dumps(picture))

    def play_on(self) -> str:
        """One more card; returns it."""
        action = self.match.legal_actions()[0]
        self.match.apply(action)
        self.tell()
        return str(action.to_json()["card"])

    def stop(self) -> None:
        """The sitting is told of no more."""
        with Redis.from_url(self.world.redis_url) as redis:
            redis.delete(tables_key(self.claim.sitting))


@pytest.fixture
def broadcast(world: World) -> Generator[Broadcast, None, None]:
    world.store.seasons.start(world.season)
    for _rotation in range(3):
        world.play(*world.claim_next().tables)
        world.finish()
    claim = world.claim_next()
    app = create_app(world.store, clock=world.clock, redis_url=world.redis_url)
    with serving(app) as site:
        table = claim.tables[0]
        found = Broadcast(world, claim, table, half_played(claim, table), site, app)
        found.tell()
        yield found


def get(broadcast: Broadcast, path: str) -> httpx.Response:
    return httpx.get(broadcast.site + path, headers={"Accept-Language": "en"}, timeout=30)


def events(answer: httpx.Response) -> Iterator[dict[str, Any]]:
    """The events of a stream as they come, `id` and `event` among their members."""
    told: dict[str, Any] = {}
    for line in answer.iter_lines():
        name, _colon, value = line.partition(": ")
        if name == "data":
            told |= json.loads(value)
        elif name in {"id", "event"}:
            told[name] = value
        elif not line and told:
            yield told
            told = {}


def test_the_list_leads_to_the_table(broadcast: Broadcast) -> None:
    """The table is listed with its board and players, and can be read without a script."""
    page = BeautifulSoup(get(broadcast, "/live").text, "html.parser")
    (link,) = page.select(".live-list a")
    assert "Board" in link.get_text()
    assert "greedy" in link.get_text()
    table = BeautifulSoup(get(broadcast, str(link["href"])).text, "html.parser")
    assert len(table.select(".hand .card.back")) == 32 - 19
    assert not table.select(".hand .card[data-card]")
    open_trick = [card["data-card"] for card in table.select("#trick .card[data-card]")]
    assert len(open_trick) == 19 % 4
    (turn,) = table.select(".plate[data-turn]")
    assert "9.0 s" in turn.get_text(" ", strip=True)
    assert table.select(f"a#refresh[href='/live/{broadcast.match_id}']")
    assert len(table.select("table.live-tricks tbody tr")) == 5


def test_the_twin_has_what_the_page_has(broadcast: Broadcast) -> None:
    """The JSON twin tells the same, and no hand."""
    twin = get(broadcast, f"/live/{broadcast.match_id}.json").json()
    assert twin["state"]["deal"]["hands"][0] == [None] * len(twin["state"]["deal"]["hands"][0])
    assert len(twin["state"]["tricks"]) == 5


def test_a_reader_makes_the_table_wanted(broadcast: Broadcast) -> None:
    """The worker hears that the table is watched, for a while."""
    get(broadcast, f"/live/{broadcast.match_id}")
    with Redis.from_url(broadcast.world.redis_url) as redis:
        key = wanted_key(broadcast.claim.sitting)
        assert redis.sismember(key, broadcast.match_id)
        assert 0 < int(str(redis.ttl(key))) <= 15


def test_the_stream_begins_with_everything_and_goes_on_with_changes(broadcast: Broadcast) -> None:
    """Also for a reader who comes again with the id of what was heard last."""
    for headers in ({}, {"Last-Event-ID": "1-71"}):
        with httpx.stream(
            "GET", f"{broadcast.site}/live/{broadcast.match_id}/events", headers=headers, timeout=30
        ) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert answer.headers["cache-control"] == "no-store"
            told = events(answer)
            first = next(told)
            assert {"contract", "plate-0", "hand-3", "slot-1", "sheet", "status"} <= set(first["pieces"])
            card = broadcast.play_on()
            second = next(told)
            assert second["id"] != first["id"]
            assert any(f'data-card="{card}"' in piece for piece in second["pieces"].values())
            assert "sheet" not in second["pieces"]


def test_the_stream_ends_with_the_match(broadcast: Broadcast) -> None:
    """After the last picture comes the end, and the browser is told not to come again."""
    with httpx.stream("GET", f"{broadcast.site}/live/{broadcast.match_id}/events", timeout=30) as answer:
        told = events(answer)
        next(told)
        while not broadcast.match.over:
            broadcast.match.apply(broadcast.match.legal_actions()[0])
        broadcast.tell(clock=None)
        last = next(told)
        assert last["over"] is True
        assert "The match is over" in last["pieces"]["status"]
        assert [event["event"] for event in told] == ["end"]
    broadcast.stop()
    assert get(broadcast, f"/live/{broadcast.match_id}/events").status_code == 204


def test_following_ends_where_a_cancellation_is_forgotten(
    broadcast: Broadcast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redis's client may forget that its task was cancelled: following a table ends all the same."""
    tables = LiveTables(broadcast.world.store, broadcast.world.redis_url)
    wish_again = LiveTables._wish_again

    async def scene() -> None:
        wished = asyncio.Event()

        async def wish_and_forget(redis: AsyncRedis, sitting: int, match_id: str) -> None:
            await wish_again(redis, sitting, match_id)
            if not wished.is_set():
                wished.set()
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.Event().wait()

        async def tell(_seen: Seen) -> None:
            pass

        monkeypatch.setattr(LiveTables, "_wish_again", staticmethod(wish_and_forget))
        following = asyncio.create_task(tables.follow(broadcast.match_id, tell))
        await wished.wait()
        following.cancel()
        ended, _still_running = await asyncio.wait({following}, timeout=20)
        assert ended
        assert following.cancelled()

    asyncio.run(scene())


def test_a_table_that_is_gone(broadcast: Broadcast) -> None:
    """It leads to its match once that is stored; before, and for any other id, it is not found, with what to do."""
    broadcast.stop()
    answer = get(broadcast, f"/live/{broadcast.match_id}")
    assert answer.status_code == 404
    assert "can be watched now" in answer.text
    assert f'href="/live/{broadcast.match_id}"' in answer.text
    broadcast.world.play(broadcast.table)
    moved = get(broadcast, f"/live/{broadcast.match_id}")
    assert (moved.status_code, moved.headers["location"]) == (303, f"/matches/{broadcast.match_id}")
    empty = get(broadcast, "/live").text
    assert "No table can be watched now" in empty
    assert "Managed" in empty


def test_a_dashboard_without_redis_says_so(reader: Reader, played: PlayedLeague) -> None:
    """The list explains why nothing can be watched, and a stream ends at once."""
    assert "KING_REDIS_URL" in reader.page("/live").get_text()
    match_id = played.store.results.matches(played.over)[0].match_id
    assert reader.answer(f"/live/{match_id}/events").status_code == 204


def test_the_progress_of_a_season_is_told(broadcast: Broadcast) -> None:
    """The stream has the counts at once, then whenever they change, and ends with the season."""
    with httpx.stream("GET", f"{broadcast.site}/seasons/{broadcast.world.season}/events", timeout=30) as answer:
        told = events(answer)
        assert "6 of 8 matches" in BeautifulSoup(next(told)["pieces"]["facts"], "html.parser").get_text()
        broadcast.world.play(*broadcast.claim.tables)
        broadcast.world.finish()
        heard = list(told)
        assert "8 of 8 matches" in BeautifulSoup(heard[-2]["pieces"]["facts"], "html.parser").get_text()
        assert heard[-1]["event"] == "end"


def test_a_reader_who_goes_before_anything_is_told_is_not_counted_on(broadcast: Broadcast) -> None:
    """A stream of a table that nobody has drawn yet waits, and is given up with its reader."""
    with Redis.from_url(broadcast.world.redis_url) as redis:
        redis.delete(picture_key(broadcast.match_id))
    tables = broadcast.app.state.streams._tables
    with pytest.raises(httpx.ReadTimeout):
        httpx.get(f"{broadcast.site}/live/{broadcast.match_id}/events", timeout=1)
    wait_until(lambda: tables.reader_count == 0, what="that the reader is let go")


def test_a_redis_that_comes_back_is_heard_again(world: World) -> None:
    """Who follows a table while Redis is away is told of it afterwards, and not that it is over."""
    world.store.seasons.start(world.season)
    for _rotation in range(3):
        world.play(*world.claim_next().tables)
        world.finish()
    claim = world.claim_next()
    table = claim.tables[0]
    world.tell(claim, live_table(claim, table), picture_of(half_played(claim, table)))
    live = LiveTables(world.store, world.redis_url)
    right, failures = live._heard, iter([RedisConnectionError("away")])

    def heard() -> tuple[LiveSitting, ...]:
        for failure in failures:
            raise failure
        return right()

    seen: list[Seen] = []

    async def follow() -> None:
        async def tell(one: Seen) -> None:
            seen.append(one)
            raise asyncio.CancelledError

        with contextlib.suppress(asyncio.CancelledError):
            await live.follow(table.match_id, tell)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(live, "_heard", heard)
        patched.setattr("dashboard.live_tables._AFTER_FAILURE_S", 0.01)
        asyncio.run(follow())
    assert [one.table.match_id for one in seen] == [table.match_id]


def test_one_reader_too_many_is_told_to_come_again(broadcast: Broadcast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where as many listen as can, tables and seasons say so in words, and when to try again."""
    monkeypatch.setattr(FanOut, "reader_count", READERS_AT_MOST)
    for path in (f"/live/{broadcast.match_id}/events", f"/seasons/{broadcast.world.season}/events"):
        answer = get(broadcast, path)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "60")
        assert "Too many readers" in answer.text


def test_one_address_takes_not_the_places_of_all(broadcast: Broadcast) -> None:
    """Who follows as many pages as one address may is told so, with when to try again, until one of them is closed."""
    path = f"/seasons/{broadcast.world.season}/events"
    with serving(create_app(broadcast.world.store, streams_each=2)) as site, contextlib.ExitStack() as held:
        following = [held.enter_context(httpx.stream("GET", site + path, timeout=60)) for _ in range(2)]
        lines = [one.iter_lines() for one in following]
        assert all(next(one) for one in lines)
        refused = httpx.get(site + path, timeout=60)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
        assert "Too many open pages" in refused.text
        following[0].close()
        wait_until(lambda: follows(site + path), what="a free place")


def follows(address: str) -> bool:
    """Whether an address is followed when it is asked for; that ends at once."""
    with httpx.stream("GET", address, timeout=60) as answer:
        return answer.status_code == 200


@pytest.mark.browser
def test_the_page_changes_by_itself(browser: Browser, broadcast: Broadcast) -> None:
    """A card that is played appears, the clock counts down, Space pauses, and the end leads to the match."""
    page = new_page(browser)
    page.goto(f"{broadcast.site}/live/{broadcast.match_id}")
    wire = page.locator("#wire")
    expect(wire).to_have_attribute("data-state", "following")
    card = broadcast.play_on()
    expect(page.locator(f'.slot .card[data-card="{card}"]')).to_have_count(1)
    expect(page.locator(".plate[data-turn] [data-clock]")).not_to_have_text("9.0")
    page.keyboard.press("Space")
    expect(wire).to_have_attribute("data-state", "paused")
    unseen = broadcast.play_on()
    page.wait_for_timeout(500)
    assert page.locator(f'.slot .card[data-card="{unseen}"]').count() == 0
    page.keyboard.press("Space")
    expect(page.locator(f'.slot .card[data-card="{unseen}"]')).to_have_count(1)
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    while not broadcast.match.over:
        broadcast.match.apply(broadcast.match.legal_actions()[0])
    broadcast.tell(clock=None)
    expect(wire).to_have_attribute("data-state", "ended")
    expect(page.locator("#status a")).to_have_attribute("href", f"/matches/{broadcast.match_id}")
    done(page)


@pytest.mark.browser
def test_the_list_changes_by_itself(browser: Browser, broadcast: Broadcast) -> None:
    """Whoever waits at the list sees a table go without coming again, and the link in focus keeps it until then."""
    page = new_page(browser)
    page.goto(f"{broadcast.site}/live")
    link = page.locator(f"#table-{broadcast.match_id}")
    link.focus()
    page.wait_for_event("requestfinished", lambda asked: asked.url.endswith("/live"))
    page.wait_for_event("requestfinished", lambda asked: asked.url.endswith("/live.json"))
    expect(link).to_be_focused()
    broadcast.stop()
    expect(page.locator("p.lead")).to_contain_text("No table can be watched now")
    done(page)


def test_a_season_s_numbers_change_in_place(browser: Browser, broadcast: Broadcast) -> None:
    """The page of a season follows its progress without being loaded again."""
    page = new_page(browser)
    page.goto(f"{broadcast.site}/seasons/{broadcast.world.season}")
    expect(page.locator("#progress")).to_contain_text("6 of 8 matches")
    broadcast.world.play(broadcast.table)
    expect(page.locator("#progress")).to_contain_text("7 of 8 matches")
    done(page)
