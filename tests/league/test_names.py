"""Names of accounts and bots: which look alike, and what in them cannot be seen."""

from __future__ import annotations

import pytest

from league.names import first_alike, label_fault, look_of, name_key
from league.orders import checked_reason


def test_names_that_differ_by_case_width_and_joiners_are_the_same() -> None:
    """Case, width and joiners tell no two names apart."""
    assert name_key("ANNA") == name_key("ａnna") == name_key("An\u200dna")
    assert name_key("STRASSE") == name_key("straße")
    assert name_key("Anna") != name_key("Anja")


@pytest.mark.parametrize(
    "name",
    [
        "greedy\u200b",
        "gre\u00adedy",
        "greedy\ufe0f",
        "greedy\u3164",
        "\u202egreedy",
        "grееdу",  # of Cyrillic letters е and у
        "GREEDΥ",  # of a Greek capital upsilon
        "ɡreedy",
        "ＧＲＥＥＤＹ",
    ],
)
def test_a_name_that_is_drawn_as_another_is_found_alike(name: str) -> None:
    """Signs that cannot be seen and letters of other alphabets make no other name of one."""
    assert first_alike(name, ["lowest", "greedy"]) == "greedy"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("André", "Andr\u0435\u0301"),  # a Cyrillic е with an accent of its own
        ("Andrè", "Andr\u0450"),  # a Cyrillic letter with its accent
        ("Álvaro", "\u0386lvaro"),  # a Greek capital alpha with tonos
        ("Ívo", "\u0130\u0301vo"),
        ("Noël", "No\u0451l"),
    ],
)
def test_marks_on_letters_of_other_alphabets_make_no_other_name(one: str, other: str) -> None:
    """A letter with an accent is drawn as another one with it, however both are written."""
    assert look_of(one) == look_of(other) == look_of(look_of(other))


def test_letters_with_marks_of_their_own_stay_apart() -> None:
    """A Russian short i is none with another mark or without one."""
    assert look_of("Андрей") != look_of("Андреи")


@pytest.mark.parametrize(("one", "other"), [("Иван", "Иaна"), ("Борис", "Bopuc"), ("owl", "owl2"), ("лиса", "лиса 2")])
def test_names_that_can_be_told_apart_are_not_alike(one: str, other: str) -> None:
    """Names in Russian are names of their own."""
    assert look_of(one) != look_of(other)


@pytest.mark.parametrize(
    "text", ["owl\u200b", "\u202eowl", "o\u3164wl", "o\u00a0wl", "a/b", "-owl", " owl", "", "w" * 65]
)
def test_a_label_that_would_mislead_or_break_an_address_is_refused(text: str) -> None:
    """Bots and versions are not called by what cannot be seen, by slashes, or by too much."""
    assert label_fault(text)


@pytest.mark.parametrize("text", ["owl", "Лисий хвост", "1.0-beta+2", "🦊", "❤️ hearts", "नमस्ते", "梟"])
def test_labels_of_any_alphabet_are_taken(text: str) -> None:
    """Letters of all scripts and signs are as good as English ones."""
    assert label_fault(text) == ""


def test_a_reason_reads_as_it_was_written() -> None:
    """What an organiser writes about a bot is shown to its owner without what would turn or hide words."""
    assert checked_reason(" plays\n for \u202ea friend\u200b ") == "plays for a friend"
