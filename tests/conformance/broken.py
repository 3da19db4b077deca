"""The broken bots and what is wrong with each, for all tests that meet them."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

FOLDER = Path(__file__).parent / "broken_bots"


@dataclass(frozen=True, kw_only=True)
class Flaw:
    """What a check and a match say of a broken bot.

    Attributes:
        step: the step of `king check` that it fails.
        words: what that step's message says.
        sent: a part of what was sent to it.
        received: a part of what came back.
        may_be_late: the answer may come between the fault and the end of the check, and is shown then.
        kind: the fault that forfeits its matches.
        detail: a part of that fault's words.
    """

    step: str
    words: str
    sent: str
    received: str
    kind: str
    detail: str
    may_be_late: bool = False


REQUEST = '"request":{"request_id":"1","legal_actions":['
REFUSED = "the token is unknown or spent"
LEGAL = "legal in every decision"
IN_TIME = "within its allowance"
NOT_IN_TIME = Flaw(
    step=IN_TIME,
    words="timeout: 1 request unanswered",
    sent=REQUEST,
    received="",
    kind="timeout",
    detail="after the clock ran out; overrun 3",
)

FLAWS = {
    "crashing_at_start": Flaw(
        step="starts",
        words="exit: it ended before it had dialled the referee: the process ended with exit status 1: FileNotFound",
        sent="python bot.py in ",
        received="the process ended with exit status 1",
        kind="exit",
        detail="status 1: FileNotFoundError: weights.bin is not there",
    ),
    "wrong_token": Flaw(
        step="hello",
        words=f"the stream was refused: UNAUTHENTICATED: {REFUSED}",
        sent=f"the stream's end: UNAUTHENTICATED: {REFUSED}",
        received='"token":"(7 characters that are not KING_TOKEN)"',
        kind="exit",
        detail=f"status 1: the stream was closed with UNAUTHENTICATED: {REFUSED}",
    ),
    "never_ready": Flaw(
        step="ready in time",
        words="absent: not ready within",
        sent='"welcome":{"protocol_version":1,"start_allowance_ms":"',
        received="",
        kind="absent",
        detail="not ready within",
    ),
    "crashing": Flaw(
        step=LEGAL,
        words="exit: the process ended with exit status 1: ZeroDivisionError",
        sent='"legal_actions":[',
        received="",
        kind="exit",
        detail="status 1: ZeroDivisionError",
    ),
    "exits_early": Flaw(
        step=LEGAL,
        words="exit: the process ended with exit status 0",
        sent='"request":{"request_id":"4"',
        received="",
        kind="exit",
        detail="the process ended with exit status 0",
    ),
    "negative_index": Flaw(
        step=LEGAL,
        words="illegal: request 1: index -1 is not from 0 to",
        sent=REQUEST,
        received='"choice":{"request_id":"1","index":-1}',
        kind="illegal",
        detail="request 1: index -1 is not from 0 to",
    ),
    "illegal": Flaw(
        step=LEGAL,
        words="illegal: request 1: index ",
        sent=REQUEST,
        received='"choice":{"request_id":"1","index":',
        kind="illegal",
        detail="request 1: index ",
    ),
    "garbage": Flaw(
        step=LEGAL,
        words="protocol: the bytes are no PlayRequest",
        sent=REQUEST,
        received="64 bytes that are no frame: ff ff ff",
        kind="protocol",
        detail="the bytes are no PlayRequest",
    ),
    "answers_twice": Flaw(
        step=LEGAL,
        words="protocol: request 1 was answered before",
        sent=REQUEST,
        received='"choice":{"request_id":"1","index":0}',
        kind="protocol",
        detail="request 1 was answered before",
    ),
    "unknown_request": Flaw(
        step=LEGAL,
        words="protocol: request 1001 was never sent",
        sent=REQUEST,
        received='"choice":{"request_id":"1001","index":0}',
        kind="protocol",
        detail="request 1001 was never sent",
    ),
    "flooding": Flaw(
        step=LEGAL,
        words="flood: 19 frames on a stream with 1 requests; 18 are allowed",
        sent=REQUEST,
        received='{"messages":[]}',
        kind="flood",
        detail="19 frames on a stream with 1 requests; 18 are allowed",
    ),
    "huge_frame": Flaw(
        step=LEGAL,
        words="bytes; the limit is 1048576 bytes",
        sent=REQUEST,
        received='"hello":{',
        kind="flood",
        detail="bytes; the limit is 1048576 bytes",
    ),
    "silent": NOT_IN_TIME,
    "slow": replace(NOT_IN_TIME, may_be_late=True),
    "reads_nothing": NOT_IN_TIME,
    "stopped": NOT_IN_TIME,
}
"""By the name of the bot's folder."""


def copy_of(name: str, place: Path) -> Path:
    """Copy a broken bot into `place`, so that its processes can be told from those of other tests; its folder."""
    return shutil.copytree(FOLDER / name, place / name)


def processes_in(place: Path) -> list[str]:
    """The command lines of all living processes whose working folder is `place` or below it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            folder = Path(os.readlink(process / "cwd"))  # noqa: PTH115 (a path that may be gone)
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended, or is not ours
        if folder.is_relative_to(place) and command:
            found.append(command.replace(b"\0", b" ").decode(errors="replace"))
    return found
