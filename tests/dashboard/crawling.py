"""Pages of a dashboard as they are reached by links, a few of each kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from bs4 import BeautifulSoup

from tests.dashboard.conftest import Reader

PAGES_AT_MOST = 140
EACH_KIND_AT_MOST = 3


def kind_of(path: str) -> str:
    """An address without its ids and names: pages of one kind look alike."""
    bare = urlsplit(path)
    plain = re.sub(r"^(/bots|/api/problems)/[^/]+", r"\1/*", bare.path)
    return re.sub(r"/(\d+|[0-9a-f]{16}|[^/]*%[^/]*)(?=/|$)", "/*", plain) + ("?" if bare.query else "")


def links_of(page: BeautifulSoup) -> Iterator[str]:
    """Where a page leads on this site, itself in other languages left out."""
    for link in page.select("a[href]"):
        address = str(link["href"]).split("#")[0]
        if address.startswith("/") and "lang=" not in address:
            yield address


def crawl(reader: Reader, *, each_kind: int = EACH_KIND_AT_MOST) -> dict[str, BeautifulSoup]:
    """The pages reached from the first one, by their addresses; every link must lead to something."""
    found: dict[str, BeautifulSoup] = {}
    kinds: dict[str, int] = {}
    waiting = ["/"]
    while waiting and len(found) < PAGES_AT_MOST:
        path = waiting.pop(0)
        if path in found or kinds.get(kind_of(path), 0) >= each_kind:
            continue
        answer = reader.answer(path)
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        kinds[kind_of(path)] = kinds.get(kind_of(path), 0) + 1
        path = answer.url.raw_path.decode("ascii")  # where it led: pages of one's own lead strangers to the sign-in
        found[path] = BeautifulSoup(answer.text, "html.parser")
        waiting += links_of(found[path])
    return found
