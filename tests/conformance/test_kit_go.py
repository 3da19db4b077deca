"""The starter kit in Go does what every kit must do."""

from __future__ import annotations

from tests.conformance.kits import KitSuite


class TestGo(KitSuite):
    """The suite, for Go."""

    name = "go"
