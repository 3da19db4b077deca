"""A broken bot: it answers a request that was never sent."""

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    stream = Stream()
    for request in stream.requests():
        stream.choose(request.request_id + 1000, 0)
