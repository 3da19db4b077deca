"""A broken bot: it says hello and ready, and then never reads what it is sent."""

import time

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    stream = Stream()
    time.sleep(3600)
