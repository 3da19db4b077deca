"""Reads everything that a dashboard serves: every route of its table with every value that is known for its parameters,
and what links lead to. So what is new is read too, without being named."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from itertools import product
from urllib.parse import quote

import httpx
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute, Mount

from tests.dashboard.crawling import kind_of

STREAM_WAIT_S = 2.0
LINKS_OF_EACH_KIND = 2
PAGES_BY_LINKS_AT_MOST = 150

Values = Mapping[str, Sequence[object]]


def addresses(app: FastAPI) -> Iterator[str]:
    """The path of every route that can be read, those of mounted apps included."""
    yield from _addresses(app.routes, "")


def _addresses(routes: Sequence[BaseRoute], prefix: str) -> Iterator[str]:
    for route in iter_route_contexts(routes):
        if "GET" in (route.methods or ()):
            yield prefix + str(route.path)
    for mount in routes:
        if isinstance(mount, Mount) and hasattr(mount.app, "routes"):
            yield from _addresses(mount.app.routes, prefix + mount.path)


def filled(path: str, values: Values) -> Iterator[str]:
    """An address for each way to fill in the parameters of a path; `*` has the values of those not named."""
    names = re.findall(r"{(\w+)(?::\w+)?}", path)
    for chosen in product(*(values.get(name, values["*"]) for name in names)):
        address = path
        for name, value in zip(names, chosen, strict=True):
            address = re.sub(rf"{{{name}(?::\w+)?}}", quote(str(value), safe="").replace("\\", r"\\"), address)
        yield address


def read(client: httpx.Client, address: str) -> str:
    """All that is answered, headers included; of a stream what comes at first, of an archive what is in it."""
    with client.stream("GET", address) as answer:
        assert answer.status_code < 500, f"{address}: {answer.status_code}"
        head = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
        kind = answer.headers.get("content-type", "")
        if kind.startswith("text/event-stream"):
            return f"{head}\n{_first_event(answer)}"
        content = answer.read()
    if kind.startswith("application/gzip"):
        content = gzip.decompress(content)
    return f"{head}\n{content.decode('utf-8', 'replace')}"


def _first_event(answer: httpx.Response) -> str:
    heard = ""
    try:
        for text in answer.iter_text():
            heard += text
            if "\n\n" in heard:  # the first event has all there is to see
                break
    except httpx.ReadTimeout:
        pass
    return heard


def read_everything(app: FastAPI, client: httpx.Client, values: Values) -> dict[str, str]:
    """All answers by address: of every route, then of links that lead further."""
    found: dict[str, str] = {}
    for path in sorted(set(addresses(app))):
        for address in filled(path, values):
            found[address] = read(client, address)
    by_kind: dict[str, int] = {}
    waiting = [link for text in found.values() for link in _links(text)]
    while waiting and len(by_kind) < PAGES_BY_LINKS_AT_MOST:
        address = waiting.pop(0)
        if address in found or by_kind.get(kind_of(address), 0) >= LINKS_OF_EACH_KIND:
            continue
        by_kind[kind_of(address)] = by_kind.get(kind_of(address), 0) + 1
        found[address] = read(client, address)
        waiting += _links(found[address])
    return found


def _links(text: str) -> list[str]:
    if "content-type: text/html" not in text:
        return []
    found = [unescape(link) for link in re.findall(r'<a [^>]*href="(/[^"#]*)', text)]
    return [link for link in found if "lang=" not in link and not link.startswith("/display/set")]
