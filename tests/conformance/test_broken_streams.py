"""Bots whose connections break in the middle of their matches come back and play on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from referee.rules import check_record
from referee.server import RefereeServer
from tests.conformance.sittings import Outcome, plan_of
from workers.bots import find_bot
from workers.launcher import LocalLauncher
from workers.sitting import Stage, play_sitting

pytestmark = pytest.mark.slow  # real processes at a real referee

BREAK_AFTER_BYTES = 30_000


class BreakingProxy:
    """Passes bytes between bots and the referee, and cuts every connection once, after so many bytes."""

    def __init__(self, target: Path, *, break_after: int) -> None:
        self._target = target
        self._left = break_after
        self._writers: list[asyncio.StreamWriter] = []
        self.cut_count = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Takes one connection."""
        to_reader, to_writer = await asyncio.open_unix_connection(self._target)
        self._writers += [writer, to_writer]
        await asyncio.gather(self._pass(reader, to_writer), self._pass(to_reader, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while piece := await reader.read(4096):
                writer.write(piece)
                await writer.drain()
                self._count(len(piece))
        except ConnectionError:
            pass  # it was cut
        finally:
            writer.close()

    def _count(self, size: int) -> None:
        was_left, self._left = self._left, self._left - size
        if was_left > 0 >= self._left:
            self.cut_count = len(self._writers) // 2
            for writer in self._writers:
                writer.transport.abort()


async def _play(folder: Path) -> tuple[Outcome, int]:
    server = RefereeServer(f"unix:{folder}/referee.sock", control_key="key")
    await server.start()
    proxy = BreakingProxy(folder / "referee.sock", break_after=BREAK_AFTER_BYTES)
    listening = await asyncio.start_unix_server(proxy.serve, folder / "proxy.sock")
    outcome = Outcome()
    programs = [find_bot(name) for name in ("greedy", "counter", "lowest", "random")]
    try:
        launcher = LocalLauncher(f"unix:{folder}/proxy.sock")
        stage = Stage(referee=f"unix:{folder}/referee.sock", control_key="key", launcher=launcher)
        await play_sitting(plan_of(4, "russian-14", tables=4), programs, stage=stage, sink=outcome)
    finally:
        listening.close()
        await server.stop()
    return outcome, proxy.cut_count


def test_cut_connections_cost_nobody_a_match(tmp_path: Path) -> None:
    """All four bots lose their streams at once, dial again within the same processes, and nobody has a fault."""
    outcome, cut_count = asyncio.run(_play(tmp_path))
    assert cut_count == 4
    assert outcome.faults == []
    assert [check_record(record) for record in outcome.records] == [[]] * 4
    assert [(status, "stream broken" in text) for _, status, text in outcome.exits] == [(0, True)] * 4
