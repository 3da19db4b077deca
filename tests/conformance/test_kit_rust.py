"""The starter kit in Rust does what every kit must do."""

from __future__ import annotations

from tests.conformance.kits import KitSuite


class TestRust(KitSuite):
    """The suite, for Rust."""

    name = "rust"
