"""The starter kit in C++ does what every kit must do."""

from __future__ import annotations

from tests.conformance.kits import KitSuite


class TestCpp(KitSuite):
    """The suite, for C++."""

    name = "cpp"
