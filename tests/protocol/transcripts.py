"""Transcripts for `docs/`: one deal of each kind of decision, and each message on both ways, from the real referee.

Run as a module it writes them anew: `python -m tests.protocol.transcripts`. The sitting is the referee's own, at a
fixed seed and on a clock that stands still but for what each answer is said to take; lines are written and read by
the bridge's own code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from king.v1 import arena_pb2 as pb

from king_cli.bridge.reading import read_line
from king_cli.bridge.writing import frame_line
from tests.protocol.clients import requests_of
from tests.protocol.fakes import HandDriven
from tests.protocol.messages import BEGIN, END, message_tables
from tests.protocol.plans import sitting_plan

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "transcripts"
GUIDE = DOCS / "protocol.md"
THINKING_MS = 3
TELLER = 1
"""The process whose side is told; the transcripts call it *our* bot."""

HELLO = '{"messages":[{"hello":{"name":"my-bot","version":"1"}}]}'
READY = '{"messages":[{"ready":{}}]}'

NEW_MESSAGE = re.compile(r'(?<=[\[,])(?=\{"table":)')
NEW_ACTION = re.compile(r'(?<=[\[,])(?=\{"kind":)')


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A deal to be told: the first one in which our bot takes decisions of all the kinds in `ours`.

    Our bot takes the first action of the earliest kind of `ours` that is legal, the others likewise by `others`;
    who has no such kind takes the first action.
    """

    name: str
    title: str
    variant: str
    ours: tuple[str, ...]
    others: tuple[str, ...] = ()


SCENES = (
    Scene(name="play", title="Playing cards", variant="russian-14", ours=("PLAY",)),
    Scene(name="choose", title="Choosing a contract", variant="turkish-20", ours=("CHOOSE", "PLAY")),
    Scene(name="order", title="Ordering a contract, or passing", variant="ordered-56", ours=("ORDER", "PLAY")),
    Scene(
        name="auction",
        title="Bidding or passing, and naming a trump",
        variant="auction-11",
        ours=("BID", "NAME_TRUMP", "PLAY"),
        others=("PASS",),
    ),
    Scene(
        name="by-last",
        title="Letting the last card decide, and keeping the game",
        variant="classic[pack=32,redemption=praise]",
        ours=("BY_LAST", "KEEP", "PLAY"),
    ),
    Scene(
        name="sale",
        title="Naming misère, and offering the game for sale",
        variant="classic[pack=32,redemption=praise]",
        ours=("MISERE", "OFFER", "PLAY"),
        others=("PASS",),
    ),
    Scene(
        name="two-tricks",
        title="Two tricks to everybody",
        variant="classic[pack=32,redemption=praise]",
        ours=("TWO_TRICKS_EACH",),
    ),
    Scene(
        name="give",
        title="Giving cards away",
        variant="classic[redemption=talon]",
        ours=("GIVE", "KEEP", "NAME_TRUMP", "PLAY"),
    ),
)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One line on our bot's stream; from the referee it has its frame, from us the kinds of action that we took."""

    line: str
    frame: pb.PlayResponse | None = None
    taken: tuple[str, ...] = ()


class Telling:
    """A match of a scene, played to its end, and all that went over our bot's stream."""

    def __init__(self, scene: Scene) -> None:
        """Play it."""
        self.entries: list[Entry] = []
        self._scene = scene
        self._sitting = HandDriven(sitting_plan(variant=scene.variant))
        self._start()
        while sum(self._answer(process) for process in self._sitting.streams):
            self._sitting.now_ms += THINKING_MS

    def _start(self) -> None:
        for start in self._sitting.starts:
            self._sitting.sitting.process_started(start.process, self._sitting.now_ns)
            self._sitting.dial(start.process, ready=start.process != TELLER)
        self.entries.append(Entry(line=HELLO))
        self._listen()
        self._say(TELLER, READY)

    def _listen(self) -> list[pb.RefereeMessage]:
        heard = self._sitting.streams[TELLER].frames.copy()
        for messages in heard:
            frame = pb.PlayResponse(messages=messages)
            self.entries.append(Entry(line=frame_line(frame).decode().rstrip("\n"), frame=frame))
        return self._sitting.streams[TELLER].take()

    def _say(self, process: int, line: str, taken: tuple[str, ...] = ()) -> None:
        if process == TELLER:
            self.entries.append(Entry(line=line, taken=taken))
        self._sitting.say(process, *read_line(line.encode()).messages)

    def _answer(self, process: int) -> bool:
        """Answer what a process was asked; whether there was anything."""
        requests = requests_of(self._listen() if process == TELLER else self._sitting.streams[process].take())
        wishes = self._scene.ours if process == TELLER else self._scene.others
        places = [_choose(request, wishes) for request in requests]
        if requests:
            answers = [(request.request_id, place) for request, place in zip(requests, places, strict=True)]
            kinds = [_kind(request.legal_actions[place]) for request, place in zip(requests, places, strict=True)]
            self._say(process, _choice_line(answers), tuple(kinds))
        return bool(requests)


def _choose(request: pb.Request, wishes: tuple[str, ...]) -> int:
    kinds = [_kind(action) for action in request.legal_actions]
    return next((kinds.index(wish) for wish in wishes if wish in kinds), 0)


def _kind(action: pb.Action) -> str:
    return pb.ActionKind.Name(action.kind).removeprefix("ACTION_KIND_")


def _choice_line(answers: list[tuple[int, int]]) -> str:
    choices = [f'{{"choice":{{"request_id":"{request_id}","index":{index}}}}}' for request_id, index in answers]
    return f'{{"messages":[{",".join(choices)}]}}'


def deal_of(scene: Scene, entries: list[Entry]) -> list[Entry]:
    """The first deal in which our bot took decisions of all the kinds wanted, from its start to its end."""
    deal: list[Entry] = []
    for entry in entries:
        begins, ends = _told(entry, "deal_start"), _told(entry, "deal_end")
        if begins and not ends:
            deal = []
        deal.append(entry)
        if ends and {kind for each in deal for kind in each.taken} >= set(scene.ours):
            return deal
        if ends:
            deal = [entry] if begins else []
    raise LookupError(f"no deal of {scene.variant} has all of {scene.ours}")


def _told(entry: Entry, kind: str) -> bool:
    return entry.frame is not None and any(message.HasField(kind) for message in entry.frame.messages)  # type: ignore[arg-type]


def page(scene: Scene, entries: list[Entry]) -> str:
    """The transcript of a scene as a page."""
    kinds = ", ".join(f"`{kind}`" for kind in scene.ours)
    deal = deal_of(scene, entries)
    before = entries[: entries.index(deal[0])] if deal[0] is not entries[0] else []
    greeting = [entry for entry in before if not _told(entry, "deal_start")][:3]
    return "\n".join(
        [
            f"# {scene.title}",
            "",
            f"One deal of `{scene.variant}`, as JSON lines of one bot, which takes {kinds} where it can:",
            "the lines from the referee (`<--`) and to it (`-->`). They are broken here before each message and each",
            "legal action; without these breaks and the spaces after them they are what goes over the pipe. Over gRPC",
            "the same frames go as `PlayResponse` and `PlayRequest`. [All transcripts](../protocol.md#transcripts).",
            "",
            "```",
            *[text for entry in [*greeting, *deal] for text in _shown(entry)],
            "```",
            "",
        ]
    )


def _shown(entry: Entry) -> Iterator[str]:
    """The line with its direction and line breaks."""
    text = NEW_ACTION.sub("\n        ", NEW_MESSAGE.sub("\n      ", entry.line))
    yield ("<-- " if entry.frame is not None else "--> ") + text


def pages() -> dict[Path, str]:
    """Everything that is made, by file: the transcripts, and the guide with its tables of messages."""
    told = {scene: Telling(scene).entries for scene in SCENES}
    made = {FOLDER / f"{scene.name}.md": page(scene, entries) for scene, entries in told.items()}
    guide = GUIDE.read_text(encoding="utf-8")
    start, stop = guide.index(BEGIN) + len(BEGIN), guide.index(END)
    frames = [entry.frame for entries in told.values() for entry in entries if entry.frame is not None]
    said = [entry.line for entries in told.values() for entry in entries if entry.frame is None]
    made[GUIDE] = f"{guide[:start]}\n\n{message_tables(frames, said)}\n{guide[stop:]}"
    return made


def main() -> None:
    """Write everything."""
    FOLDER.mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
