"""The checker in Perl and the commands of docs/verify-a-deal.md, run on real records, whole and corrupted."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Generator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from league.store import Store
from referee.random_match import random_match
from referee.rules import parse_variant
from tests.dashboard.seasons import Clock, new_season, open_store, play

DOCS = Path(__file__).parents[2] / "docs"
CHECKER = DOCS / "verify-a-deal.pl"
COMMAND = re.compile(r"^\$ (.+)\n(.+)$", re.MULTILINE)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def _tools() -> None:
    for tool in ("perl", "sha256sum"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool} on the PATH")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Generator[Store, None, None]:
    """A store with a season that is over."""
    clock = Clock()
    found = open_store(tmp_path_factory.mktemp("league"), clock)
    season = new_season(found, ("greedy", "highest", "lowest", "random"), name="Autumn", variant="classic", boards=2)
    found.seasons.start(season)
    play(found, season, clock)
    yield found
    found.close()


@pytest.fixture(scope="module")
def season_record(store: Store) -> dict[str, Any]:
    """A record of its second board."""
    row = next(row for row in store.results.matches(1) if row.board == 2)
    return store.results.record(row.match_id)


def check(folder: Path, record: dict[str, Any], *more: str) -> subprocess.CompletedProcess[str]:
    """Runs the checker on a record."""
    file = folder / "record.json"
    file.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    return subprocess.run(["perl", str(CHECKER), str(file), *more], capture_output=True, text=True, check=False)


def test_it_is_short_and_needs_no_module() -> None:
    """The checker has about fifty lines, and uses nothing but two pragmas of Perl itself."""
    lines = CHECKER.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 55
    assert [line for line in lines if re.match(r"\s*(use|require)\b", line)] == [
        "use strict;",
        "use warnings FATAL => 'all';",
    ]


@pytest.mark.parametrize(
    "variant",
    ["russian-14", "turkish-20", "chooser-12", "classic[redemption=talon]", "classic[redemption=talon,seats=3]"],
)
def test_a_local_record_is_right(tmp_path: Path, variant: str) -> None:
    """A match played without a season is found right, whatever its pack, seats, lot and talon."""
    record = random_match(parse_variant(variant), 7)
    found = check(tmp_path, record)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == f"{len(record['deals'])} deals are as the secrets say\n"


def test_a_seasons_record_is_right(tmp_path: Path, store: Store, season_record: dict[str, Any]) -> None:
    """A record of a season is found right with the season's secret, and not with another one."""
    secret = store.seasons.get(1).secret
    assert secret is not None
    assert check(tmp_path, season_record, secret).returncode == 0
    other = check(tmp_path, season_record, "00" * 32)
    assert (other.returncode, other.stdout) == (1, "wrong: deal_secret is not that of the season\n")


def swap_cards(record: dict[str, Any]) -> None:
    hands = record["deals"][2]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def other_secret(record: dict[str, Any]) -> None:
    record["deal_secret"] = "ab" * 32


def other_salt(record: dict[str, Any]) -> None:
    record["deal_salt"] = "ab" * 32


def other_dealer(record: dict[str, Any]) -> None:
    record["deals"][1]["dealer"] = (record["deals"][1]["dealer"] + 1) % record["seats"]


@pytest.mark.parametrize(
    ("corrupt", "named"),
    [
        (swap_cards, "hands of deal 3"),
        (other_secret, "deal_commitment"),
        (other_salt, "deal_seed"),
        (other_dealer, "dealer or chooser of deal 2"),
    ],
)
def test_a_corrupted_record_is_wrong(
    tmp_path: Path, season_record: dict[str, Any], corrupt: Callable[[dict[str, Any]], None], named: str
) -> None:
    """What is not as the secrets say is named."""
    record = deepcopy(season_record)
    corrupt(record)
    found = check(tmp_path, record)
    assert (found.returncode, found.stdout) == (1, f"wrong: {named}\n")


def test_a_record_without_secrets_cannot_be_checked(tmp_path: Path, season_record: dict[str, Any]) -> None:
    """A record whose secrets are not public, or what is no record, is neither right nor wrong."""
    hidden = check(tmp_path, {**season_record, "deal_secret": None})
    assert (hidden.returncode, hidden.stderr) == (2, "deal_secret is not public yet\n")
    broken = subprocess.run(
        ["perl", str(CHECKER), str(DOCS / "README.md")], capture_output=True, text=True, check=False
    )
    assert (broken.returncode, broken.stdout) == (2, "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "7",
        "null",
        '"a"',
        '{"format": "king-record/2"}',
        '{"format": ["king-record/1"]}',
        '{"format": "king-record/1"}',
        '{"format": "king-record/1", "deals": 3}',
        '{"format": "king-record/1", "deals": []}',
        '{"format": "king-record/1", "deals": [7]}',
    ],
)
def test_json_that_is_no_record_has_nothing_to_check(tmp_path: Path, text: str) -> None:
    """Whatever JSON it is, the status is 2 and one line on standard error says so."""
    file = tmp_path / "other.json"
    file.write_text(text, encoding="utf-8")
    found = subprocess.run(["perl", str(CHECKER), str(file)], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout, found.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("lost", ["seats", "deals", "deal_commitment", "context"])
def test_a_record_that_lacks_a_field_is_not_said_to_be_right(
    tmp_path: Path, store: Store, season_record: dict[str, Any], lost: str
) -> None:
    """What is needed and is not there is neither passed over nor an error of Perl's."""
    secret = store.seasons.get(1).secret
    assert secret is not None
    found = check(tmp_path, {name: value for name, value in season_record.items() if name != lost}, secret)
    assert found.returncode in {1, 2}
    assert "deals are as the secrets say" not in found.stdout


def test_the_commands_print_what_the_page_says() -> None:
    """Each command of the page, run in a shell, prints the line below it."""
    commands = COMMAND.findall((DOCS / "verify-a-deal.md").read_text(encoding="utf-8"))
    assert len(commands) == 6
    for command, printed in commands:
        run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
        assert run.stdout.splitlines() == [printed], command
