"""A broken bot: it chooses an action that is not there."""

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    stream = Stream()
    for request in stream.requests():
        stream.choose(request.request_id, len(request.legal_actions))
