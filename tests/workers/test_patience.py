"""A league that cannot go on is given up."""

from __future__ import annotations

from king_cli.watching import TRIES, Patience
from league.model import Sitting, SittingState


def given_back(attempt: int, stored: int = 0, state: SittingState = SittingState.PLANNED) -> Sitting:
    return Sitting(
        id=3,
        season=1,
        set_number=1,
        rotation=0,
        state=state,
        attempt=attempt,
        worker="",
        lease_until=None,
        given_back="the folder is gone",
        match_count=2,
        stored_count=stored,
    )


def test_sitting_tried_in_vain_is_given_up() -> None:
    """After too many attempts without a result the league is given up, in one line that says why."""
    lines: list[str] = []
    patience = Patience(lines.append)
    for attempt in range(1, TRIES):
        assert patience.look_at([given_back(attempt)])
        assert patience.look_at([given_back(attempt)])
        assert patience.look_at([given_back(attempt + 1, state=SittingState.CLAIMED)])
    assert lines == ["sitting 3 is played again: the folder is gone"] * (TRIES - 1)
    assert not patience.look_at([given_back(TRIES)])
    assert lines[-1] == f"giving up: sitting 3 had {TRIES} attempts without a result: the folder is gone"


def test_new_result_renews_the_patience() -> None:
    """Attempts before a new result do not count."""
    patience = Patience(lambda line: None)
    assert all(patience.look_at([given_back(attempt)]) for attempt in range(1, TRIES))
    assert all(patience.look_at([given_back(TRIES + more, stored=1)]) for more in range(TRIES - 1))
    assert not patience.look_at([given_back(3 * TRIES, stored=1)])
