"""A broken bot: it takes far longer than its clock allows."""

import time
from collections.abc import Sequence

from king_bot import Action, Bot, Table, run


class SlowBot(Bot):
    """Sleeps before each answer."""

    def choose(self, table: Table, actions: Sequence[Action]) -> int:
        """Answers in the end."""
        time.sleep(1.0)
        return 0


if __name__ == "__main__":
    run(SlowBot())
