"""The catalogues: complete, up to date with the source, sound in every plural form, and compiled as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from dashboard.locale.catalogues import catalogue_files, extracted, read, untranslated, updated
from dashboard.pages.organise import act_text
from dashboard.translate import languages, translations
from dashboard.words import Words
from league.audit_log import Act

FILES = catalogue_files()
PLACEHOLDER = re.compile(r"%\(\w+\)s|%%|<[^>]+>|&nbsp;")


def messages(catalogue: Catalog) -> Iterator[tuple[Message, tuple[str, ...], tuple[str, ...]]]:
    """Every message with its forms in the source and in the translation."""
    for message in catalogue:
        if message.id:
            ids = (message.id,) if isinstance(message.id, str) else tuple(message.id)
            strings = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            yield message, ids, tuple(str(string) for string in strings)


def test_there_is_a_russian_catalogue() -> None:
    """Russian can be chosen beside English."""
    assert languages() == ("en", "ru")


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parts[-3])
def test_a_catalogue_is_up_to_date(path: Path) -> None:
    """`make catalogue` has nothing to do: no message of the source is missing, none is obsolete."""
    assert path.read_bytes() == updated(path), "run `make catalogue` and translate what is new"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parts[-3])
def test_a_catalogue_is_complete(path: Path) -> None:
    """Every message is translated in every plural form, none is a guess."""
    catalogue = read(path)
    assert list(untranslated(catalogue)) == []
    assert [message.id for message, _ids, _strings in messages(catalogue) if message.fuzzy] == []
    assert not catalogue.obsolete
    assert len(list(messages(catalogue))) > 500


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parts[-3])
def test_placeholders_are_the_sources_in_every_form(path: Path) -> None:
    """Each form of a translation has the placeholders and the markup of its source, and as many forms as needed."""
    catalogue = read(path)
    for message, ids, strings in messages(catalogue):
        wanted = {tuple(sorted(PLACEHOLDER.findall(text))) for text in ids}
        assert len(wanted) == 1, f"the source's own forms differ: {ids}"
        for string in strings:
            assert {tuple(sorted(PLACEHOLDER.findall(string)))} == wanted, f"{ids[-1]!r} -> {string!r}"
        assert len(strings) == (catalogue.num_plurals if message.pluralizable else 1), ids


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parts[-3])
def test_the_compiled_catalogue_is_the_one_of_the_file(path: Path) -> None:
    """What a page says is what the file says: the compiled catalogue is no older one."""
    compiled = translations(path.parts[-3])
    for message, ids, strings in messages(read(path)):
        context = message.context
        if message.pluralizable:
            assert compiled.ngettext(ids[0], ids[1], 1) == strings[0], "compile with `make catalogue`"
        elif context is None:
            assert compiled.gettext(ids[0]) == strings[0], "compile with `make catalogue`"
        else:
            assert compiled.pgettext(context, ids[0]) == strings[0], "compile with `make catalogue`"


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1 доска"), (2, "2 доски"), (5, "5 досок"), (11, "11 досок"), (21, "21 доска"), (104, "104 доски")],
)
def test_russian_counts_in_three_forms(number: int, text: str) -> None:
    """One, few and many have their own forms; the teens are many."""
    assert translations("ru").ngettext("%(num)s board", "%(num)s boards", number) % {"num": number} == text


@pytest.mark.parametrize("act", Act)
def test_every_act_has_words(act: Act) -> None:
    """The audit log tells every act in the reader's language, none by its name in the store."""
    told = act_text(act, Words(translations("ru"), "ru"))
    assert told != act
    assert not re.search("[A-Za-z]{3}", told)


@pytest.mark.slow
def test_extraction_finds_messages_of_every_kind() -> None:
    """Messages of modules and templates are found, with plurals and contexts."""
    found = {message.id for message in extracted()}
    assert {"No tricks", "Score sheet", "Not public yet", ("%(num)s trick", "%(num)s tricks")} <= found
    assert any(message.context == "key" for message in extracted())
