"""The lightest bot that there is, as a process: it takes the first legal action of each request and keeps no view.

Run by other benchmarks, as a bot is: `python light_process.py FOLDER TABLES [keep]`. It leaves in FOLDER when it was
asked and had answered and, with `keep`, all that was said. Measures nothing else, and decides nothing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import grpc.aio
import uvloop
from king.v1 import arena_pb2 as pb

from benchmarks.dialogues import Dialogue, Times

METHOD = f"/{pb.DESCRIPTOR.services_by_name['ArenaService'].full_name}/Play"
Call = grpc.aio.StreamStreamCall[bytes, bytes]


@asynccontextmanager
async def dialled(address: str) -> AsyncIterator[Call]:
    """A stream of raw frames to whoever listens at `address`."""
    async with grpc.aio.insecure_channel(address, options=(("grpc.max_receive_message_length", -1),)) as channel:
        yield channel.stream_stream(METHOD)()


def answer_to(frame: bytes) -> tuple[bytes, int]:
    """The first legal action for each request of a frame, and how many requests it has."""
    messages = pb.PlayResponse.FromString(frame).messages
    choices = [
        pb.BotMessage(choice=pb.Choice(request_id=message.request.request_id))
        for message in messages
        if message.HasField("request")
    ]
    return pb.PlayRequest(messages=choices).SerializeToString(), len(choices)


async def play(address: str, token: str, *, table_limit: int, times: Times, dialogue: Dialogue | None) -> None:
    """Play until the referee closes the stream."""
    hello = pb.Hello(protocol_version=1, token=token, name="light", version="1", table_limit=table_limit)
    greeting = [pb.BotMessage(hello=hello), pb.BotMessage(ready=pb.Ready())]
    async with dialled(address) as call:
        await call.write(pb.PlayRequest(messages=greeting).SerializeToString())
        began_s = time.process_time()
        while isinstance(frame := await call.read(), bytes):
            asked_ns = time.monotonic_ns()
            answer, count = answer_to(frame)
            if dialogue is not None:
                dialogue.heard(frame)
            if count:
                await call.write(answer)
                times.asked_ns.append(asked_ns)
                times.answered_ns.append(time.monotonic_ns())
                times.requests.append(count)
                if dialogue is not None:
                    dialogue.said(answer)
        times.cpu_s = time.process_time() - began_s


def main(given: list[str]) -> None:
    """Play for the referee that the environment names, and leave what was noted."""
    folder, table_limit, dialogue = Path(given[0]), int(given[1]), Dialogue() if "keep" in given[2:] else None
    times, name = Times(), f"{os.getpid():010}"
    address, token = os.environ["KING_REFEREE"], os.environ["KING_TOKEN"]
    uvloop.run(play(address, token, table_limit=table_limit, times=times, dialogue=dialogue))
    times.write(folder, name)
    if dialogue is not None:
        dialogue.write(folder, name)


if __name__ == "__main__":
    main(sys.argv[1:])
