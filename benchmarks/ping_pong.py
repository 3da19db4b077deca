"""The peer of a referee: a bare gRPC ping-pong that sends frames of a real sitting again, bytes ready beforehand.

A server of `grpc.aio` and a process for each bot, over a socket, on the event loop that the referee and the light bots
use. The server writes what the referee wrote, the process answers what the bot answered; neither reads a byte of it.
With one table in play the turns go round as they did, with more each stream goes on by itself. Owns the peer only;
`benchmarks.decisions` compares.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import uvloop

from benchmarks.dialogues import Exchange, Times, read_dialogues, read_times
from benchmarks.light_process import METHOD, dialled
from workers.launcher import SHIM

Context = grpc.aio.ServicerContext[bytes, bytes]


class Server:
    """Says dialogues again to the processes that dial, each to the one that names it."""

    def __init__(self, dialogues: list[list[Exchange]], turns: list[int] | None) -> None:
        """`turns`: whose exchange comes next, where only one is in flight at a time."""
        self._dialogues = dialogues
        self._turns = turns
        self._contexts: dict[int, Context] = {}
        self._all_here = asyncio.Event()
        self._over_count = 0
        self.over = asyncio.Event()
        self.began_s = self.ended_s = self.cpu_s = 0.0

    async def play(self, requests: AsyncIterator[bytes], context: Context) -> None:
        """One stream: its first frame says which dialogue is its."""
        del requests  # read through the context, as the referee does
        named = await context.read()
        assert isinstance(named, bytes)
        self._contexts[int(named)] = context
        if len(self._contexts) == len(self._dialogues):
            self.began_s, self.cpu_s = time.monotonic(), time.process_time()
            self._all_here.set()
        await self._all_here.wait()
        if self._turns is None:
            for exchange in self._dialogues[int(named)]:
                await _say(context, exchange)
            self._note_end(1)
        elif int(named) == 0:
            await self._go_round(self._turns)
            self._note_end(len(self._dialogues))
        await self.over.wait()

    async def _go_round(self, turns: list[int]) -> None:
        exchanges = [iter(dialogue) for dialogue in self._dialogues]
        for turn in turns:
            await _say(self._contexts[turn], next(exchanges[turn]))
        for turn, rest in enumerate(exchanges):
            for exchange in rest:
                await _say(self._contexts[turn], exchange)

    def _note_end(self, count: int) -> None:
        self._over_count += count
        if self._over_count == len(self._dialogues):
            self.ended_s, self.cpu_s = time.monotonic(), time.process_time() - self.cpu_s
            self.over.set()


async def _say(context: Context, exchange: Exchange) -> None:
    for frame in exchange.frames:
        await context.write(frame)
    if exchange.answer is not None:
        await context.read()


def turns_of(times: list[Times]) -> list[int]:
    """Whose exchanges came one after the other, by when they were asked."""
    return [turn for _, turn in sorted((at, turn) for turn, each in enumerate(times) for at in each.asked_ns)]


async def serve(address: str, folder: Path, *, in_turn: bool) -> dict[str, float]:
    """Say all once to the processes that dial; the seconds it took, and the server's CPU time."""
    said = Server(read_dialogues(folder), turns_of(read_times(folder)) if in_turn else None)
    server = grpc.aio.server(options=(("grpc.max_send_message_length", -1),))
    play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(said.play)
    _, service, method = METHOD.split("/")
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {method: play}),))
    server.add_insecure_port(address)
    await server.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await said.over.wait()
    await server.stop(1)
    return {"seconds": said.ended_s - said.began_s, "cpu_s": said.cpu_s}


async def answer(address: str, number: int, exchanges: list[Exchange], times: Times) -> None:
    """Answer as the bot did until the server closes the stream."""
    answers = [(at == len(frames) - 1 and said) or None for frames, said in exchanges for at in range(len(frames))]
    async with dialled(address) as call:
        await call.write(str(number).encode())
        for said in answers:
            frame = await call.read()
            asked_ns = time.monotonic_ns()
            assert isinstance(frame, bytes)
            if said is not None:
                await call.write(said)
                times.asked_ns.append(asked_ns)
                times.answered_ns.append(time.monotonic_ns())
        await call.read()


def run(folder: Path, into: Path, *, in_turn: bool) -> dict[str, float]:
    """Say the dialogues in `folder` again, in processes of their own, which leave their times in `into`.

    Raises:
        ValueError: nothing was said.
    """
    address = f"unix:{into}/peer.sock"
    count = len(read_times(folder))
    if count == 0:
        raise ValueError(f"there is no dialogue in {folder}")
    server = _start("serve", address, folder, into, "in turn" if in_turn else "")
    assert server.stdout is not None
    server.stdout.readline()
    clients = [_start("answer", address, folder, into, str(number)) for number in range(count)]
    said, _ = server.communicate()
    for client in clients:
        client.communicate()
    if server.returncode or any(client.returncode for client in clients):
        raise RuntimeError("the bare ping-pong has failed")
    measured: dict[str, float] = json.loads(said)
    return measured


def _start(role: str, address: str, folder: Path, into: Path, last: str) -> subprocess.Popen[str]:
    program = (sys.executable, "-m", "benchmarks.ping_pong", role, address, str(folder), str(into), last)
    return subprocess.Popen((*SHIM, "exec", str(os.getpid()), *program), stdout=subprocess.PIPE, text=True)


def main(given: list[str]) -> None:
    """Be the server or one of the processes."""
    role, address, folder, into, last = given
    if role == "serve":
        measured: dict[str, Any] = uvloop.run(serve(address, Path(folder), in_turn=last == "in turn"))
        sys.stdout.write(json.dumps(measured))
        return
    times, number = Times(), int(last)
    uvloop.run(answer(address, number, read_dialogues(Path(folder))[number], times))
    times.write(Path(into), f"{number:010}")


if __name__ == "__main__":
    main(sys.argv[1:])
