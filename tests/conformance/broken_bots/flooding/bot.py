"""A broken bot: it sends frames without end."""

from king.v1 import arena_pb2 as pb

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    stream = Stream()
    for _request in stream.requests():
        for _ in range(5000):
            stream.say(pb.PlayRequest())
