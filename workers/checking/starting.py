"""The first steps: it starts, says hello, is ready in time. Each is judged by the first sitting."""

from __future__ import annotations

import shlex

from referee.clock import TimeControl
from workers.bots import BotProgram
from workers.checking.findings import Finding
from workers.checking.frames import bot_frame_text, referee_frame_text
from workers.checking.hints import silence_hint
from workers.checking.sittings import Run
from workers.checking.traffic import StreamSeen


def check_starts(run: Run, bot: BotProgram) -> Finding:
    """The command runs, and goes on running at least until it has dialled the referee."""
    command = f"{shlex.join(bot.run)} in {bot.folder}, with KING_REFEREE and KING_TOKEN"
    if run.launch_error:
        return Finding(passed=False, message=run.launch_error, sent=command, seconds=run.seconds)
    process = run.processes[0]
    if run.fault is not None and run.fault.kind == "exit" and not run.traffic.streams:
        seconds = (process.ended_at or process.started_at) - process.started_at
        message = f"exit: it ended before it had dialled the referee: {run.fault.detail}"
        return Finding(passed=False, message=message, sent=command, seconds=seconds, received=_end_of(run))
    seconds = process.started_at - run.began_at
    return Finding(passed=True, message=f"{shlex.join(bot.run)} runs", sent=command, seconds=seconds)


def check_hello(run: Run, bot: BotProgram) -> Finding:
    """A stream comes, with `Hello` in front, and the referee welcomes it."""
    started_at = run.processes[0].started_at
    stream = run.traffic.last
    if stream is None:
        message = f"{_fault_words(run)}: no stream with a Hello came{silence_hint(run, bot)}"
        return Finding(passed=False, message=message, seconds=run.seconds_to_fault, received=_end_of(run))
    seconds = stream.first.at - started_at
    said = bot_frame_text(stream.first, run.tokens)
    if stream.welcome is None:
        message = f"the stream was refused: {stream.status or 'closed'}: {stream.detail or _fault_words(run)}"
        return Finding(passed=False, message=message, seconds=seconds, sent=_closing(stream), received=said)
    hello = stream.hello
    tables = "" if hello is None else f", {hello.table_limit or 64} tables at once"
    message = f"protocol version 1{tables}"
    return Finding(passed=True, message=message, seconds=seconds, received=said)


def check_ready(run: Run, control: TimeControl, bot: BotProgram) -> Finding:
    """`Ready` comes within the start-up allowance, counted from the start of the process."""
    started_at = run.processes[0].started_at
    ready = [stream.ready for stream in run.traffic.streams if stream.ready is not None]
    stream = run.traffic.last
    welcome = referee_frame_text(stream.welcome) if stream else ""
    allowance = f"the allowance is {control.start_ms / 1000:g} s"
    if ready:
        seconds = ready[0].at - started_at
        message = f"ready {seconds:.2f} s after its start; {allowance}"
        return Finding(passed=True, message=message, seconds=seconds, sent=welcome, received=bot_frame_text(ready[0]))
    message = f"{_fault_words(run)}; {allowance}{silence_hint(run, bot)}"
    return Finding(passed=False, message=message, seconds=run.seconds_to_fault, sent=welcome, received=_end_of(run))


def _fault_words(run: Run) -> str:
    return f"{run.fault.kind}: {run.fault.detail}" if run.fault is not None else "no fault was seen"


def _end_of(run: Run) -> str:
    """What the process did, where it said nothing."""
    process = run.processes[-1]
    if process.was_stopped or process.exit_status is None:
        return ""
    return f"the process ended with exit status {process.exit_status}"


def _closing(stream: StreamSeen) -> str:
    return f"the stream's end: {stream.status}: {stream.detail}" if stream.status else ""
