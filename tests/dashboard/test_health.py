"""What whoever watches over a dashboard is told: that it goes on without a database, and not on a later schema."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

from dashboard.app import create_app
from dashboard.health import LOOK_EVERY_S, Health
from league.errors import StoreUnusableError
from league.store import Store
from league.store.migration import Fit
from league.store.revisions import newest_revision
from tests.dashboard.conftest import serving
from tests.stores import migrated_url


def test_the_store_is_asked_now_and_then() -> None:
    """However often somebody asks; while it cannot be asked all is as it was."""
    answers: list[Fit | None] = [Fit.SAME, Fit.NEWER, None, Fit.TOO_NEW, None, Fit.SAME]
    now, asked = 0.0, 0

    def fit() -> Fit:
        nonlocal asked
        asked += 1
        found = answers[asked - 1]
        if found is None:
            raise StoreUnusableError("no database")
        return found

    health = Health(fit, seconds=lambda: now)
    told = []
    for _ in answers:
        assert health.goes_on() is health.goes_on()
        told.append(health.goes_on())
        now += LOOK_EVERY_S
    assert asked == len(answers)
    assert told == [True, True, True, False, False, True]


@pytest.mark.slow
@pytest.mark.parametrize("breaks", [False, True])
def test_a_later_schema_that_this_version_cannot_work_on(tmp_path: Path, *, breaks: bool) -> None:
    """Whoever would start it anew is told, and then hears what to do; one that breaks nothing is no matter."""
    store = Store.open(migrated_url(tmp_path))
    with serving(create_app(store)) as address:
        oldest = "9999" if breaks else newest_revision()
        with store._database.writing() as connection:
            raised = text("UPDATE alembic_version SET version_num = '9999', oldest_code = :oldest")
            connection.execute(raised, {"oldest": oldest})
        answer = httpx.get(f"{address}/health")
        assert answer.status_code == (503 if breaks else 200)
        assert ("later version" in answer.text) is breaks
    store.close()
