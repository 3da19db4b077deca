"""The catalogues of the dashboard's messages: brought up to date with the source, and compiled for `gettext`.

Run as `python dashboard/locale/catalogues.py` (or `make catalogue`) after a message has changed: it enters new messages
into every `*/LC_MESSAGES/dashboard.po`, to be translated there, and drops those that are gone. The package build
compiles. A `.mo` is never edited by hand and never committed.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent
SOURCE = ROOT.parent
DOMAIN = "dashboard"
WIDTH = 120

_METHODS = [("**.py", "python"), ("templates/**.html", "jinja2")]
_OPTIONS = {"templates/**.html": {"extensions": "jinja2.ext.do"}}
_KEYWORDS: Mapping[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "say": (1,),
    "count": (1, 2),
}
"""What marks a message: the functions of gettext, and the methods of `dashboard.words.Words`."""


def catalogue_files() -> list[Path]:
    """The `.po` files, one for each language that the pages are translated to."""
    return sorted(ROOT.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def extracted() -> Catalog:
    """Every message of modules and templates, without translations; places are files, for lines move too often."""
    template = Catalog(domain=DOMAIN, charset="utf-8")
    found = extract_from_dir(SOURCE, _METHODS, _OPTIONS, keywords=_KEYWORDS, comment_tags=("Translators:",))
    for path, _line, message, comments, context in sorted(found, key=lambda one: (one[0], one[1])):
        template.add(message, None, [(f"{SOURCE.name}/{path}", 0)], auto_comments=comments, context=context)
    return template


def read(path: Path) -> Catalog:
    """The catalogue of a file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], domain=DOMAIN)


def updated(path: Path) -> bytes:
    """What a file would be with the messages of today: new ones untranslated, none guessed, none obsolete."""
    catalogue = read(path)
    catalogue.update(extracted(), no_fuzzy_matching=True, update_header_comment=False, update_creation_date=False)
    text = io.BytesIO()
    write_po(text, catalogue, width=WIDTH, ignore_obsolete=True, include_lineno=False)
    return text.getvalue()


def compile_catalogues() -> list[Path]:
    """Writes a `.mo` beside every `.po`; returns the `.po` files read."""
    files = catalogue_files()
    for path in files:
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, read(path))
    return files


def untranslated(catalogue: Catalog) -> Iterable[str]:
    """The messages without a translation, as the source has them."""
    for message in catalogue:
        strings = message.string if isinstance(message.string, tuple | list) else [message.string]
        if message.id and not all(strings):
            yield message.id if isinstance(message.id, str) else message.id[0]


def main() -> None:
    """Bring every catalogue up to date, compile it, and name what waits for a translation."""
    for path in catalogue_files():
        today = updated(path)
        if today != path.read_bytes():
            path.write_bytes(today)
        for text in untranslated(read(path)):
            print(f"{path.parts[-3]}: not translated: {text}")  # noqa: T201
    compile_catalogues()


if __name__ == "__main__":
    main()
