"""A bot behind the bridge, from its first line to its end: the referee's streams on one side, a command on the other.

Owns the threads, dialling again after a broken stream, and the exit status. What is said on either side passes
through `dialogue`.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import Protocol

import grpc
from king.v1 import arena_pb2 as pb
from king.v1 import arena_pb2_grpc

from king_cli.bridge.command import Command, DeafCommandError, LongLineError
from king_cli.bridge.dialogue import Dialogue
from king_cli.bridge.reading import LineError, read_line
from king_cli.bridge.writing import frame_line
from workers.last_words import BRIDGE, BROKEN_STREAM, telling_line

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0
GIVE_UP_AFTER_S = 60.0
END_GRACE_S = 1.0
"""For how long the command may take to end when its input does, and the referee to close when the command has ended."""

OUTPUT_GRACE_S = 0.3
"""For how long what an ended command has written is still read, if a process that it has left keeps its output open."""

NO_FRAME = pb.PlayRequest(messages=[pb.BotMessage()])
"""What the referee is told for a line that is no frame: a message that says nothing, a *protocol* fault."""

NO_FRAME_STATUS = grpc.StatusCode.INVALID_ARGUMENT

LONG_FRAME = pb.PlayRequest(messages=[pb.BotMessage(hello=pb.Hello(name="…" * (1 << 19)))])
"""What the referee is told for a line that is too long: a frame over 1 MiB, a *flood*."""

LONG_FRAME_STATUS = grpc.StatusCode.RESOURCE_EXHAUSTED

FINAL = {
    grpc.StatusCode.UNAUTHENTICATED: "the token was refused",
    grpc.StatusCode.FAILED_PRECONDITION: "the protocol version was refused",
    grpc.StatusCode.INVALID_ARGUMENT: "the referee reports an illegal choice or a protocol error",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "the referee reports a flood",
    grpc.StatusCode.DEADLINE_EXCEEDED: "the referee reports that time has run out",
    grpc.StatusCode.ABORTED: "the sitting was dropped, or another stream has replaced this one",
    grpc.StatusCode.UNIMPLEMENTED: "this address is not a King Arena referee",
}
"""Statuses after which there is no use in dialling again."""

TLS = "tls://"
NOT_BELIEVED = "CERTIFICATE_VERIFY_FAILED"
"""What gRPC says, among much else, when it does not believe a certificate."""

OPTIONS: tuple[tuple[str, int | str], ...] = (("grpc.enable_http_proxy", 0), ("grpc.max_receive_message_length", -1))


class BotCall(Protocol):
    """A stream as gRPC gives it."""

    def __iter__(self) -> Iterator[pb.PlayResponse]:
        """Its frames; at the end `grpc.RpcError` unless it ends with OK."""

    def is_active(self) -> bool:
        """Whether it goes on."""

    def code(self) -> grpc.StatusCode:
        """How it ended; waits for that."""

    def cancel(self) -> object:
        """End it."""


class SessionError(Exception):
    """The bot cannot play on; the text says why, and is empty if that is told already."""


class Session:
    """One process of a bot."""

    def __init__(
        self, command: Command, *, address: str, token: str, roots: bytes | None = None, name: str = ""
    ) -> None:
        """Play for the referee at `address`, as the one who has `token`; `roots`: the authorities to believe there.

        `name`: what the referee's certificate must have, if not the address's host.
        """
        self.was_replaced = False
        """Whether it has ended since another stream took the place of its own."""
        self.found_nobody = False
        """Whether it has ended since no referee was there for long."""
        self._command = command
        self._name = name
        self._address = address
        self._roots = roots
        self._token = token
        self._dialogue = Dialogue(token)
        self._introduced = threading.Event()
        self._gone = threading.Event()
        self._closed = threading.Event()
        self._end = ""
        """How the command ended before its time, once `_gone` is set."""
        self._failed = False
        self._welcomed = False
        self._call: BotCall | None = None

    def play(self) -> int:
        """Play until the referee has no more tables. Returns the exit status; a failure is told on standard error."""
        listener = threading.Thread(target=self._listen, name="command", daemon=True)
        listener.start()
        threading.Thread(target=self._watch, args=(listener,), name="end of command", daemon=True).start()
        try:
            self._introduced.wait()
            self._play_streams()
        except SessionError as error:
            self._tell(str(error))
            status = self._command.stop()
            return status if self._gone.is_set() and status > 0 else 1
        finally:
            self._closed.set()
        return self._end_well()

    def stop(self) -> None:
        """End the command and the stream, whatever they do."""
        self._gone.set()
        self._introduced.set()
        self._command.stop()
        if self._call is not None:
            self._call.cancel()

    # The command

    def _listen(self) -> None:
        try:
            for line in self._command.lines():
                if not line.isspace():
                    self._dialogue.hear(read_line(line))
                    self._introduced.set()
        except LineError as error:
            self._fail(f"line {self._command.line_count} of the command's output: {error}", NO_FRAME)
        except LongLineError as error:
            self._fail(f"line {self._command.line_count} of the command's output is {error}", LONG_FRAME)
        else:
            self._on_end_of_output()

    def _watch(self, listener: threading.Thread) -> None:
        """See the command's end where its output has none, for something that it started has kept a copy of it."""
        self._command.wait(None)
        listener.join(OUTPUT_GRACE_S)
        if listener.is_alive():
            self._on_end_of_output()

    def _fail(self, sentence: str, frame: pb.PlayRequest) -> None:
        """The command has said what is no frame: the referee hears of it and closes the stream."""
        self._tell(sentence)
        self._failed = True
        self._dialogue.fail(frame)
        self._introduced.set()

    def _on_end_of_output(self) -> None:
        status = self._command.wait(END_GRACE_S)
        end = "closed its standard output" if status is None else f"ended {_status_text(status)}"
        unheard = "; what it wrote last has no end of line, so it was not heard" if self._command.has_open_line else ""
        self._end = (
            f"the command {end} after {self._command.line_count} lines, before the referee closed the stream"
            f"{unheard}{self._cause()}"
        )
        self._gone.set()
        self._introduced.set()
        # A command may end by itself after its last table, when the referee is about to close.
        if status == 0 and self._closed.wait(END_GRACE_S):
            return
        self._command.stop()
        if self._call is not None:
            self._call.cancel()

    def _end_well(self) -> int:
        self._command.end_input()
        status = self._command.wait(END_GRACE_S)
        if status == 0:
            return 0
        if status is None:
            self._tell("the command did not end when its standard input did; it was stopped")
            self._command.stop()
            return 1
        self._tell(
            f"the command ended {_status_text(status)} when its standard input did; status 0 is right{self._cause()}"
        )
        return max(status, 1)

    # The referee

    def _play_streams(self) -> None:
        """Play until the referee closes with OK.

        Raises:
            SessionError: there is no use in going on.
        """
        pause_s, lost_at = FIRST_PAUSE_S, time.monotonic()
        while not self._gone.is_set():
            try:
                self._play_stream()
                return
            except grpc.RpcError as error:
                reason = f"{error.code().name}: {error.details()}"
                self._check_final(error)
            except BrokenPipeError:
                self._gone.wait(END_GRACE_S)
                raise SessionError(self._end or "the command closed its standard input, but is still asked") from None
            if self._welcomed:
                pause_s, lost_at = FIRST_PAUSE_S, time.monotonic()
            if time.monotonic() - lost_at > GIVE_UP_AFTER_S:
                self.found_nobody = True
                raise SessionError(f"no referee at {self._address} for {GIVE_UP_AFTER_S:.0f} s, giving up: {reason}")
            self._tell(f"{BROKEN_STREAM} ({reason}), dialling again")
            self._gone.wait(pause_s)
            pause_s = min(LONGEST_PAUSE_S, 2 * pause_s)
        raise SessionError(self._end)

    def _play_stream(self) -> None:
        self._welcomed = False
        with self._open_channel() as channel:
            call = self._call = arena_pb2_grpc.ArenaServiceStub(channel).Play(self._dialogue.open_stream())
            if self._gone.is_set():
                call.cancel()
            try:
                self._pass_on(call)
            finally:
                self._dialogue.break_stream()

    def _open_channel(self) -> grpc.Channel:
        if not self._address.startswith(TLS):
            return grpc.insecure_channel(self._address, OPTIONS)
        options = OPTIONS
        if self._name:
            options += (("grpc.ssl_target_name_override", self._name), ("grpc.default_authority", self._name))
        return grpc.secure_channel(self._address.removeprefix(TLS), grpc.ssl_channel_credentials(self._roots), options)

    def _pass_on(self, call: BotCall) -> None:
        """Hand the command what the referee says, until the stream ends; `grpc.RpcError` if it does not end well."""

        def goes_on() -> bool:
            return call.is_active() or (call.code() is not grpc.StatusCode.OK and call.code() not in FINAL)

        for frame in call:
            self._welcomed = True
            told = self._dialogue.take_in(frame)
            if told is not None:
                with contextlib.suppress(DeafCommandError):  # the stream's own end says more
                    self._command.write(frame_line(told), is_wanted=goes_on)

    def _check_final(self, error: grpc.RpcError) -> None:
        if self._gone.is_set():
            raise SessionError(self._end) from None
        if NOT_BELIEVED in (error.details() or ""):
            doubt = f"the certificate of the referee at {self._address} is not believed: {error.details()}"
            raise SessionError(f"{doubt}; KING_TLS_ROOTS names the authorities that are believed")
        self.was_replaced = error.code() is grpc.StatusCode.ABORTED
        if error.code() in FINAL:
            told = self._failed and error.code() in {NO_FRAME_STATUS, LONG_FRAME_STATUS}
            raise SessionError("" if told else f"{FINAL[error.code()]} ({self._address}): {error.details()}") from None

    def _cause(self) -> str:
        """Why the command has ended, by its own words: on the last line, since that is what a report shows."""
        line = telling_line(self._command.last_words())
        return f": {line}" if line else ""

    def _tell(self, sentence: str) -> None:
        """Say a sentence on standard error, but never the token."""
        if sentence:
            told = sentence.replace(self._token, "KING_TOKEN") if self._token else sentence
            print(f"{BRIDGE}{told}", file=sys.stderr, flush=True)  # noqa: T201


def _status_text(status: int) -> str:
    return f"with status {status}" if status >= 0 else f"by signal {-status}"
