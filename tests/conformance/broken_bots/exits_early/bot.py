"""A broken bot: it thinks that it is done after its third decision, and exits with status 0."""

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    stream = Stream()
    for count, request in enumerate(stream.requests()):
        if count == 3:
            break
        stream.choose(request.request_id, 0)
