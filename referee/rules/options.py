"""Options of variants: names, values, defaults, and their reading and writing as text.

Must not know what a value means: the rows do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from referee.rules.errors import RulesError, quoted

OptionValue = int | str | tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class NumberList:
    """Values of an option that are lists of numbers: `n+n+…`, different, rising, from 1 to `highest`.

    `named` lists are written by their name.
    """

    shortest: int
    longest: int
    highest: int
    named: Mapping[str, tuple[int, ...]]

    def parse(self, text: str) -> tuple[int, ...] | None:
        """Read a list or the name of one; None if it is neither."""
        if text in self.named:
            return self.named[text]
        known = {str(number): number for number in range(1, self.highest + 1)}
        parts = text.split("+")
        if any(part not in known for part in parts):
            return None
        numbers = tuple(known[part] for part in parts)
        return numbers if self.allows(numbers) else None

    def allows(self, numbers: tuple[int, ...]) -> bool:
        """Whether the numbers make a value of the option."""
        if numbers in self.named.values():
            return True
        rising = all(low < high for low, high in pairwise(numbers))
        fits = self.shortest <= len(numbers) <= self.longest
        return fits and rising and all(1 <= number <= self.highest for number in numbers)

    def text(self, numbers: tuple[int, ...]) -> str:
        """Write a list, by its name if it has one."""
        for name, named in self.named.items():
            if named == numbers:
                return name
        return "+".join(map(str, numbers))

    @property
    def pattern(self) -> str:
        """What a list must look like, in words."""
        return f"n+n+… ({self.shortest} to {self.longest} different numbers from 1 to {self.highest}, rising)"


@dataclass(frozen=True, kw_only=True)
class Option:
    """One option; the first value is the default. `lists` allows number lists beside the named values."""

    name: str
    values: tuple[OptionValue, ...]
    lists: NumberList | None = field(default=None)

    @property
    def default(self) -> OptionValue:
        """The value that holds where none is given."""
        return self.values[0]

    def text(self, value: OptionValue) -> str:
        """Write a value as in a variant id."""
        return self.lists.text(value) if self.lists and isinstance(value, tuple) else str(value)

    def json(self, value: OptionValue) -> int | str:
        """Return a value as lists of options have it: numbers as numbers, named lists by their name."""
        return value if isinstance(value, int) else self.text(value)

    def parse(self, text: str, variant: str) -> OptionValue:
        """Read a value as in a variant id.

        Raises:
            RulesError: naming the valid values.
        """
        found: OptionValue | None = self.lists.parse(text) if self.lists else None
        if found is None:
            found = next((value for value in self.values if self.text(value) == text), None)
        if found is None:
            raise self._unknown(text, variant)
        return found

    def check(self, value: object, variant: str) -> OptionValue:
        """Check a value as it is in records, where a list is a list of numbers.

        Raises:
            RulesError: naming the valid values.
        """
        if isinstance(value, list) and self.lists and all(type(number) is int for number in value):
            numbers = tuple(value)
            if self.lists.allows(numbers):
                return numbers
        for known in self.values:
            if type(value) is type(known) and value == known:
                return known
        raise self._unknown(str(value), variant)

    def _unknown(self, text: str, variant: str) -> RulesError:
        known = [self.text(value) for value in self.values]
        if self.lists:
            known.append(self.lists.pattern)
        return RulesError(f"option {self.name} of {variant} has no value {quoted(text)}; values are {', '.join(known)}")
