"""A broken bot: its own code raises at the first decision of the third deal."""

from collections.abc import Sequence

from king_bot import Action, Bot, Table, run


class CrashingBot(Bot):
    """Divides by zero."""

    def choose(self, table: Table, actions: Sequence[Action]) -> int:
        """Plays two deals, then raises."""
        return 0 if table.deal.number < 3 else 1 // 0


if __name__ == "__main__":
    run(CrashingBot())
