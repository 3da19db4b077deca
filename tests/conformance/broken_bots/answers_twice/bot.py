"""A broken bot: it answers each request twice."""

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    stream = Stream()
    for request in stream.requests():
        stream.choose(request.request_id, 0)
        stream.choose(request.request_id, 0)
