"""Remote bots in the store: tokens, who is connected, sittings that wait, boards that are dealt anew."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from league.errors import LeagueError, StaleAttemptError
from league.model import Claim, FaultKind, Season, SeasonKind
from league.remote_tokens import token_hash
from league.store import Store
from league.store.presence import NOTE_LASTS
from league.store.schema import boards
from league.versions import command_hash
from tests.league.leagues import Clock, claimed, planned, short_record
from tests.stores import written

pytestmark = pytest.mark.slow

HOUSE = ("greedy", "highest", "lowest")
WAIT_S = 60.0


def open_season(store: Store, remote: Sequence[str], bots: Sequence[str] = HOUSE, **settings: Any) -> Season:
    """An open season that runs, with house bots and remote bots, each of an owner of its name."""
    season = planned(store, bots, kind=SeasonKind.OPEN, **settings)
    for name in remote:
        registered = store.bots.register_remote(owner=f"owner of {name}", name=name, version="1")
        store.seasons.enter(season.id, registered.bot.id)
    return store.seasons.start(season.id)


def ids(store: Store, *names: str) -> list[int]:
    return [store.bots.remote(name).bot.id for name in names]


def look(store: Store, clock: Clock, seconds: float, *connected: str) -> None:
    """Lets time pass while it is looked who is connected."""
    while seconds > 0:
        step = min(seconds, 20)
        clock.move(step)
        seconds -= step
        store.presence.note(ids(store, *connected))


def plan(store: Store, season: Season) -> dict[int, tuple[int, ...]]:
    """Who meets on each board, by number, which the store tells nobody before it is over."""
    with store._database.reading() as connection:
        rows = connection.execute(select(boards).where(boards.c.season_id == season.id).order_by(boards.c.number))
        return {row.number: tuple(row.players) for row in rows}


def stored(store: Store, claim: Claim) -> None:
    """All tables of a claim, then its end."""
    for table in claim.tables:
        assert store.results.commit(claim, short_record(claim, table))
    store.sittings.finish(claim)


def test_a_token_is_told_once_and_only_its_hash_is_kept(store: Store, tmp_path: Path) -> None:
    """What the store knows of a token is its hash; the version's hash is that of owner, name and version."""
    registered = store.bots.register_remote(owner="ann", name="owl", version="2", language="go")
    assert registered.token not in repr(registered)
    assert registered.bot.version_hash == command_hash("ann", "owl", "2")
    assert registered.bot.remote
    assert not registered.bot.house
    assert store.presence.tokens() == {registered.bot.id: token_hash(registered.token)}
    assert token_hash(registered.token).encode() in written(tmp_path)
    assert registered.token.encode() not in written(tmp_path)


@pytest.mark.parametrize(
    ("owner", "name", "why"),
    [
        ("", "owl", "it needs an owner"),
        ("bob", "owl", "belongs to ann"),
        ("ann", "owl", "is registered already"),
        ("bob", "Owl", "looks as that of the bot 'owl'"),
        ("bob", "оwl", "looks as that of the bot 'owl'"),
        ("bob", "owl\u200b", "cannot be seen"),
        ("bob", "a/b", "no slash"),
        ("bob", "owl@1", "no @ and no #"),
    ],
)
def test_a_remote_bot_that_cannot_be_registered(store: Store, owner: str, name: str, why: str) -> None:
    """A remote bot has an owner and a name of its own, and a version is registered once."""
    store.bots.register_remote(owner="ann", name="owl", version="1")
    with pytest.raises(LeagueError, match=why):
        store.bots.register_remote(owner=owner, name=name, version="1")


@pytest.mark.parametrize("language", ["x" * 33, "py\u202ethon", "py\x00"])
def test_a_language_that_no_page_could_show_is_refused(store: Store, language: str) -> None:
    """Whatever somebody writes in a form is on everybody's pages."""
    with pytest.raises(LeagueError, match="has at most 32 characters that can be seen"):
        store.bots.register_remote(owner="ann", name="owl", version="1", language=language)


def test_a_token_is_renewed_and_revoked(store: Store) -> None:
    """A new token takes the old one's place; a revoked bot has none, until it is given a new one."""
    first = store.bots.register_remote(owner="ann", name="owl", version="1")
    second = store.bots.renew_token(first.bot.id)
    assert store.presence.tokens() == {first.bot.id: token_hash(second.token)}
    for _ in range(2):
        assert store.bots.revoke_token(first.bot.id).token_hash is None
    assert store.presence.tokens() == {}
    third = store.bots.renew_token(first.bot.id)
    assert len({first.token, second.token, third.token}) == 3
    assert store.bots.remote("owl").token_hash == token_hash(third.token)


def test_a_bot_of_ours_has_no_token(store: Store) -> None:
    """A managed bot can be given no token."""
    season = planned(store, HOUSE)
    ours = store.seasons.entrants(season.id)[0].bot
    with pytest.raises(LeagueError, match="is no remote bot"):
        store.bots.renew_token(ours.id)
    with pytest.raises(LeagueError, match="no remote bot 'greedy': none is registered yet"):
        store.bots.remote("greedy")


def test_a_managed_season_takes_no_remote_bot(store: Store) -> None:
    """Remote bots, whose memory nobody can clear, are let into open seasons alone."""
    season = planned(store, HOUSE)
    owl = store.bots.register_remote(owner="ann", name="owl", version="1").bot
    with pytest.raises(LeagueError, match="is a managed one: remote bots, whose memory nobody can clear"):
        store.seasons.enter(season.id, owl.id)


@pytest.mark.slow
def test_a_board_of_an_open_season_is_played_once(store: Store) -> None:
    """An open season has one sitting for each set of boards, and its boards count when they are played once."""
    season = open_season(store, ["owl"], boards=8, set_count=2)
    assert [(one.set_number, one.rotation) for one in store.sittings.of_season(season.id)] == [(1, 0), (2, 0)]
    assert store.seasons.progress(season.id).matches_planned == 8
    store.presence.note(ids(store, "owl"))
    for _ in range(2):
        stored(store, claimed(store, store.sittings.due()[0]))
    assert store.seasons.get(season.id).state == "ended"
    ladder = store.standings.ladder(season.id)
    assert {row.rating.boards for row in ladder.rows} == {8}
    assert {row.entry.matches for row in ladder.rows} == {8}
    sums = store.standings.sums(season.id)
    assert store.results.rebuild(season.id) == 8
    assert store.standings.sums(season.id) == sums


@pytest.mark.slow
def test_seats_are_shared_out_evenly(store: Store) -> None:
    """As no rotations make up for a seat, each bot sits in each of them about as often."""
    season = open_season(store, ["owl"], [*HOUSE, "counter", "random"], boards=4)
    for player in range(6):
        seats = [players.index(player) for players in plan(store, season).values() if player in players]
        counts = [seats.count(seat) for seat in range(4)]
        assert sum(counts) == 40
        assert max(counts) - min(counts) <= 2


@pytest.mark.slow
def test_a_sitting_waits_until_its_remote_bots_are_connected(store: Store) -> None:
    """A sitting is due when all its remote bots are connected, and one without them at any time."""
    season = open_season(store, ["owl", "jay"], [*HOUSE, "random", "counter"], boards=1, set_count=35)
    with_remote = {
        sitting.id for sitting in store.sittings.of_season(season.id) if store.sittings.claim(sitting.id, "w") is None
    }
    without = {sitting.id for sitting in store.sittings.of_season(season.id)} - with_remote
    remote = _numbers(store, season, "owl", "jay")
    assert len(without) == sum(not remote & set(players) for players in plan(store, season).values())
    assert with_remote
    store.presence.note(ids(store, "owl", "jay"))
    assert set(store.sittings.due()) <= with_remote
    assert store.sittings.due()


def _numbers(store: Store, season: Season, *names: str) -> set[int]:
    return {one.number for one in store.seasons.entrants(season.id) if one.bot.name in names}


def test_a_remote_bot_plays_one_sitting_at_a_time(store: Store) -> None:
    """While a sitting with a remote bot is played, no other one with it is due, of whatever season."""
    first = open_season(store, ["owl"], boards=2, set_count=2)
    second = planned(store, HOUSE, kind=SeasonKind.OPEN, name="Winter")
    store.seasons.enter(second.id, store.bots.remote("owl").bot.id)
    store.seasons.start(second.id)
    store.presence.note(ids(store, "owl"))
    (due,) = store.sittings.due()
    others = [one.id for season in (first, second) for one in store.sittings.of_season(season.id) if one.id != due]
    claim = claimed(store, due)
    assert store.sittings.due() == ()
    assert [store.sittings.claim(sitting, "w") for sitting in others] == [None, None]
    stored(store, claim)
    assert len(store.sittings.due()) == 1


def test_who_is_absent_at_the_deadline_forfeits_alone(store: Store, clock: Clock) -> None:
    """After the deadline the sitting is played without the absent bot, which has one fault; nobody else has any."""
    season = open_season(store, ["owl"], boards=3, set_count=1)
    store.presence.note([])
    look(store, clock, WAIT_S - 1)
    assert store.sittings.due() == ()
    look(store, clock, 1)
    claim = claimed(store, store.sittings.due()[0])
    absent = [player for player in claim.players if player.absent]
    assert [player.label for player in absent] == ["owl"]
    assert absent[0].absent == "not connected for 60 s after the sitting could be played"
    stored(store, claim)
    (fault,) = store.results.faults(season.id)
    assert (fault.label, fault.kind, fault.forfeits, len(fault.match_ids)) == ("owl", FaultKind.ABSENT, True, 3)


def test_a_bot_that_comes_back_in_time_plays(store: Store, clock: Clock) -> None:
    """Whoever is there before the deadline plays, and its time begins anew when it goes."""
    season = open_season(store, ["owl"])
    store.presence.note([])
    look(store, clock, WAIT_S - 1)
    store.presence.note(ids(store, "owl"))
    assert store.sittings.due()
    store.presence.note([])
    look(store, clock, 5)
    assert store.sittings.due() == ()
    (waiting,) = (one for one in store.sittings.of_season(season.id) if one.waiting_since)
    assert waiting.waiting_since is not None
    assert (clock.now - waiting.waiting_since).total_seconds() == 5


def test_nobody_is_absent_while_the_referee_is_away(store: Store, clock: Clock) -> None:
    """Time in which nobody could be connected, or nobody looked, counts against no bot."""
    open_season(store, ["owl"])
    store.presence.note([])
    look(store, clock, WAIT_S - 1)
    store.presence.forget()
    clock.move(WAIT_S)
    store.presence.note([])
    assert store.sittings.due() == ()
    clock.move(NOTE_LASTS.total_seconds() + WAIT_S)  # nobody looks
    store.presence.note([])
    assert store.sittings.due() == ()
    look(store, clock, WAIT_S)
    assert store.sittings.due()


def test_a_pause_counts_against_nobody(store: Store, clock: Clock) -> None:
    """While a season is paused nothing waits; the deadline runs from when it goes on."""
    season = open_season(store, ["owl"])
    store.seasons.pause(season.id)
    look(store, clock, 3 * WAIT_S)
    store.seasons.resume(season.id)
    look(store, clock, WAIT_S)  # the first look, after 20 s, sees that it waits
    assert store.sittings.due() == ()


def test_old_news_are_not_believed(store: Store, clock: Clock) -> None:
    """A bot that was seen too long ago is not taken for connected."""
    open_season(store, ["owl"])
    store.presence.note(ids(store, "owl"))
    clock.move(NOTE_LASTS.total_seconds() + 1)
    assert store.sittings.due() == ()


@pytest.mark.slow
def test_boards_that_a_remote_bot_may_have_seen_are_dealt_anew(store: Store) -> None:
    """What was void through our fault is played again from new secrets under the next numbers; stored boards stay."""
    season = open_season(store, ["owl"], boards=3, set_count=1)
    store.presence.note(ids(store, "owl"))
    first = claimed(store, store.sittings.due()[0])
    store.results.commit(first, short_record(first, first.tables[0]))
    store.sittings.release(first, "the referee has failed")
    again = claimed(store, first.sitting)
    assert [table.board for table in again.tables] == [4, 5]
    assert not {table.deal_secret for table in first.tables} & {table.deal_secret for table in again.tables}
    assert not {table.match_id for table in first.tables} & {table.match_id for table in again.tables}
    told = store.seasons.boards(season.id)
    assert [(board.number, board.void, board.replaces) for board in told] == [
        (1, False, None), (2, True, None), (3, True, None), (4, False, 2), (5, False, 3)
    ]  # fmt: skip
    meeting = list(plan(store, season).values())
    assert meeting[3:] == meeting[1:3]
    stored(store, again)
    assert store.seasons.get(season.id).state == "ended"
    assert all(board.deal_secret for board in store.seasons.boards(season.id))
    assert {row.rating.boards for row in store.standings.ladder(season.id).rows} == {3}
    (one_set,) = store.seasons.sets(season.id)
    assert (one_set.first_board, one_set.last_board) == (1, 3)


def test_what_nobody_has_seen_is_not_dealt_anew(store: Store) -> None:
    """A sitting that was given back before any card was dealt, or has no remote bot, keeps its boards."""
    season = open_season(store, ["owl"], boards=2, set_count=1)
    store.presence.note(ids(store, "owl"))
    store.sittings.release(claimed(store, store.sittings.due()[0]), "no referee answers", seen=False)
    assert [board.number for board in store.seasons.boards(season.id)] == [1, 2]
    ours = store.seasons.start(planned(store, ["counter", *HOUSE], kind=SeasonKind.OPEN, name="ours").id)
    store.sittings.release(claimed(store, store.sittings.due(ours.id)[0]), "the referee has failed")
    assert not any(board.void for board in store.seasons.boards(ours.id))


def test_a_worker_that_died_may_have_shown_cards(store: Store, clock: Clock) -> None:
    """The sweep deals the boards of a silent claim anew, and who held it can store nothing of the old ones."""
    season = open_season(store, ["owl"], boards=1, set_count=1)
    store.presence.note(ids(store, "owl"))
    lost = claimed(store, store.sittings.due()[0])
    clock.move(20)
    store.sittings.sweep()
    with pytest.raises(StaleAttemptError):
        store.results.commit(lost, short_record(lost, lost.tables[0]))
    assert [(board.number, board.void) for board in store.seasons.boards(season.id)] == [(1, True), (2, False)]


def test_a_rolling_season_pairs_those_who_are_there(store: Store, clock: Clock) -> None:
    """Of remote bots only those that are connected are paired."""
    season = open_season(store, ["owl", "jay"], boards=4, rolling=True)
    owl, jay = (_numbers(store, season, name) for name in ("owl", "jay"))
    store.presence.note(ids(store, "owl"))
    store.rolling.grow_all()
    later = [set(players) for number, players in plan(store, season).items() if number > 4]
    assert any(owl & players for players in later)
    assert not any(jay & players for players in later)


@pytest.mark.slow
def test_an_absent_bot_of_a_rolling_season_misses_one_sitting(store: Store, clock: Clock) -> None:
    """It forfeits the sitting that waited for it; what else it was planned for is dropped, and the others go on."""
    season = open_season(store, ["owl", "jay"], boards=4, rolling=True)
    jay = _numbers(store, season, "jay")
    store.presence.note(ids(store, "owl", "jay"))
    store.rolling.grow_all()
    meeting = plan(store, season)
    of_jay = {board.set_number for board in store.seasons.boards(season.id) if jay & set(meeting[board.number])}
    assert len(of_jay) > 1
    store.presence.note(ids(store, "owl"))
    look(store, clock, WAIT_S, "owl")
    for _ in range(5):
        stored(store, claimed(store, store.sittings.due()[0]))
        store.rolling.grow_all()
    (missed,) = (fault for fault in store.results.faults(season.id) if fault.kind is FaultKind.ABSENT)
    dropped = {board.set_number for board in store.seasons.boards(season.id) if board.void}
    assert dropped == of_jay - {store.sittings.get(missed.sitting).set_number}
    later = [board for board in store.seasons.boards(season.id) if board.set_number > max(of_jay)]
    assert later
    assert not any(jay & set(plan(store, season)[board.number]) for board in later)
    season = store.seasons.get(season.id)
    assert (season.state, season.ending) == ("running", False)


@pytest.mark.slow
def test_numbers_go_on_after_boards_were_dealt_anew(store: Store) -> None:
    """In a rolling season, too, no number of a board is used twice."""
    season = open_season(store, ["owl"], boards=2, rolling=True)
    store.presence.note(ids(store, "owl"))
    store.rolling.grow_all()
    store.sittings.release(claimed(store, store.sittings.due()[0]), "the referee has failed")
    stored(store, claimed(store, store.sittings.due()[0]))
    store.rolling.grow_all()
    numbers = [board.number for board in store.seasons.boards(season.id)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 6


@pytest.mark.slow
def test_nobody_is_told_who_meets_before_it_is_over(store: Store) -> None:
    """The players of an open season's boards are not told until their set is over, and cannot be planned by others."""
    season = open_season(store, ["owl"], [*HOUSE, "counter", "random"], boards=1, set_count=2)
    assert {board.players for board in store.seasons.boards(season.id)} == {()}
    assert {board.players for board in store.listing.boards(season.id, limit=100)} == {()}
    assert store.seasons.board(season.id, 1).players == ()
    again = open_season(store, ["jay"], [*HOUSE, "counter", "random"], boards=1, set_count=2, name="again")
    assert plan(store, season) != plan(store, again)
    store.presence.note(ids(store, "owl"))
    claim = claimed(store, store.sittings.due(season.id)[0])
    stored(store, claim)
    over = {board.number: board.players for board in store.seasons.boards(season.id) if board.players}
    assert over == {number: players for number, players in plan(store, season).items() if number in over}
    assert set(over) == {table.board for table in claim.tables}


@pytest.mark.parametrize("milliseconds", [-1, 86_400_001])
def test_a_deadline_out_of_range_is_refused(store: Store, milliseconds: int) -> None:
    """A sitting waits for a remote bot for at most a day."""
    with pytest.raises(LeagueError, match="from 0 to 86400 s are right"):
        planned(store, HOUSE, kind=SeasonKind.OPEN, absent_after_ms=milliseconds)
