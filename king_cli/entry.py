"""Where the program `king` begins: `king bridge -- CMD` goes its own short way, for it is started with every bot."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command given on the command line, and exit."""
    if sys.argv[1:3] == ["bridge", "--"]:
        from king_cli.bridge.run import run

        sys.exit(run(sys.argv[3:]))
    from king_cli.main import main as run_any
    from king_cli.numerics import use_one_thread

    use_one_thread()
    run_any()
