"""A broken bot: it sends bytes that are no frame."""

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    stream = Stream()
    for _request in stream.requests():
        stream.say_bytes(b"\xff" * 64)
