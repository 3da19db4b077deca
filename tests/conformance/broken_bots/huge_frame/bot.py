"""A broken bot: it sends a frame of two megabytes."""

from king.v1 import arena_pb2 as pb

from tests.conformance.broken_bots.handmade import Stream

SIZE = 2 << 20

if __name__ == "__main__":
    stream = Stream()
    for _request in stream.requests():
        hello = pb.Hello(name="x" * SIZE)
        stream.say(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
