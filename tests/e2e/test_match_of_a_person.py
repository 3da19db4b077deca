"""A person plays at the table of `king match`."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from king_bot import Action, ActionKind, Table, card

from king_cli.human.player import chosen_action
from king_cli.human.terminal import LeftError, Terminal
from king_cli.human.wording import Wording
from referee.rules import PRESETS, describe, option_texts, parse_variant
from tests.e2e.arena import DEADLINE_S, Arena

ACTIONS = [Action(ActionKind.PLAY, card=card(text)) for text in ("TH", "KS", "2D")]


def play(arena: Arena, typed: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs `king match human …` with what the person types."""
    command = [sys.executable, "-m", "king_cli", "match", "human", "greedy", "greedy", "random", *arguments]
    return subprocess.run(
        command,
        input=typed,
        cwd=arena.folder,
        env=arena.environment,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=True,
    )


@pytest.mark.slow
def test_person_plays_a_match_to_its_end(arena: Arena) -> None:
    """Whoever types numbers plays all deals in rotation 0 without a fault, and the record says what was chosen."""
    said = play(arena, "rules\n" + "1\n" * 1000, "--variant", "auction-11", "--out", "out").stdout
    assert "in playing order you, greedy, greedy#2, random" in said
    assert "Played for: No tricks, each trick −2\n" in said
    assert "> No tricks, each trick −2; −16 in all\n  no special rules\n" in said
    assert "The match is over." in said
    (path,) = (arena.folder / "out").glob("*.json")
    record = json.loads(path.read_text())
    assert record["context"]["rotation"] == 0
    assert record["players"][0]["bot"] == "human"
    assert not record["forfeits"]
    arena.king("verify", str(path))


@pytest.mark.slow
def test_person_may_leave(arena: Arena) -> None:
    """After "q" the stand-in plays the match to its end and no other is begun; that is told, but is no fault."""
    done = play(arena, "what?\nq\n", "--boards", "3")
    said = done.stdout
    assert "'what?' is none of the actions" in said
    assert "You have left the table" in said
    assert "human left the table" in done.stderr
    assert re.search(r"Match 1: .*human [−+]?\d+ \(forfeited\)", said)
    assert "Match 2" not in said
    assert "fault" not in said
    assert "logs" not in said
    told = json.loads(play(arena, "", "--out", "out", "--json").stdout)
    seats = told["matches"][0]["seats"]
    assert [seat["player"] for seat in seats if seat["forfeited"]] == ["human"]
    assert told["faults"] == []


@pytest.mark.slow
def test_records_of_a_person_have_their_own_folder(arena: Arena) -> None:
    """Sitting down at the table leaves the records of the last match among bots where they are."""
    measured = arena.king_json("match", *["lowest"] * 4, "--json")["records"]
    said = play(arena, "q\n").stdout
    assert "1 records in build/match-human" in said
    assert all((arena.folder / path).exists() for path in measured)


@pytest.mark.parametrize("variant", PRESETS)
def test_rules_are_the_rows_of_king_rules(variant: str) -> None:
    """At the table each contract has the price and the special rules that `king rules` prints of it."""
    wording = Wording(["a", "b", "c", "d"], coloured=False)
    rules = parse_variant(variant)
    (section,) = [section for section in describe(rules).sections if section.heading == "Contracts"]
    assert section.table is not None
    for _, contract, name, scores, total, specials in section.table.rows:
        table = Table(variant=rules.id, options=option_texts(rules), seats=rules.seats, seat=0)
        table.deal.contract = contract
        first, *special = wording.rules(table)
        assert first.replace("−", "-") == f"{name}, {scores}; {total} in all".replace("−", "-")
        assert "; ".join(line.strip() for line in special) == (specials or "no special rules")
        assert wording.contract(table) in first


def test_answers_name_actions() -> None:
    """A number counts from 1; a card may be typed with a sign or letter in any case, the ten as 10 or T."""
    named = {answer: chosen_action(answer, ACTIONS) for answer in ("1", "10h", "10♥", "th", "K♠", "ks", "2 d")}
    assert [action and str(action.card) for action in named.values()] == ["TH", "TH", "TH", "TH", "KS", "KS", "2D"]
    assert all(chosen_action(answer, ACTIONS) is None for answer in ("0", "4", "", "QH", "hearts", "-1"))


def test_gifts_are_named_by_number_where_a_card_is_not_enough() -> None:
    """A card that may go to two seats is no answer."""
    gifts = [Action(ActionKind.GIVE, card=card("TH"), to=seat) for seat in (1, 2)]
    assert chosen_action("10h", gifts) is None
    assert chosen_action("2", gifts) == gifts[1]


def test_closing_ends_a_wait() -> None:
    """A terminal that is closed from another thread stops waiting for a line."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "r", encoding="utf-8") as source, Path(os.devnull).open("w", encoding="utf-8") as sink:
        terminal = Terminal(source, sink)
        threading.Timer(0.05, terminal.close).start()
        with pytest.raises(LeftError):
            terminal.ask("> ")
    os.close(ours)
