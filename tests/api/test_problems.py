"""Problems: what is refused, how it is told, and where its kind is explained."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from bs4 import BeautifulSoup

from dashboard.api.problems import EXPLAINED, ProblemKind
from tests.api.conftest import Caller, hidden_match, public_match
from tests.dashboard.conftest import PlayedLeague

pytestmark = pytest.mark.slow


def test_an_unknown_parameter_is_refused_by_name(api: Caller) -> None:
    """Each one is named, with those that there are; nothing is ignored in silence, nor given twice."""
    told = api.problem("seasons?stat=ended&limit=3&q=", 422, "unknown-parameter")
    assert [one["parameter"] for one in told["errors"]] == ["q", "stat"]
    assert "cursor, limit, state, variant" in told["detail"]
    assert api.problem("variants?limit=3", 422, "unknown-parameter")["errors"][0]["detail"].endswith("none")
    assert api.problem("seasons?limit=3&limit=4", 422, "unknown-parameter")["errors"][0]["parameter"] == "limit"


def test_a_wrong_value_is_refused_by_its_place(api: Caller) -> None:
    """Path and query alike: the parameter is named, and every wrong one is told at once."""
    told = api.problem("matches?season=x&public=perhaps&since=yesterday", 422, "invalid-request")
    assert {one["parameter"] for one in told["errors"]} == {"season", "public", "since"}
    assert api.problem("seasons/0", 422, "invalid-request")["errors"][0]["parameter"] == "season"
    assert api.problem("matches/xyz", 422, "invalid-request")["errors"][0]["parameter"] == "match"
    assert api.problem("matches?since=2026-11-29T20:00:00", 422, "invalid-request")["errors"][0]["parameter"] == "since"


def test_what_is_not_there_says_what_is(api: Caller, played: PlayedLeague) -> None:
    """Seasons, bots, boards, matches, variants and addresses that are not there are problems of one kind."""
    assert "there are" in api.problem("seasons/999", 404, "not-found")["detail"]
    assert "registered are" in api.problem("bots/nobody", 404, "not-found")["detail"]
    assert "registered are" in api.problem("bots/nobody/versions", 404, "not-found")["detail"]
    assert "boards 1 to" in api.problem(f"seasons/{played.over}/boards/999", 404, "not-found")["detail"]
    assert (
        "deals 1 to"
        in api.problem(f"matches/{public_match(api, played.over)}/deals/99/positions", 404, "not-found")["detail"]
    )
    for path in (
        "matches/0123456789abcdef",
        "variants/whist",
        "versions/999999",
        f"seasons/{played.over}/duel?a=nobody&b=greedy",
        f"seasons/{played.over}/entrants/nobody/history",
        "seasons/",
        "nothing/here",
    ):
        api.problem(path, 404, "not-found")


def test_a_problem_names_the_address_and_not_the_query(api: Caller) -> None:
    """`instance` is the path as it was sent: what stands in the query may be private."""
    told = api.problem(f"bots/{quote('a/b', safe='')}/versions?limit=5", 404, "not-found")
    assert told["instance"] == "/api/v1/bots/a%2Fb/versions"


def test_a_duel_with_oneself_is_refused(api: Caller, played: PlayedLeague) -> None:
    """Both names must differ."""
    told = api.problem(f"seasons/{played.over}/duel?a=greedy&b=greedy", 422, "invalid-request")
    assert told["errors"] == [{"detail": "a duel is of two different bots", "parameter": "b"}]
    missing = api.problem(f"seasons/{played.over}/duel?a=greedy", 422, "invalid-request")
    assert missing["errors"][0]["parameter"] == "b"


def test_cards_are_refused_before_their_time(api: Caller, played: PlayedLeague) -> None:
    """Record and positions of a match whose set is being played are problems that say what they wait for."""
    match = hidden_match(api, played.running)
    for path in (f"matches/{match}/record", f"matches/{match}/deals/1/positions", f"/matches/{match}/record.json"):
        told = api.problem(path, 403, "not-public-yet")
        assert "set" in told["detail"]


@pytest.mark.parametrize("kind", list(ProblemKind))
def test_every_kind_is_explained_where_its_type_leads(api: Caller, kind: ProblemKind) -> None:
    """The type of a problem is the address of a page that has its title and says what to do, in both languages."""
    for language in ("en", "ru"):
        page = api.answer(f"{kind.address}?lang={language}")
        assert page.status_code == 200
        shown = BeautifulSoup(page.text, "html.parser").find("h1")
        assert shown is not None
        assert (shown.get_text() == EXPLAINED[kind].title) == (language == "en")
    assert api.json(f"{kind.address}.json")["kinds"][0]["type"] == kind.address


def test_our_own_failure_is_a_problem_without_details(
    api: Caller, played: PlayedLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error that nobody foresaw is told as ours; its text goes to the log alone."""

    def fails(*_args: object, **_rest: object) -> None:
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr(played.store.seasons, "get", fails)
    told = api.problem("seasons/1", 500, "our-fault")
    assert "swordfish" not in str(told)
