"""A broken bot: it chooses the action before the first, as if -1 were the last."""

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    stream = Stream()
    for request in stream.requests():
        stream.choose(request.request_id, -1)
