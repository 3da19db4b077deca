"""Lists in parts: cursors, links, bounds."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import pytest
from fastapi import Request, Response

from dashboard.api.paging import Paging, _check, read_cursor, write_cursor
from dashboard.api.problems import ProblemError
from tests.api.conftest import Caller
from tests.dashboard.conftest import PlayedLeague


def test_a_cursor_gives_its_key_back_for_its_own_list() -> None:
    """Numbers and texts come back as they were; another list, or a changed letter, is refused."""
    for key in ((1,), (2_000_000_000,), ("Лисий хвост",), (3, 4)):
        assert read_cursor("/a?b=c", write_cursor("/a?b=c", key)) == key
    cursor = write_cursor("/a?b=c", (7,))
    for scope, text in (("/a?b=d", cursor), ("/a", cursor), ("/a?b=c", cursor[:-1]), ("/a?b=c", "A" * len(cursor))):
        with pytest.raises(ProblemError, match="cursor"):
            read_cursor(scope, text)


@pytest.mark.parametrize("cursor", ["a", "====", "é", "AAAA", "_" * 40])
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    """Whatever the text, the answer is the problem, never an error of ours."""
    with pytest.raises(ProblemError, match="cursor"):
        read_cursor("/a", cursor)


@pytest.mark.parametrize(
    "text",
    [b"", b"5", b"{}", b"[]", b"[2,7]", b"[1,-1]", b"[1,1e400]", b"[1,2147483648]", b"[1,null]", b'[1,"\\ud800"]'],
)
def test_a_cursor_that_was_made_up_with_its_check_is_refused(text: bytes) -> None:
    """The check is no secret: what it is over must be a key that the store can look for."""
    made_up = urlsafe_b64encode(_check("/a", text) + text).decode().rstrip("=")
    with pytest.raises(ProblemError, match="cursor"):
        read_cursor("/a", made_up)


def test_a_part_says_where_the_next_one_is() -> None:
    """The row too many is not shown but makes the link; its limit and filters are kept."""
    scope = {"type": "http", "path": "/a", "raw_path": b"/a", "query_string": b"limit=2&x=1&cursor=old", "headers": []}
    paging, response = Paging(Request(scope), 2, None), Response()
    part = paging.part(response, [5, 6, 7], lambda row: (row,), str)
    assert part.items == ["5", "6"]
    assert part.next is not None
    assert part.next.startswith("/a?limit=2&x=1&cursor=")
    assert response.headers["link"] == f'<{part.next}>; rel="next"'
    last = paging.part(Response(), [5, 6], lambda row: (row,), str)
    assert last.next is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    ["seasons", "bots", "matches", "seasons/{over}/boards", "seasons/{over}/entrants", "seasons/{over}/crosstable"],
)
def test_parts_of_one_make_the_whole_list(api: Caller, played: PlayedLeague, path: str) -> None:
    """Whatever the limit, the parts together are the list, and only the last has no link."""
    at = path.format(over=played.over)
    whole = api.json(f"{at}?limit=200")
    assert whole["next"] is None
    found, following = [], f"{at}?limit=1"
    while following:
        answer = api.answer(following)
        part = answer.json()
        assert len(part["items"]) == 1
        assert ("link" in answer.headers) == (part["next"] is not None)
        if part["next"]:
            assert answer.links["next"]["url"] == part["next"]
        found += part["items"]
        following = part["next"] or ""
    assert found == whole["items"]


@pytest.mark.slow
def test_limits_are_bounded_and_cursors_fit_their_list(api: Caller, played: PlayedLeague) -> None:
    """A limit of 0, of 201 or in words is refused with its name, a cursor with other filters too."""
    for limit in ("0", "201", "many", ""):
        told = api.problem(f"seasons?limit={limit}", 422, "invalid-request")
        assert [one["parameter"] for one in told["errors"]] == ["limit"]
    following = api.json(f"matches?season={played.over}&limit=1")["next"]
    other = following.replace(f"season={played.over}", f"season={played.chosen}")
    assert api.problem(other, 422, "invalid-cursor")["errors"][0]["parameter"] == "cursor"
    assert api.problem("bots?cursor=AAAA", 422, "invalid-cursor")


@pytest.mark.slow
def test_nobody_is_missed_when_more_come_in(api: Caller, played: PlayedLeague) -> None:
    """A cursor goes on after the last item seen, not after a count of items: the two parts never overlap."""
    first = api.json("matches?limit=3")
    second = api.json(first["next"])
    ids = [one["id"] for one in (*first["items"], *second["items"])]
    assert ids == [one["id"] for one in api.json("matches?limit=6")["items"]]
