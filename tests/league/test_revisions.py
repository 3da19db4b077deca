"""Which code may work on which schema, as the texts of the revisions say."""

from __future__ import annotations

import pytest

from league.store.revisions import MIGRATIONS, Revision, newest_of, oldest_code, oldest_code_of


def _line(*breaking: bool) -> dict[str, Revision]:
    """Revisions 1, 2, 3 …, each of which breaks older code or does not."""
    found = [Revision(str(n), str(n - 1) if n > 1 else "", breaks) for n, breaks in enumerate(breaking, start=1)]
    return {revision.name: revision for revision in found}


@pytest.mark.parametrize(
    ("breaking", "oldest"),
    [((True,), "1"), ((True, True), "2"), ((True, True, False, False), "2"), ((True, False, True), "3")],
)
def test_code_as_old_as_the_last_that_breaks_may_go_on(breaking: tuple[bool, ...], oldest: str) -> None:
    """Code that knows the last revision that breaks older code works on all that came after it."""
    revisions = _line(*breaking)
    assert newest_of(revisions.values()).name == str(len(breaking))
    assert oldest_code_of(revisions) == oldest


def test_a_revision_that_does_not_say_breaks_older_code() -> None:
    """Only who has thought of it says that nothing breaks."""
    said = Revision.of('revision = "2"\ndown_revision = "1"\nbreaks_older_code = False\n')
    assert said == Revision("2", "1", breaks_older_code=False)
    assert Revision.of('revision = "1"\ndown_revision = None\n') == Revision("1", "", breaks_older_code=True)


def test_every_revision_since_it_counts_says_whether_it_breaks_older_code() -> None:
    """Nobody forgets to think of it."""
    silent = [
        file.name
        for file in (MIGRATIONS / "versions").glob("*.py")
        if file.name >= "0014" and "\nbreaks_older_code = " not in file.read_text(encoding="utf-8")
    ]
    assert silent == []
    assert oldest_code() >= "0014"
