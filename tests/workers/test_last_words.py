"""Which line of a standard error says why a program ended, in the words of many languages."""

from __future__ import annotations

import subprocess
import sys

import pytest

from workers.last_words import DETAIL_LENGTH, telling_excerpt, telling_line
from workers.shim import LEFT_RUNNING

JAVA = """\
May 01, 2026 3:04:05 PM io.grpc.internal.ManagedChannelImpl
Exception in thread "main" java.lang.IllegalStateException: no move
\tat king.bots.Counter.choose(Counter.java:41)
\tat king.bot.Bot.run(Bot.java:12)
"""
JAVA_CAUSED = (
    JAVA
    + """\
Caused by: java.lang.ArithmeticException: / by zero
\tat king.bots.Counter.weigh(Counter.java:77)
\t... 2 more
"""
)
NODE = """\
/home/ann/bot.js:5
    throw new TypeError("hand is undefined");
    ^

TypeError: hand is undefined
    at choose (/home/ann/bot.js:5:11)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5) {
  code: 'ERR_HAND'
}

Node.js v20.11.0
"""
GO = """\
panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.choose(...)
\t/home/ann/bot.go:12
main.main()
\t/home/ann/bot.go:5 +0x1d
created by main.start in goroutine 1
exit status 2
"""
GO_FATAL = """\
fatal error: all goroutines are asleep - deadlock!

goroutine 1 [chan receive]:
main.main()
\t/home/ann/bot.go:5 +0x2b
"""
RUST = """\
thread 'main' panicked at src/main.rs:2:5:
assertion `left == right` failed
  left: 1
 right: 2
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
RUST_TRACE = """\
thread 'main' (4711) panicked at src/main.rs:9:17:
index out of bounds: the len is 3 but the index is 5
stack backtrace:
   0: rust_begin_unwind
             at /rustc/9fc6b43/library/std/src/panicking.rs:645:5
   1: bot::main
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
"""
PYTHON_GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "bot.py", line 3, in <module>
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "bot.py", line 2, in choose
    | KeyError: 'KH'
    +------------------------------------
"""
CPP = """\
terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)
"""
TCL = """\
can't read "hand": no such variable
    while executing
"set hand"
    (procedure "choose" line 3)
    invoked from within
"choose 7"
    (file "bot.tcl" line 9)
"""
LUA = """\
lua: bot.lua:3: attempt to index a nil value (global 'hand')
stack traceback:
\tbot.lua:3: in function 'choose'
\t[C]: in ?
"""
CSHARP = """\
Unhandled exception. System.InvalidOperationException: no move
   at Bot.Choose(Table table) in /home/ann/Bot.cs:line 12
   at Program.Main()
"""
BABBLE = """\
king bridge: stream broken (UNAVAILABLE: going away), dialling again
king bridge: line 2 of the command's output: no JSON
Traceback (most recent call last):
  File "bot.py", line 2, in <module>
EOFError: nothing to read
"""
BRIDGE = f"{GO}king bridge: the command ended with status 2 after 3 lines: panic: no move\n"

CAUSES = [
    ("", ""),
    ("\n  \n", ""),
    ("no idea\n", "no idea"),
    ("warming up\nno idea\n\n", "no idea"),
    ("  only an indented line\n", "only an indented line"),
    ("}\n", "}"),
    (JAVA, 'Exception in thread "main" java.lang.IllegalStateException: no move'),
    (JAVA_CAUSED, "Caused by: java.lang.ArithmeticException: / by zero"),
    (NODE, "TypeError: hand is undefined"),
    (GO, "panic: runtime error: index out of range [5] with length 3"),
    (GO_FATAL, "fatal error: all goroutines are asleep - deadlock!"),
    ("panic: first [recovered]\n\tpanic: second\n\ngoroutine 7 [running]:\nmain.f()\n", "panic: second"),
    (RUST, "thread 'main' panicked at src/main.rs:2:5: assertion `left == right` failed"),
    (
        RUST_TRACE,
        "thread 'main' (4711) panicked at src/main.rs:9:17: index out of bounds: the len is 3 but the index is 5",
    ),
    (
        "thread 'main' panicked at 'no move', src/main.rs:2:5\n" + RUST.splitlines()[-1],
        "thread 'main' panicked at 'no move', src/main.rs:2:5",
    ),
    (PYTHON_GROUP, "KeyError: 'KH'"),
    (
        CPP,
        "terminate called after throwing an instance of 'std::out_of_range' "
        "what():  vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)",
    ),
    (TCL, 'can\'t read "hand": no such variable'),
    (LUA, "lua: bot.lua:3: attempt to index a nil value (global 'hand')"),
    (CSHARP, "Unhandled exception. System.InvalidOperationException: no move"),
    ('mawk: division by zero\n\tFILENAME="-" FNR=1 NR=1\n', "mawk: division by zero"),
    (BABBLE, "king bridge: line 2 of the command's output: no JSON"),
    (f"{BABBLE.splitlines()[0]}\nno idea\n", "no idea"),
    (f"KeyError: 'KH'\n{LEFT_RUNNING}sleep (4711)\n", "KeyError: 'KH'"),
    (BRIDGE, "king bridge: the command ended with status 2 after 3 lines: panic: no move"),
]


@pytest.mark.parametrize(("text", "line"), CAUSES)
def test_cause_is_found(text: str, line: str) -> None:
    """The line with the exception, the panic or the last words is the telling one, and no frame of a stack."""
    assert telling_line(text) == line


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit('no idea')", "no idea"),
        ("try:\n  {}['x']\nexcept KeyError:\n  1 / 0", "ZeroDivisionError: division by zero"),
        ("import threading; t = threading.Thread(target=lambda: 1 / 0); t.start()", "ZeroDivisionError"),
        ("def f(: pass", "SyntaxError: invalid syntax"),
    ],
)
def test_python_that_runs_here(code: str, line: str) -> None:
    """What this Python prints of an exception is understood."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert telling_line(done.stderr).startswith(line)


def test_long_lines_are_cut() -> None:
    """A line is at most as long as a fault's words may be."""
    assert telling_line("x" * 1000) == "x" * DETAIL_LENGTH
    (line,) = telling_excerpt("x" * 1000, 5)
    assert line.endswith("x…")


def test_excerpt_has_the_telling_line() -> None:
    """The last lines are shown; where a long trace comes last, the telling line and what follows it."""
    assert telling_excerpt("1\n2\n3\n4\n", 3) == ["2", "3", "4"]
    assert telling_excerpt("1\n", 3) == ["1"]
    assert telling_excerpt("", 3) == []
    trace = "".join(f"\tat king.bots.Bot.f{number}(Bot.java:{number})\n" for number in range(20))
    assert telling_excerpt(f"ready\nException: no move\n{trace}", 3) == [
        "Exception: no move",
        "\tat king.bots.Bot.f0(Bot.java:0)",
        "\tat king.bots.Bot.f1(Bot.java:1)",
    ]
