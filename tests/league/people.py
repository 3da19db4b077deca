"""What tests of accounts share: a password, where its owner is, and how to expect a refusal."""

from __future__ import annotations

import pytest

from league.accounts import AccountError, AccountProblem, Passwords

CHEAP = Passwords(memory_kib=8, passes=1)
PASSWORD = "correct horse battery"
HERE = "192.0.2.7"


def refused(problem: AccountProblem) -> pytest.RaisesExc[AccountError]:
    """An AccountError of this kind, whose text gives nothing away."""
    return pytest.RaisesExc(AccountError, check=lambda error: error.problem is problem and PASSWORD not in str(error))
