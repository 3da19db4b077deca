"""A broken bot: it says a token that it was not given, and ends when it is refused."""

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    for _request in Stream(token="guessed").requests():
        pass
