"""Submissions in the store: what is taken in, what may follow what, and who may do what."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Row

from league.audit_log import Actor, Via
from league.errors import LeagueError, StaleAttemptError
from league.model import SourceKind
from league.store import Store
from league.store.submission_work import RefusedError
from league.submissions import (
    FOLLOWERS,
    LOG_BYTES,
    Limit,
    LimitError,
    LogKind,
    Refusal,
    Submission,
    SubmissionClaim,
    SubmissionLimits,
    SubmissionState,
    SubmittedBot,
    WrongStateError,
    kept_end,
    submission_json,
)
from tests.league.leagues import Clock, new_bot, open_store, planned

ANN = "Ann"
BY_ANN = Actor(name=ANN, via=Via.WEB)
OWL = SubmittedBot(name="owl", version="1", language="python", variants=("*",))


def sent(store: Store, content: bytes = b"zip", owner: str = ANN) -> Submission:
    return store.submissions.receive(owner=owner, file_name="owl.zip", content=content, by=BY_ANN)[0]


def taken(store: Store, submission: Submission) -> SubmissionClaim:
    claim = store.submissions.claim(submission.id, "worker 1")
    assert claim is not None
    return claim


def active(store: Store, content: bytes = b"zip", bot: SubmittedBot = OWL, owner: str = ANN) -> Submission:
    """A submission that has passed everything."""
    submission = sent(store, content, owner)
    claim = taken(store, submission)
    store.submissions.identify(claim, bot)
    store.submissions.advance(claim, SubmissionState.CHECKING)
    store.submissions.advance(claim, SubmissionState.QUALIFYING)
    store.submissions.qualify(claim)
    return store.submissions.get(submission.id)


def states(store: Store, submission: Submission) -> list[str]:
    return [step.state.value for step in store.submissions.steps(submission.id)]


def test_a_submission_becomes_a_bot_version_of_its_owner(store: Store) -> None:
    """Its hash is the SHA-256 of its archive, which is also where its program is."""
    submission = active(store, b"the archive")
    sha256 = hashlib.sha256(b"the archive").hexdigest()
    assert submission.version_id is not None
    version = store.bots.get(submission.version_id)
    assert (version.name, version.version, version.owner, version.house) == ("owl", "1", ANN, False)
    assert (version.version_hash, version.source.kind, version.source.location) == (sha256, SourceKind.ARCHIVE, sha256)
    assert store.archives.read(sha256) == b"the archive"
    assert states(store, submission) == ["received", "building", "checking", "qualifying", "active"]


def test_the_same_archive_is_the_same_submission(store: Store) -> None:
    """Sending it twice, as after a connection that broke, changes nothing; once refused, it may be sent again."""
    first = sent(store)
    again, is_new = store.submissions.receive(owner=ANN, file_name="again.zip", content=b"zip", by=BY_ANN)
    assert (again.id, is_new) == (first.id, False)
    store.submissions.refuse(taken(store, first), Refusal.BUILD, "no")
    assert sent(store).id != first.id


def test_the_archive_of_another_owner_is_another_submission(store: Store) -> None:
    """Nobody sees or reaches what is not his."""
    mine, theirs = sent(store), sent(store, owner="Bob")
    assert mine.id != theirs.id
    assert [each.id for each in store.submissions.of_owner("Bob")] == [theirs.id]
    for act in (store.submissions.withdraw, store.submissions.activate, store.submissions.delete):
        with pytest.raises(LeagueError, match=f"Bob has no submission {mine.id}"):
            act(mine.id, "Bob", by=BY_ANN)
    with pytest.raises(LeagueError, match=f"Bob has no submission {mine.id}"):
        store.submissions.mine(mine.id, "Bob")


@pytest.mark.slow
def test_what_an_owner_does_is_in_the_audit_log(store: Store) -> None:
    """Sending, withdrawing, activating, deleting; what changes nothing is not."""
    submission = active(store)
    for act in (store.submissions.withdraw, store.submissions.activate, store.submissions.activate):
        act(submission.id, ANN, by=BY_ANN)
    store.submissions.delete(submission.id, ANN, by=BY_ANN)
    acts = [(entry.act, entry.actor) for entry in store.audit_log.entries()]
    expected = ["bot.deleted", "bot.activated", "bot.withdrawn", "bot.submitted"]
    assert acts == [(act, ANN) for act in expected]


def test_claim_is_given_once(store: Store) -> None:
    """A job that runs twice finds nothing to claim."""
    submission = sent(store)
    assert store.submissions.due() == (submission.id,)
    taken(store, submission)
    assert store.submissions.claim(submission.id, "worker 2") is None
    assert store.submissions.due() == ()


def test_few_are_worked_on_at_once(store: Store) -> None:
    """While two are claimed, none is due; the next one is when one of them ends."""
    all_sent = [sent(store, bytes([number])) for number in range(3)]
    claims = [taken(store, each) for each in all_sent[:2]]
    assert store.submissions.due() == ()
    store.submissions.refuse(claims[0], Refusal.CHECK, "no")
    assert store.submissions.due() == (all_sent[2].id,)


def test_a_worker_that_goes_silent_loses_its_claim(store: Store, clock: Clock) -> None:
    """The sweep takes the submission back, a newer attempt begins anew, and the old worker hears so."""
    submission = sent(store)
    old = taken(store, submission)
    store.submissions.identify(old, OWL)
    store.submissions.advance(old, SubmissionState.CHECKING)
    clock.move(9)
    store.submissions.renew(old)
    clock.move(9)
    store.submissions.sweep()
    assert store.submissions.get(submission.id).state is SubmissionState.CHECKING
    clock.move(2)
    store.submissions.sweep()
    store.submissions.sweep()
    assert states(store, submission) == ["received", "building", "checking", "received"]
    assert store.submissions.steps(submission.id)[-1].detail == "worker 1 has not been heard of"
    new = taken(store, submission)
    assert new.attempt == old.attempt + 1
    calls: list[Callable[[], object]] = [
        lambda: store.submissions.renew(old),
        lambda: store.submissions.advance(old, SubmissionState.QUALIFYING),
        lambda: store.submissions.refuse(old, Refusal.CHECK, "no"),
        lambda: store.submissions.keep_log(old, LogKind.BUILD, "text"),
        lambda: store.submissions.qualify(old),
    ]
    for call in calls:
        with pytest.raises(StaleAttemptError):
            call()
    store.submissions.release(old, "too late", failed=True)
    store.submissions.renew(new)


def test_a_patient_sweep_lets_a_worker_renew_after_a_sleep_of_the_machine(store: Store, clock: Clock) -> None:
    """All leases have run out then: only what stays silent a quarter of a lease longer is taken back."""
    steady = Clock()

    def steady_seconds() -> float:
        return steady.now.timestamp()

    leases = replace(store.submissions._leases, steady_seconds=steady_seconds)
    alive, dead = (taken(store, sent(store, content)) for content in (b"alive", b"dead"))
    ended: list[int] = []

    def sweep() -> list[int]:
        leases.end_silences(lambda connection, row: ended.append(row.id), patient=True)
        return ended

    clock.move(3600)
    assert sweep() == []
    store.submissions.renew(alive)
    steady.move(3)
    assert sweep() == [dead.submission]


def test_one_that_cannot_be_taken_back_does_not_stop_the_others(store: Store, clock: Clock) -> None:
    """The error names it when all others have been taken back."""
    broken, other = (taken(store, sent(store, content)).submission for content in (b"broken", b"other"))
    ended: list[int] = []

    def end(connection: Connection, row: Row[Any]) -> None:
        if row.id == broken:
            raise ValueError("no")
        ended.append(row.id)

    clock.move(11)
    with pytest.raises(LeagueError, match=f"silent submissions could not be taken back: submission {broken}: no"):
        store.submissions._leases.end_silences(end, patient=False)
    assert ended == [other]


def test_what_ends_its_workers_again_and_again_is_refused(store: Store, clock: Clock) -> None:
    """After five attempts without an answer; what is given back through no failure does not count."""
    submission = sent(store)
    store.submissions.release(taken(store, submission), "the worker was told to end", failed=False)
    for _ in range(5):
        taken(store, submission)
        clock.move(60)
        store.submissions.sweep()
    found = store.submissions.get(submission.id)
    assert (found.state, found.cause) == (SubmissionState.REFUSED, Refusal.ATTEMPTS)
    assert "tried 5 times without an answer; the last time: worker 1 has not been heard of" in found.reason


def test_deleting_takes_it_from_its_worker(store: Store) -> None:
    """Its owner need not wait for the check of what he does not want any more."""
    submission = sent(store)
    claim = taken(store, submission)
    store.submissions.keep_log(claim, LogKind.BUILD, "compiling")
    assert store.submissions.delete(submission.id, ANN, by=BY_ANN).state is SubmissionState.DELETED
    with pytest.raises(StaleAttemptError):
        store.submissions.advance(claim, SubmissionState.CHECKING)
    assert store.submissions.log(submission.id, LogKind.BUILD) == ""
    with pytest.raises(LeagueError, match="its bot was deleted, or never sent"):
        store.archives.read(submission.sha256)
    assert store.submissions.of_owner(ANN) == ()
    assert store.submissions.delete(submission.id, ANN, by=BY_ANN).state is SubmissionState.DELETED


def test_an_archive_stays_while_somebody_else_has_it(store: Store) -> None:
    """Two owners sent the same bytes; they are kept once, until the last one deletes."""
    mine, theirs = sent(store), sent(store, owner="Bob")
    store.submissions.delete(mine.id, ANN, by=BY_ANN)
    assert store.archives.read(theirs.sha256) == b"zip"
    store.submissions.delete(theirs.id, "Bob", by=BY_ANN)
    with pytest.raises(LeagueError):
        store.archives.read(theirs.sha256)


def test_what_plays_in_a_season_cannot_be_deleted(store: Store) -> None:
    """The season needs its archive; when that is over, it can, and the entrant stays."""
    submission = active(store)
    season = planned(store, name="Winter")
    assert submission.version_id is not None
    store.seasons.enter(season.id, submission.version_id)
    with pytest.raises(WrongStateError, match="owl 1 has entered Winter, where it has to play: withdraw it now"):
        store.submissions.delete(submission.id, ANN, by=BY_ANN)
    assert store.archives.read(submission.sha256) == b"zip"
    store.seasons.end(season.id)
    store.submissions.delete(submission.id, ANN, by=BY_ANN)
    assert "owl" in [entrant.label for entrant in store.seasons.entrants(season.id)]


def test_withdrawn_and_active_again(store: Store) -> None:
    """As often as its owner likes; what never qualified cannot be activated."""
    submission = active(store)
    assert store.submissions.withdraw(submission.id, ANN, by=BY_ANN).state is SubmissionState.WITHDRAWN
    assert store.submissions.withdraw(submission.id, ANN, by=BY_ANN).state is SubmissionState.WITHDRAWN
    assert store.submissions.activate(submission.id, ANN, by=BY_ANN).state is SubmissionState.ACTIVE
    refused = sent(store, b"other")
    store.submissions.refuse(taken(store, refused), Refusal.CHECK, "no")
    with pytest.raises(WrongStateError, match="only what has qualified becomes active"):
        store.submissions.activate(refused.id, ANN, by=BY_ANN)
    with pytest.raises(WrongStateError, match="is refused and cannot become withdrawn: what may follow is deleted"):
        store.submissions.withdraw(refused.id, ANN, by=BY_ANN)


@pytest.mark.parametrize("name", ["greedy", "Greedy", "ＧＲＥＥＤＹ", "grееdy", "greedy\ufe0f"])
def test_a_house_bots_name_is_not_to_be_had(store: Store, name: str) -> None:
    """Nor one that cannot be told from it, whether the house has registered it or not."""
    claim = taken(store, sent(store))
    with pytest.raises(RefusedError, match="belongs to a bot of the house") as refused:
        store.submissions.identify(claim, SubmittedBot(name=name, version="1"), reserved=("greedy",))
    assert refused.value.cause is Refusal.NAME
    store.bots.register(new_bot("greedy"))
    with pytest.raises(RefusedError, match="'greedy' belongs to the house"):
        store.submissions.identify(claim, SubmittedBot(name=name, version="1"))


def test_another_owners_name_is_not_to_be_had(store: Store) -> None:
    """Bot names are their first owner's; one's own must be written as before."""
    active(store)
    theirs = taken(store, sent(store, b"theirs", "Bob"))
    with pytest.raises(RefusedError, match="the name 'OWL' is taken: 'owl' belongs to Ann"):
        store.submissions.identify(theirs, SubmittedBot(name="OWL", version="7"))
    mine = taken(store, sent(store, b"mine"))
    with pytest.raises(RefusedError, match="'owl' belongs to you, written otherwise"):
        store.submissions.identify(mine, SubmittedBot(name="Owl", version="2"))
    store.submissions.identify(mine, SubmittedBot(name="owl", version="2"))


@pytest.mark.parametrize("name", ["greedy@1.0", "greedy#2", "=1+1", "+7", "owl.json", "owl.ATOM"])
def test_a_name_that_pages_and_tables_would_misread_is_refused(store: Store, name: str) -> None:
    """One that seems to be another's version, that a spreadsheet computes, or an address reads as a twin."""
    claim = taken(store, sent(store))
    with pytest.raises(RefusedError, match=r"bot\.toml: name must") as refused:
        store.submissions.identify(claim, SubmittedBot(name=name, version="1"))
    assert refused.value.cause is Refusal.NAME


def test_a_language_is_kept_as_far_as_pages_can_show_it(store: Store) -> None:
    """What cannot be seen, and what is too long, is left out; it keeps no bot from becoming active."""
    claim = taken(store, sent(store))
    store.submissions.identify(claim, SubmittedBot(name="owl", version="1", language="C\u202e++ " + "x" * 99))
    store.submissions.advance(claim, SubmissionState.CHECKING)
    store.submissions.advance(claim, SubmissionState.QUALIFYING)
    assert store.submissions.qualify(claim).language == "C++ " + "x" * 28


def test_who_is_slower_with_a_name_is_refused_at_the_end(store: Store) -> None:
    """Two owners may send the same name at once: the first that qualifies has it."""
    slow = taken(store, sent(store, b"slow", "Bob"))
    store.submissions.identify(slow, OWL)
    active(store, b"quick")
    store.submissions.advance(slow, SubmissionState.CHECKING)
    store.submissions.advance(slow, SubmissionState.QUALIFYING)
    with pytest.raises(RefusedError, match="the name 'owl' is taken"):
        store.submissions.qualify(slow)
    assert store.submissions.get(slow.submission).state is SubmissionState.QUALIFYING


def test_a_changed_bot_needs_a_version_of_its_own(store: Store) -> None:
    """The same version text with other contents is refused; another version is a new entrant with its own id."""
    first = active(store)
    claim = taken(store, sent(store, b"changed"))
    with pytest.raises(RefusedError, match="version = '1' is taken by other contents of owl"):
        store.submissions.identify(claim, OWL)
    store.submissions.refuse(claim, Refusal.MANIFEST, "no")
    second = active(store, b"changed once more", SubmittedBot(name="owl", version="2", variants=("*",)))
    assert first.version_id != second.version_id


def test_who_is_slower_with_a_version_is_refused_at_the_end(store: Store) -> None:
    """Two archives of one owner may be worked on at once under one version: the first that qualifies has it."""
    slow = taken(store, sent(store, b"slow"))
    store.submissions.identify(slow, OWL)
    active(store, b"quick")
    store.submissions.advance(slow, SubmissionState.CHECKING)
    store.submissions.advance(slow, SubmissionState.QUALIFYING)
    with pytest.raises(RefusedError, match="version = '1' is taken by other contents of owl"):
        store.submissions.qualify(slow)


def limited(tmp_path: Path, clock: Clock, limits: SubmissionLimits) -> Store:
    store = open_store(tmp_path, clock)
    store.submissions.limits = limits
    return store


def test_an_archive_has_a_size_that_is_allowed(tmp_path: Path, clock: Clock) -> None:
    """Empty ones and large ones are refused, with what would be right."""
    store = limited(tmp_path, clock, SubmissionLimits(archive_bytes=1 << 20))
    with pytest.raises(LimitError, match="is empty: send a zip file") as empty:
        sent(store, b"")
    with pytest.raises(LimitError, match="is larger than 1 MiB") as large:
        sent(store, bytes((1 << 20) + 1))
    assert (empty.value.limit, large.value.limit) == (Limit.EMPTY, Limit.ARCHIVE)
    store.close()


def test_so_many_versions_a_day(tmp_path: Path, clock: Clock) -> None:
    """One more may come when the first is a day old; another owner's do not count."""
    store = limited(tmp_path, clock, SubmissionLimits(versions_a_day=2))
    for number in range(2):
        store.submissions.refuse(taken(store, sent(store, bytes([number]))), Refusal.CHECK, "no")
        clock.move(3600)
    with pytest.raises(LimitError, match="2 versions came from you in 24 hours") as many:
        sent(store, b"third")
    assert (many.value.limit, many.value.retry_after) == (Limit.VERSIONS_A_DAY, timedelta(hours=22))
    sent(store, b"third", owner="Bob")
    clock.move(22 * 3600)
    sent(store, b"third")
    store.close()


@pytest.mark.slow
def test_so_many_waiting_and_so_many_bytes(tmp_path: Path, clock: Clock) -> None:
    """What waits is limited, and so is all that is kept; deleting makes room."""
    store = limited(tmp_path, clock, SubmissionLimits(waiting=1, total_bytes=10))
    first = sent(store, b"123456")
    with pytest.raises(LimitError, match="1 of your submissions are being worked on") as waiting:
        sent(store, b"12")
    assert waiting.value.limit is Limit.WAITING
    store.submissions.refuse(taken(store, first), Refusal.CHECK, "no")
    with pytest.raises(LimitError, match="delete some versions") as total:
        sent(store, b"12345")
    assert total.value.limit is Limit.TOTAL_BYTES
    store.submissions.delete(first.id, ANN, by=BY_ANN)
    sent(store, b"12345")
    store.close()


def test_logs_keep_their_end(store: Store) -> None:
    """A long one is cut at its beginning, and says so; a later one takes its place; zero bytes do not stay."""
    submission = sent(store)
    claim = taken(store, submission)
    store.submissions.keep_log(claim, LogKind.BUILD, "first")
    store.submissions.keep_log(claim, LogKind.BUILD, "я" * LOG_BYTES + "\0end")
    kept = store.submissions.log(submission.id, LogKind.BUILD)
    assert kept.startswith("(the beginning is left out)\nя")
    assert kept.endswith("я\ufffdend")
    assert len(kept.encode()) < LOG_BYTES + 100
    assert kept_end("short") == "short"


def test_the_report_of_the_check_is_kept(store: Store) -> None:
    """As JSON, until the submission is deleted."""
    submission = sent(store)
    claim = taken(store, submission)
    assert store.submissions.report(submission.id) is None
    store.submissions.keep_report(claim, {"passed": False, "steps": []})
    assert store.submissions.report(submission.id) == {"passed": False, "steps": []}
    store.submissions.delete(submission.id, ANN, by=BY_ANN)
    assert store.submissions.report(submission.id) is None


def test_json_has_all_that_an_owner_may_know(store: Store) -> None:
    """State, bot, reason, times; null for what is not known yet."""
    submission = sent(store)
    found = submission_json(submission, store.submissions.steps(submission.id))
    assert (found["state"], found["bot"], found["cause"], found["version_id"]) == ("received", None, None, None)
    assert found["steps"] == [
        {"number": 1, "state": "received", "at": submission.received_at.isoformat(), "detail": None}
    ]


def test_the_way_to_active_cannot_be_cut_short() -> None:
    """Every state leads on to its next, back to received while it is worked on, or out; deleted is the end."""
    assert not FOLLOWERS[SubmissionState.DELETED]
    leads_to_active = {state for state, after in FOLLOWERS.items() if SubmissionState.ACTIVE in after}
    assert leads_to_active == {SubmissionState.QUALIFYING, SubmissionState.WITHDRAWN}
    assert all(SubmissionState.DELETED in after for state, after in FOLLOWERS.items() if state != "deleted")


def test_the_shown_name_of_a_file_has_no_folders(store: Store) -> None:
    """Whatever a browser or a program sends."""
    names = ["C:\\bots\\owl.zip", "../../etc/owl.zip", "ow\nl.zip", "/"]
    for number, name in enumerate(names):
        store.submissions.receive(owner=f"Ann {number}", file_name=name, content=b"zip", by=BY_ANN)
    found = [store.submissions.of_owner(f"Ann {number}")[0].file_name for number in range(4)]
    assert found == ["owl.zip", "owl.zip", "owl.zip", "archive.zip"]
