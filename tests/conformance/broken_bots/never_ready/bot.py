"""A broken bot: it says hello and never gets warm."""

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    stream = Stream(is_ready=False)
    for _request in stream.requests():
        pass
