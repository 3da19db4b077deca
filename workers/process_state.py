"""What state a process of this machine is in, as the kernel says. Linux only; changes nothing."""

from __future__ import annotations

from pathlib import Path


def is_stopped(pid: int) -> bool:
    """Whether a signal has stopped the process, which then does nothing until another one has it go on."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] == "T"
