"""What a bot and the referee said to each other, frame by frame, and when: kept by a bot, said again by a bare peer.

Owns the form of the two files that a process leaves in a folder: what was said, and the times. Plays nothing.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

_HEAD: Final = struct.Struct("<cI")
_HEARD: Final = b"H"
_SAID: Final = b"S"


@dataclass
class Times:
    """When a process was asked and had answered, in nanoseconds of the machine's monotonic clock.

    Attributes:
        asked_ns: by frame with requests.
        answered_ns: by the same frames.
        requests: how many each had.
        cpu_s: CPU time of the process from the first such frame to the last answer.
    """

    asked_ns: list[int] = field(default_factory=list)
    answered_ns: list[int] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)
    cpu_s: float = 0.0

    def write(self, folder: Path, name: str) -> None:
        """Leave them in a folder, under the name of the process."""
        (folder / f"{name}.times").write_text(json.dumps(asdict(self)), encoding="ascii")


def read_times(folder: Path) -> list[Times]:
    """The times of all processes that left theirs."""
    return [Times(**json.loads(path.read_text(encoding="ascii"))) for path in sorted(folder.glob("*.times"))]


class Exchange(NamedTuple):
    """Frames of the referee, and the bot's answer to the last of them; None after which nothing was answered."""

    frames: list[bytes]
    answer: bytes | None


class Dialogue:
    """What passes on one stream after the greeting, as it passes."""

    def __init__(self) -> None:
        self._said: list[tuple[bytes, bytes]] = []

    def heard(self, frame: bytes) -> None:
        """The referee sent a frame."""
        self._said.append((_HEARD, frame))

    def said(self, frame: bytes) -> None:
        """The bot answered."""
        self._said.append((_SAID, frame))

    def write(self, folder: Path, name: str) -> None:
        """Leave it in a folder, under the name of the process."""
        with (folder / f"{name}.dialogue").open("wb") as file:
            for kind, frame in self._said:
                file.write(_HEAD.pack(kind, len(frame)))
                file.write(frame)


def read_dialogues(folder: Path) -> list[list[Exchange]]:
    """What was said on each stream, in the order of `read_times`."""
    return [list(_exchanges(path.read_bytes())) for path in sorted(folder.glob("*.dialogue"))]


def _exchanges(text: bytes) -> Iterator[Exchange]:
    frames: list[bytes] = []
    at = 0
    while at < len(text):
        kind, size = _HEAD.unpack_from(text, at)
        at += _HEAD.size + size
        frame = text[at - size : at]
        if kind == _HEARD:
            frames.append(frame)
        else:
            yield Exchange(frames, frame)
            frames = []
    if frames:
        yield Exchange(frames, None)
