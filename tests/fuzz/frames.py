"""Frames at the referee's state machine: one hostile bot among honest ones, on a clock that moves by the script.

After its script the hostile bot is silent. Owns what must hold then: nothing was raised, the sitting comes to its end,
nobody else is blamed or stood in for, what is kept for the bot stays small, and every record verifies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from referee.codec import BotFrame, Choice, Hello, Ready, read_frame
from referee.holding import HELD_LIMIT_BYTES
from referee.plans import CpuWaitWanted, SittingEnd, SittingPlan, TablePlan
from referee.rules import Action, By, Match
from referee.table import Deputy
from referee.verification import verify
from tests.fuzz.engine import WrongAnswerError
from tests.fuzz.hostile import Script, Step, change_script, frame_of, made_step, number_in, read_script
from tests.fuzz.mutation import json_bytes
from tests.protocol.clients import choice, requests_of
from tests.protocol.fakes import HandDriven, KeptStream
from tests.protocol.plans import sitting_plan

HOSTILE = 0
"""The place of the hostile bot among the players."""

KINDS = ("frame", "say", "say", "say", "dial", "hang_up", "wait", "wait", "exit", "cpu", "unread", "answer", "answer")
VARIANTS = (
    "chooser-12[contracts=short,seats=3]",
    "russian-14",
    "turkish-20",
    "auction-11",
    "classic[redemption=praise]",
)
CONTROLS = ("start=30s,inc=100ms,bank=10s", "start=1s,inc=0ms,bank=1ms", "start=1ms,inc=50ms,bank=300ms")
PATIENCE = 5000
"""So many turns are enough for any sitting here to end."""


def _spare(plan: TablePlan) -> Deputy:
    """Decides for all honest seats of a table."""

    def decide(match: Match, legal: Sequence[Action]) -> tuple[Action, By] | None:
        turn = match.seat_to_act
        return None if turn is None or plan.players[turn] == HOSTILE else (legal[0], By.BOT)

    return decide


class HostileSitting(HandDriven):
    """A sitting in which the processes of one player do what a script says, and all others play at once."""

    def __init__(self, plan: SittingPlan, *, spared: bool) -> None:
        """Begin; `spared`: the honest bots are not asked, their first legal action is taken at once."""
        super().__init__(plan, deputize=_spare if spared else lambda _: None)
        self.mine = 0
        """The number of the hostile bot's newest process."""
        self._judged = 0

    def meet(self) -> None:
        """Have the honest ones answer all they are asked, and the worker report, until all is quiet."""
        for _ in range(PATIENCE):
            busy = False
            for start in self.starts:
                if start.player == HOSTILE:
                    busy = busy or start.process > self.mine
                    self.mine = max(self.mine, start.process)
                elif start.process not in self.streams:
                    busy = True
                    self.sitting.process_started(start.process, self.now_ns)
                    self.dial(start.process)
            for number in self._honest():
                busy = bool(self.answer(number)) or busy
            if not busy:
                return
        raise WrongAnswerError("the honest bots are asked without end")

    def report_waits(self) -> None:
        """Answer, as a worker does, what was asked of waiting."""
        wanted = [event.process for event in self.events[self._judged :] if isinstance(event, CpuWaitWanted)]
        self._judged = len(self.events)
        for number in wanted:
            self.sitting.cpu_waited(number, 0, wanted=True, now_ns=self.now_ns)
        self.turn()

    def _honest(self) -> Sequence[int]:
        return [number for number in self.streams if self.process(number).player != HOSTILE]

    # The steps

    def step(self, step: Step) -> None:
        """Do one step, then have all others do theirs."""
        stream = self.streams.get(self.mine)
        if self.mine and not self.sitting.over:
            kind = step[0]
            if kind in {"frame", "say"} and stream is not None:
                self._send(frame_of(step, self._open(), "token"), stream)
            elif kind == "answer" and stream is not None:
                self.say(self.mine, *(choice(request_id, 0) for request_id in self._open()))
            elif kind == "dial":
                self._dial(step)
            elif kind == "hang_up" and stream is not None:
                self.process(self.mine).detach(stream)
                self.turn()
            else:
                self._befall(step)
        self.meet()

    def _befall(self, step: Step) -> None:
        if step[0] == "wait":
            self.wait(number_in(step, 1, 0, 40_000))
            self.report_waits()
        elif step[0] == "exit":
            detail = str(step[2]) if len(step) > 2 else ""
            status = number_in(step, 1, -64, 255)
            self.sitting.process_exited(self.mine, exit_status=status, detail=detail, now_ns=self.now_ns)
            self.turn()
        elif step[0] == "cpu":
            waited_us, wanted = number_in(step, 1, -(2**63), 2**63 - 1), len(step) > 2 and bool(step[2])
            self.sitting.cpu_waited(self.mine, waited_us, wanted=wanted, now_ns=self.now_ns)
            self.turn()
        elif step[0] == "unread" and self.mine in self.streams:
            self.streams[self.mine].unsent_bytes = number_in(step, 1, 0, 2**40)
            self.wait(1)

    def _send(self, frame: bytes, stream: KeptStream) -> None:
        self.sitting.receive(self.process(self.mine), stream, frame, self.now_ns)
        self.turn()
        held = self.sitting._held.get(self.mine)
        if held is not None and held.size_bytes > 2 * HELD_LIMIT_BYTES:
            raise WrongAnswerError(f"{held.size_bytes} bytes are held for one bot")

    def _dial(self, step: Step) -> None:
        said = step[2] if len(step) > 2 and isinstance(step[2], list) else []
        greeting = Hello(1, "", "hostile", "1", number_in(step, 1, -(2**31), 2**31 - 1))
        frame = frame_of(["say", said], self._open(), "token")
        rest: list[Hello | Ready | Choice] = list(_readable(frame))
        stream = self.streams[self.mine] = KeptStream()
        self.sitting.process_started(self.mine, self.now_ns)
        first = BotFrame([greeting, *rest], more=False)
        self.sitting.greet(self.process(self.mine), stream, first, greeting, self.now_ns)
        self.turn()

    def _open(self) -> list[int]:
        stream = self.streams.get(self.mine)
        if stream is None:
            return []
        kept = [message for frame in stream.frames for message in frame if not message.HasField("table_end")]
        return [request.request_id for request in requests_of(kept)][-40:]


def _readable(frame: bytes) -> list[Hello | Ready | Choice]:
    try:
        return read_frame(frame).messages
    except ValueError:
        return []


class Frames:
    """The surface."""

    def seeds(self) -> Sequence[bytes]:
        """Honest play, and each kind of fault that tests know."""
        ready: Step = ["dial", 0, [["ready"]]]
        answers: Script = [["answer"]] * 20
        return [
            json_bytes([["sitting", variant, control, 1, True], *script])
            for control, variant in ((0, 0), (1, 4), (2, 2))
            for script in (
                [ready, *answers],
                [ready, ["wait", 10_200], ["wait", 6000], ["wait", 6000]],
                [ready, ["say", [["choice", 0, 99]]]],
                [ready, ["hang_up"], ["wait", 400], ready, *answers],
                [ready, ["exit", 1, "x" * 7000]],
                [ready, ["exit", -9, "Killed"], ready, ["say", [["choice", 7, 0]]]],
                [["wait", 31_000]],
                [ready, ["say", [["choice", 0, 0], ["choice", 0, 0]], True], ["say", [["hello", 1, 0]]]],
                [ready, *([["frame", "", 1]] * 20)],
                [ready, ["frame", "0a", 4000], ["unread", 5 << 20]],
                [ready, ["wait", 10_200], ["frame", "0a001000" * 50, 1000], ["frame", "00" * 300, 4000]],
            )
        ]

    def change(self, source: bytes, chance: Random) -> bytes:
        """Another script; now and then for another sitting."""
        changed = change_script(source, chance, KINDS)
        script = read_script(changed)
        if not script or script[0][0] != "sitting" or chance.random() < 0.05:
            head: Step = [
                "sitting",
                chance.randrange(5),
                chance.randrange(3),
                chance.choice((1, 1, 2, 3)),
                chance.random() < 0.9,
            ]
            return json_bytes([head, made_step(chance, "dial"), *script[1:]])
        return changed

    def attempt(self, given: bytes) -> str:
        """Play the sitting out."""
        script = read_script(given)
        head: Step = script[0] if script and script[0][0] == "sitting" else ["sitting", 0, 0, 1]
        variant = VARIANTS[number_in(head, 1, 0, len(VARIANTS) - 1)]
        seats = 3 if "seats=3" in variant else 4
        control = CONTROLS[number_in(head, 2, 0, len(CONTROLS) - 1)]
        tables = number_in(head, 3, 1, 5)
        plan = sitting_plan(tables=tables, variant=variant, control=control, seats=seats)
        sitting = HostileSitting(plan, spared=len(head) > 4 and bool(head[4]))
        sitting.meet()
        for step in script[1:]:
            sitting.step(step)
        _play_out(sitting)
        return _checked(sitting, tables)


def _play_out(sitting: HostileSitting) -> None:
    """The hostile bot is silent from now on; time passes."""
    for _ in range(PATIENCE):
        if sitting.sitting.over:
            return
        if sitting.mine:
            sitting.sitting.process_started(sitting.mine, sitting.now_ns)
        sitting.wait(20_000)
        sitting.report_waits()
        sitting.meet()
    raise WrongAnswerError("the sitting does not come to its end")


def _checked(sitting: HostileSitting, tables: int) -> str:
    blamed = {fault.player for fault in sitting.faults}
    if blamed - {HOSTILE}:
        raise WrongAnswerError(f"players {sorted(blamed)} are blamed, and {HOSTILE} alone was hostile")
    for fault in sitting.faults:
        if len(fault.detail) > 2100:
            raise WrongAnswerError(f"a fault of {fault.kind} is told in {len(fault.detail)} letters")
    end = sitting.events[-1]
    if not isinstance(end, SittingEnd) or end.void_reason:
        raise WrongAnswerError(f"the sitting ended as {end}")
    if len(sitting.records) != tables:
        raise WrongAnswerError(f"{len(sitting.records)} records of {tables} tables")
    for record in sitting.records.values():
        wrong = verify(record).problems
        if wrong:
            raise WrongAnswerError(f"a record does not verify: {wrong[0]}")
        stood_in = {
            action["seat"] for deal in record["deals"] for action in deal["actions"] if action["by"] == By.STAND_IN
        }
        if stood_in - {HOSTILE}:
            raise WrongAnswerError(f"the stand-in acted for seats {sorted(stood_in)}")
    return " ".join(sorted({f"{fault.kind} {fault.detail}" for fault in sitting.faults})) or "no fault"


@contextmanager
def open_frames(_folder: Path) -> Iterator[Frames]:
    """The surface needs nothing."""
    yield Frames()
