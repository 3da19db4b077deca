"""The starter kit in Python does what every kit must do."""

from __future__ import annotations

from tests.conformance.kits import KitSuite


class TestPython(KitSuite):
    """The suite, for Python."""

    name = "python"
