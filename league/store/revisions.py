"""The revisions of the schema, as their texts say: Alembic takes long to import, and every process of a platform asks.

Owns which one follows which, and which code may work on the schema of which. Opens no database.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

MIGRATIONS: Final = Path(__file__).parent / "migrations"
_LINE: Final = re.compile(r'^(revision|down_revision|breaks_older_code) = "?(\w+)"?$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision. `after`: the one before it, empty for the first.

    `breaks_older_code`: code that knows the one before, and not this one, cannot work on its schema.
    """

    name: str
    after: str
    breaks_older_code: bool

    @classmethod
    def of(cls, source: str) -> Revision:
        """The revision that a text of Python defines; one that does not say whether it breaks older code does."""
        said = dict(_LINE.findall(source))
        after = said["down_revision"]
        return cls(said["revision"], "" if after == "None" else after, said.get("breaks_older_code") != "False")


def newest_of(revisions: Iterable[Revision]) -> Revision:
    """The one that no other follows."""
    known = tuple(revisions)
    followed = {each.after for each in known}
    (newest,) = (each for each in known if each.name not in followed)
    return newest


def oldest_code_of(revisions: Mapping[str, Revision]) -> str:
    """The oldest revision whose code may work on the schema of the newest: no later one breaks it."""
    at = newest_of(revisions.values())
    while not at.breaks_older_code and at.after:
        at = revisions[at.after]
    return at.name


def newest_revision() -> str:
    """The revision that the schema of this code has."""
    return newest_of(_revisions().values()).name


def oldest_code() -> str:
    """The oldest revision whose code may work on the schema of this code."""
    return oldest_code_of(_revisions())


def known_revisions() -> frozenset[str]:
    """All revisions that this code can raise to its own."""
    return frozenset(_revisions())


@cache
def _revisions() -> Mapping[str, Revision]:
    sources = (file.read_text(encoding="utf-8") for file in (MIGRATIONS / "versions").glob("*.py"))
    return {revision.name: revision for revision in map(Revision.of, sources)}
