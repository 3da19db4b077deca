"""Talks to the REST API of an arena, as `king submit` does: with a token, and errors as one clear line.

Owns the requests. What an answer means is for the commands.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.parse import quote, urlsplit

from king_cli.errors import UsageError

_TIMEOUT_S = 60.0


class ArenaUnreachableError(UsageError):
    """Nobody answers there, or not in the language of an arena."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token is for the arena that was named, and for nobody else."""

    def redirect_request(self, *_asked: Any) -> None:
        """Refuse."""


_OPENER = urllib.request.build_opener(_NoRedirect)


@dataclass(frozen=True)
class ArenaClient:
    """An arena at `server`, to which `token` is shown."""

    server: str
    token: str = field(repr=False)

    def __post_init__(self) -> None:
        """Check the address.

        Raises:
            UsageError: it is no http or https address.
        """
        parts = urlsplit(self.server)
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            raise UsageError(f"--server {self.server!r} is no address: write it as https://arena.example")

    def send_archive(self, archive: bytes, file_name: str) -> dict[str, Any]:
        """Send a bot. Returns the submission."""
        return self._ask(f"submissions?file_name={quote(file_name)}", archive)

    def submission(self, submission_id: int) -> dict[str, Any]:
        """How far a submission is."""
        return self._ask(f"submissions/{submission_id}")

    def log(self, submission_id: int, kind: str) -> str:
        """A log of a submission: `build` or `stderr`."""
        return str(self._ask(f"submissions/{submission_id}/logs/{kind}")["text"])

    def report(self, submission_id: int) -> dict[str, Any] | None:
        """The report of its check; None before there is one."""
        report: dict[str, Any] | None = self._ask(f"submissions/{submission_id}/report")["report"]
        return report

    def page(self, submission_id: int) -> str:
        """The page of a submission, for people."""
        return f"{self.server.rstrip('/')}/mine/submissions/{submission_id}"

    def _ask(self, path: str, content: bytes | None = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        if content is not None:
            headers["Content-Type"] = "application/zip"
        address = f"{self.server.rstrip('/')}/api/v1/{path}"
        asked = urllib.request.Request(address, data=content, headers=headers)
        try:
            with _OPENER.open(asked, timeout=_TIMEOUT_S) as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            raise _told(self.server, error) from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise ArenaUnreachableError(f"no arena answers at {self.server}: {reason}") from None
        except ValueError:
            raise ArenaUnreachableError(f"what answers at {self.server} is no arena: --server is wrong") from None


def _told(server: str, error: urllib.error.HTTPError) -> UsageError:
    """What the arena refuses, in its own words."""
    with error:
        try:
            problem = json.load(error)
            detail = str(problem["detail"])
        except (ValueError, KeyError, TypeError):
            return ArenaUnreachableError(f"{server} answers with status {error.code}, and not as an arena does")
    if error.code == 401:
        return UsageError(f"the token is not good at {server}: make one on your account's page there ({detail})")
    return UsageError(detail)
