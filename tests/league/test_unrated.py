"""Unrated boards in the store: asked for, claimed, stored as a whole, and seen by their owner alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from league.errors import LeagueError, StaleAttemptError
from league.model import BotVersion
from league.results import result_of
from league.store import Store
from league.submissions import Limit, LimitError, SubmittedBot, WrongStateError
from league.unrated import PlayedRotation, Purpose, UnratedBoard, UnratedClaim, UnratedLog, UnratedState, unrated_json
from referee.random_match import random_match
from referee.rules import parse_variant
from tests.league.leagues import Clock, new_bot
from tests.league.test_submissions import ANN, BY_ANN, active, sent

VARIANT = parse_variant("russian-14")


def house(store: Store) -> list[BotVersion]:
    return [store.bots.register(new_bot(name)) for name in ("greedy", "lowest", "random")]


def asked(store: Store, owner: str = ANN, **changed: Any) -> UnratedBoard:
    """A challenge of Ann's owl against the house."""
    found = [each for each in store.submissions.of_owner(ANN) if each.version_id is not None]
    mine = found[0] if found else active(store)
    values = {"version_id": mine.version_id, "opponents": [bot.id for bot in house(store)], "variant": VARIANT.id}
    return store.unrated.ask(owner=owner, by=BY_ANN, **(values | changed))


def claimed(store: Store, board: UnratedBoard) -> UnratedClaim:
    claim = store.unrated.claim(board.id, "worker 1")
    assert claim is not None
    return claim


def rotations(board: UnratedBoard) -> tuple[PlayedRotation, ...]:
    """All rotations of a board, played at random."""
    played = []
    for rotation in range(VARIANT.seats):
        record = dict(random_match(VARIANT, rotation))
        record["match_id"] = f"{board.id:012d}{rotation:04d}"
        record["context"] = {**record["context"], "rotation": rotation}
        players = tuple((seat - rotation) % VARIANT.seats for seat in range(VARIANT.seats))
        logs = tuple(
            UnratedLog(rotation=rotation, process=player + 1, player=player, exit_status=0, text=f"log of {player}")
            for player in range(VARIANT.seats)
        )
        played.append(PlayedRotation(result=result_of(record, players, VARIANT), record=record, logs=logs))
    return tuple(played)


def test_a_challenge_is_played_and_seen_by_its_owner(store: Store) -> None:
    """From asking to its records; standard error of one's own bot alone; nothing of it reaches anybody else."""
    board = asked(store)
    assert store.unrated.due() == (board.id,)
    claim = claimed(store, board)
    assert [bot.name for bot in claim.bots] == ["owl", "greedy", "lowest", "random"]
    assert store.unrated.due() == ()
    store.unrated.finish(claim, rotations(board))
    done = store.unrated.mine(board.id, ANN)
    assert (done.state, done.purpose, len(done.matches)) == (UnratedState.DONE, Purpose.CHALLENGE, 4)
    assert sum(done.means) == pytest.approx(sum(sum(match.totals) for match in done.matches) / 4)
    match = done.matches[1]
    assert match.players == (3, 0, 1, 2)
    assert store.unrated.record(match.match_id, ANN)["match_id"] == match.match_id
    assert store.unrated.board_of(match.match_id, ANN).id == board.id
    assert [log.text for log in store.unrated.logs(board.id, ANN)] == ["log of 0"] * 4
    assert [each.id for each in store.unrated.challenges_of(ANN)] == [board.id]
    for call in (store.unrated.mine, store.unrated.logs):
        with pytest.raises(LeagueError, match="Bob has no unrated board"):
            call(board.id, "Bob")
    for look in (store.unrated.record, store.unrated.board_of):
        with pytest.raises(LeagueError, match="Bob has no unrated"):
            look(match.match_id, "Bob")
    assert unrated_json(done)["matches"][1]["seats"][0]["bot"] == "random"


@pytest.mark.slow
def test_one_challenge_at_a_time(store: Store, clock: Clock) -> None:
    """Another one when it is over; no more than fifty a day."""
    first = asked(store)
    with pytest.raises(LimitError, match="one is played at a time") as busy:
        asked(store)
    assert busy.value.limit is Limit.CHALLENGES
    store.unrated.void(claimed(store, first), "no")
    for _ in range(49):
        store.unrated.void(claimed(store, asked(store)), "no")
    with pytest.raises(LimitError, match="50 challenges in 24 hours"):
        asked(store)
    clock.move(86_400)
    asked(store)


@pytest.mark.slow
def test_who_may_challenge_with_whom(store: Store) -> None:
    """One's own active bot, against active bots and the house, as many as there are seats, of a variant all play."""
    with pytest.raises(LeagueError, match="has 4 seats: choose 3 opponents"):
        asked(store, opponents=[])
    with pytest.raises(LeagueError, match="there is no variant 'chess'"):
        asked(store, variant="chess")
    with pytest.raises(LeagueError, match="Ann has no bot version"):
        asked(store, version_id=house(store)[0].id)
    other = active(store, b"theirs", SubmittedBot(name="fox", version="1", variants=("base-14",)), "Bob")
    houses = [bot.id for bot in house(store)]
    with pytest.raises(LeagueError, match="fox does not play russian-14; it plays base-14"):
        asked(store, opponents=[other.version_id, *houses[:2]])
    with pytest.raises(LeagueError, match="Bob has no bot version"):
        asked(store, owner="Bob")
    mine = store.submissions.of_owner(ANN)[0]
    store.submissions.withdraw(mine.id, ANN, by=BY_ANN)
    with pytest.raises(WrongStateError, match="owl 1 is not active"):
        asked(store)


def test_whom_one_can_challenge(store: Store) -> None:
    """The newest version of each house bot, and submitted ones that are active."""
    house(store)
    store.bots.register(replace(new_bot("greedy", "2"), version_hash="f" * 64))
    mine = active(store)
    assert [(bot.name, bot.version) for bot in store.unrated.opponents()] == [
        ("greedy", "2"),
        ("lowest", "1"),
        ("owl", "1"),
        ("random", "1"),
    ]
    store.submissions.withdraw(mine.id, ANN, by=BY_ANN)
    assert "owl" not in [bot.name for bot in store.unrated.opponents()]


def test_a_worker_that_goes_silent(store: Store, clock: Clock) -> None:
    """The challenge is played again; after three attempts it is void, and blames no bot."""
    board = asked(store)
    old = claimed(store, board)
    clock.move(11)
    store.unrated.sweep()
    new = claimed(store, board)
    with pytest.raises(StaleAttemptError):
        store.unrated.finish(old, rotations(board))
    with pytest.raises(StaleAttemptError):
        store.unrated.renew(old)
    store.unrated.renew(new)
    store.unrated.release(new, "the worker was told to end", failed=False)
    for _ in range(2):
        store.unrated.release(claimed(store, board), "no referee", failed=True)
    void = store.unrated.mine(board.id, ANN)
    assert void.state is UnratedState.VOID
    assert "tried 3 times through no fault of the bots; the last time: no referee" in void.outcome
    assert store.unrated.claim(board.id, "worker") is None


@pytest.mark.slow
def test_deleting_a_submission_takes_its_qualifying_board(store: Store) -> None:
    """With its records; challenges, which others played too, stay."""
    submission = sent(store, b"another")
    claim = store.submissions.claim(submission.id, "worker")
    assert claim is not None
    challenge = asked(store)
    board = store.unrated.mine(challenge.id, ANN)
    kept = store.unrated.keep_qualifying(
        claim, variant=VARIANT.id, players=board.players, played=rotations(replace(board, id=99))
    )
    found = store.unrated.mine(kept, ANN)
    assert (found.purpose, found.submission, len(found.matches)) == (Purpose.QUALIFYING, submission.id, 4)
    assert store.submissions.get(submission.id).qualifying == kept
    store.submissions.delete(submission.id, ANN, by=BY_ANN)
    with pytest.raises(LeagueError):
        store.unrated.mine(kept, ANN)
    with pytest.raises(LeagueError):
        store.unrated.record(found.matches[0].match_id, ANN)
    assert store.unrated.mine(challenge.id, ANN).state is UnratedState.PLANNED


def test_a_deleted_submission_gets_no_qualifying_board(store: Store) -> None:
    """Its worker may hear of the deletion only when the board has been played: nothing of it is kept."""
    submission = sent(store, b"another")
    claim = store.submissions.claim(submission.id, "worker")
    assert claim is not None
    board = store.unrated.mine(asked(store).id, ANN)
    store.submissions.delete(submission.id, ANN, by=BY_ANN)
    played = rotations(replace(board, id=99))
    with pytest.raises(StaleAttemptError, match=f"attempt 1 of submission {submission.id} is over"):
        store.unrated.keep_qualifying(claim, variant=VARIANT.id, players=board.players, played=played)
    with pytest.raises(LeagueError, match="no unrated match"):
        store.unrated.record(played[0].record["match_id"], ANN)
