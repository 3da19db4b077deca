"""Remote bots for their owners: registered, qualified against the house, challenged with, revoked; who may do what."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from league.audit_log import AuditFilter
from league.errors import LeagueError
from league.model import NewSeason, RemoteRegistration, SeasonKind
from league.qualifying import REGISTERED_A_DAY, Presence, Qualifying
from league.store import Store
from league.store.presence import NOTE_LASTS
from league.submissions import Limit, LimitError, WrongStateError
from league.unrated import Purpose, UnratedBoard, UnratedState, unrated_json
from tests.league.leagues import Clock, planned
from tests.league.test_remote_bots import HOUSE as IN_SEASON
from tests.league.test_submissions import ANN, BY_ANN, active
from tests.league.test_unrated import VARIANT, asked, claimed, house, rotations

pytestmark = pytest.mark.slow


def registered(store: Store, name: str = "owl", version: str = "1", owner: str = ANN) -> RemoteRegistration:
    return store.own_remotes.register(owner=owner, name=name, version=version, by=BY_ANN)


def here(store: Store, *bots: RemoteRegistration) -> None:
    """The referee tells that these are connected."""
    store.presence.note([one.bot.id for one in bots])


def qualified(store: Store, bot: RemoteRegistration, outcome: str = "") -> UnratedBoard:
    """The board that a bot has qualified on, or failed on."""
    here(store, bot)
    board = store.own_remotes.mine(bot.bot.id, bot.bot.owner).board
    assert board is not None
    claim = claimed(store, board)
    store.unrated.finish(claim, rotations(claim.board), outcome)
    return store.unrated.mine(board.id, bot.bot.owner)


def state(store: Store, bot: RemoteRegistration) -> tuple[Presence, Qualifying]:
    own = store.own_remotes.mine(bot.bot.id, bot.bot.owner)
    return own.presence, own.qualifying


def test_a_registered_bot_qualifies_once_it_is_there(store: Store, clock: Clock) -> None:
    """Its board is due when it is connected; the house's bots of it are told when it is over."""
    house(store)
    owl = registered(store)
    assert state(store, owl) == (Presence.NEW, Qualifying.WAITING)
    assert store.unrated.due() == ()
    here(store)
    (board,) = (one.board for one in store.own_remotes.of_owner(ANN))
    assert board is not None
    assert store.unrated.claim(board.id, "worker") is None
    here(store, owl)
    assert store.unrated.due() == (board.id,)
    claim = claimed(store, board)
    assert claim.bots[0].name == "owl"
    assert sorted(bot.name for bot in claim.bots) == ["greedy", "lowest", "owl", "random"]
    assert state(store, owl) == (Presence.CONNECTED, Qualifying.PLAYING)
    hidden = unrated_json(store.unrated.mine(board.id, ANN))
    assert [player["bot"] for player in hidden["players"]] == ["owl"]
    store.unrated.finish(claim, rotations(claim.board))
    done = store.unrated.mine(board.id, ANN)
    assert (done.purpose, done.state, len(done.players)) == (Purpose.QUALIFYING, UnratedState.DONE, 4)
    assert state(store, owl) == (Presence.CONNECTED, Qualifying.PASSED)
    clock.move(NOTE_LASTS.total_seconds() + 1)
    assert state(store, owl)[0] is Presence.UNKNOWN
    here(store)
    assert state(store, owl)[0] is Presence.ABSENT
    assert store.own_remotes.mine(owl.bot.id, ANN).remote.seen_at is not None


def test_a_bot_that_failed_is_told_why_and_tries_again(store: Store) -> None:
    """The latest board counts; one at a time."""
    house(store)
    owl = registered(store)
    with pytest.raises(WrongStateError, match="owl 1 is about to qualify"):
        store.own_remotes.qualify(owl.bot.id, ANN, by=BY_ANN)
    failed = qualified(store, owl, "it forfeited russian-14: illegal: choice 9 of 3")
    assert failed.outcome == "it forfeited russian-14: illegal: choice 9 of 3"
    assert state(store, owl)[1] is Qualifying.FAILED
    again = store.own_remotes.qualify(owl.bot.id, ANN, "base-14", by=BY_ANN)
    assert (again.variant, state(store, owl)[1]) == ("base-14", Qualifying.WAITING)
    qualified(store, owl)
    assert state(store, owl)[1] is Qualifying.PASSED


def test_a_remote_bot_plays_one_thing_at_a_time(store: Store) -> None:
    """No sitting of a season is taken up while its board is played, and no board while a sitting is."""
    house(store)
    owl = registered(store)
    here(store, owl)
    season = planned(store, IN_SEASON, kind=SeasonKind.OPEN)
    store.seasons.enter(season.id, owl.bot.id)
    store.seasons.start(season.id)
    (board,) = store.unrated.due()
    claim = claimed(store, store.unrated.mine(board, ANN))
    assert store.sittings.due() == ()
    store.unrated.release(claim, "the worker was told to end", failed=False)
    sitting = store.sittings.claim(store.sittings.due()[0], "worker")
    assert sitting is not None
    assert store.unrated.due() == ()
    assert store.unrated.claim(board, "worker") is None
    store.sittings.release(sitting, "no", seen=False)
    assert store.unrated.due() == (board,)


def test_without_house_bots_there_is_no_qualifying_board(store: Store) -> None:
    """It is void, and says what would be right."""
    owl = registered(store)
    here(store, owl)
    (board,) = store.unrated.due()
    assert store.unrated.claim(board, "worker") is None
    assert "king up" in store.unrated.mine(board, ANN).outcome
    assert state(store, owl)[1] is Qualifying.VOID


def challenge(store: Store, bot: RemoteRegistration, opponents: Sequence[int], owner: str = ANN) -> UnratedBoard:
    return store.unrated.ask(owner=owner, version_id=bot.bot.id, opponents=opponents, variant=VARIANT.id, by=BY_ANN)


def test_challenges_with_a_remote_bot(store: Store, clock: Clock) -> None:
    """By its owner, once it has qualified, while it is connected; one that goes away does not hold up the next."""
    others = [bot.id for bot in house(store)]
    owl = registered(store)
    with pytest.raises(WrongStateError, match="owl 1 has not qualified yet"):
        challenge(store, owl, others)
    qualified(store, owl)
    here(store)
    with pytest.raises(WrongStateError, match="owl 1 is not connected"):
        challenge(store, owl, others)
    here(store, owl)
    with pytest.raises(LeagueError, match="Bob has no bot version"):
        challenge(store, owl, others, "Bob")
    with pytest.raises(LeagueError, match="owl is a remote bot"):
        challenge(store, owl, [owl.bot.id, *others[:2]])
    asked = challenge(store, owl, others)
    assert [player.label for player in asked.players] == ["owl"]
    assert [player.label for player in store.unrated.challenges_of(ANN)[0].players] == ["owl"]
    for _ in range(4):
        clock.move(20)
        here(store)
    store.unrated.sweep()
    gone = store.unrated.mine(asked.id, ANN)
    assert (gone.state, "not connected for a minute" in gone.outcome) == (UnratedState.VOID, True)
    here(store, owl)
    again = challenge(store, owl, others)
    claim = claimed(store, again)
    assert sorted(bot.name for bot in claim.bots) == ["greedy", "lowest", "owl", "random"]
    store.unrated.finish(claim, rotations(claim.board))
    assert len(store.unrated.mine(again.id, ANN).players) == 4


def test_a_waiting_remote_bot_holds_up_no_other_board(store: Store) -> None:
    """Boards of bots that we start are taken up beside it."""
    house(store)
    registered(store, version="far")
    board = asked(store)
    assert store.unrated.due() == (board.id,)


def test_a_version_text_means_one_version(store: Store) -> None:
    """Of whatever kind: a submitted one or a remote one."""
    active(store)
    with pytest.raises(LeagueError, match="owl 1 is there already"):
        registered(store)


def test_what_an_owner_does_is_written_down(store: Store) -> None:
    """In the audit log, without a token; nobody else finds the bot."""
    owl = registered(store)
    renewed = store.own_remotes.renew(owl.bot.id, ANN, by=BY_ANN)
    assert renewed.token != owl.token
    for _ in range(2):
        store.own_remotes.revoke(owl.bot.id, ANN, by=BY_ANN)
    assert state(store, owl)[0] is Presence.REVOKED
    entries = store.audit_log.entries(AuditFilter(act="bot."))
    assert [entry.act for entry in entries] == ["bot.token_revoked", "bot.token_renewed", "bot.registered"]
    assert owl.token not in str(entries)
    for act in (store.own_remotes.renew, store.own_remotes.revoke, store.own_remotes.qualify):
        with pytest.raises(LeagueError, match="Bob has no remote bot with version id"):
            act(owl.bot.id, "Bob", by=BY_ANN)


def test_an_account_has_so_many_remote_bots(store: Store, clock: Clock) -> None:
    """A registration that is refused leaves nothing behind."""
    for number in range(REGISTERED_A_DAY):
        registered(store, version=str(number))
    with pytest.raises(LimitError) as refused:
        registered(store, version="more")
    assert refused.value.limit is Limit.REMOTE_BOTS
    clock.move(86_401)
    with pytest.raises(LeagueError, match="there is no variant 'chess'"):
        store.own_remotes.register(owner=ANN, name="owl", version="more", variant="chess", by=BY_ANN)
    assert len(store.own_remotes.of_owner(ANN)) == REGISTERED_A_DAY
    registered(store, version="more")


def test_an_owner_enters_a_qualified_remote_bot(store: Store) -> None:
    """In open seasons alone; the entry is logged once."""
    house(store)
    season = store.seasons.create(NewSeason(name="Club", variant=VARIANT.id, boards=1, kind=SeasonKind.OPEN))
    managed = store.seasons.create(NewSeason(name="Managed", variant=VARIANT.id, boards=1))
    owl = registered(store)
    assert store.entries.seasons_for_remote(owl.bot.id, ANN) == ()
    with pytest.raises(WrongStateError, match="owl 1 has not qualified"):
        store.entries.enter_remote(owl.bot.id, ANN, season.id, by=BY_ANN)
    qualified(store, owl)
    assert [(one.id, entered) for one, entered in store.entries.seasons_for_remote(owl.bot.id, ANN)] == [
        (season.id, False)
    ]
    for _ in range(2):
        store.entries.enter_remote(owl.bot.id, ANN, season.id, by=BY_ANN)
    assert store.entries.seasons_for_remote(owl.bot.id, ANN)[0][1]
    assert len(store.audit_log.entries(AuditFilter(act="season.entered"))) == 1
    with pytest.raises(LeagueError, match="is a managed one"):
        store.entries.enter_remote(owl.bot.id, ANN, managed.id, by=BY_ANN)
    with pytest.raises(LeagueError, match="Bob has no remote bot"):
        store.entries.enter_remote(owl.bot.id, "Bob", season.id, by=BY_ANN)
