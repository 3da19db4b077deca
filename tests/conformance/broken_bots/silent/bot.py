"""A broken bot: it is ready, and then answers nothing."""

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    stream = Stream()
    for _request in stream.requests():
        pass
