"""The whole API, tried by schemathesis with what its document allows and with what it does not, all checks on.

Requests go over HTTP to the real dashboard over seasons that were played. What the document cannot know, such as ids of
matches that there are, is added to its parameters as examples. Cursors are left to the tests of paging: of those that
fit a pattern, only the ones that the API has made are good.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from tests.api.conftest import Caller, hidden_match, public_match
from tests.dashboard.conftest import NAMES, PlayedLeague

pytestmark = pytest.mark.slow

EXAMPLES_EACH = 8


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
    }


def test_the_api_keeps_to_its_document(
    app: FastAPI, site: str, api: Caller, played: PlayedLeague, tmp_path: Path
) -> None:
    """No answer is a failure of ours; each has a status, content type, headers and body that its operation names."""
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(with_examples(app.state.api_document(), examples(api, played))))
    options = ["--checks=all", "--phases=examples,coverage,fuzzing", f"--max-examples={EXAMPLES_EACH}", "--no-color"]
    options += ["--generation-deterministic", "--suppress-health-check=all"]
    run = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "run", f"--url={site}", *options, document],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2_000:]
