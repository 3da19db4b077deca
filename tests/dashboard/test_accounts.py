"""Signing up, in and out, one's own account, and what forms are protected from; over HTTP, without JavaScript."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from dashboard.app import create_app
from dashboard.links import own_address
from league.audit_log import SHELL
from league.store import Store
from league.store.sessions import TRIES_HERE
from tests.dashboard.conftest import serving
from tests.dashboard.signing import CHEAP, PASSWORD, Browser
from tests.league.leagues import database_url, open_store

pytestmark = pytest.mark.slow

OTHER_SITE = "https://elsewhere.example"


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Store]:
    """An empty store without its vault."""
    open_store(tmp_path).close()
    store = Store.open(database_url(tmp_path), passwords=CHEAP)
    yield store
    store.close()


@pytest.fixture
def browse(arena: Store) -> Iterator[Callable[[], Browser]]:
    """Makes browsers that look at the dashboard over the store."""
    opened: list[Browser] = []

    with serving(create_app(arena)) as site:

        def new() -> Browser:
            opened.append(Browser(site))
            return opened[-1]

        yield new
        for each in opened:
            each.close()


@pytest.fixture
def browser(browse: Callable[[], Browser]) -> Browser:
    """One of them."""
    return browse()


def test_signing_up_in_and_out(browser: Browser) -> None:
    """Whoever signs up is signed in, every page says so, and signing out ends it."""
    home = browser.get("/")
    assert home.page.select_one(".preferences a[href='/sign-in?back=%2F']") is not None
    account = browser.sign_up("Анна")
    assert (account.path, account.status, account.heading) == ("/account", 200, "Анна")
    for path in ("/", "/bots", "/rules", "/nowhere"):
        who = browser.get(path)
        assert who.text(".who") == "Signed in as Анна"
        assert who.answer.headers["cache-control"] == "private, no-store"
    assert browser.send(browser.get("/account"), "/sign-out").path == "/"
    assert browser.get("/account").path == "/sign-in?back=%2Faccount"
    assert browser.sign_in("АННА").heading == "Анна"
    assert browser.get("/sign-in").path == "/account", "who is signed in has nothing to sign in"


def test_whoever_signs_up_at_the_first_page_is_led_to_sending_a_bot(browser: Browser) -> None:
    """There is nothing at the first page that an account is for; elsewhere one comes back."""
    made = browser.send(browser.get("/sign-up?back=/"), "/sign-up", name="Anna", password=PASSWORD)
    assert made.path == "/mine"
    assert made.page.select_one("a[href='/mine/submit']") is not None


def test_pages_for_nobody_may_be_kept(browser: Browser) -> None:
    """Without a session caches need only ask and no cookie is set; pages with forms set one, and are private."""
    home = browser.get("/").answer
    assert home.headers["cache-control"] == "no-cache"
    assert "set-cookie" not in home.headers
    form = browser.get("/sign-in").answer
    assert form.headers["cache-control"] == "private, no-store"
    assert "king_visitor=" in form.headers["set-cookie"]


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(arena: Store, browser: Browser) -> None:
    """HttpOnly and SameSite=Lax; Secure where the site is served by https."""
    form = browser.get("/sign-up")
    fields = {
        "name": "Anna",
        "password": PASSWORD,
        "form_token": token_of(form.answer.text),
    }
    browser.client.follow_redirects = False
    for answer in (form.answer, browser.post("/sign-up", fields).answer):
        assert {"HttpOnly", "SameSite=lax"} <= set(answer.headers["set-cookie"].split("; "))
        assert "Secure" not in answer.headers["set-cookie"]

    async def by_https() -> str:
        transport = httpx.ASGITransport(create_app(arena))
        async with httpx.AsyncClient(transport=transport, base_url="https://arena.example") as client:
            return str((await client.get("/sign-in")).headers["set-cookie"])

    assert "Secure" in asyncio.run(by_https()).split("; ")


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example", "x"])
def test_one_comes_back_to_our_own_addresses_alone(browser: Browser, back: str) -> None:
    """An address that leads elsewhere becomes the first page, in the form and in what is sent."""
    assert own_address(back) == "/"
    form = browser.get(str(httpx.URL("/sign-up", params={"back": back})))
    assert form.page.select("input[name=back]")[0]["value"] == "/"
    sent = browser.send(form, "/sign-up", name="Anna", password=PASSWORD, back=back)
    assert str(sent.answer.url) == f"{browser.site}/mine", "the first page leads on to one's bots"


def test_one_comes_back_to_the_page_that_needed_an_account(browser: Browser) -> None:
    """With its query."""
    browser.sign_up("Anna")
    browser.send(browser.get("/account"), "/sign-out")
    form = browser.get("/account?lang=ru")
    assert form.path == "/sign-in?back=%2Faccount%3Flang%3Dru"
    assert browser.send(form, "/sign-in", name="Anna", password=PASSWORD).path == "/account?lang=ru"


def test_what_was_wrong_is_told_beside_the_field_and_above_the_form(browser: Browser) -> None:
    """The name stays, the password does not; the field is described by what was wrong."""
    sent = browser.send(browser.get("/sign-up"), "/sign-up", name="<b>Anna</b> ", password="too short")
    assert sent.status == 422
    assert sent.page.title is not None
    assert sent.page.title.get_text().startswith("Not done yet")
    name, password = (sent.page.select_one(f"#{field}") for field in ("name", "password"))
    assert name is not None
    assert name["value"] == "<b>Anna</b> "
    sent = browser.send(browser.get("/sign-up"), "/sign-up", name="Anna", password="too short")
    password = sent.page.select_one("#password")
    assert password is not None
    assert password.get("value") is None
    assert "too short" not in sent.answer.text.replace("is too short", "")
    assert password["aria-invalid"] == "true"
    described = str(password["aria-describedby"]).split()
    assert next(sent.text(f"#{one}") for one in described).startswith("The password is too short")
    assert sent.page.select_one(".problems[role=alert] a[href='#password']") is not None
    assert "lang" in str(sent.page.select_one(".languages a")), "languages lead to the form, not to what it is sent to"
    assert [str(link["href"]).split("?")[0] for link in sent.page.select(".languages a")] == ["/sign-up"] * 2


def test_a_taken_name_is_told(browse: Callable[[], Browser]) -> None:
    """And nothing else happens."""
    browse().sign_up("Anna")
    sent = browse().sign_up("ANNA")
    assert (sent.status, sent.text("#name-wrong")) == (422, "This name is taken: choose another.")


def test_wrong_name_and_wrong_password_look_the_same(browse: Callable[[], Browser]) -> None:
    """The answers differ in the name that was given alone."""
    browse().sign_up("Anna")
    pages = []
    for name in ("Anna", "Bella"):
        sent = browse().sign_in(name, "wrong password")
        assert sent.status == 422
        page = sent.answer.text.replace(f'"{name}"', '"NAME"')
        pages.append(re.sub(r'name="form_token" value="\w+"', "", page))
    assert pages[0] == pages[1]


def test_guessing_is_braked(browse: Callable[[], Browser]) -> None:
    """After some wrong passwords the right one has to wait, with 429 and the time to wait."""
    browse().sign_up("Anna")
    for _ in range(TRIES_HERE):
        assert browse().sign_in("Anna", "wrong password").status == 422
    sent = browse().sign_in("Anna")
    assert sent.status == 429
    assert 800 < int(sent.answer.headers["retry-after"]) <= 901
    assert "Try again in 15 minutes." in sent.text(".problems")


def token_of(page: str) -> str:
    found = re.search(r'name="form_token" value="(\w+)"', page)
    assert found is not None
    return found[1]


def test_a_form_without_our_token_is_not_taken(browse: Callable[[], Browser], arena: Store) -> None:
    """Nor with the token of another visitor or session, nor by a browser that keeps no cookies."""
    browser, other = browse(), browse()
    token, others = token_of(browser.get("/sign-up").answer.text), token_of(other.get("/sign-up").answer.text)
    fields = {"name": "Anna", "password": PASSWORD, "back": "/"}
    for wrong in ("", "x", others, token[:-1]):
        sent = browser.post("/sign-up", fields | {"form_token": wrong})
        assert (sent.status, sent.heading) == (403, "The form was not taken")
    assert browse().post("/sign-up", fields | {"form_token": token}).status == 403
    assert arena.accounts.all() == ()
    account = browser.sign_up("Anna")
    other.sign_up("Boris")
    for wrong in (token, token_of(other.get("/account").answer.text)):
        assert browser.post("/account/tokens", {"token_name": "x", "form_token": wrong}).status == 403
    assert arena.tokens.of(1) == ()
    assert browser.send(account, "/account/tokens", token_name="x").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": OTHER_SITE},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_that_another_site_sends_is_not_taken(browser: Browser, arena: Store, headers: dict[str, str]) -> None:
    """Even with the right token, and for signing in and up too."""
    for path in ("/sign-up", "/sign-in"):
        token = token_of(browser.get(path).answer.text)
        fields = {"name": "Anna", "password": PASSWORD, "form_token": token}
        sent = browser.post(path, fields, **headers)
        assert sent.status == 403
        assert "another site" in sent.text(".lead")
    assert arena.accounts.all() == ()


def test_a_form_from_this_site_is_taken_whatever_the_browser_says_of_it(browser: Browser) -> None:
    """By Sec-Fetch-Site, by Origin, or, of an old browser, without either."""
    for number, headers in enumerate(({"Sec-Fetch-Site": "same-origin"}, {"Origin": browser.site}, {})):
        browser.client.cookies.clear()
        token = token_of(browser.get("/sign-up").answer.text)
        fields = {"name": f"A{number}", "password": PASSWORD, "form_token": token}
        assert browser.post("/sign-up", {**fields, "back": "/account"}, **headers).path == "/account"


def test_a_form_is_limited_in_size_and_kind(browser: Browser) -> None:
    """Too many bytes, too many fields, or another kind of body: refused in words."""
    token = token_of(browser.get("/sign-up").answer.text)
    big = browser.post("/sign-up", {"name": "x" * 70_000, "form_token": token})
    assert (big.status, "at most 64 KiB" in big.text(".lead")) == (413, True)
    many = browser.post("/sign-up", {f"f{number}": "" for number in range(1100)} | {"form_token": token})
    assert many.status == 400
    assert browser.client.post("/sign-up", json={"form_token": token}).status_code == 415
    assert (
        browser.client.post(
            "/sign-up", content=b"\xff=\xff", headers={"Content-Type": "application/x-www-form-urlencoded"}
        ).status_code
        == 400
    )


def test_what_only_takes_forms_says_so(browser: Browser) -> None:
    """When it is opened by its address."""
    opened = browser.get("/sign-out")
    assert (opened.status, opened.text(".lead")) == (405, "/sign-out only takes the form of its page.")


def test_a_token_is_shown_once(browser: Browser, arena: Store) -> None:
    """On the page that answers the form; from then on by its beginning alone, until it is revoked."""
    drawn = browser.send(browser.sign_up("Anna"), "/account/tokens", token_name="my laptop")
    field = drawn.page.select_one("input.secret")
    assert field is not None
    text = str(field["value"])
    assert arena.tokens.whose(text) is not None
    shown = browser.get("/account")
    assert text not in shown.answer.text
    assert "my laptop" in shown.text("#main table") and f"{text[:9]}…" in shown.text("#main table")
    assert text not in browser.get("/account.json").answer.text
    revoked = browser.send(shown, "/account/tokens/1/revoke")
    assert (revoked.path, revoked.page.select("#main table")) == ("/account", [])
    assert arena.tokens.whose(text) is None


def test_a_token_without_a_name_is_told(browser: Browser) -> None:
    """Beside the field, with what was written."""
    sent = browser.send(browser.sign_up("Anna"), "/account/tokens", token_name="x" * 70)
    assert (sent.status, sent.page.select("#token_name")[0]["value"]) == (422, "x" * 70)
    assert sent.text("#token_name-wrong").startswith("The token’s name is too long")


def test_nobody_revokes_what_is_not_theirs(browse: Callable[[], Browser], arena: Store) -> None:
    """It is not there for them."""
    anna, boris = browse(), browse()
    anna.send(anna.sign_up("Anna"), "/account/tokens", token_name="mine")
    boris.send(boris.sign_up("Boris"), "/account/tokens", token_name="his")
    token = token_of(boris.get("/account").answer.text)
    assert boris.post("/account/tokens/1/revoke", {"form_token": token}).status == 404
    assert len(arena.tokens.of(1)) == 1


def test_a_password_is_changed_by_who_knows_it(browse: Callable[[], Browser]) -> None:
    """All other devices are signed out, this one is not."""
    here, there = browse(), browse()
    account = here.sign_up("Anna")
    there.sign_in("Anna")
    assert "signed in on 2 devices" in here.get("/account").text("#main")
    wrong = here.send(account, "/account/password", old_password="not the one", password="another password")
    assert wrong.text("#old_password-wrong") == "This is not your present password."
    changed = here.send(account, "/account/password", old_password=PASSWORD, password="another password")
    assert changed.text("[role=status]").startswith("The password is changed.")
    assert there.get("/account").path.startswith("/sign-in")
    assert here.get("/account").path == "/account"
    assert there.sign_in("Anna").status == 422
    assert there.sign_in("Anna", "another password").status == 200
    assert here.send(here.get("/account"), "/account/sessions").path == "/sign-in"
    assert there.get("/account").path.startswith("/sign-in")


def test_a_one_time_link_sets_a_password(browser: Browser, arena: Store) -> None:
    """And signs in; used, wrong or missing it is not there any more, and says what to do."""
    made = arena.accounts.create("Anna", by=SHELL)
    link = arena.passwords.make_link(made.id, by=SHELL)
    address = f"/set-password?link={link.text}"
    form = browser.get(address)
    assert "Anna" in form.text(".lead")
    short = browser.send(form, "/set-password", password="short")
    assert short.status == 422
    done = browser.send(short, "/set-password", password=PASSWORD)
    assert (done.path, done.heading) == ("/account?set=1", "Anna")
    assert done.text(".notice") == "The password is set, and you are signed in."
    assert browser.get("/account").page.select_one(".notice") is None
    for gone in (address, "/set-password", "/set-password?link=%ff"):
        again = browser.get(gone)
        assert (again.status, again.heading) == (404, "The link is no longer good")
        assert "Ask an organiser" in again.text(".lead")
    assert browser.send(form, "/set-password", password="another password").status == 403, (
        "the visit has become a session"
    )


def test_a_disabled_account_is_out_at_once(browser: Browser, arena: Store) -> None:
    """Its session ends; signing in says why to who knows the password."""
    browser.sign_up("Anna")
    arena.accounts.set_disabled(1, disabled=True, by=SHELL)
    assert browser.get("/account").path.startswith("/sign-in")
    assert "disabled by an organiser" in browser.sign_in("Anna").text(".problems")


def test_twins_need_a_session_or_a_token(browser: Browser, arena: Store) -> None:
    """Without either they are a problem with status 401; a token opens twins, and no pages."""
    nobody = browser.get("/account.json")
    assert nobody.status == 401
    assert nobody.answer.headers["content-type"] == "application/problem+json"
    assert nobody.answer.headers["www-authenticate"] == "Bearer"
    account = arena.accounts.sign_up("Anna", PASSWORD, address="")
    text = arena.tokens.create(account.id, "script", by=SHELL).text
    by_token = {"Authorization": f"bearer {text}"}
    found = browser.client.get("/account.json", headers=by_token)
    assert (found.status_code, found.json()["name"]) == (200, "Anna")
    assert found.headers["cache-control"] == "private, no-store"
    assert browser.client.get("/account", headers=by_token).url.path == "/sign-in"
    assert browser.client.get("/account.json", headers={"Authorization": f"Bearer {text[:-1]}"}).status_code == 401


def test_the_forms_have_twins(browser: Browser) -> None:
    """Which name their fields."""
    for path in ("/sign-in", "/sign-up"):
        assert browser.get(f"{path}.json").answer.json()["fields"] == ["name", "password", "back"]


def test_no_secret_is_logged(
    browser: Browser, arena: Store, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither by us nor by the server: passwords, sessions, tokens and links appear nowhere, errors included."""
    caplog.set_level(logging.DEBUG)
    drawn = browser.send(browser.sign_up("Anna"), "/account/tokens", token_name="x")
    link = arena.passwords.make_link(1, by=SHELL).text
    browser.get(f"/set-password?link={link}")
    with arena._database.writing() as connection:
        connection.exec_driver_sql("ALTER TABLE password_links RENAME TO gone")
    broken = browser.get(f"/set-password?link={link}")
    assert broken.status == 503
    ours = [
        record.getMessage() for record in caplog.records if not record.name.startswith("http")
    ]  # that is the client
    written = "".join([*ours, *capfd.readouterr()])
    session = browser.client.cookies["king_session"]
    for secret in (PASSWORD, session, link, str(drawn.page.select("input.secret")[0]["value"])):
        assert secret not in written
