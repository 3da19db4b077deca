"""What the command and the referee say to each other, over all streams: who is heard, and what is said again.

The command sees one conversation; the referee sees one on each stream. So the bridge says `Hello` and `Ready` again
on a stream that replaces another, tells the command of one `Welcome`, and keeps back answers to requests that were
asked on an earlier stream: what is still open is asked anew, and its answer comes anew. Opens no connection.
"""

from __future__ import annotations

import queue
import threading
from collections import Counter
from collections.abc import Iterator

from king.v1 import arena_pb2 as pb

from king_cli.bridge.reading import LineError

PROTOCOL_VERSION = 1
HELLO_EXAMPLE = '{"messages":[{"hello":{"name":"my-bot","version":"1"}}]}'


class Dialogue:
    """One bot process's conversation; its two sides may be different threads."""

    def __init__(self, token: str) -> None:
        """Fill `token` into a hello that leaves it out."""
        self._token = token
        self._lock = threading.Lock()
        self._outbox: queue.SimpleQueue[pb.PlayRequest | None] = queue.SimpleQueue()
        self._hello: pb.Hello | None = None
        self._said_ready = False
        self._welcomed = False
        self._stream_count = 0
        self._failure: pb.PlayRequest | None = None
        self._asked: set[int] = set()
        """The requests of this stream that are not answered."""
        self._asked_before: Counter[int] = Counter()
        """How many answers may still come to requests of earlier streams, by id."""

    # The command's side

    def hear(self, frame: pb.PlayRequest) -> None:
        """The command says a frame.

        Raises:
            LineError: it is the first, and does not begin with hello.
        """
        with self._lock:
            if self._hello is None:
                self._meet(frame)
            kept = [message for message in frame.messages if not self._is_outdated(message)]
            if kept or not frame.messages:
                self._outbox.put(pb.PlayRequest(messages=kept, more=frame.more))

    def fail(self, frame: pb.PlayRequest) -> None:
        """The command has said what is no frame; `frame` is one that the referee judges alike."""
        with self._lock:
            if self._hello is None:
                self._meet(pb.PlayRequest(messages=[pb.BotMessage(hello=pb.Hello())]))
                self._outbox.put(pb.PlayRequest(messages=[pb.BotMessage(hello=self._hello)]))
            self._failure = frame
            self._outbox.put(frame)

    def _meet(self, frame: pb.PlayRequest) -> None:
        if not frame.messages or not frame.messages[0].HasField("hello"):
            raise LineError(f"the first message must be hello, as in {HELLO_EXAMPLE}")
        hello = frame.messages[0].hello
        hello.token = hello.token or self._token
        hello.protocol_version = hello.protocol_version or PROTOCOL_VERSION
        self._hello = pb.Hello()
        self._hello.CopyFrom(hello)

    def _is_outdated(self, message: pb.BotMessage) -> bool:
        """Whether it answers what was asked on an earlier stream alone; notes what else it says."""
        if message.HasField("ready"):
            self._said_ready = True
        if not message.HasField("choice"):
            return False
        request_id = message.choice.request_id
        if request_id in self._asked:
            self._asked.remove(request_id)
        elif self._asked_before[request_id] > 0:
            self._asked_before[request_id] -= 1
            return True
        return False

    # The referee's side

    def open_stream(self) -> Iterator[pb.PlayRequest]:
        """The bot's frames for a new stream; ends when the stream is broken."""
        with self._lock:
            if self._stream_count:
                self._outbox = queue.SimpleQueue()
                self._outbox.put(self._greeting())
                if self._failure is not None:
                    self._outbox.put(self._failure)
            self._stream_count += 1
            return iter(self._outbox.get, None)

    def _greeting(self) -> pb.PlayRequest:
        messages = [pb.BotMessage(hello=self._hello)]
        if self._said_ready:
            messages.append(pb.BotMessage(ready=pb.Ready()))
        return pb.PlayRequest(messages=messages)

    def take_in(self, frame: pb.PlayResponse) -> pb.PlayResponse | None:
        """The referee says a frame. Returns what of it the command is to be told; None for nothing."""
        with self._lock:
            welcome = bool(frame.messages) and frame.messages[0].HasField("welcome")
            if welcome and self._welcomed:
                del frame.messages[0]
            self._welcomed = self._welcomed or welcome
            self._asked.update(message.request.request_id for message in frame.messages if message.HasField("request"))
            return None if welcome and not frame.messages else frame

    def break_stream(self) -> None:
        """The stream is over; what it asked and is not answered will be asked anew."""
        with self._lock:
            self._outbox.put(None)
            self._asked_before.update(self._asked)
            self._asked.clear()
