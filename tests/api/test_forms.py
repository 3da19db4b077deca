"""The form of an answer: entity tags, 304, compression, HEAD, OPTIONS, other sites, cookies."""

from __future__ import annotations

import pytest

from dashboard.api.validators import form_held
from dashboard.encodings import takes_gzip
from tests.api.conftest import Caller, hidden_match, public_match
from tests.dashboard.conftest import PlayedLeague


@pytest.mark.parametrize(
    ("wishes", "taken"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip; q=0.0", False),
        ("", False),
        ("br", False),
        ("identity;q=1, gzip;q=1.0", True),
    ],
)
def test_gzip_is_taken_where_it_is_named(wishes: str, *, taken: bool) -> None:
    """A weight of nought refuses it, and silence does not ask for it."""
    assert takes_gzip(wishes) is taken


def test_a_tag_is_found_in_either_form() -> None:
    """Weak marks are looked through, lists are read, and * is whatever there is."""
    assert form_held('"a", W/"b"', '"b"') == '"b"'
    assert form_held('"b-gzip"', '"b"') == '"b-gzip"'
    assert form_held("*", '"b"') == '"b"'
    assert form_held('"c"', '"b"') is None
    assert form_held("", '"b"') is None


PATHS = [
    "seasons",
    "seasons/{over}",
    "seasons/{over}/ladder",
    "seasons/{over}/audit",
    "seasons/{over}/crosstable?limit=2",
    "variants",
    "/seasons/{over}.json",
    "/rules.json",
    "/api.json",
]


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_a_tag_spares_the_answer(api: Caller, played: PlayedLeague, path: str) -> None:
    """The same answer has the same strong tag, and who sends it gets 304 without a body, the tag again."""
    at = path.format(over=played.over)
    first = api.answer(at, headers={"Accept-Encoding": "identity"})
    tag = first.headers["etag"]
    assert not tag.startswith("W/")
    assert api.answer(at, headers={"Accept-Encoding": "identity"}).headers["etag"] == tag
    again = api.answer(at, headers={"If-None-Match": f'"other", {tag}', "Accept-Encoding": "identity"})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert api.answer(at, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.slow
def test_the_compressed_form_has_its_own_tag(api: Caller, played: PlayedLeague) -> None:
    """Bytes differ, so tags do; the body is the same once it is unpacked, and either tag is good."""
    at = f"seasons/{played.over}/ladder"
    plain = api.answer(at, headers={"Accept-Encoding": "identity"})
    packed = api.answer(at, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert packed.headers["etag"] != plain.headers["etag"]
    assert "Accept-Encoding" in packed.headers["vary"]
    for tag in (plain.headers["etag"], packed.headers["etag"]):
        assert api.answer(at, headers={"If-None-Match": tag}).headers["etag"] == tag
        assert api.answer(at, headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.slow
def test_orders_of_a_ladder_have_tags_of_their_own(api: Caller, played: PlayedLeague) -> None:
    """A version's tag is of the address too: no answer passes for another."""
    at = f"seasons/{played.over}/ladder"
    tags = {api.answer(f"{at}?order={order}").headers["etag"] for order in ("elo", "points", "boards")}
    tags.add(api.answer(f"seasons/{played.over}/contracts").headers["etag"])
    assert len(tags) == 4


@pytest.mark.slow
@pytest.mark.parametrize("path", ["seasons", "seasons/{over}/ladder", "seasons/999", "/bots.json", "matches?limit=0"])
def test_head_tells_what_get_would(api: Caller, played: PlayedLeague, path: str) -> None:
    """Status and headers are the same, the length included; there is no body."""
    at = path.format(over=played.over)
    got, head = api.answer(at), api.answer(at, method="HEAD")
    assert head.status_code == got.status_code
    assert head.content == b""
    for name in ("content-type", "content-length", "etag"):
        assert head.headers.get(name) == got.headers.get(name)


@pytest.mark.slow
def test_options_names_the_methods(api: Caller) -> None:
    """Every address says what fits it; one that is none is not found; another method is refused with the same list."""
    answer = api.answer("seasons", method="OPTIONS")
    assert (answer.status_code, answer.headers["allow"]) == (204, "GET, HEAD, OPTIONS")
    assert api.answer("nothing", method="OPTIONS").status_code == 404
    for method in ("PUT", "PATCH", "DELETE", "TRACE"):
        refused = api.answer("seasons", method=method)
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
        assert refused.json()["type"] == "/api/problems/method-not-allowed"


@pytest.mark.slow
def test_other_sites_may_read_and_not_write(api: Caller) -> None:
    """Any origin may read, the headers that matter included; a preflight offers no method that changes something."""
    headers = {"Origin": "https://else.example", "Access-Control-Request-Method": "POST"}
    preflight = api.answer("seasons", method="OPTIONS", headers=headers)
    assert preflight.headers["access-control-allow-origin"] == "*"
    assert preflight.headers["access-control-allow-methods"] == "GET, HEAD"
    assert "Authorization" in preflight.headers["access-control-allow-headers"]
    answer = api.answer("seasons", headers={"Origin": "https://else.example"})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    assert {"ETag", "Link", "RateLimit"} <= set(answer.headers["access-control-expose-headers"].split(", "))


@pytest.mark.slow
def test_cookies_and_languages_decide_nothing(api: Caller, played: PlayedLeague) -> None:
    """The API answers alike whatever the browser's cookies and wishes, sets no cookie, and says so to caches."""
    plain = api.answer(f"seasons/{played.over}")
    other = api.answer(
        f"seasons/{played.over}", headers={"Cookie": "language=ru; king_session=x", "Accept-Language": "ru"}
    )
    assert other.content == plain.content
    assert "set-cookie" not in other.headers
    assert other.headers["vary"] == "Accept-Encoding"


@pytest.mark.slow
def test_what_stays_may_be_kept(api: Caller, played: PlayedLeague) -> None:
    """A public record and its positions may be kept for a day; what moves is to be asked for again."""
    match = public_match(api, played.over)
    for path in (f"matches/{match}/record", f"matches/{match}/deals/1/positions"):
        assert api.answer(path).headers["cache-control"] == "public, max-age=86400"
    for path in ("seasons", f"matches/{hidden_match(api, played.running)}", f"seasons/{played.over}/ladder"):
        assert api.answer(path).headers["cache-control"] == "no-cache"
