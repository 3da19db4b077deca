"""A broken bot: at its first decision a signal stops it, and nothing will wake it."""

import os
import signal

from tests.conformance.broken_bots.handmade import Stream

if __name__ == "__main__":
    stream = Stream()
    for _request in stream.requests():
        os.kill(os.getpid(), signal.SIGSTOP)
