"""A stream to the referee without the SDK's care, for bots that break the protocol."""

import os
import queue
from collections.abc import Iterator

import grpc
from king.v1 import arena_pb2 as pb

METHOD = "/king.v1.ArenaService/Play"


class Stream:
    """Speaks bytes; says hello and ready at once."""

    def __init__(self) -> None:
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._channel = grpc.insecure_channel(os.environ["KING_REFEREE"])
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = self._channel.stream_stream(METHOD)
        self._call = play(iter(self._outbox.get, None))
        hello = pb.Hello(protocol_version=1, token=os.environ["KING_TOKEN"], name="broken", version="1")
        self.say(pb.PlayRequest(messages=[pb.BotMessage(hello=hello), pb.BotMessage(ready=pb.Ready())]))

    def say(self, frame: pb.PlayRequest) -> None:
        """Sends a frame."""
        self.say_bytes(frame.SerializeToString())

    def say_bytes(self, frame: bytes) -> None:
        """Sends anything."""
        self._outbox.put(frame)

    def requests(self) -> Iterator[pb.Request]:
        """What the referee asks, until it closes the stream; raises if it closes with an error."""
        for frame in self._call:
            for message in pb.PlayResponse.FromString(frame).messages:
                if message.HasField("request"):
                    yield message.request
