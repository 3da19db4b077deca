"""Accounts, their passwords, sessions, tokens and links, and the audit log, in a real store."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from league.accounts import (
    HASHED_AT_ONCE,
    PASSWORD_LENGTH_AT_MOST,
    SESSION_IDLE,
    SESSION_LONGEST,
    TOKENS_AT_MOST,
    Account,
    AccountError,
    AccountProblem,
    Passwords,
    checked_name,
    checked_password,
    digest,
    form_token,
    is_form_token,
    is_token,
)
from league.audit_log import SHELL, Act, Actor, Via
from league.errors import LeagueError
from league.store import Store
from league.store.audit_log import AuditFilter
from league.store.database import Database
from tests.league.leagues import Clock, database_url, new_bot
from tests.league.people import CHEAP, HERE, PASSWORD, refused
from tests.stores import written


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Anna", "Anna"),
        ("  Лисий хвост ", "Лисий хвост"),
        ("e\u0301mile", "émile"),
        ("七", "七"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_a_name_may_be_of_any_script(text: str, kept: str) -> None:
    """It is kept in NFC, without spaces around it."""
    assert checked_name(text) == kept


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", AccountProblem.NAME_EMPTY),
        ("   ", AccountProblem.NAME_EMPTY),
        ("x" * 65, AccountProblem.NAME_LONG),
        ("An\u202ena", AccountProblem.NAME_INVISIBLE),
        ("An\u200bna", AccountProblem.NAME_INVISIBLE),
        ("An\tna", AccountProblem.NAME_INVISIBLE),
        ("An\u00a0na", AccountProblem.NAME_INVISIBLE),
        ("An\ud800na", AccountProblem.NAME_INVISIBLE),
        ("An\x00na", AccountProblem.NAME_INVISIBLE),
        ("An\u3164na", AccountProblem.NAME_INVISIBLE),
        ("\u3164", AccountProblem.NAME_INVISIBLE),
        ("An\u034fna", AccountProblem.NAME_INVISIBLE),
        ("An\u2800na", AccountProblem.NAME_INVISIBLE),
        ("a/b", AccountProblem.NAME_SIGNS),
        ("...", AccountProblem.NAME_SIGNS),
        ("House", AccountProblem.NAME_RESERVED),
        ("ＴＨＥ  ＳＨＥＬＬ", AccountProblem.NAME_RESERVED),
        ("Ноuѕе", AccountProblem.NAME_RESERVED),
    ],
)
def test_a_name_that_would_mislead_is_refused(text: str, problem: AccountProblem) -> None:
    """What cannot be seen, is empty or too long, would break an address, or is the arena's own."""
    with refused(problem):
        checked_name(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nine char", AccountProblem.PASSWORD_SHORT),
        ("x" * (PASSWORD_LENGTH_AT_MOST + 1), AccountProblem.PASSWORD_LONG),
        ("ababababab", AccountProblem.PASSWORD_MONOTONOUS),
        ("ANNA KARENINA", AccountProblem.PASSWORD_IS_NAME),
    ],
)
def test_a_password_that_is_easily_guessed_is_refused(text: str, problem: AccountProblem) -> None:
    """Too short or long, of few characters, or the name; the error does not repeat it."""
    with refused(problem) as caught:
        checked_password(text, name="Anna Karenina")
    assert text not in str(caught.value)


def test_whoever_signed_up_can_sign_in(arena: Store, anna: Account) -> None:
    """The name may be written otherwise; the session is whose it is until it is ended."""
    signed_in = arena.sessions.sign_in("ANNA", PASSWORD, address=HERE)
    assert signed_in.account == anna
    assert arena.sessions.whose(signed_in.token) == anna
    arena.sessions.end(signed_in.token)
    assert arena.sessions.whose(signed_in.token) is None
    assert arena.sessions.whose("") is None


def test_a_password_is_the_same_from_every_keyboard(arena: Store) -> None:
    """Composed and decomposed letters make one password."""
    arena.accounts.sign_up("Émile", "de\u0301ja\u0300 vu encore", address=HERE)
    assert arena.sessions.sign_in("émile", "déjà vu encore", address=HERE).account.name == "Émile"


def test_wrong_unknown_and_without_password_are_refused_alike(arena: Store, anna: Account) -> None:
    """None of the three answers says whether the name is known, and each costs one check of a hash."""
    arena.accounts.create("Boris", by=SHELL)
    texts = set()
    for name, password in ((anna.name, "wrong password"), ("Nobody", PASSWORD), ("Boris", PASSWORD)):
        with refused(AccountProblem.SIGN_IN_WRONG) as caught:
            arena.sessions.sign_in(name, password, address=HERE)
        texts.add(str(caught.value))
    assert texts == {"name or password is wrong"}


def test_an_unknown_name_costs_as_much_as_a_known_one() -> None:
    """It checks a hash of the same parameters, of a password that nobody knows."""
    passwords = Passwords(memory_kib=8, passes=1)
    known = passwords.hash(PASSWORD)
    assert passwords.verify(known, PASSWORD)
    assert not passwords.verify(None, PASSWORD)
    assert passwords._nobodys.rsplit("$", 2)[0] == known.rsplit("$", 2)[0]
    assert "_nobodys" in vars(passwords), "the hash of nobody was not checked"


def test_a_hash_is_made_anew_when_the_parameters_change(tmp_path: Path, arena: Store, anna: Account) -> None:
    """At the next sign-in; the password stays."""
    dearer = Store.open(database_url(tmp_path), passwords=replace(CHEAP, passes=2))
    before = kept_in(tmp_path, "SELECT password_hash FROM accounts")
    dearer.sessions.sign_in(anna.name, PASSWORD, address=HERE)
    after = kept_in(tmp_path, "SELECT password_hash FROM accounts")
    assert "t=1," in before[0] and "t=2," in after[0]
    assert dearer.sessions.sign_in(anna.name, PASSWORD, address=HERE).account == anna
    assert kept_in(tmp_path, "SELECT password_hash FROM accounts") == after
    dearer.close()


@pytest.mark.parametrize("name", ["Anna", "aNNa", " ANNA"])
def test_a_name_is_given_once(arena: Store, anna: Account, name: str) -> None:
    """However it is written."""
    with refused(AccountProblem.NAME_TAKEN):
        arena.accounts.sign_up(name, PASSWORD, address=HERE)
    with refused(AccountProblem.NAME_TAKEN):
        arena.accounts.create(name, by=SHELL)


def test_nobody_signs_up_as_an_owner_of_bots(arena: Store) -> None:
    """A name that owns bots is given by the shell alone, the house's owner never."""
    arena.bots.register(new_bot("fox", owner="Boris"))
    arena.bots.register(replace(new_bot("ours"), owner="Casa", house=True))
    with refused(AccountProblem.NAME_TAKEN):
        arena.accounts.sign_up("boris", PASSWORD, address=HERE)
    with refused(AccountProblem.NAME_TAKEN):
        arena.accounts.create("Casa", by=SHELL)
    assert arena.accounts.create("Boris", by=SHELL).name == "Boris"


def test_a_session_runs_out_when_it_is_not_used(arena: Store, anna: Account, clock: Clock) -> None:
    """Being used keeps it, but not for ever."""
    used = arena.sessions.sign_in(anna.name, PASSWORD, address=HERE).token
    unused = arena.sessions.sign_in(anna.name, PASSWORD, address=HERE).token
    steps = int(SESSION_LONGEST / (SESSION_IDLE / 2))
    for step in range(1, steps):
        clock.move(SESSION_IDLE.total_seconds() / 2)
        assert arena.sessions.whose(used) == anna, step
    assert arena.sessions.whose(unused) is None
    clock.move(SESSION_IDLE.total_seconds())
    assert arena.sessions.whose(used) is None


def test_a_changed_password_ends_all_other_sessions(arena: Store, anna: Account) -> None:
    """The one in which it was changed goes on; the old password is wrong from then on."""
    mine = arena.sessions.sign_in(anna.name, PASSWORD, address=HERE).token
    other = arena.sessions.sign_in(anna.name, PASSWORD, address=HERE).token
    with refused(AccountProblem.PASSWORD_WRONG):
        arena.passwords.change(anna.id, "wrong password", "another password", by=Actor.of(anna), but=mine)
    arena.passwords.change(anna.id, PASSWORD, "another password", by=Actor.of(anna), but=mine)
    assert arena.sessions.whose(mine) == anna
    assert arena.sessions.whose(other) is None
    assert arena.sessions.count(anna.id) == 1
    with refused(AccountProblem.SIGN_IN_WRONG):
        arena.sessions.sign_in(anna.name, PASSWORD, address=HERE)
    arena.sessions.end_all(anna.id, by=Actor.of(anna))
    assert arena.sessions.whose(mine) is None


@pytest.mark.slow
def test_a_link_sets_a_password_once(arena: Store, anna: Account) -> None:
    """It ends all sessions; a password that will not do leaves it as it was."""
    session = arena.sessions.sign_in(anna.name, PASSWORD, address=HERE).token
    link = arena.passwords.make_link(anna.id, by=SHELL)
    assert arena.passwords.account_of_link(link.text) == anna
    with refused(AccountProblem.PASSWORD_SHORT):
        arena.passwords.set_by_link(link.text, "short")
    arena.passwords.set_by_link(link.text, "another password")
    assert arena.sessions.whose(session) is None
    assert arena.sessions.sign_in(anna.name, "another password", address=HERE).account == anna
    with refused(AccountProblem.LINK_GONE):
        arena.passwords.set_by_link(link.text, PASSWORD)
    with refused(AccountProblem.LINK_GONE):
        arena.passwords.account_of_link("")


def test_a_link_ends_with_time_or_with_a_newer_one(arena: Store, anna: Account, clock: Clock) -> None:
    """An account has one good link at most."""
    old = arena.passwords.make_link(anna.id, by=SHELL)
    new = arena.passwords.make_link(anna.id, by=SHELL)
    with refused(AccountProblem.LINK_GONE):
        arena.passwords.account_of_link(old.text)
    clock.move((new.expires_at - clock.now).total_seconds())
    with refused(AccountProblem.LINK_GONE):
        arena.passwords.set_by_link(new.text, "another password")


def test_a_link_ends_when_the_password_is_changed(arena: Store, anna: Account) -> None:
    """Who remembers the password after all, and changes it, leaves no way in behind."""
    link = arena.passwords.make_link(anna.id, by=SHELL)
    arena.passwords.change(anna.id, PASSWORD, "another password", by=Actor.of(anna))
    with refused(AccountProblem.LINK_GONE):
        arena.passwords.set_by_link(link.text, "a third password")


def test_few_passwords_are_hashed_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ask at once: each hash takes much memory."""
    working, most, lock = 0, 0, threading.Lock()
    right = PasswordHasher.hash

    def watched(hasher: PasswordHasher, password: str) -> str:
        nonlocal working, most
        with lock:
            working += 1
            most = max(most, working)
        try:
            return right(hasher, password)
        finally:
            with lock:
                working -= 1

    monkeypatch.setattr(PasswordHasher, "hash", watched)
    with ThreadPoolExecutor(12) as pool:
        hashes = list(pool.map(Passwords(memory_kib=1024, passes=1).hash, [PASSWORD] * 24))
    assert len(set(hashes)) == 24
    assert 1 <= most <= HASHED_AT_ONCE


def test_a_token_acts_as_its_account_until_it_is_revoked(arena: Store, anna: Account, clock: Clock) -> None:
    """It is shown by its beginning, and says when it was last used."""
    drawn = arena.tokens.create(anna.id, "  my   laptop ", by=Actor.of(anna))
    assert is_token(drawn.text)
    assert drawn.token.name == "my laptop"
    assert drawn.text.startswith(drawn.token.shown) and len(drawn.token.shown) == 9
    assert arena.tokens.of(anna.id)[0].last_used_at is None
    found = arena.tokens.whose(drawn.text)
    assert found is not None and found[0] == anna
    assert arena.tokens.of(anna.id)[0].last_used_at == clock.now
    for wrong in ("", drawn.text[:-1], drawn.text[:-1] + ("a" if drawn.text[-1] != "a" else "b"), "x" * 45):
        assert arena.tokens.whose(wrong) is None
    boris = arena.accounts.create("Boris", by=SHELL)
    with pytest.raises(LeagueError, match="no token"):
        arena.tokens.revoke(boris.id, drawn.token.id, by=Actor.of(boris))
    arena.tokens.revoke(anna.id, drawn.token.id, by=Actor.of(anna))
    assert arena.tokens.whose(drawn.text) is None
    assert arena.tokens.of(anna.id) == ()


def test_tokens_have_names_and_are_not_endless(arena: Store, anna: Account) -> None:
    """An empty or too long name, and one token too many, are refused."""
    for name, problem in (("  ", AccountProblem.TOKEN_NAME_EMPTY), ("x" * 65, AccountProblem.TOKEN_NAME_LONG)):
        with refused(problem):
            arena.tokens.create(anna.id, name, by=Actor.of(anna))
    with refused(AccountProblem.TOO_MANY_TOKENS):
        for number in range(TOKENS_AT_MOST + 1):
            arena.tokens.create(anna.id, f"token {number}", by=Actor.of(anna))
    assert len(arena.tokens.of(anna.id)) == TOKENS_AT_MOST


def test_a_disabled_account_opens_nothing(arena: Store, anna: Account) -> None:
    """Neither password, session, token nor link; only who knows the password is told why. Then it is opened again."""
    session = arena.sessions.sign_in(anna.name, PASSWORD, address=HERE).token
    token = arena.tokens.create(anna.id, "laptop", by=Actor.of(anna)).text
    link = arena.passwords.make_link(anna.id, by=SHELL).text
    arena.accounts.set_disabled(anna.id, disabled=True, by=SHELL)
    assert arena.sessions.whose(session) is None
    assert arena.tokens.whose(token) is None
    with refused(AccountProblem.LINK_GONE):
        arena.passwords.account_of_link(link)
    with refused(AccountProblem.SIGN_IN_WRONG):
        arena.sessions.sign_in(anna.name, "wrong password", address=HERE)
    with refused(AccountProblem.DISABLED):
        arena.sessions.sign_in(anna.name, PASSWORD, address=HERE)
    arena.accounts.set_disabled(anna.id, disabled=False, by=SHELL)
    assert arena.tokens.whose(token) is not None
    assert arena.sessions.whose(session) is None


def test_the_last_organiser_stays(arena: Store, anna: Account) -> None:
    """Neither disabled nor made an owner like all others, until there is another."""
    arena.accounts.set_organiser(anna.id, organiser=True, by=SHELL)
    with refused(AccountProblem.LAST_ORGANISER):
        arena.accounts.set_organiser(anna.id, organiser=False, by=SHELL)
    with refused(AccountProblem.LAST_ORGANISER):
        arena.accounts.set_disabled(anna.id, disabled=True, by=SHELL)
    arena.accounts.create("Boris", organiser=True, by=SHELL)
    assert not arena.accounts.set_organiser(anna.id, organiser=False, by=SHELL).organiser


def test_accounts_are_found(arena: Store, anna: Account) -> None:
    """By id and by name, or listed page by page."""
    boris = arena.accounts.create("Boris", by=SHELL)
    assert arena.accounts.get(boris.id) == arena.accounts.find("BORIS") == boris
    assert arena.accounts.all() == (anna, boris)
    assert arena.accounts.all(after=anna.id, limit=1) == (boris,)
    with pytest.raises(LeagueError, match="no account 99"):
        arena.accounts.get(99)
    with pytest.raises(LeagueError, match="no account 'Clara'"):
        arena.accounts.find("Clara")


def test_acts_are_logged_in_their_transaction(arena: Store, anna: Account) -> None:
    """Who, what, to whom, on which way; an act that is undone leaves no entry."""
    with pytest.raises(AccountError), arena.together():
        arena.tokens.create(anna.id, "undone", by=Actor.of(anna, Via.API))
        arena.tokens.create(anna.id, "", by=Actor.of(anna, Via.API))
    assert arena.tokens.of(anna.id) == ()
    token = arena.tokens.create(anna.id, "laptop", by=Actor.of(anna, Via.API)).token
    link = arena.passwords.make_link(anna.id, by=SHELL)
    arena.passwords.set_by_link(link.text, "another password")
    told = [(entry.actor, entry.via, entry.act, entry.subject) for entry in arena.audit_log.entries()]
    assert told == [
        ("Anna", Via.WEB, Act.PASSWORD_SET, "Anna"),
        ("the shell", Via.SHELL, Act.LINK_MADE, "Anna"),
        ("Anna", Via.API, Act.TOKEN_CREATED, "Anna"),
        ("Anna", Via.WEB, Act.ACCOUNT_CREATED, "Anna"),
    ]
    details = arena.audit_log.entries(AuditFilter(act=Act.TOKEN_CREATED))[0].details
    assert details == {"token": token.id, "name": "laptop", "shown": token.shown}


def test_the_audit_log_is_searched_and_paged(arena: Store, anna: Account) -> None:
    """By actor, act, kind of act and subject; with the id before which to go on."""
    for number in range(5):
        arena.audit_log.write(SHELL, Act.SEASON_PAUSED, "season 1", {"number": number})
    arena.audit_log.write(Actor.of(anna), Act.SEASON_ENDED, "season 2")
    assert len(arena.audit_log.entries(AuditFilter(act="season."))) == 6
    assert len(arena.audit_log.entries(AuditFilter(actor="the shell", subject="season 1"))) == 5
    assert len(arena.audit_log.entries(AuditFilter(act="season.pa"))) == 0
    first = arena.audit_log.entries(limit=4)
    assert [entry.id for entry in first] == [7, 6, 5, 4]
    assert [entry.id for entry in arena.audit_log.entries(before=first[-1].id)] == [3, 2, 1]


def test_what_is_done_together_is_done_or_undone_as_one(arena: Store) -> None:
    """A part that fails and is caught is undone alone."""
    with arena.together():
        arena.accounts.create("Boris", by=SHELL)
        with pytest.raises(AccountError):
            arena.accounts.create("boris", by=SHELL)
        assert arena.accounts.find("Boris").name == "Boris"
    with pytest.raises(KeyError), arena.together():
        arena.accounts.create("Clara", by=SHELL)
        raise KeyError
    assert [account.name for account in arena.accounts.all()] == ["Boris"]


def test_no_secret_is_kept_logged_or_shown(
    tmp_path: Path, arena: Store, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """Passwords, sessions, tokens and links are nowhere in the files of the database, in logs, or in a repr."""
    caplog.set_level(logging.DEBUG)
    anna = arena.accounts.sign_up("Anna", PASSWORD, address=HERE)
    signed_in = arena.sessions.sign_in(anna.name, PASSWORD, address=HERE)
    drawn = arena.tokens.create(anna.id, "laptop", by=Actor.of(anna))
    link = arena.passwords.make_link(anna.id, by=SHELL)
    secrets = [PASSWORD, signed_in.token, drawn.text, link.text]
    shown = repr((signed_in, drawn, link, arena.tokens.of(anna.id), arena.audit_log.entries()))
    told = caplog.text + "".join(capsys.readouterr()) + shown
    files = written(tmp_path)
    assert digest(drawn.text).encode() in files
    for secret in secrets:
        assert secret not in told
        assert secret.encode() not in files


def test_a_form_is_known_by_its_session() -> None:
    """Its token says nothing about the session, and fits no other."""
    token = form_token("a session")
    assert token != form_token("a session")
    assert is_form_token(token, "a session")
    assert not is_form_token(token, "another session")
    assert not is_form_token("", "a session")
    assert not is_form_token("\ud800é", "a session")


def kept_in(folder: Path, query: str) -> list[str]:
    with closing(Database(database_url(folder))) as database, database.reading() as connection:
        return [str(row[0]) for row in connection.exec_driver_sql(query)]
