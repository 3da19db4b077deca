"""Rendering: the Jinja environments, one for each language, and what every template may use.

Owns filters and globals. Must not fetch anything: models come in ready.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dashboard import art, drawing, links, numbers, times
from dashboard.retelling import retell
from dashboard.translate import language_name, languages, translations
from dashboard.words import SUIT_SIGNS, Words
from league.accounts import Account

_HERE = Path(__file__).parent
STATIC = _HERE / "static"
ARROWS = {"bottom": "↓", "left": "←", "top": "↑", "right": "→"}


def rank_text(card: str) -> str:
    """The index of a card: "TH" -> "10"."""
    return "10" if card[0] == "T" else card[0]


@dataclass(frozen=True, slots=True)
class Reader:
    """Who a page is rendered for: language, the choices of the display page, and the address asked for.

    `chosen_language` is empty where the browser's wishes decided, `account` None where nobody is signed in.
    """

    language: str = "en"
    theme: str = ""
    suits: str = ""
    chosen_language: str = ""
    here: str = "/"
    account: Account | None = None


@cache
def asset(name: str) -> str:
    """The address of a static file, with a mark that changes when the file does, so that it may be kept for long."""
    drawn: dict[str, Callable[[], str]] = {"cards.svg": art.sprite, "favicon.svg": art.favicon}
    content = drawn[name]().encode() if name in drawn else (STATIC / name).read_bytes()
    return f"/static/{name}?v={hashlib.sha256(content).hexdigest()[:12]}"


@cache
def environment(language: str) -> Environment:
    """The environment of one language."""
    env = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
    )
    catalogue = translations(language)
    env.install_gettext_translations(catalogue, newstyle=True)  # type: ignore[attr-defined]
    point = numbers.decimal_point(language)
    env.filters.update(
        number=partial(numbers.number, point=point),
        elo=numbers.elo,
        signed=partial(numbers.signed, point=point),
        typeset=numbers.typeset,
        plus_minus=partial(numbers.plus_minus, point=point),
        p_value=partial(numbers.p_value, point=point),
        give_or_take=partial(times.give_or_take, translations=catalogue),
    )
    words = Words(catalogue, language)
    env.globals.update(
        language=language,
        languages=[(code, language_name(code)) for code in languages()],
        links=links,
        words=words,
        retell=partial(retell, words=words),
        rank=rank_text,
        asset=asset,
        cards=asset("cards.svg"),
        arrows=ARROWS,
        drawing=drawing,
        suit_signs=SUIT_SIGNS,
        percent=numbers.percent,
    )
    return env


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders templates for readers. `clock` says what time it is; without a store (`has_store`) one file is shown."""

    clock: Callable[[], datetime]
    has_store: bool = True
    shared: Mapping[str, Any] = field(default_factory=dict)

    def _context(self, reader: Reader, context: Mapping[str, Any]) -> dict[str, Any]:
        now = self.clock()
        catalogue = translations(reader.language)
        return {
            "theme": reader.theme,
            "suits": reader.suits,
            "chosen_language": reader.chosen_language,
            "here": reader.here,
            "account": reader.account,
            "has_store": self.has_store,
            "area": "",
            "twin": None,
            "moment": lambda moment: times.time_element(moment, now, catalogue),
            **self.shared,
            **context,
        }

    def render(self, template: str, reader: Reader, **context: Any) -> str:
        """A whole page, or a fragment."""
        env = environment(reader.language)
        everything = self._context(reader, context)
        everything["parts"] = env.get_template("parts.html").make_module(everything)
        return env.get_template(template).render(everything)

    def macros(self, template: str, reader: Reader, **context: Any) -> Any:
        """The macros of a template as functions, for pieces that are rendered many times."""
        env = environment(reader.language)
        everything = self._context(reader, context)
        everything["parts"] = env.get_template("parts.html").make_module(everything)
        return env.get_template(template).make_module(everything)
