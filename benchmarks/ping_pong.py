"""The peers of a referee: a gRPC ping-pong that says what was said in a real sitting again, without the game.

A server of `grpc.aio` and a process for each bot, over a socket, on the event loop that the referee and the light bots
use. The server writes what the referee wrote, the process answers what the bot answered; `Peer` says what either does
beside that. With one table in play the turns go round as they did, with more each stream goes on by itself. Owns the
peers only; `benchmarks.decisions` compares.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import uvloop
from king.v1 import arena_pb2 as pb

from benchmarks.dialogues import Exchange, Times, read_dialogues, read_times
from benchmarks.light_process import METHOD, answer_to
from referee.codec import read_frame
from workers.launcher import SHIM

Context = grpc.aio.ServicerContext[Any, Any]
Frame = Any
"""Bytes, or with stubs a message of the protocol."""


class Peer(StrEnum):
    """What the two ends do with what passes between them.

    `RAW`: bytes ready beforehand, which nobody reads: what gRPC can carry. `PARSED`: bytes ready beforehand, each end
    parses what it receives with the generated code. `STUBS`: generated stubs at both ends, which make bytes of messages
    that are ready beforehand, and parse. `ANSWERING`: the light bots themselves, whose answers are read as the referee
    reads them: what is left of a referee is its gRPC.
    """

    RAW = "raw"
    PARSED = "parsed"
    STUBS = "stubs"
    ANSWERING = "answering"

    def hear_bot(self, frame: Frame) -> None:
        """What the server does with an answer."""
        if self is Peer.PARSED:
            pb.PlayRequest.FromString(frame)
        elif self is Peer.ANSWERING:
            read_frame(frame)

    def hear_referee(self, frame: Frame, ready: Frame | None) -> Frame | None:
        """What a bot does with a frame, whose answer is `ready` beforehand; the answer that it sends."""
        if self is Peer.PARSED:
            pb.PlayResponse.FromString(frame)
        elif self is Peer.ANSWERING:
            answer, count = answer_to(frame)
            return answer if count else None
        return ready

    def prepared(self, dialogue: list[Exchange]) -> list[tuple[list[Frame], Frame | None]]:
        """Exchanges as the ends have them ready."""
        if self is not Peer.STUBS:
            return [(list(frames), said) for frames, said in dialogue]
        return [
            (
                [pb.PlayResponse.FromString(frame) for frame in frames],
                None if said is None else pb.PlayRequest.FromString(said),
            )
            for frames, said in dialogue
        ]

    def handler(self, play: Any) -> grpc.RpcMethodHandler[Any, Any]:
        """The server's handler."""
        if self is not Peer.STUBS:
            return grpc.stream_stream_rpc_method_handler(play)
        return grpc.stream_stream_rpc_method_handler(play, pb.PlayRequest.FromString, pb.PlayResponse.SerializeToString)

    def call(self, channel: grpc.aio.Channel) -> Any:
        """A bot's call."""
        if self is not Peer.STUBS:
            return channel.stream_stream(METHOD)()
        return channel.stream_stream(METHOD, pb.PlayRequest.SerializeToString, pb.PlayResponse.FromString)()


class Server:
    """Says dialogues again to the processes that dial, each to the one that names it."""

    def __init__(self, peer: Peer, dialogues: list[list[Exchange]], turns: list[int] | None) -> None:
        """`turns`: whose exchange comes next, where only one is in flight at a time."""
        self._peer = peer
        self._dialogues = [peer.prepared(dialogue) for dialogue in dialogues]
        self._turns = turns
        self._contexts: dict[int, Context] = {}
        self._all_here = asyncio.Event()
        self._over_count = 0
        self.over = asyncio.Event()
        self.began_s = self.ended_s = self.cpu_s = 0.0

    async def play(self, requests: AsyncIterator[bytes], context: Context) -> None:
        """One stream: its first frame says which dialogue is its."""
        del requests  # read through the context, as the referee does
        greeting = await context.read()
        if isinstance(greeting, bytes):
            greeting = pb.PlayRequest.FromString(greeting)
        named = int(greeting.messages[0].hello.token)
        self._contexts[named] = context
        if len(self._contexts) == len(self._dialogues):
            self.began_s, self.cpu_s = time.monotonic(), time.process_time()
            self._all_here.set()
        await self._all_here.wait()
        if self._turns is None:
            for exchange in self._dialogues[named]:
                await self._say(context, *exchange)
            self._note_end(1)
        elif named == 0:
            await self._go_round(self._turns)
            self._note_end(len(self._dialogues))
        await self.over.wait()

    async def _go_round(self, turns: list[int]) -> None:
        exchanges = [iter(dialogue) for dialogue in self._dialogues]
        for turn in turns:
            await self._say(self._contexts[turn], *next(exchanges[turn]))
        for turn, rest in enumerate(exchanges):
            for exchange in rest:
                await self._say(self._contexts[turn], *exchange)

    async def _say(self, context: Context, frames: list[Frame], answer: Frame | None) -> None:
        for frame in frames:
            await context.write(frame)
        if answer is not None:
            self._peer.hear_bot(await context.read())

    def _note_end(self, count: int) -> None:
        self._over_count += count
        if self._over_count == len(self._dialogues):
            self.ended_s, self.cpu_s = time.monotonic(), time.process_time() - self.cpu_s
            self.over.set()


def turns_of(times: list[Times]) -> list[int]:
    """Whose exchanges came one after the other, by when they were asked."""
    return [turn for _, turn in sorted((at, turn) for turn, each in enumerate(times) for at in each.asked_ns)]


async def serve(peer: Peer, address: str, folder: Path, *, in_turn: bool) -> dict[str, float]:
    """Say all once to the processes that dial; the seconds it took, and the server's CPU time."""
    said = Server(peer, read_dialogues(folder), turns_of(read_times(folder)) if in_turn else None)
    server = grpc.aio.server(options=(("grpc.max_send_message_length", -1),))
    _, service, method = METHOD.split("/")
    handlers = {method: peer.handler(said.play)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
    server.add_insecure_port(address)
    await server.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await said.over.wait()
    await server.stop(1)
    return {"seconds": said.ended_s - said.began_s, "cpu_s": said.cpu_s}


async def answer(peer: Peer, address: str, number: int, dialogue: list[Exchange], times: Times) -> None:
    """Answer as the bot did until the server closes the stream."""
    answers = [
        answer if at == len(frames) - 1 else None
        for frames, answer in peer.prepared(dialogue)
        for at in range(len(frames))
    ]
    options = (("grpc.max_receive_message_length", -1),)
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        call = peer.call(channel)
        greeting = pb.PlayRequest(messages=[pb.BotMessage(hello=pb.Hello(token=str(number)))])
        await call.write(greeting if peer is Peer.STUBS else greeting.SerializeToString())
        began_s = time.process_time()
        for ready in answers:
            frame = await call.read()
            asked_ns = time.monotonic_ns()
            said = peer.hear_referee(frame, ready)
            if said is not None:
                await call.write(said)
                times.asked_ns.append(asked_ns)
                times.answered_ns.append(time.monotonic_ns())
        times.cpu_s = time.process_time() - began_s
        await call.read()


def run(peer: Peer, folder: Path, into: Path, *, in_turn: bool) -> dict[str, float]:
    """Say the dialogues in `folder` again, in processes of their own, which leave their times in `into`.

    Returns the seconds it took, the server's CPU time and that of all bots.

    Raises:
        ValueError: nothing was said.
    """
    address = f"unix:{into}/peer.sock"
    count = len(read_times(folder))
    if count == 0:
        raise ValueError(f"there is no dialogue in {folder}")
    server = _start("serve", peer, address, folder, into, "in turn" if in_turn else "")
    assert server.stdout is not None
    server.stdout.readline()
    clients = [_start("answer", peer, address, folder, into, str(number)) for number in range(count)]
    said, _ = server.communicate()
    for client in clients:
        client.communicate()
    if server.returncode or any(client.returncode for client in clients):
        raise RuntimeError(f"the {peer} ping-pong has failed")
    measured: dict[str, float] = json.loads(said)
    return {**measured, "bots_cpu_s": sum(times.cpu_s for times in read_times(into))}


def _start(role: str, peer: Peer, address: str, folder: Path, into: Path, last: str) -> subprocess.Popen[str]:
    program = (sys.executable, "-m", "benchmarks.ping_pong", role, peer, address, str(folder), str(into), last)
    return subprocess.Popen((*SHIM, "exec", str(os.getpid()), *program), stdout=subprocess.PIPE, text=True)


def main(given: list[str]) -> None:
    """Be the server or one of the processes."""
    role, name, address, folder, into, last = given
    peer = Peer(name)
    if role == "serve":
        measured: dict[str, Any] = uvloop.run(serve(peer, address, Path(folder), in_turn=last == "in turn"))
        sys.stdout.write(json.dumps(measured))
        return
    times, number = Times(), int(last)
    uvloop.run(answer(peer, address, number, read_dialogues(Path(folder))[number], times))
    times.write(Path(into), f"{number:010}")


if __name__ == "__main__":
    main(sys.argv[1:])
