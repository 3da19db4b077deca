"""The bots of the harness: quick ones that play well enough, and that show when they think.

Owns their folders. That a bot thinks is one byte for its process in a file that harness and bots map: the request that
it thinks about is then surely open.
"""

from __future__ import annotations

import mmap
from pathlib import Path

NAMES = ("ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "oak")

_MANIFEST = """name = "{name}"
version = "1"
language = "python"
run = ["python", "bot.py"]
variants = ["*"]
"""

_PROGRAM = '''
import mmap, os, time
from king_bot import Bot, run


class Steady(Bot):
    """Takes its actions in turn."""

    def warm_up(self):
        with open({thinking!r}, "r+b") as file:
            self.thinking = mmap.mmap(file.fileno(), 0)
        self.count = {offset}

    def choose(self, table, actions):
        self.thinking[os.getpid()] = 1
        time.sleep({seconds})
        self.count += 1
        self.thinking[os.getpid()] = 0
        return self.count % len(actions)


run(Steady())
'''


class Players:
    """The folders of all bots below `folder`."""

    def __init__(self, folder: Path, *, thinks_s: float = 0.0005) -> None:
        """Write them; each takes so long over a request."""
        self.folders = [folder / name for name in NAMES]
        thinking = folder / "thinking"
        folder.mkdir()
        pids = int(Path("/proc/sys/kernel/pid_max").read_text(encoding="ascii"))
        with thinking.open("wb") as file:
            file.truncate(pids)
        with thinking.open("r+b") as file:
            self._thinking = mmap.mmap(file.fileno(), 0)
        for offset, place in enumerate(self.folders):
            place.mkdir()
            (place / "bot.toml").write_text(_MANIFEST.format(name=place.name), encoding="utf-8")
            program = _PROGRAM.format(thinking=str(thinking), seconds=thinks_s, offset=offset)
            (place / "bot.py").write_text(program, encoding="utf-8")

    def thinks(self, pid: int) -> bool:
        """Whether the bot with this pid thinks about a request now; it must be stopped to be sure."""
        return self._thinking[pid] == 1
