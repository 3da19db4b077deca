"""The whole API, tried by schemathesis with what its document allows and with what it does not, all checks on.

Requests go over HTTP to the real dashboard over seasons that were played. What the document cannot know, such as ids of
matches that there are, is added to its parameters as examples. Cursors are left to the tests of paging: of those that
fit a pattern, only the ones that the API has made are good. Streams have tests of their own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from dashboard.app import create_app
from league.audit_log import SHELL, Actor
from league.store import Store
from tests.api.conftest import NO_LIMITS, Caller, hidden_match, public_match
from tests.dashboard.conftest import NAMES, PlayedLeague, serving
from tests.stores import copied_url

pytestmark = pytest.mark.slow

EXAMPLES_EACH = 3
HOOKS = """
import schemathesis
from hypothesis import strategies

schemathesis.openapi.media_type("application/zip", strategies.binary(min_size=1, max_size=64))
"""
SETTINGS = """
max-stream-events = 1

[phases.coverage]
unexpected-methods = ["PUT"]
generate-duplicate-query-parameters = false

[[operations]]
include-operation-id = "createOrder"
phases.coverage.enabled = false
generation.max-examples = 20
"""
"""A stream is left after its first event. What is special about every value of the many kinds of orders would be a
fifth of all requests."""
PARTS = (["--exclude-operation-id=revokeToken"], ["--include-operation-id=revokeToken"])
"""The last one may revoke the token that is sent."""


@pytest.fixture
def copy(played: PlayedLeague, tmp_path: Path) -> Generator[Store, None, None]:
    """A copy of the played league's store, for what is tried here changes it."""
    store = Store.open(copied_url(played.store._database.url, tmp_path), clock=played.clock)
    yield store
    store.close()


def organiser(store: Store) -> str:
    """The token of an organiser who has a bot, a remote one and tokens to spare: some will be revoked."""
    account = store.accounts.create("Olga", by=SHELL, organiser=True)
    by = Actor.of(account)
    store.submissions.receive(owner=account.name, file_name="owl.zip", content=b"zip", by=by)
    store.bots.register_remote(owner=account.name, name="far", version="1")
    tokens = [store.tokens.create(account.id, f"token {number}", by=SHELL).text for number in range(4)]
    return tokens[-1]


def with_examples(document: Mapping[str, Any], there: Mapping[str, list[Any]]) -> dict[str, Any]:
    """The document, with examples of what there is, by the name of the parameter that asks for it."""
    told = deepcopy(dict(document))
    for methods in told["paths"].values():
        for operation in methods.values():
            operation["parameters"] = [one for one in operation.get("parameters", ()) if one["name"] != "cursor"]
            for parameter in operation["parameters"]:
                known = there.get(parameter["name"], ())
                if known:
                    parameter["examples"] = {f"there {at}": {"value": value} for at, value in enumerate(known)}
    return told


def examples(api: Caller, played: PlayedLeague) -> dict[str, list[Any]]:
    """What there is in the played league."""
    matches = [public_match(api, played.over), hidden_match(api, played.running)]
    version = api.json("bots?limit=1")["items"][0]["newest"]["id"]
    seasons = [played.over, played.running, played.planned]
    return {
        "season": seasons,
        "season_id": [str(one) for one in seasons],
        "board": [1],
        "number": ["1"],
        "match": matches,
        "match_id": matches,
        "deal": [1],
        "name": [NAMES[0], NAMES[2]],
        "a": [NAMES[0]],
        "b": [NAMES[1]],
        "bot": [NAMES[0]],
        "version": [version],
        "variant": ["russian-14"],
        "submission": [1],
        "order": [1],
        "token": [1, 2],
        "account": [1],
    }


@pytest.mark.timeout(1200)
def test_the_api_keeps_to_its_document(copy: Store, api: Caller, played: PlayedLeague, tmp_path: Path) -> None:
    """No answer is a failure of ours; each has a status, content type, headers and body that its operation names."""
    app, document = create_app(copy, clock=played.clock, limits=NO_LIMITS), tmp_path / "openapi.json"
    document.write_text(json.dumps(with_examples(app.state.api_document(), examples(api, played))))
    hooks = tmp_path / "media_types.py"
    hooks.write_text(HOOKS)
    (tmp_path / "schemathesis.toml").write_text(SETTINGS)
    options = ["--exclude-path-regex=/events$"]  # streams do not end
    options += [f"--header=Authorization: Bearer {organiser(copy)}"]
    options += ["--checks=all", "--phases=examples,coverage,fuzzing", f"--max-examples={EXAMPLES_EACH}", "--no-color"]
    options += ["--generation-deterministic", "--suppress-health-check=all"]
    environment = os.environ | {"SCHEMATHESIS_HOOKS": hooks.stem}
    with serving(app) as site:
        for part in PARTS:
            command = [sys.executable, "-m", "schemathesis.cli", "run", f"--url={site}", *part, *options, str(document)]
            run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
            assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2_000:]
