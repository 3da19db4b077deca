"""How many threads the linear algebra of a process has: one.

The matrices of a ladder are small: with several threads an inverse takes ten times as long where other processes are at
work, and the last bits of ratings would hang on how many processors there are. To be called before numpy is imported.
"""

from __future__ import annotations

import os

_SETTINGS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def use_one_thread() -> None:
    """Has this process, and those that it starts, do linear algebra in one thread, unless told otherwise."""
    for name in _SETTINGS:
        os.environ.setdefault(name, "1")
