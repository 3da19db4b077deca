"""The other seats' processes: they say hello and ready within this process, and are never asked (see `steering`)."""

from __future__ import annotations

import asyncio

import grpc.aio

from referee.codec import SERVICE_NAME, greeting_frame
from workers.launcher import Usage

_METHOD = f"/{SERVICE_NAME}/Play"


class Filler:
    """Sits at its tables until the referee closes the stream. It is what a launcher gives, without a process."""

    def __init__(self, address: str, token: str) -> None:
        """Sit down at the referee at `address`; needs a running event loop."""
        self._task = asyncio.create_task(_sit(address, token))

    async def wait(self) -> int:
        """As in `workers.launcher.BotProcess`."""
        await asyncio.wait({self._task})
        return 0

    async def stop(self) -> int:
        """As in `workers.launcher.BotProcess`."""
        self._task.cancel()
        return await self.wait()

    def usage(self) -> Usage:
        """As in `workers.launcher.BotProcess`."""
        return Usage(cpu_wait_us=0)

    def stderr(self) -> str:
        """As in `workers.launcher.BotProcess`."""
        return ""


async def _sit(address: str, token: str) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        dial: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(_METHOD)
        call = dial()
        await call.write(greeting_frame(token, name="filler", version="1"))
        while isinstance(await call.read(), bytes):
            pass
