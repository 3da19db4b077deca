"""The starter kit in Java does what every kit must do."""

from __future__ import annotations

from tests.conformance.kits import KitSuite


class TestJava(KitSuite):
    """The suite, for Java."""

    name = "java"
    checked = ("russian-14", "auction-11", "turkish-20")
