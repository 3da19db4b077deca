"""The starter kit in TypeScript does what every kit must do."""

from __future__ import annotations

from tests.conformance.kits import KitSuite


class TestNode(KitSuite):
    """The suite, for TypeScript."""

    name = "node"
    checked = ("russian-14", "auction-11", "turkish-20")
