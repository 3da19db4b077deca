"""When a worker that is not heard excuses its bots, on a clock that stands still by itself."""

from __future__ import annotations

from referee.silence import WorkerSilence

MS = 1_000_000


def heard_at(*times_ms: int) -> WorkerSilence:
    """A worker whose reports came at these times."""
    silence = WorkerSilence()
    for time_ms in times_ms:
        silence.heard(time_ms * MS)
    return silence


def test_gap_excuses_what_was_sent_before_it_and_as_long_after() -> None:
    """What was lost in a gap is sent again after pauses that double, so for as long again it may be under way."""
    silence = heard_at(*range(0, 1000, 100), 3900)
    assert silence.excuses(0)
    assert silence.excuses((3900 + 3000) * MS)
    assert not silence.excuses((3900 + 3001) * MS)
    assert not silence.excuses(None)


def test_short_gaps_excuse_nothing() -> None:
    """A report that is late by a second is no silence."""
    assert not heard_at(*range(0, 1000, 100), 2400).excuses(0)
    assert heard_at(*range(0, 1000, 100), 2401).excuses(0)


def test_worker_that_seldom_reports_is_not_silent() -> None:
    """Only who reports regularly can fall silent."""
    assert not heard_at(0, 100, 200, 9000).excuses(0)


def test_late_referee_takes_no_worker_for_silent() -> None:
    """By what the referee itself was late, it was late in hearing."""
    silence = heard_at(*range(0, 1000, 100))
    silence.late(2000 * MS)
    silence.heard(2900 * MS)
    assert not silence.excuses(0)


def test_worker_without_a_process_has_nothing_to_report() -> None:
    """Until the next process of a sitting runs nobody reports: a bot that ends makes no silence of that."""
    silence = WorkerSilence()
    silence.started(1)
    silence.started(2)
    for time_ms in range(0, 1000, 100):
        silence.heard(time_ms * MS)
    silence.exited(1)
    silence.exited(2)
    silence.started(3)
    silence.heard(6000 * MS)
    assert not silence.excuses(5900 * MS)
    for time_ms in (*range(6100, 7000, 100), 9000):
        silence.heard(time_ms * MS)
    assert silence.excuses(6900 * MS)
