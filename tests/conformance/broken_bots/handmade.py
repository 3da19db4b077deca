"""A stream to the referee without the SDK's care, for bots that break the protocol."""

import os
import queue
import sys
from collections.abc import Iterator

import grpc
from king.v1 import arena_pb2 as pb

METHOD = "/king.v1.ArenaService/Play"


class Stream:
    """Speaks bytes; says hello, with the token that it was given unless told another, and ready at once."""

    def __init__(self, *, token: str | None = None, is_ready: bool = True) -> None:
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._channel = grpc.insecure_channel(os.environ["KING_REFEREE"])
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = self._channel.stream_stream(METHOD)
        self._call = play(iter(self._outbox.get, None))
        token = os.environ["KING_TOKEN"] if token is None else token
        hello = pb.Hello(protocol_version=1, token=token, name="broken", version="1")
        ready = [pb.BotMessage(ready=pb.Ready())] if is_ready else []
        self.say(pb.PlayRequest(messages=[pb.BotMessage(hello=hello), *ready]))

    def choose(self, request_id: int, index: int) -> None:
        """Answers a request."""
        self.say(pb.PlayRequest(messages=[pb.BotMessage(choice=pb.Choice(request_id=request_id, index=index))]))

    def say(self, frame: pb.PlayRequest) -> None:
        """Sends a frame."""
        self.say_bytes(frame.SerializeToString())

    def say_bytes(self, frame: bytes) -> None:
        """Sends anything."""
        self._outbox.put(frame)

    def requests(self) -> Iterator[pb.Request]:
        """What the referee asks, until it closes the stream; ends the process if it closes with an error."""
        try:
            for frame in self._call:
                for message in pb.PlayResponse.FromString(frame).messages:
                    if message.HasField("request"):
                        yield message.request
        except grpc.RpcError as error:
            sys.exit(f"the stream was closed with {error.code().name}: {error.details()}")
