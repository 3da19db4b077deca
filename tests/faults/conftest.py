"""What the tests of faults share: platforms of their own, as end-to-end tests have."""

from __future__ import annotations

from tests.e2e.conftest import arena

__all__ = ["arena"]
