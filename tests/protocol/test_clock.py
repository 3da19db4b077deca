"""The clock of a process, the time control, and the referee's own lag."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.clock import NS_PER_MS, LagMeter, ProcessClock, TimeControl, TimeControlError

CONTROL = TimeControl(start_ms=30_000, increment_ms=100, bank_ms=10_000)


def ms(value: float) -> int:
    """Milliseconds as nanoseconds."""
    return int(value * NS_PER_MS)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("start=30s,inc=100ms,bank=10s", TimeControl(start_ms=30_000, increment_ms=100, bank_ms=10_000)),
        ("bank=2m, inc=0ms , start=1.5s", TimeControl(start_ms=1500, increment_ms=0, bank_ms=120_000)),
        ("bank=1.001s", TimeControl(start_ms=30_000, increment_ms=100, bank_ms=1001)),
        ("", TimeControl()),
    ],
)
def test_time_control_is_read(text: str, control: TimeControl) -> None:
    """Parts come in any order, with units, and those left out have the default."""
    assert TimeControl.parse(text) == control


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bank=10", "bank=10 is no duration; write 100ms, 1.5s or 2m"),
        ("bank=-1s", "is no duration"),
        ("bank=0s", "bank=0s is not from 1ms"),
        ("bank=0.0001s", "in whole ms"),
        ("inc=25h", "is no duration"),
        ("inc=1441m", "is not from 0ms to 1440m"),
        ("increment=1s", "'increment=1s' is not one of start=…, inc=…, bank=…"),
        ("inc=1s,inc=2s", "inc is given twice"),
        ("10s", "'10s' is not one of"),
        ("bank=\u0661s", "is no duration"),
        (f"bank={'9' * 5000}s", "is no duration"),
        ("x" * 5000, "is not one of"),
    ],
)
def test_bad_time_control_is_refused_with_the_reason(text: str, words: str) -> None:
    """What cannot be read is refused, and the error shows the part and what would be right."""
    with pytest.raises(TimeControlError) as error:
        TimeControl.parse(text)
    assert words in str(error.value)
    assert len(str(error.value)) < 500


@pytest.mark.slow
@given(start=st.integers(1, 10**7), increment=st.integers(0, 10**7), bank=st.integers(1, 10**7))
def test_time_control_is_written_as_it_is_read(start: int, increment: int, bank: int) -> None:
    """The written form of a time control reads back to the same."""
    control = TimeControl(start_ms=start, increment_ms=increment, bank_ms=bank)
    assert TimeControl.parse(str(control)) == control


def test_default_is_written_as_documented() -> None:
    """The default has the form that the documentation shows."""
    assert str(TimeControl()) == "start=30s,inc=100ms,bank=10s"


def ready_clock(control: TimeControl = CONTROL) -> ProcessClock:
    """A clock after `Ready`."""
    clock = ProcessClock(control)
    clock.begin_start_up(0)
    clock.ready()
    return clock


def test_start_up_has_its_own_allowance() -> None:
    """Until ready the allowance runs; afterwards the bank is whole, however long the start took."""
    clock = ProcessClock(CONTROL)
    clock.begin_start_up(ms(0))
    assert clock.left_ns(ms(29_000)) == ms(1000)
    assert clock.left_ns(ms(30_001)) < 0
    clock.ready()
    assert clock.left_ns(ms(99_000)) == ms(10_000)


def test_frame_adds_an_increment_for_each_request() -> None:
    """A frame of three requests has the bank and three increments, and time runs from the hand-over."""
    clock = ready_clock()
    clock.hand_over(3, ms(1000))
    assert clock.left_ns(ms(1000)) == ms(10_300)
    assert clock.left_ns(ms(1400)) == ms(9_900)


def test_balance_never_exceeds_the_bank() -> None:
    """What was not used of the increments is lost: the balance after an answer is at most the bank."""
    clock = ready_clock()
    clock.hand_over(3, ms(0))
    assert clock.stop(ms(50)) == ms(50)
    assert clock.left_ns(ms(60)) == ms(10_000)
    clock.hand_over(1, ms(100))
    assert clock.stop(ms(2200)) == ms(2100)
    assert clock.left_ns(ms(9999)) == ms(8_000)


def test_overrun_restarts_at_half_of_the_bank() -> None:
    """After an overrun the balance is half of the bank, and the clock stands."""
    clock = ready_clock()
    clock.hand_over(1, 0)
    assert clock.left_ns(ms(10_101)) < 0
    assert clock.overrun(ms(10_101)) == ms(10_101)
    assert not clock.running
    assert clock.left_ns(ms(20_000)) == ms(5_000)


def test_waiting_for_a_cpu_is_given_back_to_the_open_frame() -> None:
    """Time without a CPU within the open frame is not charged."""
    clock = ready_clock()
    clock.hand_over(1, ms(0))
    clock.cpu_waited(ms(300), ms(400))
    assert clock.left_ns(ms(400)) == ms(10_000)
    assert clock.stop(ms(500)) == ms(200)


def test_waiting_is_never_given_back_beyond_what_was_charged() -> None:
    """A report of more waiting than was charged, as of the start-up, gives back only the charge."""
    clock = ready_clock()
    clock.hand_over(1, ms(0))
    clock.cpu_waited(ms(5000), ms(400))
    assert clock.left_ns(ms(400)) == ms(10_100)


def test_report_after_the_answer_is_given_back_to_the_balance() -> None:
    """Waiting that is reported when the frame is answered already still counts, up to what the frame was charged.

    A report is under way for a while: of a frame that was answered meanwhile, the next one may still tell.
    """
    clock = ready_clock()
    clock.hand_over(1, ms(0))
    clock.stop(ms(1100))
    assert clock.left_ns(ms(1100)) == ms(9_000)
    clock.cpu_waited(ms(600), ms(1150))
    assert clock.left_ns(ms(1150)) == ms(9_600)
    clock.cpu_waited(ms(700), ms(1200))
    assert clock.left_ns(ms(1200)) == ms(9_700)
    clock.cpu_waited(ms(900), ms(1250))
    assert clock.left_ns(ms(1250)) == ms(9_700)


def test_clock_tells_what_it_gave_back() -> None:
    """What was given back for waiting and for lag is added up, as far as it was charged, beside the nearest escape."""
    clock = ready_clock()
    clock.hand_over(1, ms(0))
    clock.lagged(ms(300), ms(200))
    clock.cpu_waited(ms(400), ms(1000))
    clock.stop(ms(1100))
    clock.hand_over(1, ms(1200))
    clock.stop(ms(1250))
    assert (clock.lag_returned_ns, clock.wait_returned_ns) == (ms(200), ms(400))
    assert clock.least_left_ns == ms(10_100 - 1100 + 600)


def test_report_that_falls_is_passed_over() -> None:
    """Reports are of the whole waiting since the start; one that is less than the last gives nothing."""
    clock = ready_clock()
    clock.hand_over(1, ms(0))
    clock.cpu_waited(ms(100), ms(500))
    clock.cpu_waited(ms(50), ms(600))
    clock.cpu_waited(ms(120), ms(700))
    assert clock.left_ns(ms(700)) == ms(10_100 - 700 + 120)


@pytest.mark.slow
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["hand", "stop", "wait", "lag"]), st.integers(0, 3000), st.integers(1, 5)),
        max_size=40,
    )
)
def test_nobody_gains_time(steps: list[tuple[str, int, int]]) -> None:
    """Whatever is given back, the time left is at most the bank and the open frame's increments."""
    clock = ready_clock()
    now_ms, waited_ms, requests = 0, 0, 0
    for what, passed_ms, count in steps:
        now_ms += passed_ms
        if what == "hand" and not clock.running:
            clock.hand_over(count, ms(now_ms))
            requests = count
        elif what == "stop" and clock.running:
            assert clock.stop(ms(now_ms)) >= 0
            requests = 0
        elif what == "wait":
            waited_ms += passed_ms * count
            clock.cpu_waited(ms(waited_ms), ms(now_ms))
        elif what == "lag":
            clock.lagged(ms(passed_ms), ms(now_ms))
        assert clock.left_ns(ms(now_ms)) <= ms(10_000 + 100 * requests)


def test_lag_is_what_a_beat_is_late_by() -> None:
    """A beat within the tolerance has no lag; a late one has all of it, once."""
    meter = LagMeter(interval_ns=ms(50), tolerance_ns=ms(10), now_ns=0)
    assert meter.beat(ms(55)) == 0
    assert not meter.overdue(ms(114))
    assert meter.overdue(ms(500))
    assert meter.beat(ms(500)) == ms(395)
    assert meter.beat(ms(550)) == 0
