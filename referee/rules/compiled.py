"""Whether the engine at work is the compiled one. Knows nothing of how it is compiled."""

from importlib.machinery import ExtensionFileLoader

from referee.rules import play


def is_compiled() -> bool:
    """Whether the busiest modules are machine code rather than Python; all of them are, or none."""
    return isinstance(play.__loader__, ExtensionFileLoader)


def engine_text() -> str:
    """Say which engine is at work, for people."""
    return "compiled" if is_compiled() else "pure Python"
