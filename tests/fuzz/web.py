"""Raw HTTP requests at the dashboard and its API: pages, twins, forms, the API's operations, the door of uploads.

A real server answers, over a league in which there is something of everything, to an owner who is an organiser. Owns
what must hold: an answer comes to whatever is whole enough to be a request, and none of them is a failure of ours.
An input is JSON, so that a find can be read: `method`, `target`, `headers`, `body`; in it `{token}`, `{session}` and
`{form}` stand for the secrets of the session at hand.
"""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse, responses
from pathlib import Path
from random import Random
from typing import Any, NoReturn
from urllib.parse import quote, urlencode, urlsplit

import httpx
import structlog
from bs4 import BeautifulSoup

from dashboard.api.paging import write_cursor
from dashboard.app import create_app
from league.accounts import form_token
from league.audit_log import SHELL
from league.store import Store
from tests.api.conftest import NO_LIMITS
from tests.dashboard.conftest import serving
from tests.dashboard.seasons import POLICIES, Clock, new_season, play
from tests.dashboard.signed_in import LONG, SignedInLeague, signed_in_league
from tests.fuzz.engine import WrongAnswerError
from tests.fuzz.mutation import NUMBERS, TEXTS, change_bytes, change_json, json_bytes, odd_value
from tests.workers.zips import bot_archive

PATIENCE_S = 0.5
"""A server that waits for the rest of a request is not waited for longer."""

ANSWER_S = 50
RENEW_EVERY = 40
"""After so many requests there is a new session: some sign out, and revoke tokens."""

_GOOD_PAGES = (
    "/",
    "/bots",
    "/matches",
    "/rules",
    "/search?q=greedy",
    "/display",
    "/guide",
    "/api",
    "/live",
    "/unrated",
)
_METHODS = (
    "GET",
    "POST",
    "HEAD",
    "OPTIONS",
    "PUT",
    "PATCH",
    "DELETE",
    "TRACE",
    "CONNECT",
    "get",
    "QUERY",
    "X" * 300,
    "",
)
_HEADERS = (
    *(["If-None-Match", value] for value in ("*", '"x"', 'W/"x"', '"' * 5000, ",", '"a', '"é"', '"\x7f"')),
    *(["Accept", value] for value in ("application/json", "*/*;q=x", "text/html;q=9e999", ",;,;", "a" * 4000, "")),
    *(["Accept-Language", value] for value in ("ru", "en;q=0", "x-" * 500, ",,,;q=;q", "ru;q=nan", "é")),
    *(
        ["Cookie", value]
        for value in ("king_session=", "king_session=\x7f;;=;", "=", ";" * 3000, 'lang="ru', "display=%%%")
    ),
    *(
        ["Authorization", value]
        for value in ("Bearer", "Bearer  ", "Basic eA==", "Bearer é", "Bearer " + "x" * 5000, "")
    ),
    *(
        ["Content-Type", value]
        for value in ("application/zip", "multipart/form-data", "multipart/form-data; boundary=" + "b" * 300)
    ),
    *(
        ["Content-Type", value]
        for value in ("application/json; charset=utf-16", "text/plain", "a/b; charset=nope", "\xff")
    ),
    *(["Host", value] for value in ("", "evil.example", "[::1", "a:b:c", "x" * 300, "é")),
    *(["Content-Length", value] for value in ("0", "5", "99999999999999999999", "-1", "x")),
    *(
        ["Range", "bytes=0-5,9-"],
        ["Expect", "100-continue"],
        ["Transfer-Encoding", "chunked"],
        ["Content-Encoding", "gzip"],
    ),
    *(["Origin", "null"], ["Origin", "http://evil"], ["Sec-Fetch-Site", "cross-site"], ["X-Forwarded-For", "\x00"]),
    *(["Idempotency-Key", "x" * 400], ["Last-Event-ID", "9" * 500], ["If-Modified-Since", "x"], ["Prefer", ";="]),
)
_QUERIES = (
    *(
        "cursor",
        "limit",
        "season",
        "bot",
        "version",
        "variant",
        "deal",
        "play",
        "view",
        "board",
        "sort",
        "page",
        "lang",
        "q",
    ),
    *(
        "back",
        "a",
        "b",
        "order",
        "actor",
        "state",
        "public",
        "account",
        "theme",
        "contract",
        "set",
        "at",
        "before",
        "after",
    ),
)
_PARAMETER = re.compile(r"\{(\w+)\}")

Wanted = dict[str, Any]


class Web:
    """The surface."""

    def __init__(self, league: SignedInLeague, address: str, document: Mapping[str, Any], failures: list[str]) -> None:
        self._league = league
        self._host = urlsplit(address)
        self._address = address
        self._document = document
        self._failures = failures
        self._sent = 0
        self._secrets = self._begin()

    def _begin(self) -> dict[str, str]:
        store, account = self._league.store, self._league.account
        session = store.sessions.begin(account.id).token
        for one in store.tokens.of(account.id):
            store.tokens.revoke(account.id, one.id, by=SHELL)
        token = store.tokens.create(account.id, f"fuzz {self._sent}", by=SHELL).text
        return {"{token}": token, "{session}": session}

    def seeds(self) -> Sequence[bytes]:
        """Every operation of the document, every page, and every form on them, as a browser sends it."""
        pages = [_page(path) for path in (*_GOOD_PAGES, *self._league.pages)]
        wanted = [*self._operations(), *pages, *self._forms(), *_uploads()]
        return [json_bytes(one) for one in wanted]

    def _operations(self) -> Iterator[Wanted]:
        known = _values(self._league.store)
        for path, methods in self._document["paths"].items():
            for method, operation in methods.items():
                where = _PARAMETER.sub(lambda found: quote(known.get(found[1], "1")), path)
                query = [
                    (each["name"], known.get(each["name"], "1"))
                    for each in operation.get("parameters", ())
                    if each["in"] == "query"
                ]
                shown = f"{where}?{urlencode(query)}" if query else where
                headers = [["Authorization", "Bearer {token}"]]
                body = ""
                if "requestBody" in operation:
                    kind = next(iter(operation["requestBody"]["content"]))
                    headers.append(["Content-Type", kind])
                    body = json.dumps(
                        _example(self._document, operation["requestBody"]["content"][kind].get("schema", {}))
                    )
                yield {"method": method.upper(), "target": shown, "headers": headers, "body": body}

    def _forms(self) -> Iterator[Wanted]:
        with httpx.Client(
            base_url=self._address, cookies={"king_session": self._secrets["{session}"]}, timeout=ANSWER_S
        ) as client:
            seen: set[str] = set()
            for path in self._league.pages:
                for form in BeautifulSoup(client.get(path).text, "html.parser").select("form[method=post]"):
                    action = str(form.get("action") or path)
                    if action in seen or "sign-out" in action:
                        continue
                    seen.add(action)
                    yield _form(
                        action, {str(one["name"]): str(one.get("value") or "1") for one in form.select("[name]")}
                    )

    def change(self, source: bytes, chance: Random) -> bytes:
        """Another request: its method, target, a header, its body."""
        wanted = json.loads(source)
        for _ in range(chance.choice((1, 1, 2, 3))):
            kind = chance.randrange(9)
            if kind == 0:
                wanted["method"] = chance.choice(_METHODS)
            elif kind <= 3:
                wanted["target"] = _change_target(str(wanted["target"]), chance)
            elif kind <= 5:
                wanted["headers"] = [*wanted["headers"], chance.choice(_HEADERS)]
            elif kind == 6 and wanted["headers"]:
                at = chance.randrange(len(wanted["headers"]))
                wanted["headers"][at] = change_json(wanted["headers"][at], chance)
            else:
                wanted["body"] = _change_body(str(wanted["body"]), chance)
        return json_bytes(wanted)

    def attempt(self, given: bytes) -> str:
        """Send it, and read the answer."""
        wanted = json.loads(given)
        self._sent += 1
        if self._sent % RENEW_EVERY == 0:
            self._secrets = self._begin()
        self._failures.clear()
        status = self._answer(self._written(wanted))
        route = _PARAMETER.sub("", str(wanted["target"]).partition("?")[0])
        if status >= 500 and status != 501:
            raise WrongAnswerError(f"{status} for {wanted['method']} {route[:80]}: {' '.join(self._failures)[:300]}")
        return f"{responses.get(status, 'nothing')} {wanted['method'][:10]} {re.sub(r'[0-9]+', '', route)[:40]}"

    def _written(self, wanted: Wanted) -> bytes:
        body = (
            str(wanted["body"])
            .replace("{form}", form_token(self._secrets["{session}"]))
            .encode("utf-8", "surrogatepass")
        )
        headers = [(str(one[0]), str(one[-1])) for one in wanted["headers"] if isinstance(one, list) and one]
        names = {name.lower() for name, _ in headers}
        if "host" not in names:
            headers.insert(0, ("Host", self._host.netloc))
        if not names & {"content-length", "transfer-encoding"}:
            headers.append(("Content-Length", str(len(body))))
        headers.append(("Connection", "close"))
        lines = [f"{wanted['method']} {wanted['target']} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
        text = "\r\n".join(lines)
        for mark, secret in self._secrets.items():
            text = text.replace(mark, secret)
        return text.encode("utf-8", "surrogatepass") + b"\r\n\r\n" + body

    def _answer(self, request: bytes) -> int:
        """The status of the answer; 0 if the server waits for more, or closes on what is no request."""
        with socket.create_connection((self._host.hostname, self._host.port or 80), timeout=ANSWER_S) as connection:
            try:
                connection.sendall(request)
                connection.settimeout(PATIENCE_S if _is_cut_short(request) else ANSWER_S)
                answer = HTTPResponse(connection)
                answer.begin()
                if "event-stream" not in (answer.getheader("content-type") or ""):
                    answer.read(1 << 20)
            except TimeoutError:
                if not _is_cut_short(request):
                    raise WrongAnswerError(f"no answer within {ANSWER_S} s") from None
                return 0
            except (HTTPException, ConnectionError):
                if self._failures:
                    raise WrongAnswerError(f"no answer: {' '.join(self._failures)[:300]}") from None
                return 0
        return answer.status


def _is_cut_short(request: bytes) -> bool:
    """Whether a server may wait for more of it: it does not say once, and rightly, how long it is."""
    head, _, body = request.partition(b"\r\n\r\n")
    lengths = re.findall(rb"content-length *: *([^\r\n]*)", head.lower())
    odd = (b"transfer-encoding", b"expect", b"upgrade")
    return lengths != [b"%d" % len(body)] or any(word in head.lower() for word in odd)


def _page(path: str) -> Wanted:
    return {"method": "GET", "target": path, "headers": [["Cookie", "king_session={session}"]], "body": ""}


def _form(action: str, fields: Mapping[str, str]) -> Wanted:
    body = urlencode({**fields, "form_token": "FORM"}).replace("FORM", "{form}")
    headers = [["Cookie", "king_session={session}"], ["Content-Type", "application/x-www-form-urlencoded"]]
    return {"method": "POST", "target": action, "headers": headers, "body": body}


def _uploads() -> Iterator[Wanted]:
    archive = bot_archive().decode("latin-1")
    cookie = ["Cookie", "king_session={session}"]
    short = '--b\r\nContent-Disposition: form-data; name="form_token"\r\n\r\n{form}\r\n--b--\r\n'
    for charset in ("undefined", "hex", "utf-16", "idna"):
        headers = [cookie, ["Content-Type", f"multipart/form-data; boundary=b; charset={charset}"]]
        yield {"method": "POST", "target": "/mine/submit", "headers": headers, "body": short}
    token = 'Content-Disposition: form-data; name="form_token"\r\n\r\n{form}\r\n--b\r\n'
    for name in ("owl.zip", "", "../../x", '"', "é\x00", "x" * 3000):
        file = f'Content-Disposition: form-data; name="archive"; filename="{name}"\r\n\r\n{archive}\r\n--b--\r\n'
        headers = [cookie, ["Content-Type", "multipart/form-data; boundary=b"]]
        yield {"method": "POST", "target": "/mine/submit", "headers": headers, "body": f"--b\r\n{token}{file}"}
    headers = [["Authorization", "Bearer {token}"], ["Content-Type", "application/zip"]]
    yield {"method": "POST", "target": "/api/v1/submissions", "headers": headers, "body": archive}


def _change_target(target: str, chance: Random) -> str:
    path, _, query = target.partition("?")
    kind = chance.randrange(6)
    text = chance.choice((*TEXTS, *map(str, NUMBERS))).encode("utf-8", "replace").decode()
    if kind == 0:
        parts = path.split("/")
        parts[chance.randrange(len(parts))] = chance.choice(
            (text, quote(text, safe=""), "%00", "%ff", "%2F", "%", "..", "%C3%28")
        )
        return "/".join(parts) + (f"?{query}" if query else "")
    if kind == 1:
        return f"{path}{chance.choice(('.json', '.atom', '/', '//', '.csv', ';x', '/events', '.JSON'))}?{query}"
    if kind == 2:
        scope = f"{path}?"
        key = [odd_value(chance) for _ in range(chance.randrange(4))]
        return f"{path}?cursor={write_cursor(scope, key)}"
    pairs = [pair for pair in query.split("&") if pair]
    name = chance.choice(_QUERIES)
    pair = f"{name}={chance.choice((text, quote(text), quote(text, safe=''), '', '%ff', '%'))}"
    if pairs and kind <= 4:
        at = chance.randrange(len(pairs))
        pairs[at] = f"{pairs[at].partition('=')[0]}={pair.partition('=')[2]}"
        return f"{path}?{'&'.join(pairs)}"
    return f"{path}?{'&'.join([*pairs, pair, *[pair] * chance.choice((0, 0, 1, 400))])}"


def _change_body(body: str, chance: Random) -> str:
    if body.startswith(("{", "[")) and chance.random() < 0.8:
        try:
            return json.dumps(change_json(json.loads(body), chance))
        except (ValueError, RecursionError):
            return body
    if "&" in body and chance.random() < 0.7:
        pairs = body.split("&")
        at = chance.randrange(len(pairs))
        text = chance.choice(TEXTS).encode("utf-8", "replace").decode()
        pairs[at] = f"{pairs[at].partition('=')[0]}={quote(text)}" if "form_token" not in pairs[at] else pairs[at]
        return "&".join(pairs)
    if chance.random() < 0.1:
        return chance.choice(("[" * 60_000, "x=" + "y" * 70_000, "&" * 2000, '{"a":' * 50_000, "\0", "9" * 5000, "NaN"))
    return change_bytes(body.encode("latin-1", "replace"), chance).decode("latin-1")


def _values(store: Store) -> dict[str, str]:
    season = max(one.id for one in store.seasons.all())
    match = store.results.board_matches(season, 1)[0].match_id
    known = {"season": str(season), "season_id": str(season), "number": "1", "board": "1", "deal": "1", "view": "open"}
    bots = {"name": "greedy", "bot": "greedy", "a": "greedy", "b": "lowest", "account": LONG, "variant": "russian-14"}
    return {**known, **bots, "match": match, "match_id": match, "limit": "5"}


def _example(document: Mapping[str, Any], schema: Mapping[str, Any], depth: int = 0) -> Any:
    """A value that a schema allows, more or less."""
    if "$ref" in schema:
        found: Any = document
        for step in str(schema["$ref"]).removeprefix("#/").split("/"):
            found = found[step]
        return _example(document, found, depth + 1) if depth < 8 else {}
    for choice in ("oneOf", "anyOf", "allOf"):
        if choice in schema:
            return _example(document, schema[choice][0], depth + 1)
    if "const" in schema or "enum" in schema:
        return schema.get("const", (schema.get("enum") or [None])[0])
    if schema.get("type") == "object":
        return {name: _example(document, one, depth + 1) for name, one in schema.get("properties", {}).items()}
    if schema.get("type") == "array":
        return [_example(document, schema.get("items", {}), depth + 1)]
    return {"integer": 1, "number": 1, "boolean": True, "string": "greedy"}.get(str(schema.get("type")))


@contextmanager
def open_web(folder: Path) -> Iterator[Web]:
    """A server over a league with something of everything."""
    failures: list[str] = []

    def keep(_logger: object, method: str, event: Any) -> NoReturn:
        if method in {"error", "exception", "critical"}:
            failures.append(f"{event.get('event')} {event.get('error', '')} {event.get('exc_info', '')}"[:400])
        raise structlog.DropEvent

    structlog.configure(processors=[keep])
    league = signed_in_league(folder)
    clock = Clock()
    names = [name for name in POLICIES if name not in {"greedy", "lowest", "highest", "random"}][:3]
    over = new_season(
        league.sweeping,
        [*names, "walnut"][:3],
        name="Over",
        variant="chooser-12[contracts=short,seats=3]",
        boards=1,
        sets=1,
    )
    league.sweeping.seasons.start(over)
    play(league.sweeping, over, clock)
    app = create_app(league.store, limits=NO_LIMITS)
    with serving(app) as address:
        yield Web(league, address, app.state.api_document(), failures)
    league.close()
