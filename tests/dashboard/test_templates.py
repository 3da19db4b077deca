"""What holds for every template and script: whole sentences from the catalogue, tokens for colours, nothing inline."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

import dashboard
from dashboard import art
from dashboard.templating import STATIC, environment

TEMPLATES = Path(dashboard.__file__).parent / "templates"
SHOWN_ATTRIBUTES = ("title", "aria-label", "alt", "placeholder")
UNTRANSLATED = {
    *("King Arena", "JSON", "SHA-256", "Shift", "PgUp", "PgDn", "Home", "End", "Space", "V"),
    *("Python", "Go", "Rust", "Java", "Node.js", "C"),
}


def template_names() -> list[str]:
    return sorted(path.name for path in TEMPLATES.glob("*.html"))


@pytest.mark.parametrize("name", template_names())
def test_templates_have_no_words_of_their_own(name: str) -> None:
    """Every word in a template comes from the catalogue, names and ids aside."""
    source = re.sub(r"{#.*?#}|{%.*?%}|{{.*?}}", " ", (TEMPLATES / name).read_text(), flags=re.DOTALL)
    page = BeautifulSoup(source, "html.parser")
    for code in page.find_all(["code", "kbd"]):  # commands, names of messages and keys are the same in every language
        code.decompose()
    texts = [str(text) for text in page.find_all(string=True)]
    texts += [str(tag.get(attribute) or "") for tag in page.find_all(True) for attribute in SHOWN_ATTRIBUTES]
    words = {word.strip() for text in texts for word in re.split(r"[·,:;()+/]", text) if re.search("[A-Za-z]", word)}
    assert words - UNTRANSLATED - {"html"} == set()


@pytest.mark.parametrize("name", template_names())
def test_templates_compile(name: str) -> None:
    """Every template is one that Jinja accepts."""
    assert environment("en").get_template(name) is not None


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.css")), ids=lambda path: path.name)
def test_colours_come_from_the_tokens(path: Path) -> None:
    """Outside the tokens no style names a colour of its own, shadows and shades of black and white aside."""
    if path.name == "tokens.css":
        return
    styles = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[\s;,)])", styles) == []
    used = set(re.findall(r"var\((--[\w-]+)", styles))
    defined = set(re.findall(r"(--[\w-]+):", (STATIC / "tokens.css").read_text() + styles))
    assert used <= defined


def test_every_card_and_suit_is_drawn() -> None:
    """The sprite has a symbol for each of the 52 cards and four suits, and each `use` in it finds its symbol."""
    sprite = BeautifulSoup(art.sprite(), "html.parser")
    symbols = {str(symbol["id"]) for symbol in sprite.find_all("symbol")}
    assert {rank + suit for rank in art.RANKS for suit in art.SUITS} <= symbols
    assert {str(use["href"]).removeprefix("#") for use in sprite.find_all("use")} <= symbols


@pytest.mark.parametrize(("card", "pips"), [("2S", 2), ("7H", 7), ("TD", 10), ("AC", 1)])
def test_number_cards_have_their_pips(card: str, pips: int) -> None:
    """A number card shows as many pips as it counts."""
    symbol = BeautifulSoup(art.sprite(), "html.parser").find(id=card)
    assert symbol is not None
    assert len(symbol.find_all("use")) == pips
