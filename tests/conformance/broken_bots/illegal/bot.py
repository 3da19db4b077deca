"""A broken bot: it chooses an action that is not there."""

from king.v1 import arena_pb2 as pb

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    stream = Stream()
    for request in stream.requests():
        choice = pb.Choice(request_id=request.request_id, index=len(request.legal_actions))
        stream.say(pb.PlayRequest(messages=[pb.BotMessage(choice=choice)]))
