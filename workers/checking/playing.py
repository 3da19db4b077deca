"""The steps at the table: legal in every kind of decision, within its allowance, several tables, a broken stream."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.clock import TimeControl
from referee.rules import Variant
from workers.bots import BotProgram
from workers.checking.decisions import decisions_of
from workers.checking.findings import Finding
from workers.checking.frames import bot_frame_text, faulty_exchange, last_exchange, referee_frame_text
from workers.checking.hints import silence_hint
from workers.checking.sittings import Run


def check_legal(runs: Sequence[Run], wanted: Sequence[Variant]) -> Finding:
    """Every kind of decision of every variant was met and taken legally, and no frame broke the protocol."""
    failed = _failed(runs)
    seconds = max(run.began_at + run.seconds for run in runs) - runs[0].began_at
    if failed is not None and not _is_of_time(failed):
        return _failure(failed)
    if failed is not None:
        return Finding(passed=None, message=f"time ran out in {failed.variant}: see the next step")
    unmet = list(_unmet(runs, wanted))
    if unmet:
        message = f"a defect of the check, not of the bot: it was never asked {_names(unmet)}"
        return Finding(passed=False, message=message, seconds=seconds)
    asked = sum(run.traffic.request_count for run in runs)
    kinds = len({decision for run in runs for decision in run.asked})
    message = f"{asked} decisions of {kinds} kinds in {len(runs)} variants, all legal"
    sent, received = last_exchange(runs[-1].traffic, runs[-1].tokens)
    return Finding(passed=True, message=message, seconds=seconds, sent=sent, received=received)


def check_allowance(runs: Sequence[Run], control: TimeControl, bot: BotProgram) -> Finding:
    """The clock never fell below zero."""
    failed = _failed(runs)
    if failed is not None and _is_of_time(failed):
        failure = _failure(failed)
        return replace(failure, message=failure.message + silence_hint(failed, bot))
    if failed is not None:
        return _not_reached("the step before")
    slowest = max((run.traffic.slowest_s for run in runs), default=0.0)
    left = [run.traffic.least_left_ms for run in runs if run.traffic.least_left_ms is not None]
    most = control.bank_ms + control.increment_ms
    message = f"the slowest frame took {slowest * 1000:.0f} ms; the clock never fell below {min(left, default=most)} ms"
    return Finding(passed=True, message=message, seconds=slowest)


def check_tables(run: Run) -> Finding:
    """Several tables at once, in one stream, to their ends."""
    if run.failed:
        return _failure(run)
    hello = run.traffic.streams[-1].hello
    limit = (hello.table_limit or 64) if hello else 64
    tables = f"{run.tables_over} tables"
    sent, received = _widest_exchange(run)
    if run.traffic.most_at_once > 1:
        message = f"{tables} side by side, up to {run.traffic.most_at_once} requests in one frame"
        return Finding(passed=True, message=message, seconds=run.seconds, sent=sent, received=received)
    if limit == 1:
        message = f"{tables} one after the other: it says in Hello that it plays one at a time"
        return Finding(passed=True, message=message, seconds=run.seconds, received=received)
    message = f"a defect of the check, not of the bot: {tables} were never asked together"
    return Finding(passed=False, message=message, seconds=run.seconds, sent=sent, received=received)


def check_resume(run: Run) -> Finding:
    """After each cut it dials again with its token, and plays its match to the end in the same process."""
    sent = f"the connection was cut {_times(len(run.cuts))}, with requests open"
    if run.failed:
        failure = _failure(run)
        back = sum(stream.first.at > cut for cut in run.cuts[-1:] for stream in run.traffic.streams)
        how = "it came back after the last cut" if back else "it did not dial again after the last cut"
        return Finding(
            passed=False,
            message=f"{failure.message}; {how}",
            seconds=failure.seconds,
            sent=sent,
            received=failure.received,
        )
    returns = [_return_after(run, cut) for cut in run.cuts]
    if not returns or None in returns:
        message = f"a defect of the check, not of the bot: {_times(len(run.cuts))} cut, back {returns}"
        return Finding(passed=False, message=message, seconds=run.seconds, sent=sent)
    slowest = max(back for back in returns if back is not None)
    message = f"cut {_times(len(run.cuts))}, back within {slowest:.2f} s, no fault"
    received = bot_frame_text(run.traffic.streams[-1].first, run.tokens)
    return Finding(passed=True, message=message, seconds=run.seconds, sent=sent, received=received)


def _failed(runs: Iterable[Run]) -> Run | None:
    return next((run for run in runs if run.failed), None)


def _is_of_time(run: Run) -> bool:
    return run.fault is not None and run.fault.kind == "timeout"


def _failure(run: Run) -> Finding:
    sent, received = faulty_exchange(run.traffic, run.fault.kind if run.fault else "", run.tokens)
    message = _fault_sentence(run) + _stopped_words(run)
    return Finding(passed=False, message=message, seconds=run.seconds_to_fault, sent=sent, received=received)


def _fault_sentence(run: Run) -> str:
    if run.fault is None:
        return f"{run.variant}: {run.launch_error}"
    # The stand-in has answered what was not answered in time, and the next decision was asked already.
    asked = list(run.recently_asked)[-2 if _is_of_time(run) else -1 :]
    return f"{run.variant}: {run.fault.kind}: {run.fault.detail} (asked: {asked[0] if asked else 'nothing yet'})"


def _stopped_words(run: Run) -> str:
    stopped = [pid for process in run.processes for pid in process.stopped_by_signal]
    return f"; its process {stopped[0]} was stopped by a signal" if stopped else ""


def _unmet(runs: Sequence[Run], wanted: Sequence[Variant]) -> Iterable[str]:
    met = {run.variant: run.asked for run in runs}
    for variant in wanted:
        for decision in decisions_of(variant):
            if variant.id not in met or not met[variant.id][decision]:
                yield f"{decision} in {variant.id}"


def _names(unmet: Sequence[str]) -> str:
    return ", ".join(unmet[:6]) + (f" and {len(unmet) - 6} more" if len(unmet) > 6 else "")


def _not_reached(because: str) -> Finding:
    return Finding(passed=None, message=f"{because} did not pass")


def _widest_exchange(run: Run) -> tuple[str, str]:
    frames = run.traffic.asked_frames
    widest = max(frames, key=lambda frame: len(frame.content), default=None)
    answer = next((frame for frame in run.traffic.heard_frames if widest and frame.at > widest.at), None)
    return referee_frame_text(widest), bot_frame_text(answer, run.tokens)


def _return_after(run: Run, cut: float) -> float | None:
    """The seconds from a cut to the next stream with a Hello, or None."""
    return next((stream.first.at - cut for stream in run.traffic.streams if stream.first.at > cut), None)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
