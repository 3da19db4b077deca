"""A bot whose every decision is the same amount of work: `python working_bot.py LOOPS GREEDY`.

With GREEDY above 0 it also has so many processes that compute without end, in its turn and out of it. Run by
`benchmarks.cpu_shares`, in a sandbox.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from king_bot import Action, Bot, Table, run


class WorkingBot(Bot):
    """Counts to a number, then takes the first action."""

    table_limit = 1

    def __init__(self, loops: int) -> None:
        super().__init__()
        self.loops = loops

    def choose(self, table: Table, actions: Sequence[Action]) -> int:
        """Works, and takes the first."""
        for _ in range(self.loops):
            pass
        return 0


def compute_without_end(processes: int) -> None:
    """Start so many children that do nothing else."""
    for _ in range(processes):
        if os.fork() == 0:
            while True:
                pass


if __name__ == "__main__":
    compute_without_end(int(sys.argv[2]))
    run(WorkingBot(int(sys.argv[1])))
