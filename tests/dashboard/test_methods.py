"""Methods of addresses: HEAD is GET without a body, and what does not fit is told with what does."""

from __future__ import annotations

import httpx
import pytest

from dashboard.app import create_app
from tests.dashboard.conftest import PlayedLeague, serving

pytestmark = pytest.mark.slow

SAME = ("content-length", "content-type", "etag", "cache-control", "vary", "content-language")


@pytest.mark.parametrize(
    "path",
    ["/", "/ladders.json", "/seasons/1/ladder", "/matches", "/sign-in", "/health", "/static/base.css", "/nowhere"],
)
def test_head_has_the_headers_of_get(site: str, path: str) -> None:
    """HEAD of a page, twin, form, file or error has the status and headers of GET, and no body."""
    plainly = {"Accept-Encoding": "identity"}  # a form's own token may be packed in a byte more or less
    got, headed = (ask(site + path, headers=plainly, timeout=60) for ask in (httpx.get, httpx.head))
    assert headed.status_code == got.status_code
    assert headed.content == b""
    assert {name: headed.headers.get(name) for name in SAME} == {name: got.headers.get(name) for name in SAME}


def test_head_of_a_page_that_is_known_says_so(site: str) -> None:
    """A conditional HEAD is answered as a conditional GET is."""
    tag = httpx.head(f"{site}/matches").headers["etag"]
    assert httpx.head(f"{site}/matches", headers={"If-None-Match": tag}).status_code == 304


def test_head_of_a_stream_ends(site: str, played: PlayedLeague) -> None:
    """HEAD of a stream that goes on for hours is over at once."""
    answer = httpx.head(f"{site}/seasons/{played.running}/events", timeout=10)
    assert answer.status_code in {200, 405}
    assert answer.content == b""


def test_a_page_that_fails_is_as_safe_as_others(played: PlayedLeague) -> None:
    """The page that says so has the headers that keep scripts out, and is kept by nobody: it may name its reader."""
    app = create_app(played.store, clock=played.clock)

    @app.get("/fails")
    def fails() -> None:
        raise ZeroDivisionError

    with serving(app) as address:
        answer, good = (httpx.get(f"{address}/{path}", timeout=60) for path in ("fails", "rules"))
    assert answer.status_code == 500
    assert answer.headers["cache-control"] == "no-store"
    for name in ("content-security-policy", "x-content-type-options", "referrer-policy"):
        assert answer.headers[name] == good.headers[name]


@pytest.mark.parametrize(
    ("method", "path", "fitting"),
    [
        ("DELETE", "/", "GET, HEAD"),
        ("PUT", "/sign-in", "GET, HEAD, POST"),
        ("GET", "/sign-out", "POST"),
        ("POST", "/static/base.css", "GET, HEAD"),
    ],
)
def test_a_method_that_does_not_fit_is_told_those_that_do(site: str, method: str, path: str, fitting: str) -> None:
    """405 names the methods of an address, also where several routes share it (RFC 9110, 15.5.6)."""
    answer = httpx.request(method, site + path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == fitting


@pytest.mark.parametrize(
    ("wishes", "encoding"),
    [("gzip", "gzip"), ("br, GZIP;q=0.5", "gzip"), ("gzip;q=0", None), ("gzip; q=0.0, identity", None), ("br", None)],
)
def test_pages_are_packed_only_for_who_takes_it(site: str, wishes: str, encoding: str | None) -> None:
    """A page, kept or new, and a file are compressed where gzip is wanted, and not where it is named to refuse it."""
    for path in ("/ladders", "/ladders", "/static/base.css"):
        with httpx.stream(
            "GET", site + path, headers={"Accept-Encoding": wishes}, follow_redirects=True, timeout=60
        ) as answer:
            assert answer.headers.get("content-encoding") == encoding, path
            assert "accept-encoding" in answer.headers["vary"].lower()
