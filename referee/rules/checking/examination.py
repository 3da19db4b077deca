"""What came of checking a record, and the comparison of JSON values. Knows no field of a record."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.rules.checking.equality import same
from referee.rules.shape import MOST_PROBLEMS, Problem, at, shown
from referee.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Decision:
    """One recorded action as the engine saw it: `index` among `legal_count` legal actions."""

    path: str
    seat: int
    index: int
    legal_count: int
    by: str | None


@dataclass(slots=True)
class Examination:
    """What came of checking a record: problems, and what further checks need."""

    problems: list[Problem] = field(default_factory=list)
    variant: Variant | None = None
    decisions: list[list[Decision]] = field(default_factory=list)
    """By deal, as far as the rules were followed."""

    def note(self, path: str, message: str) -> None:
        """Add a problem, unless one is known at that place, or enough are known."""
        if len(self.problems) < MOST_PROBLEMS and all(problem.path != path for problem in self.problems):
            self.problems.append(Problem(path, message))


def differences(expected: object, given: object, path: str) -> Iterator[Problem]:
    """Compare JSON values field by field and entry by entry; fields that are not expected are passed over."""
    if isinstance(expected, dict) and isinstance(given, dict):
        for name, value in expected.items():
            yield from differences(value, given.get(name), at(path, name))
    elif isinstance(expected, list) and isinstance(given, list):
        for place, (one, other) in enumerate(zip(expected, given, strict=False)):
            yield from differences(one, other, at(path, place))
        if len(expected) > len(given):
            yield Problem(path, f"has {len(given)} entries, should have {len(expected)}")
        for place in range(len(expected), len(given)):
            yield Problem(at(path, place), f"is {shown(given[place])}, should not be there")
    elif not same(expected, given):
        yield Problem(path, f"is {shown(given)}, should be {shown(expected)}")


def compare(expected: object, given: object, path: str, found: Examination) -> None:
    """Note every difference between what is expected and what is given at a path."""
    for problem in differences(expected, given, path):
        found.note(problem.path, problem.message)
