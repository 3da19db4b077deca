"""A Python sample bot that takes so many tables at once: `python limited_bot.py SAMPLE TABLES`.

Run by other benchmarks, as a bot is: with few tables its frames hold few requests, and nothing but the waiting counts.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from king_bot import Bot, run

SAMPLES = Path(__file__).resolve().parent.parent / "sample_bots" / "python"


def load(sample: str, table_limit: int) -> Bot:
    """The bot of a sample, with a limit of tables."""
    folder = SAMPLES / sample
    sys.path.insert(0, str(folder))
    kinds = runpy.run_path(str(folder / "bot.py")).values()
    own = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Bot) and kind is not Bot]
    bot = own[-1]()
    bot.name, bot.version, bot.table_limit = sample, "1", table_limit
    return bot


if __name__ == "__main__":
    run(load(sys.argv[1], int(sys.argv[2])))
