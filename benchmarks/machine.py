"""What a benchmark ran on: figures mean little without it."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = ("grpcio", "uvloop", "sqlalchemy", "rq", "redis", "numpy", "scipy", "open_spiel", "mypyc")


def machine() -> dict[str, Any]:
    """The processor, the system, the versions of what is measured and compared with, and how busy it was."""
    return {
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "machine": platform.machine(),
        "memory_mib": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20,
        "kernel": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": {name: found for name in PACKAGES if (found := _version(name))},
        "rules_compiled": _rules_are_compiled(),
        "load_at_start": [round(load, 2) for load in os.getloadavg()],
    }


def described(found: dict[str, Any]) -> str:
    """The same in a line."""
    compiled = "rules compiled" if found["rules_compiled"] else "rules in pure Python"
    return (
        f"{found['cpu']}, {found['cores']} cores, {found['memory_mib'] // 1024} GiB, {found['kernel']}, "
        f"{found['python']}, {compiled}, load {found['load_at_start'][0]} at the start"
    )


def _cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in {"model name", "Model", "cpu model"}:
            return value.strip()
    return platform.processor() or "unknown processor"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _rules_are_compiled() -> bool:
    import referee.rules.play

    return not str(sys.modules[referee.rules.play.__name__].__file__).endswith(".py")
