"""When two values of JSON are the same. Knows no field of a record."""


def same(expected: object, given: object) -> bool:
    """Whether two JSON values are the same; a number is not the same as a truth value or a fraction."""
    if isinstance(expected, list) and isinstance(given, list):
        return len(expected) == len(given) and all(map(same, expected, given))
    return type(expected) is type(given) and expected == given
