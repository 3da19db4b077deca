"""The report of a check that a bot did not pass, for tests of the pages that show it."""

from __future__ import annotations

from typing import Any


def failed_report(*, version: str, received: str, stderr: str) -> dict[str, Any]:
    """The owl's: its second step failed on what was `received` from it, the third was not reached."""
    return {
        "bot": "owl",
        "version": version,
        "passed": False,
        "steps": [
            _step(1, "starts", passed=True, message="runs"),
            _step(
                2, "hello", passed=False, message="the stream was refused", sent="the stream's end", received=received
            ),
            _step(3, "ready", passed=None, message="no"),
        ],
        "asked": {},
        "stderr": stderr,
    }


def _step(
    number: int, name: str, *, passed: bool | None, message: str, sent: str = "", received: str = ""
) -> dict[str, Any]:
    told = {"passed": passed, "seconds": 0.1, "sent": sent, "received": received, "message": message}
    return {"number": number, "name": name, **told}
